import { firstWhere } from '../base/numbers';
import { kindOf, provenanceOf, roleOf } from '../model/blockWords';
import {
  type PredictionReason,
  type SessionColumns,
  predictionReasons,
  requestFlags,
} from '../model/columns';
import { type WindowSource, windowSources } from '../model/contextWindow';
import {
  type PartitionName,
  type SensitivityLabel,
  partitionNames,
  sensitivityLabels,
} from '../model/labels';
import { type SpanId, spanId } from '../model/promptIr';
import { blocksOf } from '../model/requestBlocks';
import { type DividedTotal, divideTotal } from '../tokens/calibration';
import type { TokenFigure, TokenQuality } from '../tokens/quality';
import { RequestTokens, carriedSums, doubtedInput, knownInput, recordedInput } from './requestTokens';

/** One request as the views draw it. Positions are wire order; all token figures are calibrated to the recorded usage. */
export interface RequestView {
  readonly request: number;
  /** Block numbers in wire order. */
  readonly blocks: Uint32Array;
  /** Tokens of the block at each position, calibrated; they add up to `total` less `notRecorded`. */
  readonly tokens: Uint32Array;
  /** Token offset at which each position begins, and the end of the last. The unrecorded part comes first on the wire. */
  readonly offsets: Uint32Array;
  /** Quality and expected relative error of each block's figure. */
  readonly quality: TokenQuality;
  readonly error: number;
  readonly total: TokenFigure;
  /** System prompt, tools and injected text that the transcript does not hold; `low` and `high` over all requests. */
  readonly notRecorded: TokenFigure & { readonly low: number; readonly high: number };
  /** In tokens, with its source, and a larger window that is also possible. */
  readonly window: number | undefined;
  readonly windowSource: WindowSource | undefined;
  readonly otherWindow: number | undefined;
  /** The unrecorded part counts as `system`. */
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly sensitivity: Readonly<Record<SensitivityLabel, number>>;
  /** The provider's cache read: exact offset, and the number of leading blocks whose end is nearest to it. */
  readonly recorded: { readonly tokens: number; readonly blocks: number } | undefined;
  readonly predicted: { readonly tokens: number; readonly blocks: number; readonly reason: PredictionReason };
  readonly frozenPrefixLen: number | undefined;
  readonly breakpoints: readonly number[];
}

/** Positions of a request in wire order, both included; -1 is the part that is not recorded. */
export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Builds the view of a request. Linear in the length of its context; the range of what is not recorded costs one pass
 * over all requests, which `notRecordedRange` lets a caller do once.
 */
export function buildRequestView(
  columns: SessionColumns,
  request: number,
  range: { readonly low: number; readonly high: number } = notRecordedRange(columns),
): RequestView {
  const { blocks: rows, requests } = columns;
  const { blocks, sums, factor, quality, notRecorded, total } = dividedRequest(columns, request);
  const flags = requests.flags[request] ?? 0;
  const error = requests.scaleError[request] ?? 0;
  const { tokens, offsets } = spread(sums, blocks.length, factor, notRecorded.value);
  const sumBy = (labels: Uint8Array, names: readonly string[], common: number): Float64Array =>
    sumsBy(labels, names.length, common, blocks, tokens, (offsets[blocks.length] ?? 0) - notRecorded.value);
  const byPartition = sumBy(rows.partition, partitionNames, historySlot);
  const bySensitivity = sumBy(rows.sensitivity, sensitivityLabels, publicLabel);
  const ofPartition = (name: PartitionName): number => byPartition[partitionNames.indexOf(name)] ?? 0;
  const ofSensitivity = (label: SensitivityLabel): number =>
    bySensitivity[sensitivityLabels.indexOf(label)] ?? 0;
  const predictedBlocks = requests.predictedBlocks[request] ?? 0;
  const reason = predictionReasons[requests.predictionReason[request] ?? 0] ?? 'firstRequest';
  const frozen = requests.frozenPrefixLen[request] ?? -1;
  const read = (flags & requestFlags.recorded) === 0 ? undefined : (requests.cacheRead[request] ?? 0);
  const window = requests.window[request] ?? 0;
  const other = requests.otherWindow[request] ?? 0;
  return {
    request,
    blocks,
    tokens,
    offsets,
    quality,
    error,
    total,
    notRecorded: { ...notRecorded, low: range.low, high: range.high },
    window: window === 0 ? undefined : window,
    windowSource: window === 0 ? undefined : windowSources[requests.windowSource[request] ?? 0],
    otherWindow: other === 0 ? undefined : other,
    partitions: {
      system: notRecorded.value + ofPartition('system'),
      knowledge: ofPartition('knowledge'),
      state: ofPartition('state'),
      history: ofPartition('history'),
    },
    sensitivity: {
      public: ofSensitivity('public'),
      private: ofSensitivity('private'),
      restricted: ofSensitivity('restricted'),
    },
    recorded:
      read === undefined
        ? undefined
        : { tokens: read, blocks: nearestEdge(index => offsets[index] ?? 0, offsets.length - 1, read) },
    predicted: {
      tokens: predictedBlocks > 0 || hasCachedPrefix(reason) ? (offsets[predictedBlocks] ?? 0) : 0,
      blocks: predictedBlocks,
      reason,
    },
    frozenPrefixLen: frozen < 0 ? undefined : frozen,
    breakpoints: breakpointsOf(columns, request),
  };
}

