import {
  predictionReasons,
  requestFlags,
  type PredictionReason,
  type SessionColumns,
} from '../model/columns';
import {
  partitionNames,
  promptRoles,
  provenanceLabels,
  sensitivityLabels,
  type PartitionName,
  type SensitivityLabel,
} from '../model/labels';
import { spanId, type SpanId } from '../model/promptIr';
import { blockKinds } from '../model/transcript';
import { calibrateRequest } from '../tokens/calibration';
import type { TokenFigure, TokenQuality } from '../tokens/quality';
import { knownInput, recordedInput, RequestTokens } from './requestTokens';

/** One request as the views draw it. Positions are wire order; all token figures are calibrated to the recorded usage. */
export interface RequestView {
  readonly request: number;
  /** Block numbers in wire order. */
  readonly blocks: Uint32Array;
  /** Tokens of the block at each position, calibrated; they add up to `total` less `notRecorded`. */
  readonly tokens: Uint32Array;
  /** Token offset at which each position begins; what is not recorded comes first on the wire. One more than blocks. */
  readonly offsets: Uint32Array;
  /** Quality and expected relative error of each block's figure. */
  readonly quality: TokenQuality;
  readonly error: number;
  readonly total: TokenFigure;
  /** System prompt, tools and injected text that the transcript does not hold; `low` and `high` over all requests. */
  readonly notRecorded: TokenFigure & { readonly low: number; readonly high: number };
  readonly window: number | undefined;
  /** What is not recorded counts as `system`. */
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly sensitivity: Readonly<Record<SensitivityLabel, number>>;
  /** The provider's cache read: exact offset, and the number of leading blocks whose end lies nearest to it. */
  readonly recorded: { readonly tokens: number; readonly blocks: number } | undefined;
  readonly predicted: { readonly tokens: number; readonly blocks: number; readonly reason: PredictionReason };
  readonly frozenPrefixLen: number | undefined;
  readonly breakpoints: readonly number[];
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
  const blocks = (columns.contexts[requests.context[request] ?? 0] ?? new Uint32Array()).subarray(
    0,
    requests.length[request] ?? 0,
  );
  const estimates = new Uint32Array(blocks.length);
  for (let position = 0; position < blocks.length; position += 1) {
    estimates[position] = rows.tokens[blocks[position] ?? 0] ?? 0;
  }
  const flags = requests.flags[request] ?? 0;
  const { tokens, quality, error, notRecorded, total } = calibrateRequest(
    knownInput(columns, request),
    estimates,
    { scale: requests.scale[request] ?? 1, error: requests.scaleError[request] ?? 0 },
    (flags & requestFlags.complete) !== 0,
  );
  const offsets = new Uint32Array(blocks.length + 1);
  const byPartition = new Float64Array(partitionNames.length);
  const bySensitivity = new Float64Array(sensitivityLabels.length);
  let offset = notRecorded.value;
  for (let position = 0; position < blocks.length; position += 1) {
    const block = blocks[position] ?? 0;
    const size = tokens[position] ?? 0;
    offsets[position] = offset;
    offset += size;
    const partition = rows.partition[block] ?? 0;
    byPartition[partition] = (byPartition[partition] ?? 0) + size;
    const label = rows.sensitivity[block] ?? 0;
    bySensitivity[label] = (bySensitivity[label] ?? 0) + size;
  }
  offsets[blocks.length] = offset;
  const ofPartition = (name: PartitionName): number => byPartition[partitionNames.indexOf(name)] ?? 0;
  const ofSensitivity = (label: SensitivityLabel): number =>
    bySensitivity[sensitivityLabels.indexOf(label)] ?? 0;
  const predictedBlocks = requests.predictedBlocks[request] ?? 0;
  const reason = predictionReasons[requests.predictionReason[request] ?? 0] ?? 'firstRequest';
  const frozen = requests.frozenPrefixLen[request] ?? -1;
  const read = (flags & requestFlags.recorded) === 0 ? undefined : (requests.cacheRead[request] ?? 0);
  const window = requests.window[request] ?? 0;
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
    recorded: read === undefined ? undefined : { tokens: read, blocks: nearestEdge(offsets, read) },
    predicted: {
      tokens: predictedBlocks > 0 || hasCachedPrefix(reason) ? (offsets[predictedBlocks] ?? 0) : 0,
      blocks: predictedBlocks,
      reason,
    },
    frozenPrefixLen: frozen < 0 ? undefined : frozen,
    breakpoints: breakpointsOf(columns, request),
  };
}

/** The entries are in the order of the requests. */
function breakpointsOf({ breakpoints }: SessionColumns, request: number): readonly number[] {
  let low = 0;
  let high = breakpoints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((breakpoints[middle]?.request ?? 0) < request) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = breakpoints[low];
  return found?.request === request ? found.positions : [];
}

/** Least and most tokens that any request of the main thread has beyond what the transcript shows. Costs one pass. */
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

/** Number of leading blocks whose end lies nearest to a token offset. */
function nearestEdge(offsets: Uint32Array, tokens: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < tokens) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const after = (offsets[low] ?? 0) - tokens;
  return low > 0 && tokens - (offsets[low - 1] ?? 0) < after ? low - 1 : low;
}

/** A block's address in the Prompt IR. */
export interface SpanPlace {
  readonly spanId: SpanId;
  /** 0-based place in the Prompt IR. */
  readonly sequenceIndex: number;
}

/**
 * The span ids of a request's blocks, by position. The sequence is the Prompt IR's: system texts that open the request,
 * then the tools and the output schema, then the messages; on the wire of some providers the tools come first.
 */
export function spanIds(columns: SessionColumns, { blocks }: RequestView): readonly SpanPlace[] {
  const { blocks: rows } = columns;
  const kindOf = (block: number) => blockKinds[rows.kind[block] ?? 0];
  const isScaffold = (block: number) =>
    kindOf(block) === 'toolSchema' || kindOf(block) === 'structuredOutput';
  let head = 0;
  while (
    head < blocks.length &&
    (isScaffold(blocks[head] ?? 0) || promptRoles[rows.role[blocks[head] ?? 0] ?? 0] === 'system')
  ) {
    head += 1;
  }
  const leading = [...blocks.keys()].slice(0, head);
  const order = [
    ...leading.filter(position => !isScaffold(blocks[position] ?? 0)),
    ...leading.filter(position => isScaffold(blocks[position] ?? 0)),
  ];
  const ids: SpanPlace[] = [];
  for (let position = 0; position < blocks.length; position += 1) {
    const wire = position < head ? (order[position] ?? position) : position;
    const block = blocks[wire] ?? 0;
    ids[wire] = {
      spanId: spanId(promptRoles[rows.role[block] ?? 0] ?? 'user', position, spanSuffix(columns, block)),
      sequenceIndex: position,
    };
  }
  return ids;
}

/** What a span id has beyond role and place: a tool's name, a call's id, or what kind of block it is. */
export function spanSuffix({ blocks: rows, strings }: SessionColumns, block: number): string | undefined {
  const kind = blockKinds[rows.kind[block] ?? 0];
  if (kind === 'toolSchema' || kind === 'toolCall') {
    return strings[rows.tool[block] ?? 0];
  }
  if (kind === 'toolResult') {
    return strings[rows.callId[block] ?? 0];
  }
  if (kind === 'image') {
    return 'image';
  }
  if (kind === 'systemPrompt' && provenanceLabels[rows.provenance[block] ?? 0] === 'developer') {
    return 'developer';
  }
  return kind === 'structuredOutput' ? 'structured-output' : undefined;
}
