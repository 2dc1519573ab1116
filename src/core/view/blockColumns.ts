import { groupBy } from '../base/groupBy';
import { makeColumns } from '../base/typedColumns';
import { blockFlags, blockKinds } from '../model/block';
import type { BlockList } from '../model/blockList';
import { readBlockTypes } from '../model/columnSchema';
import type { BlockColumns } from '../model/columns';
import type { Transcript } from '../model/transcript';
import type { SessionTotals } from './totals/sessionTotals';

/** Measures of each block that are not in the transcript. They improve while counting and scanning continue. */
export interface BlockMeasures {
  /** Tokenizer tokens, or an estimate from the size if `counted` is 0. */
  readonly tokens: Uint32Array;
  readonly counted: Uint8Array;
  /** Index into sensitivityLabels, and the number of findings. */
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  /** `false` leaves labels empty. */
  readonly hasLabels?: boolean;
  /** The label of a block without secrets. The label itself if this is absent. */
  readonly shownLabel?: (label: string) => string;
  /** Number of changes of labels already shown. */
  readonly labelChanges?: number;
  /** Input tokens of requests without recorded usage, counted by the provider, by the request's index. */
  readonly countedInputs?: ReadonlyMap<number, number>;
}

/** The columns of an earlier reading, and how many of its rows are still valid. */
export interface EarlierRows {
  readonly columns: BlockColumns | undefined;
  /** True if only the measures can have changed since. */
  readonly isSameTranscript: boolean;
  readonly same: number;
  readonly sameLabels: number;
}

interface View<Self> {
  readonly length: number;
  set(values: Self): void;
  subarray(from: number, to: number): Self;
}

/** A column of the given length that begins like an earlier one; the earlier one itself if nothing is new. */
function grown<Column extends View<Column>>(
  before: Column | undefined,
  same: number,
  length: number,
  type: new (length: number) => Column,
): Column {
  if (before?.length === same && length === same) {
    return before;
  }
  const column = new type(length);
  if (before !== undefined) {
    column.set(before.subarray(0, same));
  }
  return column;
}

/** One pass over the blocks and one over the contexts. Columns of the transcript itself are not copied. */
export function blockColumns(
  transcript: Transcript,
  measures: BlockMeasures,
  { tokens, leftAt }: SessionTotals,
  { columns: before, isSameTranscript, same, sameLabels }: EarlierRows,
): BlockColumns {
  const { blocks, messages } = transcript;
  const { rows, length } = blocks;
  const known = isSameTranscript ? before : undefined;
  const flags = grown(before?.flags, same, length, Uint8Array);
  const timestamp = grown(before?.timestamp, same, length, Float64Array);
  for (let row = same; row < length; row += 1) {
    const message = messages[rows.message[row] ?? -1];
    flags[row] = (rows.flags[row] ?? 0) | (message?.summary === true ? blockFlags.summary : 0);
    timestamp[row] = message?.timestamp ?? Number.NaN;
  }
  return {
    ...makeColumns(readBlockTypes, (_, name) => rows[name].subarray(0, length)),
    sensitivity: measures.sensitivity.slice(),
    findings: measures.findings.slice(),
    tokens,
    leftAt,
    counted: measures.counted.slice(),
    label: labels(blocks, measures, before?.label, sameLabels),
    pair: known?.pair ?? pairs(blocks),
    flags,
    ...(known === undefined
      ? requestSpans(transcript)
      : { firstRequest: known.firstRequest, requestCount: known.requestCount }),
    timestamp,
  };
}

function labels(
  { rows, texts, length }: BlockList,
  { hasLabels = true, shownLabel = label => label }: BlockMeasures,
  before: Uint32Array | undefined,
  same: number,
): Uint32Array {
  const column = grown(before, same, length, Uint32Array);
  if (hasLabels) {
    /** By label number: the number of the shown label, 0 if it is not known yet. */
    const shown = new Uint32Array(texts.length);
    for (let row = same; row < length; row += 1) {
      const number = rows.label[row] ?? 0;
      if (shown[number] === 0) {
        const label = texts.at(number) ?? '';
        const masked = shownLabel(label);
        shown[number] = masked === label ? number : texts.add(masked);
      }
      column[row] = shown[number] ?? 0;
    }
  }
  return column;
}

const callKind = blockKinds.indexOf('toolCall');
const resultKind = blockKinds.indexOf('toolResult');

/** A call and its newest result know each other; every result knows its call. */
function pairs({ rows, texts, length }: BlockList): Int32Array {
  const pair = new Int32Array(length).fill(-1);
  /** By the number of a call's id: the newest block of the call plus 1. */
  const calls = new Uint32Array(texts.length);
  for (let row = 0; row < length; row += 1) {
    const callId = rows.callId[row] ?? 0;
    if (callId !== 0 && rows.kind[row] === callKind) {
      calls[callId] = row + 1;
    }
  }
  for (let row = 0; row < length; row += 1) {
    const call = rows.kind[row] === callKind ? -1 : (calls[rows.callId[row] ?? 0] ?? 0) - 1;
    if (call >= 0) {
      pair[row] = call;
      if (rows.kind[row] === resultKind) {
        pair[call] = row;
      }
    }
  }
  return pair;
}

/**
 * The first request that contains each block, and the number of such requests. A context only grows, so a block at
 * position p is in all requests of the context that are longer than p. One walk over the sorted requests of each
 * context counts them.
 */
function requestSpans({
  blocks,
  contexts,
  requests,
}: Transcript): Pick<BlockColumns, 'firstRequest' | 'requestCount'> {
  const firstRequest = new Int32Array(blocks.length).fill(-1);
  const requestCount = new Uint32Array(blocks.length);
  const byContext = groupBy(requests.keys(), index => requests[index]?.context ?? 0);
  for (const [context, indices] of byContext) {
    const numbers = contexts[context] ?? [];
    let position = 0;
    // Lengths never fall within a context, so the requests that hold position p are a tail of the list.
    indices.forEach((request, from) => {
      const end = Math.min(requests[request]?.length ?? 0, numbers.length);
      for (; position < end; position += 1) {
        const block = numbers[position] ?? 0;
        const known = firstRequest[block] ?? -1;
        firstRequest[block] = known < 0 ? request : Math.min(known, request);
        requestCount[block] = (requestCount[block] ?? 0) + indices.length - from;
      }
    });
  }
  return { firstRequest, requestCount };
}