/** A request's total, divided between the unrecorded part and its blocks. */
export interface DividedRequest extends Omit<DividedTotal, 'blocks'> {
  /** Block numbers in wire order. */
  readonly blocks: Uint32Array;
  /** Tokens of the first n blocks, each by itself, at index n. */
  readonly sums: Float64Array;
  /** Tokens of the request for one of `sums`. The sum of the first n blocks is rounded. */
  readonly factor: number;
}

export function dividedRequest(columns: SessionColumns, request: number): DividedRequest {
  const { requests } = columns;
  const blocks = blocksOf(columns, request);
  const sums = carriedSums(columns, requests.context[request] ?? 0).all(blocks.length, request);
  const sum = sums[blocks.length] ?? 0;
  const { blocks: visible, ...rest } = divideTotal({
    input: knownInput(columns, request),
    sum,
    notRecorded: requests.notRecorded[request] ?? 0,
    notRecordedError: requests.notRecordedError[request] ?? 0,
    totalError: requests.totalError[request] ?? 0,
    doubted: doubtedInput(columns, request),
  });
  return { blocks, sums, factor: sum > 0 ? visible / sum : 0, ...rest };
}

const historySlot = partitionNames.indexOf('history');
const publicLabel = sensitivityLabels.indexOf('public');

/**
 * Spreads tokens over blocks by their estimates, rounded cumulatively, so that the parts add up to the whole.
 * @param sums estimates of the first n blocks, at index n
 * @param begin offset of the first block
 */
function spread(
  sums: Float64Array,
  count: number,
  factor: number,
  begin: number,
): Pick<RequestView, 'tokens' | 'offsets'> {
  const tokens = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  let given = 0;
  for (let position = 0; position < count; position += 1) {
    const upTo = Math.round((sums[position + 1] ?? 0) * factor);
    offsets[position] = begin + given;
    tokens[position] = upTo - given;
    given = upTo;
  }
  offsets[count] = begin + given;
  return { tokens, offsets };
}

/**
 * Sums tokens by a label of their blocks.
 * @param common the label of most blocks; its sum is what the others leave, since adding in memory is the main cost
 */
function sumsBy(
  labels: Uint8Array,
  labelCount: number,
  common: number,
  blocks: Uint32Array,
  tokens: Uint32Array,
  total: number,
): Float64Array {
  const sums = new Float64Array(labelCount);
  for (let position = 0; position < blocks.length; position += 1) {
    const label = labels[blocks[position] ?? 0] ?? 0;
    if (label !== common) {
      sums[label] = (sums[label] ?? 0) + (tokens[position] ?? 0);
    }
  }
  sums[common] = sums.reduce((left, sum) => left - sum, total);
  return sums;
}

/** The entries are in the order of the requests. */
function breakpointsOf({ breakpoints }: SessionColumns, request: number): readonly number[] {
  const place = firstWhere(0, breakpoints.length, index => (breakpoints[index]?.request ?? 0) >= request);
  const found = breakpoints[place];
  return found?.request === request ? found.positions : [];
}

/**
 * The smallest and largest number of tokens that a request of the main thread has beyond what the transcript shows. One
 * pass.
 */
