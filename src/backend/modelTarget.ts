import type { JsonObject } from '../core/base/json';
import { translate } from '../core/base/translate';
import { AgentError } from '../core/model/contextBackend';
import type { Conversation, ConversationPart, Protocol } from '../core/model/conversation';
import type { TokenizerPrior } from '../core/model/modelRow';
import type { RecordedUsage } from '../core/model/transcript';
import { loadTokenizer } from '../core/tokens/bytePairTokenizer';
import { lookUpModel, type ModelLookUp } from '../core/tokens/modelTable';
import { unknownPrior } from '../core/tokens/tokenizerPrior';
import { type ContextZones, conversationZones, createZones, requestOf, zonesToJsonl } from './contextZones';
import { textsIn } from './dialects/dialect';
import { dialects } from './dialects/dialects';
import {
  type CountTokens,
  isFull,
  NativeBackend,
  type NativeMessage,
  type NativeResponse,
  type SendOptions,
} from './nativeBackend';
import { providerAddress } from './providerAddress';
import type { ProviderPreset } from './providers';
import type { CallLimits } from './transport';

/** A model, where it runs, and the settings of its requests. */
export interface TargetSettings {
  readonly preset: ProviderPreset;
  /** Overrides the preset's. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Longest answer in tokens, reasoning included; the provider's own limit when absent. */
  readonly maximumOutput?: number | undefined;
  /** Further members of the native request, such as `temperature` or `thinking`; they override all others. */
  readonly members?: JsonObject | undefined;
  /** What is known about models; the program's own table when absent. */
  readonly lookUp?: ModelLookUp | undefined;
}

/** A request that is ready to be sent; nothing has left the machine yet. */
export interface PreparedRequest {
  readonly protocol: Protocol;
  /** Where it goes, as shown before it is sent: scheme, host and port. */
  readonly destination: string;
  /** Whether it stays on this machine. */
  readonly isLocal: boolean;
  readonly messages: readonly JsonObject[];
  readonly members: JsonObject;
  /** The native request as it is kept and shown: without the members that ask for a stream. */
  readonly body: JsonObject;
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  /** How the request differs from the recorded one, one sentence each. */
  readonly notes: readonly string[];
}

/** A piece of an answer while it streams in. */
export interface ReplyPiece {
  readonly kind: 'thinking' | 'content';
  readonly text: string;
}

/** The reply, or the part of it that arrived. */
export interface ModelReply {
  readonly parts: readonly ConversationPart[];
  /** The native messages of the reply, one line of JSON each. */
  readonly jsonl: readonly string[];
  /** The native response, or the part that arrived; undefined where nothing did. */
  readonly response: JsonObject | undefined;
  /** Undefined where the provider reported none. */
  readonly usage: RecordedUsage | undefined;
  /** From sending to the first piece of thinking or content, and to the end, in milliseconds. */
  readonly firstPieceAfter: number | undefined;
  readonly duration: number;
  /** Why the reply is incomplete. */
  readonly error: AgentError | undefined;
}

/** How a prepared request is sent. The key is used for this call only and is not kept. */
export interface SendControl extends CallLimits {
  readonly apiKey?: string | undefined;
}

/** A model that can be asked. Creating one sends nothing. */
export interface ModelTarget {
  readonly settings: TargetSettings;
  /** Scheme, host and port that requests go to. A key belongs to one origin. */
  readonly origin: string;
  /** @param markEnd puts a cache breakpoint at the end, where the API has such marks: for probing the cache. */
  prepare(conversation: Conversation, options?: { readonly markEnd?: boolean }): PreparedRequest;
  /** Sends and streams. Faults do not reject: the reply reports them next to what arrived. */
  ask(
    prepared: PreparedRequest,
    control: SendControl,
    onPiece?: (piece: ReplyPiece) => void,
  ): Promise<ModelReply>;
  /** One sentence where the conversation fills the model's window by our estimate. Sends nothing. */
  sizeNotes(conversation: Conversation): Promise<readonly string[]>;
  /** The conversation's messages as JSONL in the provider's own form, the system prompt first. Sends nothing. */
  jsonl(conversation: Conversation): string;
  /** Tokens of the request, counted by the provider: exact. Rejects with AgentError. */
  count(prepared: PreparedRequest, control: SendControl): Promise<number>;
}

