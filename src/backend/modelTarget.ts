import type { JsonObject } from '../core/base/json';
import { translate } from '../core/base/translate';
import { readDiagnosis } from '../core/wire/cacheDiagnosis';
import { AgentError } from '../core/model/contextBackend';
import type { Conversation, ConversationPart } from '../core/model/conversation';
import type { Protocol } from '../core/model/protocol';
import type { TokenizerPrior } from '../core/model/modelRow';
import type { CacheDiagnosis } from '../core/model/cacheDiagnosis';
import type { RecordedUsage } from '../core/model/transcript';
import { paired } from '../core/sending/callPairs';
import { splitSystem } from '../core/wire/writing/conversationParts';
import { loadTokenizer } from '../core/tokens/bytePairTokenizer';
import { lookUpModel, type ModelLookUp } from '../core/tokens/modelTable';
import { unknownPrior } from '../core/tokens/tokenizerPrior';
import {
  compressZones,
  type ContextZones,
  conversationZones,
  requestOf,
  splitLive,
  zonesToJsonl,
} from './contextZones';
import { joined, textsIn, withOpening } from '../core/wire/writing/dialect';
import { dialects } from '../core/wire/writing/dialects';
import {
  conversationOfMessages,
  type CountTokens,
  isFull,
  NativeBackend,
  type SendOptions,
} from './nativeBackend';
import type { NativeMessage, NativeResponse } from './nativeMessage';
import { providerAddress } from './providerAddress';
import type { ProviderPreset } from './providers';
import type { CallLimits } from './transport';

/** A model, its provider, and the settings of its requests. */
export interface TargetSettings {
  readonly preset: ProviderPreset;
  /** Overrides the preset's. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Longest answer in tokens, reasoning included; the provider's own limit when absent. */
  readonly maximumOutput?: number | undefined;
  /** Additional members of the native request, such as `temperature` or `thinking`. They override all others. */
  readonly members?: JsonObject | undefined;
  /** The known models; the program's own table if absent. */
  readonly lookUp?: ModelLookUp | undefined;
}

/** A request that is ready to be sent; nothing has left the machine yet. */
export interface PreparedRequest {
  readonly protocol: Protocol;
  /** The destination as shown before sending: scheme, host and port. */
  readonly destination: string;
  /** True if the request stays on this machine. */
  readonly isLocal: boolean;
  readonly messages: readonly JsonObject[];
  readonly members: JsonObject;
  /** The native request as stored and shown: without the members that ask for a stream. */
  readonly body: JsonObject;
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  /** The differences from the recorded request, one sentence each. */
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
  /** The native response, or the part that arrived; undefined if nothing arrived. */
  readonly response: JsonObject | undefined;
  /** Undefined if the provider reported none. */
  readonly usage: RecordedUsage | undefined;
  /** The provider's verdict on its cache; undefined if it gave none. */
  readonly diagnosis: CacheDiagnosis | undefined;
  /** From sending to the first piece of thinking or content, and to the end, in milliseconds. */
  readonly firstPieceAfter: number | undefined;
  readonly duration: number;
  /** The reason why the reply is incomplete. */
  readonly error: AgentError | undefined;
}

/** The options for sending a prepared request. The key is used only for this call and is not stored. */
export interface SendControl extends CallLimits {
  readonly apiKey?: string | undefined;
}

/** A model to ask. Creating a target sends nothing. */
export interface ModelTarget {
  readonly settings: TargetSettings;
  /** Scheme, host and port that requests go to. A key belongs to one origin. */
  readonly origin: string;
  /** @param markEnd puts a cache breakpoint at the end, if the API has breakpoints: for probing the cache. */
  prepare(conversation: Conversation, options?: { readonly markEnd?: boolean }): PreparedRequest;
  /**
   * Adds a question for the provider: what differs from an earlier reply of its own. Returns the request unchanged if
   * the provider offers no such verdict. Sends nothing.
   * @param previous the provider's id of that reply; `undefined` for the first of two requests, of which the second
   * asks
   */
  withComparison(prepared: PreparedRequest, previous: string | undefined): PreparedRequest;
  /** Sends and streams. Failures do not reject: the reply reports them next to the received part. */
  ask(
    prepared: PreparedRequest,
    control: SendControl,
    onPiece?: (piece: ReplyPiece) => void,
  ): Promise<ModelReply>;
  /** One sentence if the conversation fills the model's window by our estimate. Sends nothing. */
  sizeNotes(conversation: Conversation): Promise<readonly string[]>;
  /** The conversation followed by a question for this request only. Sends nothing. */
  withQuestion(conversation: Conversation, question: string): Conversation;
  /**
   * The conversation with another result of one call.
   * @throws AgentError if it has no result of that call.
   */
  withResult(conversation: Conversation, callId: string, text: string): Conversation;
  /** The stored messages as JSONL in the provider's own form, the system prompt first. Sends nothing. */
  jsonl(conversation: Conversation): string;
  /**
   * The conversation with its messages replaced by those of a JSONL file in the form of `jsonl`. Sends nothing.
   * @throws AgentError if a line is not a message.
   */
  fromJsonl(conversation: Conversation, text: string): Conversation;
  /**
   * The request for a summary of all messages except the newest `keep`; undefined if there are no others. Sends
   * nothing.
   */
  prepareSummary(conversation: Conversation, keep: number): PreparedRequest | undefined;
  /**
   * Sends that request and returns the conversation with the summary instead of the older messages. Rejects with
   * AgentError, also if the model returns no summary.
   */
  compress(conversation: Conversation, keep: number, control: SendControl): Promise<Conversation>;
  /** Tokens of the request, counted by the provider: exact. Rejects with AgentError. */
  count(prepared: PreparedRequest, control: SendControl): Promise<number>;
}

