import { groupBy } from '../base/groupBy';
import { makeColumns } from '../base/typedColumns';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { requestTypes } from '../model/columnSchema';
import { type BlockColumns, predictionReasons, type RequestColumns, requestFlags } from '../model/columns';
import { windowSources } from '../model/contextWindow';
import type { ModelRow } from '../model/modelRow';
import type { TextTable } from '../model/textTable';
import type { RecordedRequest, RecordedUsage, Transcript } from '../model/transcript';
import { calibratePrefix, type Calibration, fitCalibration } from '../tokens/calibration';
import { ContextWindows } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { writtenForHour } from '../tokens/prices';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { attributionOf } from './attribution';
import { frozenPrefixLengths } from './frozenPrefix';
import { predictPrefixes } from './predictPrefix';
import { prefixSums } from './requestTokens';

/** What the requests of one model have in common. */
interface ModelFigures {
  /** Its number among the texts. */
  readonly string: number;
  readonly row: ModelRow | undefined;
  readonly calibration: Calibration;
}

/** One pass over the requests, after the passes that fit the tokenizer and find the predicted prefixes. */
export function requestColumns(
  transcript: Transcript,
  blocks: BlockColumns,
  countedInputs: ReadonlyMap<number, number>,
  lookUp: ModelLookUp,
): RequestColumns {
  const { requests, contexts } = transcript;
  const sums = contexts.map(context => prefixSums(context, blocks.tokens));
  const visible = (request: RecordedRequest, blocks: number): number => sums[request.context]?.[blocks] ?? 0;
  const models = modelFigures(
    requests,
    request => visible(request, request.length),
    transcript.blocks.texts,
    lookUp,
  );
  const predictions = predictPrefixes({
    transcript,
    rulesOf: index => models[index]?.row?.cache,
    prefixTokens: (index, blocks) => {
      const request = requests[index];
      const model = models[index];
      if (request === undefined || model === undefined) {
        return 0;
      }
      const { notRecorded, head } = calibratePrefix(
        inputOf(request.usage),
        visible(request, blocks),
        visible(request, request.length),
        model.calibration,
        request.complete,
      );
      return notRecorded + head;
    },
  });
  const frozen = frozenPrefixLengths(transcript);
  const windows = new ContextWindows(transcript, lookUp);
  const count = requests.length;
  const columns = makeColumns(requestTypes, type => new type(count));
  for (let index = 0; index < count; index += 1) {
    const request = requests[index];
    const model = models[index];
    const prediction = predictions[index];
    if (request === undefined || model === undefined || prediction === undefined) {
      continue;
    }
    const { usage } = request;
    const countedInput = countedInputs.get(index);
    columns.context[index] = request.context;
    columns.length[index] = request.length;
    columns.thread[index] = request.thread;
    columns.timestamp[index] = request.timestamp ?? Number.NaN;
    columns.model[index] = model.string;
    columns.input[index] = countedInput ?? usage?.input ?? 0;
    columns.cacheRead[index] = usage?.cacheRead ?? 0;
    columns.cacheWrite[index] = usage?.cacheWrite ?? 0;
    columns.output[index] = usage?.output ?? 0;
    columns.replyTokens[index] = request.reply.reduce((sum, block) => sum + (blocks.tokens[block] ?? 0), 0);
    columns.cacheLifetime[index] = usage?.cacheLifetime ?? 0;
    columns.cacheWriteHour[index] = writtenForHour(usage);
    columns.flags[index] =
      (inputOf(usage) === undefined ? 0 : requestFlags.recorded) |
      (countedInput === undefined ? 0 : requestFlags.counted) |
      (request.complete ? requestFlags.complete : 0) |
      (request.outputDoubtful === true ? requestFlags.outputDoubtful : 0) |
      (request.resumed === true ? requestFlags.resumed : 0) |
      (model.calibration.source === 'session' ? requestFlags.fittedScale : 0);
    const window = windows.of(request);
    columns.window[index] = window?.tokens ?? 0;
    columns.windowSource[index] = window === undefined ? 0 : windowSources.indexOf(window.source);
    columns.otherWindow[index] = window?.other ?? 0;
    columns.predictedBlocks[index] = prediction.blocks;
    columns.predictionReason[index] = predictionReasons.indexOf(prediction.reason);
    columns.predictedFrom[index] = prediction.source ?? -1;
    columns.scale[index] = model.calibration.scale;
    columns.scaleError[index] = model.calibration.error;
    const { diagnosis } = request;
    columns.diagnosis[index] = diagnosis === undefined ? 0 : cacheDiagnosisTypes.indexOf(diagnosis.type) + 1;
    columns.diagnosisTokens[index] = diagnosis?.tokens ?? -1;
    for (const [name, text] of attributionOf(request, transcript.blocks)) {
      columns[name][index] = transcript.blocks.texts.add(text);
    }
    columns.frozenPrefixLen[index] = frozen[index] ?? -1;
    columns.line[index] = request.line;
  }
  return columns;
}

/** Recorded input tokens of all kinds; undefined where the provider reported nothing, or zero for a failed call. */
function inputOf(usage: RecordedUsage | undefined): number | undefined {
  const input = usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
  return input > 0 ? input : undefined;
}

/**
 * For each request, the figures of its model.
 * @param visible tokenizer tokens of what the transcript shows of a request
 */
function modelFigures(
  requests: readonly RecordedRequest[],
  visible: (request: RecordedRequest) => number,
  texts: TextTable,
  lookUp: ModelLookUp,
): readonly ModelFigures[] {
  const figures = new Map<string, ModelFigures>();
  for (const [model, list] of groupBy(requests, ({ model: id = '' }) => id)) {
    const row = lookUp(model);
    const observed = [];
    for (const request of list) {
      const recordedInput = inputOf(request.usage);
      if (recordedInput !== undefined) {
        observed.push({
          recordedInput,
          visibleEstimate: visible(request),
          epoch: request.context,
          complete: request.complete,
        });
      }
    }
    figures.set(model, {
      string: model === '' ? 0 : texts.add(model),
      row,
      calibration: fitCalibration(observed, row?.tokenizerPrior ?? unknownPrior),
    });
  }
  return requests.flatMap(({ model = '' }) => figures.get(model) ?? []);
}
