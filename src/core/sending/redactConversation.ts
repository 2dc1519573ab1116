import { isArray, isObject } from '../base/json';
import { translate } from '../base/translate';
import type { Conversation, ConversationPart, ConversationTool } from '../model/conversation';
import { Redactor } from '../sensitivity/redactor';
import type { SecretScanner } from '../sensitivity/scanner';

/**
 * Removes credentials from everything that is to be sent. A part that contained one loses its native form. Reasoning that
 * contained one is left out, since its signature would no longer match.
 */
export async function redactConversation(
  conversation: Conversation,
  scanner: SecretScanner,
): Promise<Conversation> {
  const redactor = new Redactor(rememberingScanner(scanner));
  for (const text of textsIn(conversation)) {
    await redactor.redact(text);
  }
  let changed = 0;
  const redact = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      return redactor.redact(value);
    }
    if (isArray(value)) {
      return Promise.all(value.map(redact));
    }
    return isObject(value)
      ? Object.fromEntries(
          await Promise.all(
            Object.entries(value).map(async ([key, inner]) => [key, await redact(inner)] as const),
          ),
        )
      : value;
  };
  const redactText = (text: string): Promise<string> => redactor.redact(text);
  const redactPart = async (part: ConversationPart): Promise<readonly ConversationPart[]> => {
    switch (part.kind) {
      case 'text':
      case 'result':
      case 'thinking': {
        const text = await redactText(part.text);
        const isChanged = text !== part.text || (await hasSecretInside(part, redact));
        changed += isChanged ? 1 : 0;
        return !isChanged ? [part] : part.kind === 'thinking' ? [] : [{ ...part, text, native: undefined }];
      }
      case 'call': {
        const input = await redact(part.input);
        const isChanged = JSON.stringify(input) !== JSON.stringify(part.input);
        changed += isChanged ? 1 : 0;
        return [isChanged ? { ...part, input, native: undefined } : part];
      }
      case 'picture':
        return [part];
      case 'other': {
        const isChanged = await hasSecretInside(part, redact);
        changed += isChanged ? 1 : 0;
        return isChanged ? [] : [part];
      }
    }
  };
  const redactTool = async (tool: ConversationTool): Promise<ConversationTool> => {
    const [description, schema] = [await redactText(tool.description), await redact(tool.schema)];
    const isChanged =
      description !== tool.description || JSON.stringify(schema) !== JSON.stringify(tool.schema);
    changed += isChanged ? 1 : 0;
    return isChanged && isObject(schema) ? { ...tool, description, schema, native: undefined } : tool;
  };
  const redactParts = async (parts: readonly ConversationPart[]): Promise<readonly ConversationPart[]> => {
    const redacted: ConversationPart[] = [];
    for (const part of parts) {
      redacted.push(...(await redactPart(part)));
    }
    return redacted;
  };
  const system = await redactParts(conversation.system);
  const tools = await Promise.all(conversation.tools.map(redactTool));
  const turns = [];
  for (const turn of conversation.turns) {
    turns.push({ ...turn, parts: await redactParts(turn.parts) });
  }
  return {
    ...conversation,
    system,
    tools,
    turns,
    notes:
      changed === 0
        ? conversation.notes
        : [
            ...conversation.notes,
            translate(
              'Places where a credential was replaced by the name of the rule that found it: {0}.',
              changed,
            ),
          ],
  };
}

/** Whether the native form contains a secret that the part's own text does not. Encoded data is skipped. */
async function hasSecretInside(
  part: ConversationPart,
  redact: (value: unknown) => Promise<unknown>,
): Promise<boolean> {
  if (part.native === undefined) {
    return false;
  }
  const readable = Object.fromEntries(
    Object.entries(part.native.item).filter(([key]) => !opaqueMembers.has(key)),
  );
  return JSON.stringify(await redact(readable)) !== JSON.stringify(readable);
}

/** Members that are encrypted or signed, and pictures: no rule can match them. */
const opaqueMembers: ReadonlySet<string> = new Set([
  'signature',
  'data',
  'encrypted_content',
  'thoughtSignature',
  'source',
  'inlineData',
]);

/** All texts, so a secret that was found in one place is known in all others. */
function* textsIn({ system, tools, turns }: Conversation): Generator<string> {
  for (const part of [...system, ...turns.flatMap(({ parts }) => parts)]) {
    switch (part.kind) {
      case 'text':
      case 'thinking':
      case 'result':
        yield part.text;
        break;
      case 'call':
        yield JSON.stringify(part.input);
        break;
      case 'picture':
      case 'other':
        break;
    }
  }
  for (const { description } of tools) {
    yield description;
  }
}

/** Scans each text once, although it is read several times: to learn it, to redact it, and in its native form. */
function rememberingScanner(scanner: SecretScanner): SecretScanner {
  const known = new Map<string, ReturnType<SecretScanner['scan']>>();
  return {
    scan: text => {
      const findings = known.get(text) ?? scanner.scan(text);
      known.set(text, findings);
      return findings;
    },
  };
}