/** Asks for a summary of a conversation instead of its next turn. */
const summaryInstruction = [
  'Summarise the conversation above, so that the work can go on from your summary alone.',
  'Say what the user wants, what was decided, which files, commands and results matter, what is done, and what comes next.',
  'Answer with the summary only. Do not call tools.',
].join(' ');

/** @throws AgentError if the address cannot be used. */
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
  const writtenTurns = (conversation: Conversation, turns: Conversation['turns']): readonly NativeMessage[] =>
    turns.length === 0 ? [] : natives(backend.write({ ...conversation, system: [], turns }, { model }));
  const zonesOf = (conversation: Conversation): ContextZones<NativeMessage> => {
    const { immutable, compressed, incremental, scratch } = conversationZones(conversation);
    const [summaries, others] = splitSystem(compressed, ({ role }) => role === 'system');
    const systemMessages = (turns: Conversation['turns']): readonly NativeMessage[] =>
      turns.map(({ parts }) => backend.systemMessage(textsIn(parts).join('\n\n')));
    // Written together, because the API defines how turns follow each other.
    const messages = writtenTurns(conversation, [...others, ...incremental]);
    const isJoined = others.length > 0 && others.at(-1)?.role === incremental[0]?.role;
    const live = writtenTurns(conversation, others).length - (isJoined ? 1 : 0);
    return {
      immutable: systemMessages(immutable),
      compressed: [...systemMessages(summaries), ...messages.slice(0, live)],
      incremental: messages.slice(live),
      scratch: writtenTurns(conversation, scratch),
    };
  };
  const membersOf = (written: Pick<PreparedRequest, 'members'>): JsonObject => ({
    ...written.members,
    model,
    ...limited,
  });
  const preparedOf = (
    messages: readonly NativeMessage[],
    members: JsonObject,
    notes: readonly string[],
  ): PreparedRequest => {
    const request = backend.request(messages, members);
    return {
      protocol,
      destination: origin,
      isLocal,
      messages: messages.map(({ native }) => native),
      members,
      body: request.body,
      bytes: new TextEncoder().encode(JSON.stringify(request.body)).length,
      notes,
    };
  };
  const summaryRequest = (older: readonly NativeMessage[]): readonly NativeMessage[] => [
    ...older,
    backend.userMessage(summaryInstruction),
  ];
  return {
    settings,
    origin,
    prepare(conversation, { markEnd } = {}) {
      const written = backend.write(conversation, { model, markEnd });
      const notes = [...zoneNotes(conversation), ...conversation.notes, ...lossesOf(conversation, protocol)];
      return preparedOf(natives(written), membersOf(written), notes);
    },
    withComparison(prepared, previous) {
      const asked = preset.diagnoses === true ? dialects[protocol].comparison?.(model, previous) : undefined;
      const note = translate('The provider is asked to report on the cache.');
      return asked === undefined
        ? prepared
        : preparedOf(natives(prepared), { ...prepared.members, ...asked, ...further }, [
            ...prepared.notes.filter(other => other !== note),
            note,
          ]);
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
      const schemas = tools.length === 0 ? [] : [backend.systemMessage(JSON.stringify(tools))];
      const isTooLarge =
        Number.isFinite(window) && (await isFull(backend, [...schemas, ...requestOf(zonesOf(conversation))]));
      return isTooLarge
        ? [
            translate(
              'The request probably fills the window of {0} ({1, plural, one {# token} other {# tokens}}).',
              model,
              window,
            ),
          ]
        : [];
    },
    withQuestion: (conversation, question) => ({
      ...conversation,
      turns: [
        ...conversation.turns,
        ...backend
          .userMessage(question)
          .turns()
          .map(turn => ({ ...turn, zone: 'scratch' as const })),
      ],
    }),
    withResult(conversation, callId, text) {
      const isOfCall = (part: ConversationPart): boolean => part.kind === 'result' && part.callId === callId;
      if (!conversation.turns.some(({ parts }) => parts.some(isOfCall))) {
        throw new AgentError('context', translate('The request has no result for the call {0}.', callId));
      }
      const given = backend.toolMessage(callId, text).parts();
      const turns = conversation.turns.map(turn => ({
        ...turn,
        parts: turn.parts.flatMap(part =>
          isOfCall(part) ? given.map(other => ({ ...other, blocks: part.blocks })) : [part],
        ),
      }));
      return { ...conversation, turns };
    },
    jsonl: conversation => zonesToJsonl(backend, zonesOf(conversation)),
    fromJsonl(conversation, text) {
      const lines = text.split('\n').filter(line => line.trim() !== '');
      const messages = backend.toRequestMessages(lines.map(line => backend.messageFromJsonl(line)));
      const { system, turns: written } = conversationOfMessages(messages);
      const notes: string[] = [];
      // The user may have removed lines, so calls and results must be matched again.
      const matching = paired(joined(written), notes);
      const turns = notes.length === 0 ? written : matching;
      // The file has the texts of the system prompt. If they are unchanged, its recorded form is kept.
      const isSameSystem = textsIn(system).join('\n\n') === textsIn(conversation.system).join('\n\n');
      return {
        ...conversation,
        system: isSameSystem ? conversation.system : system,
        turns,
        breakpoints: [],
        notes: [...conversation.notes, ...notes],
      };
    },
    prepareSummary(conversation, keep) {
      const zones = zonesOf(conversation);
      const { older } = splitLive(zones, keep);
      const { members } = backend.write(conversation, { model });
      return older.length === 0
        ? undefined
        : preparedOf(
            summaryRequest(backend.toRequestMessages([...zones.compressed, ...older])),
            membersOf({ members }),
            [],
          );
    },
    async compress(conversation, keep, control) {
      const { members } = backend.write(conversation, { model });
      // System prompt and tools are members of the request.
      const zones = { ...zonesOf(conversation), immutable: [] };
      const compressed = await compressZones(backend, zones, keep, async older => {
        const options = { ...control, members: membersOf({ members }) };
        const response = await backend.send(summaryRequest(older), options);
        const [summary] = backend.extractMessagesFromBackendResponse([response]);
        if (summary === undefined || textsIn(summary.parts()).join('').trim() === '') {
          throw new AgentError('context', translate('The model returned no summary.'));
        }
        return summary;
      });
      const turnsOf = (messages: readonly NativeMessage[]) => messages.flatMap(message => message.turns());
      const live = turnsOf(compressed.incremental);
      return {
        ...conversation,
        turns: [
          ...turnsOf(compressed.compressed).map(turn => ({ ...turn, zone: 'compressed' as const })),
          // Gemini requires a user turn before a call (Gemini function calling guide, 2026-10); Anthropic requires one
          // before any reply.
          ...(compressed === zones ? live : withOpening(live)),
          ...conversationZones(conversation).scratch,
        ],
      };
    },
    count: (prepared, control) =>
      backend.countExactly(natives(prepared), { ...control, members: prepared.members }),
  };
}

