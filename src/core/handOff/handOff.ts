import { isArray, type JsonObject, toJson } from '../base/json';
import type { PruneOptions } from '../model/pruneConfig';
import type { SessionToWrite } from '../formats/common/sessionToWrite';
import type { Conversation, ConversationPart } from '../model/conversation';
import { sentConversation } from '../sending/sentConversation';
import { Gate } from '../sensitivity/gate';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { withinBudget } from './budget';
import { type FittedPart, type FittedSession, fitConversation } from './fitting';
import { type Manifest, manifestOf, partMeasure, summaryFacts } from './manifest';
import { type SummaryMaker, withSummary } from './summary';
import { type HandOffTarget, type TargetFacts, targetFacts } from './targets';

export interface HandOffOptions {
  /** Index into the transcript's requests. */
  readonly request: number;
  /** True to hand off everything up to the end, in place of what the model had in the request. */
  readonly isWhole: boolean;
  /** The rules by which old results are pruned; undefined prunes nothing. */
  readonly prune: PruneOptions | undefined;
  /** The tokens that the first request may take; more results are cleared for it. Undefined clears none. */
  readonly budget?: number | undefined;
  /**
   * Makes the summary that replaces everything before the newest replies; `planned` if only the manifest is asked for.
   * Undefined keeps everything.
   */
  readonly summary?: SummaryMaker | undefined;
  /** The model that the target will use; undefined for the recorded one, if the target talks to its family. */
  readonly model: string | undefined;
  /** The scanner whose credentials are removed; undefined keeps them. */
  readonly redactWith: SecretScanner | undefined;
  /** The path of the origin. */
  readonly path: string;
  /** The folder of the work, if the session does not record one. */
  readonly workingDirectory: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** A new UUID. */
  readonly newId: () => string;
}

export interface HandOff {
  readonly facts: TargetFacts;
  readonly manifest: Manifest;
  /** The parts of the manifest's blocks, in the same order. */
  readonly parts: readonly FittedPart[];
  readonly session: SessionToWrite;
}

/** `noRequest`: there is no such request. `nothing`: nothing of it can be handed off. */
export type HandOffResult =
  | ({ readonly ok: true } & HandOff)
  | { readonly ok: false; readonly reason: 'noRequest' | 'nothing' };

