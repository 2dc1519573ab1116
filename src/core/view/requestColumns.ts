import { entryOf } from '../base/entryOf';
import { makeColumns } from '../base/typedColumns';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { billingText } from '../model/billing';
import { requestTypes } from '../model/columnSchema';
import { type BlockColumns, predictionReasons, type RequestColumns, requestFlags } from '../model/columns';
import { windowSources } from '../model/contextWindow';
import type { ModelRow } from '../model/modelRow';
import type { TextTable } from '../model/textTable';
import type { RecordedRequest, Transcript } from '../model/transcript';
import { dividedPrefix } from '../tokens/calibration';
import { ContextWindows } from '../tokens/contextWindow';
import { doubtedTotals } from '../tokens/doubtedTotals';
import { growthTerms } from '../tokens/growth';
import type { ModelLookUp } from '../tokens/modelTable';
import { writtenForHour } from '../tokens/prices';
import { attributionOf } from './attribution';
import { frozenPrefixLengths } from './frozenPrefix';
import { predictPrefixes } from './predictPrefix';
import { CarriedSums } from './totals/carriedSums';
import type { SessionTotals } from './totals/sessionTotals';

/** The common facts about the requests of one model. */
interface ModelFigures {
  /** Its number among the texts. */
  readonly string: number;
  readonly row: ModelRow | undefined;
}

const codeTerm = growthTerms.indexOf('code');
/** Fewer steps of growth than these leave the rates near their prior. */
const fewestSteps = 5;

/** One pass over the requests, after the pass that finds the predicted prefixes. */
export function requestColumns(
  transcript: Transcript,
  blocks: BlockColumns,
  totals: SessionTotals,
  countedInputs: ReadonlyMap<number, number>,
  lookUp: ModelLookUp,
): RequestColumns {
  const { requests, contexts } = transcript;
  const models = modelFigures(requests, transcript.blocks.texts, lookUp);
  const sums = new Map<number, CarriedSums>();
  const prefixTokens = (
    index: number,
    { context: number, length }: RecordedRequest,
    head: number,
  ): number => {
    const context = entryOf(
      sums,
      number,
      () => new CarriedSums(contexts[number] ?? [], totals.tokens, totals.leftAt),
    );
    const input = totals.inputs[index] ?? 0;
    const prefix = dividedPrefix(
      input === 0 ? undefined : input,
      totals.notRecorded[index] ?? 0,
      context.at(head, index),
      context.at(length, index),
    );
    return prefix.notRecorded + prefix.head;
  };
  const predictions = predictPrefixes({
    transcript,
    rulesOf: index => models[index]?.row?.cache,
    // In most requests the unrecorded part alone is enough, so no sum is needed.
    holds: (index, head, tokens) => {
      const request = requests[index];
      return (
        (totals.notRecorded[index] ?? 0) >= tokens ||
        (request !== undefined && prefixTokens(index, request, head) >= tokens)
      );
    },
  });
  const frozen = frozenPrefixLengths(transcript);
  const doubted = doubtedTotals(transcript);
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
    const growth = totals.growthOf(index);
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
    columns.recordedCost[index] = usage?.cost ?? Number.NaN;
    columns.billing[index] =
      usage?.billing === undefined ? 0 : transcript.blocks.texts.add(billingText(usage.billing));
    columns.flags[index] =
      (totals.inputs[index] === 0 ? 0 : requestFlags.recorded) |
      (countedInput === undefined ? 0 : requestFlags.counted) |
      (request.complete ? requestFlags.complete : 0) |
      (request.outputDoubtful === true ? requestFlags.outputDoubtful : 0) |
      (request.resumed === true ? requestFlags.resumed : 0) |
      (request.summarizes === true ? requestFlags.summarizes : 0) |
      (doubted.has(index) && countedInput === undefined ? requestFlags.doubted : 0) |
      (growth.steps >= fewestSteps ? requestFlags.fittedScale : 0);
    const window = windows.of(request);
    columns.window[index] = window?.tokens ?? 0;
    columns.windowSource[index] = window === undefined ? 0 : windowSources.indexOf(window.source);
    columns.otherWindow[index] = window?.other ?? 0;
    columns.predictedBlocks[index] = prediction.blocks;
    columns.predictionReason[index] = predictionReasons.indexOf(prediction.reason);
    columns.predictedFrom[index] = prediction.source ?? -1;
    columns.scale[index] = growth.rates[codeTerm] ?? 1;
    columns.scaleError[index] = growth.errors.afterOutput;
    const { diagnosis } = request;
    columns.diagnosis[index] = diagnosis === undefined ? 0 : cacheDiagnosisTypes.indexOf(diagnosis.type) + 1;
    columns.diagnosisTokens[index] = diagnosis?.tokens ?? -1;
    for (const [name, text] of attributionOf(request, transcript.blocks)) {
      columns[name][index] = transcript.blocks.texts.add(text);
    }
    columns.frozenPrefixLen[index] = frozen[index] ?? -1;
    columns.line[index] = request.line;
  }
  columns.notRecorded.set(totals.notRecorded);
  columns.notRecordedError.set(totals.notRecordedError);
  columns.jump.set(totals.jump);
  columns.totalError.set(totals.totalError);
  return columns;
}

/** For each request, the figures of its model. */
function modelFigures(
  requests: readonly RecordedRequest[],
  texts: TextTable,
  lookUp: ModelLookUp,
): readonly ModelFigures[] {
  const figures = new Map<string, ModelFigures>();
  for (const { model = '' } of requests) {
    if (!figures.has(model)) {
      figures.set(model, { string: model === '' ? 0 : texts.add(model), row: lookUp(model) });
    }
  }
  return requests.flatMap(({ model = '' }) => figures.get(model) ?? []);
}
