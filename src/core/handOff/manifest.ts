import { toJson } from '../base/json';
import { labelOfText } from '../content/blockLabels';
import type { ConversationPart } from '../model/conversation';
import type { Transcript } from '../model/transcript';
import type { ModelRow } from '../model/modelRow';
import { agentSizeOf, ownTokensOf } from '../tokens/agentOwn';
import { mediaTokens } from '../tokens/imageTokens';
import { requestCost } from '../tokens/prices';
import type { TokenFigure } from '../tokens/quality';
import { unknownPrior } from '../tokens/tokenizerPrior';
import type { Tokenizer } from '../tokens/tokenizer';
import type { ClearedResults } from './budget';
import type { Fate, FittedPart, FittedSession, HandOffReason } from './fitting';
import type { SummarisedConversation } from './summary';
import type { HandOffTarget, TargetFacts } from './targets';

/** A block of the first request that the target sends. */
export interface ManifestBlock {
  readonly role: 'user' | 'assistant';
  readonly kind: FittedPart['part']['kind'];
  /** A few words of its text; the name of the tool for a call and a result. */
  readonly label: string;
  readonly fate: Exclude<Fate, 'lost'>;
  /** Null if it is carried as it is. */
  readonly reason: HandOffReason | null;
  /** Estimated. */
  readonly tokens: number;
  /** Numbers of the blocks of the origin that it was made of; empty if it was made for the hand-off. */
  readonly blocks: readonly number[];
}

/** Blocks of the origin that the target does not receive. */
export interface LostBlocks {
  readonly reason: HandOffReason;
  readonly blocks: readonly number[];
  /** Tokens of the tokenizer, estimated. */
  readonly tokens: number;
}

/** The first request that the target will send. It is known before anything is written. */
export interface Manifest {
  readonly target: HandOffTarget;
  /** The version of the target that was seen to resume such sessions. */
  readonly version: string;
  /** The model of the figures; null if none is known for the target. */
  readonly model: string | null;
  /** The target's own prompt and tools, as measured with one of its versions; null if not measured. */
  readonly own: { readonly tokens: number; readonly version: string } | null;
  readonly blocks: readonly ManifestBlock[];
  readonly lost: readonly LostBlocks[];
  /** Own prompt, tools and blocks, without the next prompt, the user's servers and instruction files. */
  readonly tokens: TokenFigure;
  /**
   * The results that were cleared for a budget, and the tokens by which the total still exceeds it. Null without a budget.
   */
  readonly budget: {
    readonly tokens: number;
    readonly exceededBy: number;
    readonly cleared: readonly ClearedResults[];
  } | null;
  /** The number of blocks that a summary replaces, and their tokens. Null without a summary. */
  readonly summary: {
    readonly blocks: number;
    readonly tokens: number;
    /** The call that makes it: tokens of its input, without the prompt of the program that calls, and US dollars for them. */
    readonly call: { readonly tokens: number; readonly cost: number | null };
  } | null;
  /** The context window of the model in tokens; null if it is not known. */
  readonly window: number | null;
  /** US dollars at list prices for the input of the first request: with nothing cached, and with everything. */
  readonly cost: { readonly cold: number; readonly warm: number } | null;
  readonly notes: readonly string[];
}

interface ManifestInput {
  readonly target: HandOffTarget;
  readonly facts: TargetFacts;
  readonly fitted: FittedSession;
  readonly model: string | undefined;
  readonly row: ModelRow | undefined;
  readonly measure: PartMeasure;
  /** Tokens of the tokenizer, by block of the origin. */
  readonly blockTokens: ArrayLike<number>;
  readonly notes: readonly string[];
  /** When the request would be sent, in milliseconds since 1970. */
  readonly time: number;
}

