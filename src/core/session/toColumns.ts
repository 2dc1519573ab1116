import { predictPrefixes } from '../cache/predictPrefix';
import type { BlockList, BlockRows } from '../model/blockList';
import {
  blockFlags,
  predictionReasons,
  requestFlags,
  type BlockColumns,
  type RequestColumns,
  type SessionColumns,
} from '../model/columns';
import { FirstLike } from '../model/firstLike';
import {
  blockKinds,
  type RecordedRequest,
  type Transcript,
  type TranscriptMessage,
} from '../model/transcript';
import { calibrateRequest, fitCalibration, type Calibration } from '../tokens/calibration';
import { contextWindowFor } from '../tokens/contextWindow';
import { lookUpModel, type ModelLookUp, type ModelRow } from '../tokens/modelTable';
import { writtenForHour } from '../tokens/prices';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { frozenPrefixLengths } from './frozenPrefix';

/** What is known of each block beyond the transcript itself; grows while counting and scanning go on. */
export interface BlockMeasures {
  /** Tokenizer tokens, or an estimate from the size where `counted` is 0. */
  readonly tokens: Uint32Array;
  readonly counted: Uint8Array;
  /** Index into sensitivityLabels, and the number of findings. */
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  /** The label of a block as it may be shown: without secrets. The label itself where it is absent. */
  readonly shownLabel?: (label: string) => string;
  /** How often labels that were shown have changed since. */
  readonly labelChanges?: number;
  /** Input tokens of requests without recorded usage, counted by the provider, by the request's index. */
  readonly countedInputs?: ReadonlyMap<number, number>;
}

/** Turns a transcript and its measures into columns. Linear in blocks, requests and the lengths of the contexts. */
export function toColumns(
  transcript: Transcript,
  measures: BlockMeasures,
  lookUp: ModelLookUp = lookUpModel,
): SessionColumns {
  return new ColumnBuilder().build(transcript, measures, lookUp);
}

/**
 * Makes columns again and again, while measures get better and the transcript grows. What cannot have changed is taken
 * from the columns before, and a string keeps its index, so that little differs between one result and the next.
 */
export class ColumnBuilder {
  private readonly strings = new StringTable();
  private readonly identities = new BlockIdentities();
  private last: LastColumns | undefined;

  build(transcript: Transcript, measures: BlockMeasures, lookUp: ModelLookUp): SessionColumns {
    const { strings } = this;
    const before = this.last;
    const same = before === undefined ? 0 : sameRows(before.transcript, transcript);
    const labelChanges = measures.labelChanges ?? 0;
    const sameLabels = before?.labelChanges === labelChanges ? same : 0;
    const blocks = blockColumns(transcript, measures, strings, { columns: before?.blocks, same, sameLabels });
    const identity = this.identities.of(transcript.blocks, before?.identity, same);
    const requests = requestColumns(transcript, measures, identity, strings, lookUp);
    if (sameLabels < same) {
      strings.dropAllBut([
        blocks.label,
        blocks.tool,
        blocks.callId,
        blocks.path,
        blocks.hash,
        requests.model,
      ]);
    }
    this.last = { transcript, blocks, identity, labelChanges };
    return {
      blocks,
      contexts: transcript.contexts.map(context => new Uint32Array(context)),
      requests,
      breakpoints: transcript.requests.flatMap(({ breakpoints }, request) =>
        breakpoints === undefined || breakpoints.length === 0 ? [] : [{ request, positions: breakpoints }],
      ),
      strings: strings.current(),
    };
  }
}

interface LastColumns {
  readonly transcript: Transcript;
  readonly blocks: BlockColumns;
  /** By block: a number that blocks of the same content, tool and call share. */
  readonly identity: Uint32Array;
  readonly labelChanges: number;
}

/** How many blocks at the beginning are the same, in messages that are the same. */
function sameRows(before: Transcript, after: Transcript): number {
  const end = after.blocks.sameAtStart(before.blocks);
  const { message } = after.blocks.rows;
  for (let row = 0; row < end; row += 1) {
    const number = message[row] ?? 0;
    if (before.messages[number] !== after.messages[number]) {
      return row;
    }
  }
  return end;
}

class StringTable {
  private strings: string[] = [''];
  private readonly indices = new Map([['', 0]]);
  /** Given out, and still as it was. */
  private shared = false;