export function notRecordedRange(columns: SessionColumns): { readonly low: number; readonly high: number } {
  const { requests } = columns;
  const tokens = new RequestTokens(columns);
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let request = 0; request < requests.context.length; request += 1) {
    if (requests.thread[request] === 0 && recordedInput(columns, request) !== undefined) {
      const rest = tokens.notRecorded(request);
      low = Math.min(low, rest);
      high = Math.max(high, rest);
    }
  }
  return { low: Math.min(low, high), high };
}

/** A request that starts cold has no predicted prefix, not even the part that is not recorded. */
export function hasCachedPrefix(reason: PredictionReason): boolean {
  switch (reason) {
    case 'extendsPrevious':
    case 'earlierRequest':
    case 'contentChanged':
    case 'compaction':
      return true;
    case 'firstRequest':
    case 'modelChanged':
    case 'lifetimeExpired':
    case 'belowMinimum':
    case 'lookbackExceeded':
      return false;
  }
}

/**
 * Number of leading blocks whose end is nearest to a token offset.
 * @param offset the beginning of a block, which is also the end of the previous block
 */
export function nearestEdge(offset: (block: number) => number, blocks: number, tokens: number): number {
  const edge = firstWhere(0, blocks, index => offset(index) >= tokens);
  const after = offset(edge) - tokens;
  return edge > 0 && tokens - offset(edge - 1) < after ? edge - 1 : edge;
}

/** A block's address in the Prompt IR. */
export interface SpanPlace {
  readonly spanId: SpanId;
  /** 0-based place in the Prompt IR. */
  readonly sequenceIndex: number;
}

/**
 * The place on the wire of each block of the request's head, in the order of the Prompt IR: system texts that open the
 * request, then the tools and the output schema; on the wire of some providers the tools come first. What follows the
 * head is in wire order.
 */
function headOrder({ blocks: rows }: SessionColumns, { blocks }: RequestView): readonly number[] {
  const isScaffold = (block: number) =>
    kindOf(rows, block) === 'toolSchema' || kindOf(rows, block) === 'structuredOutput';
  let head = 0;
  while (
    head < blocks.length &&
    (isScaffold(blocks[head] ?? 0) || roleOf(rows, blocks[head] ?? 0) === 'system')
  ) {
    head += 1;
  }
  const leading = Array.from({ length: head }, (_, position) => position);
  return [
    ...leading.filter(position => !isScaffold(blocks[position] ?? 0)),
    ...leading.filter(position => isScaffold(blocks[position] ?? 0)),
  ];
}

function placeInSequence(columns: SessionColumns, block: number, sequenceIndex: number): SpanPlace {
  const role = roleOf(columns.blocks, block);
  return { spanId: spanId(role, sequenceIndex, spanSuffix(columns, block)), sequenceIndex };
}

/** The span ids of a request's blocks, by position. */
export function spanIds(columns: SessionColumns, view: RequestView): readonly SpanPlace[] {
  const sequence: number[] = [];
  headOrder(columns, view).forEach((wire, index) => {
    sequence[wire] = index;
  });
  return Array.from(view.blocks, (block, wire) => placeInSequence(columns, block, sequence[wire] ?? wire));
}

/** The span id of one position. */
export function spanIdAt(columns: SessionColumns, view: RequestView, position: number): SpanId {
  const index = headOrder(columns, view).indexOf(position);
  return placeInSequence(columns, view.blocks[position] ?? 0, index < 0 ? position : index).spanId;
}

/** The part of a span id after role and place: a tool's name, a call's id, or the kind of the block. */
export function spanSuffix({ blocks: rows, strings }: SessionColumns, block: number): string | undefined {
  const kind = kindOf(rows, block);
  if (kind === 'toolSchema' || kind === 'toolCall') {
    return strings.at(rows.tool[block] ?? 0);
  }
  if (kind === 'toolResult') {
    return strings.at(rows.callId[block] ?? 0);
  }
  if (kind === 'image') {
    return 'image';
  }
  if (kind === 'systemPrompt' && provenanceOf(rows, block) === 'developer') {
    return 'developer';
  }
  return kind === 'structuredOutput' ? 'structured-output' : undefined;
}

/** The positions of a request's blocks, those with the most tokens first. */
export function largestFirst({ blocks, tokens }: Pick<RequestView, 'blocks' | 'tokens'>): readonly number[] {
  return [...blocks.keys()].sort((first, second) => (tokens[second] ?? 0) - (tokens[first] ?? 0));
}