/** Counts like the model's family: with the most similar tokenizer, scaled. */
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
    diagnosis: readDiagnosis(backend.wholeResponse(responses)),
    firstPieceAfter,
    duration: performance.now() - started,
    error,
  };
}

/** Notes about parts of the request that are not the recorded live conversation. */
function zoneNotes(conversation: Conversation): readonly string[] {
  const { compressed, scratch } = conversationZones(conversation);
  const pruned = conversation.pruned?.length ?? 0;
  return [
    ...(compressed.length === 0
      ? []
      : [
          translate(
            'The request begins with {0, plural, one {a summary} other {# summaries}} of earlier messages.',
            compressed.length,
          ),
        ]),
    ...(pruned === 0
      ? []
      : [translate('{0, plural, one {# block is} other {# blocks are}} pruned.', pruned)]),
    ...(scratch.length === 0 ? [] : [translate('The question does not become part of the context.')]),
  ];
}

/** Notes about parts that must be left out for the target's provider. */
function lossesOf({ turns }: Conversation, protocol: Protocol): readonly string[] {
  const lost = turns.flatMap(({ parts }) =>
    parts.filter(
      part => (part.kind === 'thinking' || part.kind === 'other') && part.native?.protocol !== protocol,
    ),
  ).length;
  return lost === 0
    ? []
    : [translate('Left out because only the original provider accepts them (mostly reasoning): {0}.', lost)];
}

/** A replay as one line of a file that opens as captured calls, with the time of sending. */
export function replayLine({ body }: PreparedRequest, { response }: ModelReply, sentAt: Date): string {
  return `${JSON.stringify({ timestamp: sentAt.toISOString(), request: body, response: response ?? null })}\n`;
}