  index(text: string | undefined): number {
    const key = text ?? '';
    const known = this.indices.get(key);
    if (known !== undefined) {
      return known;
    }
    this.own();
    const index = this.strings.push(key) - 1;
    this.indices.set(key, index);
    return index;
  }

  /** Empties the strings that none of the columns names: a label that has turned out to hold a secret must not stay. */
  dropAllBut(columns: readonly Uint32Array[]): void {
    const used = new Uint8Array(this.strings.length);
    for (const column of columns) {
      column.forEach(index => {
        used[index] = 1;
      });
    }
    this.own();
    this.strings.forEach((text, index) => {
      if (used[index] === 0 && text !== '') {
        this.indices.delete(text);
        this.strings[index] = '';
      }
    });
  }

  current(): readonly string[] {
    this.shared = true;
    return this.strings;
  }

  private own(): void {
    if (this.shared) {
      this.strings = [...this.strings];
      this.shared = false;
    }
  }
}

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

function columnOf<Item, View extends NumberArray>(
  items: readonly Item[],
  type: new (length: number) => View,
  value: (item: Item, row: number) => number,
): View {
  return extended(items.length, type, undefined, 0, row => {
    const item = items[row];
    return item === undefined ? 0 : value(item, row);
  });
}

/**
 * A column of so many rows, whose first `same` rows are those of an earlier one; that one itself where there is nothing
 * new. The iterators of `TypedArray.from` take many times as long.
 */
function extended<View extends NumberArray>(
  length: number,
  type: new (length: number) => View,
  before: View | undefined,
  same: number,
  value: (row: number) => number,
): View {
  if (before?.length === same && length === same) {
    return before;
  }
  const column = new type(length);
  if (before !== undefined) {
    column.set(before.subarray(0, same));
  }
  for (let row = same; row < length; row += 1) {
    column[row] = value(row);
  }
  return column;
}

/** Sum of the tokens of the first n blocks, at index n. */
function prefixSums(context: readonly number[], tokens: Uint32Array): Float64Array {
  const sums = new Float64Array(context.length + 1);
  context.forEach((block, position) => {
    sums[position + 1] = (sums[position] ?? 0) + (tokens[block] ?? 0);
  });
  return sums;
}

/** What an earlier reading gave, and how many of its rows are still right. */
interface EarlierRows {
  readonly columns: BlockColumns | undefined;
  readonly same: number;
  readonly sameLabels: number;
}

function blockColumns(
  { blocks, messages, contexts, requests }: Transcript,
  measures: BlockMeasures,
  strings: StringTable,
  { columns: before, same, sameLabels }: EarlierRows,
): BlockColumns {
  const { rows, texts, length } = blocks;
  const { firstRequest, requestCount } = requestSpans({ blocks, contexts, requests });
  const messageOf = (row: number): TranscriptMessage | undefined => messages[rows.message[row] ?? -1];
  /** By number of a text: its index, 0 where it is not known yet. */
  const known = new Uint32Array(texts.length);
  const indexOf = (text = 0): number => (known[text] ||= strings.index(texts.at(text)));
  const labels = new Uint32Array(texts.length);
  const shown = (label: string): string => measures.shownLabel?.(label) ?? label;
  const indexOfLabel = (text = 0): number => (labels[text] ||= strings.index(shown(texts.at(text) ?? '')));
  const numbers = <View extends NumberArray>(
    type: new (length: number) => View,
    column: View | undefined,
    value: (row: number) => number,
    sameHere = same,
  ): View => extended(length, type, column, sameHere, value);
  return {
    role: rows.role.subarray(0, length),
    contentType: rows.contentType.subarray(0, length),
    kind: rows.kind.subarray(0, length),
    provenance: rows.provenance.subarray(0, length),
    partition: rows.partition.subarray(0, length),
    sensitivity: measures.sensitivity.slice(),
    findings: measures.findings.slice(),
    tokens: measures.tokens.slice(),
    counted: measures.counted.slice(),
    characters: rows.characters.subarray(0, length),
    bytes: rows.bytes.subarray(0, length),
    line: rows.line.subarray(0, length),
    label: numbers(Uint32Array, before?.label, row => indexOfLabel(rows.label[row]), sameLabels),
    tool: numbers(Uint32Array, before?.tool, row => indexOf(rows.tool[row])),
    callId: numbers(Uint32Array, before?.callId, row => indexOf(rows.callId[row])),
    path: numbers(Uint32Array, before?.path, row => indexOf(rows.path[row])),
    hash: numbers(Uint32Array, before?.hash, row => strings.index(blocks.at(row)?.contentHash)),
    message: rows.message.subarray(0, length),
    pair: pairs(blocks),
    flags: numbers(
      Uint8Array,
      before?.flags,
      row => (rows.flags[row] ?? 0) | (messageOf(row)?.summary === true ? blockFlags.summary : 0),
    ),
    firstRequest,
    requestCount,
    timestamp: numbers(Float64Array, before?.timestamp, row => messageOf(row)?.timestamp ?? Number.NaN),
  };
}