export function manifestOf(input: ManifestInput): Manifest {
  const { target, facts, fitted, model, row, measure, blockTokens, notes, time } = input;
  const { error } = row?.tokenizerPrior ?? unknownPrior;
  const { scale } = measure;
  const blocks = fitted.parts.map(({ role, part, fate, reason }): ManifestBlock => ({
    role,
    kind: part.kind,
    label: labelOf(part),
    fate,
    reason: reason ?? null,
    tokens: measure.tokensOf(part),
    blocks: part.blocks,
  }));
  const size = agentSizeOf(facts.agent, [facts.writer.version], model);
  const own =
    size === undefined ? null : { tokens: Math.round(ownTokensOf(size) * scale), version: size.version };
  const total = blocks.reduce((sum, { tokens }) => sum + tokens, own?.tokens ?? 0);
  return {
    target,
    version: facts.writer.version,
    model: model ?? null,
    own,
    blocks,
    lost: lostBlocks(fitted, blockTokens, scale),
    tokens: { value: total, quality: 'estimated', error, ...(own === null ? { isLeast: true } : {}) },
    budget: null,
    summary: null,
    window: row?.contextWindow ?? null,
    cost: costOf(row, total, time),
    notes,
  };
}

/** @param time when the summary is made, in milliseconds since 1970 */
export function summaryFacts(
  { part, request, replaced }: SummarisedConversation,
  { scale, tokensOf, ofText }: PartMeasure,
  row: ModelRow | undefined,
  time: number,
): Manifest['summary'] {
  const asked = Math.round(ofText(request) * scale);
  return {
    blocks: part.blocks.length,
    tokens: replaced.reduce((sum, each) => sum + tokensOf(each.part), 0),
    call: { tokens: asked, cost: costOf(row, asked, time)?.cold ?? null },
  };
}

/** How many tokens the parts of a conversation take in the next request. */
export interface PartMeasure {
  /** Tokens of the model for a token of the tokenizer. */
  readonly scale: number;
  readonly tokensOf: (part: ConversationPart) => number;
  /** Tokens of the tokenizer. */
  readonly ofText: (text: string) => number;
}

/** @param recordedScale the scale that the session shows; undefined for the usual one of the model */
export function partMeasure(
  transcript: Transcript,
  row: ModelRow | undefined,
  tokenizer: Tokenizer,
  recordedScale: number | undefined,
): PartMeasure {
  const scale = recordedScale ?? (row?.tokenizerPrior ?? unknownPrior).scale;
  const counted = new Map<string, number>();
  const ofText = (text: string): number => {
    const known = counted.get(text) ?? tokenizer.count(text);
    counted.set(text, known);
    return known;
  };
  return {
    scale,
    ofText,
    tokensOf: part =>
      Math.round(ofText(textOfPart(part)) * scale) +
      part.blocks.reduce((sum, number) => {
        const block = transcript.blocks.at(number);
        return block?.contentType === 'image'
          ? sum + mediaTokens(row?.family ?? 'other', block.image, block.size.bytes)
          : sum;
      }, 0),
  };
}

/** The text of a part, as the next request sends it. */
export function textOfPart(part: FittedPart['part']): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
    case 'result':
      return part.text;
    case 'call':
      return typeof part.input === 'string' ? part.input : toJson(part.input);
    case 'picture':
    case 'other':
      return '';
  }
}

function labelOf(part: FittedPart['part']): string {
  return part.kind === 'call' || part.kind === 'result' ? part.name : labelOfText(textOfPart(part));
}

function lostBlocks(
  { lost }: FittedSession,
  blockTokens: ArrayLike<number>,
  scale: number,
): readonly LostBlocks[] {
  const groups = new Map<HandOffReason, number[]>();
  for (const { block, reason } of lost) {
    const group = groups.get(reason) ?? [];
    groups.set(reason, group);
    group.push(block);
  }
  return [...groups].map(([reason, blocks]) => ({
    reason,
    blocks,
    tokens: Math.round(blocks.reduce((sum, block) => sum + (blockTokens[block] ?? 0), 0) * scale),
  }));
}

/**
 * The input of one request: all of it written to the cache where writing has a price of its own; or all of it read that the
 * provider's cache can give, which is in steps for some.
 */
function costOf(row: ModelRow | undefined, tokens: number, time: number): Manifest['cost'] {
  const prices = row?.prices;
  if (row === undefined || prices === undefined) {
    return null;
  }
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const written = row.cache.explicit ? { ...none, cacheWrite: tokens } : { ...none, input: tokens };
  const cold = requestCost(prices, written, time);
  const { granularityTokens: step = 1, minimumTokens = 0 } = row.cache;
  const cached = tokens < minimumTokens ? 0 : tokens - (tokens % step);
  const warm = requestCost(prices, { ...none, cacheRead: cached, input: tokens - cached }, time);
  return cold === undefined || warm === undefined ? null : { cold, warm };
}