/** Plans a session for another agent. Writes nothing: `writtenSession` gives the bytes. */
export async function handOff(
  session: TranscriptSession,
  target: HandOffTarget,
  options: HandOffOptions,
): Promise<HandOffResult> {
  const { transcript } = session;
  const { request, prune, budget, redactWith, time } = options;
  const facts = targetFacts[target];
  const recorded = transcript.requests[request];
  if (recorded === undefined) {
    return { ok: false, reason: 'noRequest' };
  }
  const context = transcript.contexts[recorded.context] ?? [];
  // Only the main conversation records its state after the newest request.
  const after = recorded.thread === 0 ? transcript.after?.blocks : undefined;
  const blocks = options.isWhole ? (after ?? context) : context.slice(0, recorded.length);
  const sent = await sentConversation(session, request, {
    prune,
    redactWith,
    blocks,
    withoutTools: true,
  });
  if (sent === undefined) {
    return { ok: false, reason: 'noRequest' };
  }
  const model = options.model ?? modelFor(session, facts, recorded.model);
  const row = model === undefined ? undefined : session.modelRow(model);
  const tokenizer = await loadTokenizer((row?.tokenizerPrior ?? unknownPrior).encoding);
  const scale = model === recorded.model ? recordedScale(session, request) : undefined;
  const measure = partMeasure(transcript, row, tokenizer, scale);
  const gate = redactWith && new Gate(redactWith);
  const redacted = async (text: string): Promise<string> => (gate === undefined ? text : gate.text(text));
  const fitWith = (conversation: Conversation, summary?: ConversationPart): FittedSession =>
    fitConversation(conversation, target, facts, {
      blocks,
      blockAt: number => transcript.blocks.at(number),
      isOwn: transcript.format === facts.format && transcript.agent.name === facts.agent,
      summary,
    });
  const manifestFor = (fitted: FittedSession): Manifest =>
    manifestOf({
      target,
      facts,
      fitted,
      model,
      row,
      measure,
      blockTokens: session.tokenizerTokens,
      notes: sent.notes,
      time,
    });
  const make = options.summary;
  const summarised =
    make &&
    (await withSummary(
      sent,
      make === 'planned' ? make : async asked => redacted(await make(asked)),
      fitWith,
    ));
  const conversation = summarised?.conversation ?? sent;
  const fit = (chosen: Conversation): FittedSession => fitWith(chosen, summarised?.part);
  const trimmed =
    budget === undefined
      ? { conversation, cleared: [] }
      : await withinBudget({
          session,
          conversation,
          request,
          budget,
          tokensOf: measure.tokensOf,
          totalOf: chosen => manifestFor(fit(chosen)).tokens.value,
        });
  const fitted = fit(trimmed.conversation);
  if (fitted.parts.length === 0) {
    return { ok: false, reason: 'nothing' };
  }
  const manifest = manifestFor(fitted);
  return {
    ok: true,
    facts,
    manifest: {
      ...manifest,
      ...(budget === undefined
        ? {}
        : {
            budget: {
              tokens: budget,
              exceededBy: Math.max(0, manifest.tokens.value - budget),
              cleared: trimmed.cleared,
            },
          }),
      ...(summarised === undefined
        ? {}
        : {
            summary: summaryFacts(summarised, measure, row, time),
            ...(make === 'planned' ? { tokens: { ...manifest.tokens, isLeast: true } } : {}),
          }),
    },
    parts: fitted.parts,
    session: {
      id: facts.writer.sessionId(options.newId(), time),
      workingDirectory: await redacted(transcript.workingDirectory ?? options.workingDirectory),
      time,
      model: await redacted(recorded.model ?? ''),
      family: recorded.model === undefined ? undefined : session.modelRow(recorded.model)?.family,
      origin: {
        id: await redacted(transcript.sessionId ?? ''),
        path: await redacted(options.path),
      },
      turns: fitted.turns,
      newId: options.newId,
    },
  };
}

/** Tokens for a token of the tokenizer, as the recorded total of a request shows. */
function recordedScale(session: TranscriptSession, request: number): number | undefined {
  const scale = session.toSession().columns.requests.scale[request] ?? 0;
  return scale > 0 ? scale : undefined;
}

/** The recorded model, if the target usually talks to its family. */
function modelFor(
  session: TranscriptSession,
  { families }: TargetFacts,
  recorded: string | undefined,
): string | undefined {
  const family = recorded === undefined ? undefined : session.modelRow(recorded)?.family;
  return families === undefined || (family !== undefined && families.includes(family)) ? recorded : undefined;
}

/** A piece of a file, in UTF-16 units at least. */
const pieceLength = 65_536;

/** The bytes of the session's file, in pieces: the whole is never in memory. */
export async function* writtenSession({
  facts,
  session,
}: Pick<HandOff, 'facts' | 'session'>): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  let waiting = '';
  for (const record of facts.writer.records(session)) {
    for (const text of jsonPieces(record)) {
      waiting += text;
      if (waiting.length >= pieceLength) {
        yield await Promise.resolve(encoder.encode(waiting));
        waiting = '';
      }
    }
    waiting += '\n';
  }
  yield encoder.encode(waiting);
  return undefined;
}

/** The JSON of a record. The items of its arrays come one by one, because some files are one record with all messages. */
function* jsonPieces(record: JsonObject): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(record).filter(([, each]) => each !== undefined)) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (isArray(value)) {
      yield '[';
      for (const [index, item] of value.entries()) {
        yield (index === 0 ? '' : ',') + toJson(item);
      }
      yield ']';
    } else {
      yield toJson(value);
    }
  }
  yield before === '{' ? '{}' : '}';
}