const callKind = blockKinds.indexOf('toolCall');
const resultKind = blockKinds.indexOf('toolResult');

/** A call and its newest result know each other; every result knows its call. */
function pairs({ rows, texts, length }: BlockList): Int32Array {
  const pair = new Int32Array(length).fill(-1);
  /** By number of a call's id: the newest block that is the call, and one. */
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

/** Numbers for blocks, the same for those of the same content, tool and call. */
class BlockIdentities {
  private rows: BlockRows | undefined;
  private readonly first = new FirstLike(
    row =>
      (this.rows?.content[row] ?? 0) ^
      Math.imul(this.rows?.callId[row] ?? 0, 0x9e3779b1) ^
      Math.imul(this.rows?.tool[row] ?? 0, 0x85ebca6b),
    (one, other) =>
      this.rows?.content[one] === this.rows?.content[other] &&
      this.rows?.callId[one] === this.rows?.callId[other] &&
      this.rows?.tool[one] === this.rows?.tool[other],
  );

  of({ rows, length }: BlockList, before: Uint32Array | undefined, same: number): Uint32Array {
    this.rows = rows;
    return extended(length, Uint32Array, before, same, row => this.first.find(row));
  }
}

/**
 * For each block the first request that held it and how many did. A context only grows, so a block at position p is in
 * all of the context's requests that are longer than p: counted once a context by a walk over its sorted requests.
 */
function requestSpans({
  blocks,
  contexts,
  requests,
}: Pick<Transcript, 'blocks' | 'contexts' | 'requests'>): Pick<
  BlockColumns,
  'firstRequest' | 'requestCount'
> {
  const firstRequest = new Int32Array(blocks.length).fill(-1);
  const requestCount = new Uint32Array(blocks.length);
  const byContext = new Map<number, number[]>();
  requests.forEach(({ context }, index) => {
    const list = byContext.get(context);
    if (list === undefined) {
      byContext.set(context, [index]);
    } else {
      list.push(index);
    }
  });
  for (const [context, indices] of byContext) {
    // Lengths never fall within a context, so the requests that hold position p are a tail of the list.
    let from = 0;
    (contexts[context] ?? []).forEach((block, position) => {
      while (from < indices.length && (requests[indices[from] ?? 0]?.length ?? 0) <= position) {
        from += 1;
      }
      const first = indices[from];
      if (first === undefined) {
        return;
      }
      const known = firstRequest[block] ?? -1;
      firstRequest[block] = known < 0 ? first : Math.min(known, first);
      requestCount[block] = (requestCount[block] ?? 0) + indices.length - from;
    });
  }
  return { firstRequest, requestCount };
}

function requestColumns(
  transcript: Transcript,
  { tokens, countedInputs = new Map() }: BlockMeasures,
  identity: Uint32Array,
  strings: StringTable,
  lookUp: ModelLookUp,
): RequestColumns {
  const { requests } = transcript;
  const sums = transcript.contexts.map(context => prefixSums(context, tokens));
  const rowOf = (request: RecordedRequest): ModelRow | undefined => lookUp(request.model ?? '');
  const visible = (request: RecordedRequest, blocks: number): number => sums[request.context]?.[blocks] ?? 0;
  const calibrations = calibrateModels(requests, rowOf, request => visible(request, request.length));
  const calibrationOf = (request: RecordedRequest): Calibration =>
    calibrations.get(request.model ?? '') ?? { ...unknownPrior, source: 'prior', observations: 0 };
  const predictions = predictPrefixes({
    transcript,
    identity,
    rulesOf: index => {
      const request = requests[index];
      return request === undefined ? undefined : rowOf(request)?.cache;
    },
    prefixTokens: (index, blocks) => {
      const request = requests[index];
      if (request === undefined) {
        return 0;
      }
      // Two figures are enough: the tokens of the prefix and of the rest.
      const head = visible(request, blocks);
      const { tokens, notRecorded } = calibrateRequest(
        inputOf(request),
        [head, visible(request, request.length) - head],
        calibrationOf(request),
        request.complete,
      );
      return notRecorded.value + (tokens[0] ?? 0);
    },
  });
  const largest = new Map<string, number>();
  for (const request of requests) {
    largest.set(request.model ?? '', Math.max(largest.get(request.model ?? '') ?? 0, inputOf(request) ?? 0));
  }
  return {
    context: columnOf(requests, Uint32Array, ({ context }) => context),
    length: columnOf(requests, Uint32Array, ({ length }) => length),
    thread: columnOf(requests, Uint16Array, ({ thread }) => thread),
    timestamp: columnOf(requests, Float64Array, ({ timestamp }) => timestamp ?? Number.NaN),
    model: columnOf(requests, Uint32Array, ({ model }) => strings.index(model)),
    input: columnOf(
      requests,
      Uint32Array,
      ({ usage }, index) => countedInputs.get(index) ?? usage?.input ?? 0,
    ),
    cacheRead: columnOf(requests, Uint32Array, ({ usage }) => usage?.cacheRead ?? 0),
    cacheWrite: columnOf(requests, Uint32Array, ({ usage }) => usage?.cacheWrite ?? 0),
    output: columnOf(requests, Uint32Array, ({ usage }) => usage?.output ?? 0),
    cacheLifetime: columnOf(requests, Uint32Array, ({ usage }) => usage?.cacheLifetime ?? 0),
    cacheWriteHour: columnOf(requests, Uint32Array, ({ usage }) => writtenForHour(usage)),
    flags: columnOf(
      requests,
      Uint8Array,
      (request, index) =>
        (inputOf(request) === undefined ? 0 : requestFlags.recorded) |
        (countedInputs.has(index) ? requestFlags.counted : 0) |
        (request.complete ? requestFlags.complete : 0) |
        (request.outputDoubtful === true ? requestFlags.outputDoubtful : 0) |
        (calibrationOf(request).source === 'session' ? requestFlags.fittedScale : 0),
    ),
    window: columnOf(
      requests,
      Uint32Array,
      ({ model = '' }) => contextWindowFor(model, largest.get(model) ?? 0, lookUp) ?? 0,
    ),
    predictedBlocks: columnOf(predictions, Uint32Array, ({ blocks }) => blocks),
    predictionReason: columnOf(predictions, Uint8Array, ({ reason }) => predictionReasons.indexOf(reason)),
    predictedFrom: columnOf(predictions, Int32Array, ({ source }) => source ?? -1),
    scale: columnOf(requests, Float32Array, request => calibrationOf(request).scale),
    scaleError: columnOf(requests, Float32Array, request => calibrationOf(request).error),
    frozenPrefixLen: Int32Array.from(frozenPrefixLengths(transcript), length => length ?? -1),
    line: columnOf(requests, Uint32Array, ({ line }) => line),
  };
}

/** Recorded input tokens of all kinds; undefined where the provider reported nothing, or zero for a failed call. */
function inputOf({ usage }: RecordedRequest): number | undefined {
  const input = usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
  return input > 0 ? input : undefined;
}

function calibrateModels(
  requests: readonly RecordedRequest[],
  rowOf: (request: RecordedRequest) => ModelRow | undefined,
  visible: (request: RecordedRequest) => number,
): ReadonlyMap<string, Calibration> {
  const byModel = new Map<string, RecordedRequest[]>();
  for (const request of requests) {
    const list = byModel.get(request.model ?? '');
    if (list === undefined) {
      byModel.set(request.model ?? '', [request]);
    } else {
      list.push(request);
    }
  }
  return new Map(
    [...byModel].map(([model, list]) => {
      const first = list[0];
      const prior = (first === undefined ? undefined : rowOf(first)?.tokenizerPrior) ?? unknownPrior;
      const observed = list.flatMap(request => {
        const recordedInput = inputOf(request);
        return recordedInput === undefined
          ? []
          : [
              {
                recordedInput,
                visibleEstimate: visible(request),
                epoch: request.context,
                complete: request.complete,
              },
            ];
      });
      return [model, fitCalibration(observed, prior)];
    }),
  );
}