/** @throws AgentError where the address cannot be used. */
export function createTarget(settings: TargetSettings): ModelTarget {
  const { preset, model, maximumOutput, members: further = {}, lookUp = lookUpModel } = settings;
  const { protocol } = preset;
  const row = lookUp(model);
  const { base, origin, isLocal } = providerAddress(settings.baseUrl ?? preset.baseUrl);
  const backend = new NativeBackend(protocol, {
    contextWindow: row?.contextWindow ?? Number.POSITIVE_INFINITY,
    countTokens: tokenCountOf(row?.tokenizerPrior ?? unknownPrior),
    baseUrl: base,
    counts: preset.counts,
  });
  const limited =
    maximumOutput === undefined
      ? further
      : dialects[protocol].withLimit(further, maximumOutput, preset.outputLimitMember);
  const natives = ({ messages }: Pick<PreparedRequest, 'messages'>): readonly NativeMessage[] =>
    messages.map(native => backend.message(native));
  const zonesOf = (conversation: Conversation): ContextZones<NativeMessage> => {
    const { messages } = backend.write({ ...conversation, system: [] }, { model });
    const { immutable } = conversationZones(conversation);
    const system = immutable.map(({ parts }) => backend.systemMessage(textsIn(parts).join('\n\n')));
    return { ...createZones(system), incremental: natives({ messages }) };
  };
  return {
    settings,
    origin,
    prepare(conversation, { markEnd } = {}) {
      const written = backend.write(conversation, { model, markEnd });
      const members = { ...written.members, model, ...limited };
      const request = backend.request(natives(written), members);
      return {
        protocol,
        destination: origin,
        isLocal,
        messages: written.messages,
        members,
        body: request.body,
        bytes: new TextEncoder().encode(JSON.stringify(request.body)).length,
        notes: [...conversation.notes, ...lossesOf(conversation, protocol)],
      };
    },
    ask: (prepared, control, onPiece) =>
      askBackend(backend, natives(prepared), { ...control, members: prepared.members }, onPiece),
    async sizeNotes(conversation) {
      const window = backend.contextWindow();
      const tools = conversation.tools.map(({ name, description, schema }) => ({
        name,
        description,
        schema,
      }));
      const scratch = tools.length === 0 ? [] : [backend.systemMessage(JSON.stringify(tools))];
      const isTooLarge =
        Number.isFinite(window) && (await isFull(backend, requestOf(zonesOf(conversation), scratch)));
      return isTooLarge
        ? [
            translate(
              'The request is estimated to fill the window of {0} ({1, plural, one {# token} other {# tokens}}).',
              model,
              window,
            ),
          ]
        : [];
    },
    jsonl: conversation => zonesToJsonl(backend, zonesOf(conversation)),
    count: (prepared, control) =>
      backend.countExactly(natives(prepared), { ...control, members: prepared.members }),
  };
}

/** Counts as the model's family does: by the tokenizer nearest to its own, scaled. */
function tokenCountOf({ encoding, scale }: TokenizerPrior): CountTokens {
  return async text => (await loadTokenizer(encoding)).count(text) * scale;
}

async function askBackend(
  backend: NativeBackend,
  messages: readonly NativeMessage[],
  options: SendOptions,
  onPiece: ((piece: ReplyPiece) => void) | undefined,
): Promise<ModelReply> {
  const responses: NativeResponse[] = [];
  const started = performance.now();
  let firstPieceAfter: number | undefined;
  let sawThinking = false;
  let error: AgentError | undefined;
  try {
    for await (const response of backend.sendStream(messages, options)) {
      responses.push(response);
      const classified = backend.classifyChunk(response, sawThinking);
      sawThinking = classified.sawThinking;
      for (const { kind } of classified.events) {
        firstPieceAfter ??= performance.now() - started;
        const text = (kind === 'thinking' ? response.reasoningContent() : response.content()) ?? '';
        if (text !== '') {
          onPiece?.({ kind: kind === 'thinking' ? kind : 'content', text });
        }
      }
    }
  } catch (caught) {
    if (!(caught instanceof AgentError)) {
      throw caught;
    }
    error = caught;
  }
  const reply = backend.extractMessagesFromBackendResponse(responses);
  return {
    parts: reply.flatMap(message => message.parts()),
    jsonl: reply.map(message => backend.messageToJsonl(message)),
    response: backend.wholeResponse(responses),
    usage: backend.usage(responses),
    firstPieceAfter,
    duration: performance.now() - started,
    error,
  };
}

/** What has to be left out for the target's provider. */
function lossesOf({ turns }: Conversation, protocol: Protocol): readonly string[] {
  const lost = turns.flatMap(({ parts }) =>
    parts.filter(
      part => (part.kind === 'thinking' || part.kind === 'other') && part.native?.protocol !== protocol,
    ),
  ).length;
  return lost === 0
    ? []
    : [
        translate(
          'Parts left out because only their own provider accepts them, mostly reasoning: {0}.',
          lost,
        ),
      ];
}

/** A replay as one line of a file that opens as captured calls, with the time of sending. */
export function replayLine({ body }: PreparedRequest, { response }: ModelReply, sentAt: Date): string {
  return `${JSON.stringify({ timestamp: sentAt.toISOString(), request: body, response: response ?? null })}\n`;
}
