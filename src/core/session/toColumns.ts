import { blockIdentity, predictPrefixes } from '../cache/predictPrefix';
import { Numbering } from '../cache/prefixIndex';
import {
  blockFlags,
  predictionReasons,
  requestFlags,
  type BlockColumns,
  type RequestColumns,
  type SessionColumns,
} from '../model/columns';
import { blockContentTypes, partitionNames, promptRoles, provenanceLabels } from '../model/labels';
import { blockKinds, type Block, type RecordedRequest, type Transcript } from '../model/transcript';
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
  private readonly identities = new Numbering();
  private last: LastColumns | undefined;

  build(transcript: Transcript, measures: BlockMeasures, lookUp: ModelLookUp): SessionColumns {
    const { strings } = this;
    const before = this.last;
    const same = before === undefined ? 0 : sameRows(before.transcript, transcript);
    const labelChanges = measures.labelChanges ?? 0;
    const sameLabels = before?.labelChanges === labelChanges ? same : 0;
    const blocks = blockColumns(transcript, measures, strings, { columns: before?.blocks, same, sameLabels });
    const identity = extended(transcript.blocks, Uint32Array, before?.identity, same, block =>
      this.identities.of(blockIdentity(block)),
    );
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

/** How many blocks at the beginning are the same objects, in messages that are the same. */
function sameRows(before: Transcript, after: Transcript): number {
  const end = Math.min(before.blocks.length, after.blocks.length);
  for (let row = 0; row < end; row += 1) {
    const block = after.blocks[row];
    const message = block?.message ?? -1;
    if (block !== before.blocks[row] || before.messages[message] !== after.messages[message]) {
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

/** Sets what `value` gives for each row from `from` on. The iterators of `TypedArray.from` take many times as long. */
function fill<Item>(
  column: NumberArray,
  items: readonly Item[],
  from: number,
  value: (item: Item, row: number) => number,
): void {
  for (let row = from; row < items.length; row += 1) {
    const item = items[row];
    if (item !== undefined) {
      column[row] = value(item, row);
    }
  }
}

function columnOf<Item, View extends NumberArray>(
  items: readonly Item[],
  type: new (length: number) => View,
  value: (item: Item, row: number) => number,
): View {
  return extended(items, type, undefined, 0, value);
}

/** A column by row, whose first `same` rows are those of an earlier one; that one itself where there is nothing new. */
function extended<Item, View extends NumberArray>(
  items: readonly Item[],
  type: new (length: number) => View,
  before: View | undefined,
  same: number,
  value: (item: Item, row: number) => number,
): View {
  if (before?.length === same && items.length === same) {
    return before;
  }
  const column = new type(items.length);
  if (before !== undefined) {
    column.set(before.subarray(0, same));
  }
  fill(column, items, same, value);
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
  transcript: Transcript,
  measures: BlockMeasures,
  strings: StringTable,
  { columns: before, same, sameLabels }: EarlierRows,
): BlockColumns {
  const { blocks, messages } = transcript;
  const { firstRequest, requestCount } = requestSpans(transcript);
  const bytes = (column: Uint8Array | undefined, value: (block: Block) => number): Uint8Array =>
    extended(blocks, Uint8Array, column, same, value);
  const words = (
    column: Uint32Array | undefined,
    value: (block: Block) => number,
    sameHere = same,
  ): Uint32Array => extended(blocks, Uint32Array, column, sameHere, value);
  return {
    role: bytes(before?.role, ({ role }) => promptRoles.indexOf(role)),
    contentType: bytes(before?.contentType, ({ contentType }) => blockContentTypes.indexOf(contentType)),
    kind: bytes(before?.kind, ({ kind }) => blockKinds.indexOf(kind)),
    provenance: bytes(before?.provenance, ({ provenance }) => provenanceLabels.indexOf(provenance)),
    partition: bytes(before?.partition, ({ partition }) => partitionNames.indexOf(partition)),
    sensitivity: measures.sensitivity.slice(),
    findings: measures.findings.slice(),
    tokens: measures.tokens.slice(),
    counted: measures.counted.slice(),
    characters: words(before?.characters, ({ size }) => size.characters),
    bytes: words(before?.bytes, ({ size }) => size.bytes),
    line: words(before?.line, ({ source }) => source.line),
    label: words(
      before?.label,
      ({ label }) => strings.index(measures.shownLabel?.(label) ?? label),
      sameLabels,
    ),
    tool: words(before?.tool, ({ toolName }) => strings.index(toolName)),
    callId: words(before?.callId, ({ callId }) => strings.index(callId)),
    path: words(before?.path, ({ path }) => strings.index(path)),
    hash: words(before?.hash, ({ contentHash }) => strings.index(contentHash)),
    message: words(before?.message, ({ message }) => message),
    pair: pairs(blocks),
    flags: bytes(
      before?.flags,
      ({ isError, cleared, useless, message }) =>
        (isError === true ? blockFlags.error : 0) |
        (cleared === true ? blockFlags.cleared : 0) |
        (useless === true ? blockFlags.useless : 0) |
        (messages[message]?.summary === true ? blockFlags.summary : 0),
    ),
    firstRequest,
    requestCount,
    timestamp: extended(
      blocks,
      Float64Array,
      before?.timestamp,
      same,
      ({ message }) => messages[message]?.timestamp ?? Number.NaN,
    ),
  };
}

/** A call and its newest result know each other; every result knows its call. */
function pairs(blocks: readonly Block[]): Int32Array {
  const pair = new Int32Array(blocks.length).fill(-1);
  const calls = new Map<string, number>();
  blocks.forEach(({ callId, kind }, index) => {
    if (callId !== undefined && kind === 'toolCall') {
      calls.set(callId, index);
    }
  });
  blocks.forEach(({ callId, kind }, index) => {
    const call = callId === undefined || kind === 'toolCall' ? undefined : calls.get(callId);
    if (call !== undefined) {
      pair[index] = call;
      if (kind === 'toolResult') {
        pair[call] = index;
      }
    }
  });
  return pair;
}

/**
 * For each block the first request that held it and how many did. A context only grows, so a block at position p is in
 * all of the context's requests that are longer than p: counted once a context by a walk over its sorted requests.
 */
function requestSpans({
  blocks,
  contexts,
  requests,
}: Transcript): Pick<BlockColumns, 'firstRequest' | 'requestCount'> {
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
