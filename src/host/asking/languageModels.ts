import * as vscode from 'vscode';
import type { createTarget as CreateTarget, ModelReply } from '../../backend/modelTarget';
import { providerPreset } from '../../backend/providers';
import { isObject, toJson } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { AgentError } from '../../core/model/contextBackend';
import type { Conversation, ConversationPart } from '../../core/model/conversation';
import type { ModelLookUp } from '../../core/tokens/modelTable';
import type { Asker } from '../../app/asking/asker';
import type { OwnModels } from '../../app/asking/askService';
import { describeAnyError } from '../../node/files/fileErrors';

/** The models that other extensions add to VS Code. */
export const vscodeModels: OwnModels = {
  provider: 'vscode',
  offer: async () => {
    const models = await languageModels();
    return models.length === 0
      ? undefined
      : {
          id: vscodeModels.provider,
          name: translate('VS Code models'),
          model: '',
          models: models.map(({ id }) => id),
          counts: false,
        };
  },
  asker: languageModelAsker,
};

type Model = vscode.LanguageModelChat;

/** The models that VS Code offers; none if it has no such interface. */
async function languageModels(): Promise<readonly Model[]> {
  try {
    return await vscode.lm.selectChatModels();
  } catch {
    // VS Code without models may lack the namespace.
    return [];
  }
}

/** Rejects with a sentence if the model no longer exists. */
async function languageModelAsker(
  createTarget: typeof CreateTarget,
  { id, ...settings }: { readonly id: string; readonly maximumOutput: number; readonly lookUp: ModelLookUp },
): Promise<Asker> {
  const model = (await languageModels()).find(other => other.id === id);
  const preset = providerPreset('openai-chat');
  if (model === undefined || preset === undefined) {
    throw new Error(translate('VS Code does not offer the model {0}.', id));
  }
  // Replays are stored in this preset's form, so they can be opened. Nothing is sent to its address.
  const target = createTarget({ preset, model: id, ...settings });
  return {
    name: translate('{0} (VS Code)', model.name),
    needsKey: false,
    target,
    prepare: conversation => {
      const prepared = target.prepare(conversation);
      return {
        ...prepared,
        destination: translate('the extension that provides {0} ({1})', model.name, model.vendor),
        isLocal: false,
        notes: [
          ...prepared.notes,
          translate('VS Code has no system messages. They are sent as user messages.'),
          translate('The model decides how long its answer may be.'),
        ],
      };
    },
    ask: ({ conversation }, { signal }, onPiece) => askModel(model, conversation, signal, onPiece),
  };
}

async function askModel(
  model: Model,
  conversation: Conversation,
  signal: AbortSignal | undefined,
  onPiece: Parameters<Asker['ask']>[2],
): Promise<ModelReply> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal?.addEventListener('abort', cancel);
  const started = performance.now();
  let firstPieceAfter: number | undefined;
  let text = '';
  const calls: ConversationPart[] = [];
  let error: AgentError | undefined;
  try {
    const response = await model.sendRequest(
      messagesOf(conversation),
      {
        tools: conversation.tools.map(({ name, description, schema }) => ({
          name,
          description,
          inputSchema: schema,
        })),
      },
      source.token,
    );
    for await (const part of response.stream) {
      firstPieceAfter ??= performance.now() - started;
      if (part instanceof vscode.LanguageModelTextPart) {
        text += part.value;
        onPiece({ kind: 'content', text: part.value });
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        calls.push({ kind: 'call', blocks: [], id: part.callId, name: part.name, input: part.input });
      }
    }
  } catch (caught) {
    error = new AgentError('api', sentenceOf(caught));
  } finally {
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  }
  const message = chatMessage(text, calls);
  return {
    parts: [...(text === '' ? [] : [{ kind: 'text', blocks: [], text } as const]), ...calls],
    jsonl: [JSON.stringify(message)],
    response: { object: 'chat.completion', model: model.id, choices: [{ index: 0, message }] },
    usage: undefined,
    diagnosis: undefined,
    firstPieceAfter,
    duration: performance.now() - started,
    error,
  };
}

/** The answer as a message of the chat completions API, the form of this provider's replays. */
function chatMessage(text: string, calls: readonly ConversationPart[]) {
  const toolCalls = calls.flatMap(part =>
    part.kind === 'call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: toJson(part.input) } }]
      : [],
  );
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** A conversation as VS Code's messages, which cannot contain reasoning and pictures. */
function messagesOf({ system, turns }: Conversation): vscode.LanguageModelChatMessage[] {
  return [{ role: 'system', parts: system } as const, ...turns].flatMap(({ role, parts }) => {
    if (role === 'assistant') {
      const content = parts.flatMap(assistantPart);
      return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.Assistant(content)];
    }
    const content = parts.flatMap(userPart);
    return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.User(content)];
  });
}

function assistantPart(
  part: ConversationPart,
): readonly (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (part.kind) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'call':
      return [
        new vscode.LanguageModelToolCallPart(
          part.id,
          part.name,
          isObject(part.input) ? { ...part.input } : { input: part.input },
        ),
      ];
    case 'result':
    case 'thinking':
    case 'picture':
    case 'other':
      return [];
  }
}

function userPart(
  part: ConversationPart,
): readonly (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[] {
  switch (part.kind) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'result':
      return [
        new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]),
      ];
    case 'call':
    case 'thinking':
    case 'picture':
    case 'other':
      return [];
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof vscode.LanguageModelError) {
    switch (error.code) {
      case vscode.LanguageModelError.NoPermissions.name:
        return translate('VS Code did not allow access to the model.');
      case vscode.LanguageModelError.NotFound.name:
        return translate('VS Code no longer offers this model.');
      case vscode.LanguageModelError.Blocked.name:
        return translate('The model refused the request.');
    }
  }
  return translate('The model failed: {0}', describeAnyError(error));
}
