import { predictPrefixes } from '../cache/predictPrefix';
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
}

/** Turns a transcript and its measures into columns. Linear in blocks, requests and the lengths of the contexts. */
export function toColumns(
  transcript: Transcript,
  measures: BlockMeasures,
  lookUp: ModelLookUp = lookUpModel,
): SessionColumns {
  const strings = new StringTable();
  const sums = transcript.contexts.map(context => prefixSums(context, measures.tokens));
  return {
    blocks: blockColumns(transcript, measures, strings),
    contexts: transcript.contexts.map(context => Uint32Array.from(context)),
    requests: requestColumns(transcript, sums, strings, lookUp),
    breakpoints: transcript.requests.flatMap(({ breakpoints }, request) =>
      breakpoints === undefined || breakpoints.length === 0 ? [] : [{ request, positions: breakpoints }],
    ),
    strings: strings.strings,
  };
}

class StringTable {
  readonly strings: string[] = [''];
  private readonly indices = new Map([['', 0]]);

  index(text: string | undefined): number {
    const key = text ?? '';
    const known = this.indices.get(key);
    if (known !== undefined) {
      return known;
    }
    const index = this.strings.push(key) - 1;
    this.indices.set(key, index);
    return index;
  }
}

/** A column with a value for each row. Several times as fast as `from`, which asks the rows for an iterator. */
function filled<Column extends { set(values: readonly number[]): void }, Row>(
  column: Column,
  rows: readonly Row[],
  value: (row: Row) => number,
): Column {
  column.set(rows.map(value));
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

function blockColumns(transcript: Transcript, measures: BlockMeasures, strings: StringTable): BlockColumns {
  const { blocks, messages } = transcript;
  const { firstRequest, requestCount } = requestSpans(transcript);
  return {
    role: filled(new Uint8Array(blocks.length), blocks, ({ role }) => promptRoles.indexOf(role)),
    contentType: filled(new Uint8Array(blocks.length), blocks, ({ contentType }) =>
      blockContentTypes.indexOf(contentType),
    ),
    kind: filled(new Uint8Array(blocks.length), blocks, ({ kind }) => blockKinds.indexOf(kind)),
    provenance: filled(new Uint8Array(blocks.length), blocks, ({ provenance }) =>
      provenanceLabels.indexOf(provenance),
    ),
    partition: filled(new Uint8Array(blocks.length), blocks, ({ partition }) =>
      partitionNames.indexOf(partition),
    ),
    sensitivity: measures.sensitivity.slice(),
    findings: measures.findings.slice(),
    tokens: measures.tokens.slice(),
    counted: measures.counted.slice(),
    characters: filled(new Uint32Array(blocks.length), blocks, ({ size }) => size.characters),
    bytes: filled(new Uint32Array(blocks.length), blocks, ({ size }) => size.bytes),
    line: filled(new Uint32Array(blocks.length), blocks, ({ source }) => source.line),
    label: filled(new Uint32Array(blocks.length), blocks, ({ label }) =>
      strings.index(measures.shownLabel?.(label) ?? label),
    ),
    tool: filled(new Uint32Array(blocks.length), blocks, ({ toolName }) => strings.index(toolName)),
    callId: filled(new Uint32Array(blocks.length), blocks, ({ callId }) => strings.index(callId)),
    path: filled(new Uint32Array(blocks.length), blocks, ({ path }) => strings.index(path)),
    hash: filled(new Uint32Array(blocks.length), blocks, ({ contentHash }) => strings.index(contentHash)),
    message: filled(new Uint32Array(blocks.length), blocks, ({ message }) => message),
    pair: pairs(blocks),
    flags: filled(
      new Uint8Array(blocks.length),
      blocks,
      ({ isError, cleared, useless, message }) =>
        (isError === true ? blockFlags.error : 0) |
        (cleared === true ? blockFlags.cleared : 0) |
        (useless === true ? blockFlags.useless : 0) |
        (messages[message]?.summary === true ? blockFlags.summary : 0),
    ),
    firstRequest,
    requestCount,
    timestamp: filled(
      new Float64Array(blocks.length),
      blocks,
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
  sums: readonly Float64Array[],
  strings: StringTable,
  lookUp: ModelLookUp,
): RequestColumns {
  const { requests } = transcript;
  const rowOf = (request: RecordedRequest): ModelRow | undefined => lookUp(request.model ?? '');
  const visible = (request: RecordedRequest, blocks: number): number => sums[request.context]?.[blocks] ?? 0;
  const calibrations = calibrateModels(requests, rowOf, request => visible(request, request.length));
  const calibrationOf = (request: RecordedRequest): Calibration =>
    calibrations.get(request.model ?? '') ?? { ...unknownPrior, source: 'prior', observations: 0 };
  const predictions = predictPrefixes({
    transcript,
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
    context: filled(new Uint32Array(requests.length), requests, ({ context }) => context),
    length: filled(new Uint32Array(requests.length), requests, ({ length }) => length),
    thread: filled(new Uint16Array(requests.length), requests, ({ thread }) => thread),
    timestamp: filled(
      new Float64Array(requests.length),
      requests,
      ({ timestamp }) => timestamp ?? Number.NaN,
    ),
    model: filled(new Uint32Array(requests.length), requests, ({ model }) => strings.index(model)),
    input: filled(new Uint32Array(requests.length), requests, ({ usage }) => usage?.input ?? 0),
    cacheRead: filled(new Uint32Array(requests.length), requests, ({ usage }) => usage?.cacheRead ?? 0),
    cacheWrite: filled(new Uint32Array(requests.length), requests, ({ usage }) => usage?.cacheWrite ?? 0),
    output: filled(new Uint32Array(requests.length), requests, ({ usage }) => usage?.output ?? 0),
    cacheLifetime: filled(
      new Uint32Array(requests.length),
      requests,
      ({ usage }) => usage?.cacheLifetime ?? 0,
    ),
    cacheWriteHour: filled(new Uint32Array(requests.length), requests, ({ usage }) => writtenForHour(usage)),
    flags: filled(
      new Uint8Array(requests.length),
      requests,
      request =>
        (inputOf(request) === undefined ? 0 : requestFlags.recorded) |
        (request.complete ? requestFlags.complete : 0) |
        (request.outputDoubtful === true ? requestFlags.outputDoubtful : 0) |
        (calibrationOf(request).source === 'session' ? requestFlags.fittedScale : 0),
    ),
    window: filled(
      new Uint32Array(requests.length),
      requests,
      ({ model = '' }) => contextWindowFor(model, largest.get(model) ?? 0, lookUp) ?? 0,
    ),
    predictedBlocks: filled(new Uint32Array(predictions.length), predictions, ({ blocks }) => blocks),
    predictionReason: filled(new Uint8Array(predictions.length), predictions, ({ reason }) =>
      predictionReasons.indexOf(reason),
    ),
    predictedFrom: filled(new Int32Array(predictions.length), predictions, ({ source }) => source ?? -1),
    scale: filled(new Float32Array(requests.length), requests, request => calibrationOf(request).scale),
    scaleError: filled(new Float32Array(requests.length), requests, request => calibrationOf(request).error),
    frozenPrefixLen: Int32Array.from(frozenPrefixLengths(transcript), length => length ?? -1),
    line: filled(new Uint32Array(requests.length), requests, ({ line }) => line),
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
