import { basename } from 'node:path';
import { groupBy } from '../../src/core/base/groupBy';
import { hasBits } from '../../src/core/base/numbers';
import { requestFlags, type SessionColumns } from '../../src/core/model/columns';
import type { ModelFamily } from '../../src/core/model/modelRow';
import { openTranscript } from '../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import {
  errorShare,
  type GrowthErrors,
  fitRates,
  framingTokens,
  type GrowthRates,
} from '../../src/core/tokens/growth';
import type { GrowthTable } from '../../src/core/tokens/measured/tables';
import { type ModelGrowth, modelGrowth, unknownRates } from '../../src/core/tokens/modelGrowth';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { unknownPrior } from '../../src/core/tokens/tokenizerPrior';
import { recordedInput, RequestTokens } from '../../src/core/view/requestTokens';
import { joinedRows, modelRows, type StepRows } from '../../src/core/view/totals/growthSteps';
import type { GrowthPrediction } from '../../src/core/view/totals/threadTotals';
import { sessionTotals } from '../../src/core/view/totals/sessionTotals';
import { decoderTools } from '../../src/node/databases/database';
import { decodeText } from '../../src/node/files/decodeText';
import { openFile } from '../../src/node/files/fileByteSource';
import { siblingFilesOf } from '../../src/node/sessions/siblingFiles';

/** A counted session with recorded input. */
export interface CountedSession {
  readonly file: string;
  readonly session: TranscriptSession;
}

/** Opens and counts a file; undefined where it is no transcript, or records no input. */
export async function countSession(file: string): Promise<CountedSession | undefined> {
  const source = await openFile(file);
  try {
    const opened = await openTranscript(source, {
      fileName: basename(file),
      scanner: { scan: () => Promise.resolve([]) },
      decodeText,
      mayGrow: false,
      labels: false,
      countWhileReading: true,
      tools: decoderTools,
      siblings: siblingFilesOf(file),
    });
    if (!opened.ok) {
      return undefined;
    }
    const { requests } = opened.session.toSession().columns;
    return requests.flags.some(flags => (flags & requestFlags.recorded) !== 0)
      ? { file, session: opened.session }
      : undefined;
  } finally {
    await source.close();
  }
}

/** The results from the totals of one file. */
export interface FileFigures {
  readonly file: string;
  readonly requests: number;
  /** The most that what is not recorded moves without a name, as a share of the largest total of its context. */
  readonly drift: number;
  /** Places where tokens came or left, and are said to. */
  readonly jumps: number;
  /** Requests with nothing that is not recorded, though others of the context have it. */
  readonly vanished: number;
  /** Requests whose blocks and what is not recorded do not add up to the recorded input. */
  readonly inexact: number;
  /** Requests whose stated error of what is not recorded is more than the whole. */
  readonly senseless: number;
}

/** Measures what is shown. A stretch ends where the context or the model changes, or a jump is named. */
export function fileFigures(file: string, columns: SessionColumns): FileFigures {
  const { requests } = columns;
  const tokens = new RequestTokens(columns);
  const figures = { file, requests: 0, drift: 0, jumps: 0, vanished: 0, inexact: 0, senseless: 0 };
  for (const indices of groupBy(requests.context.keys(), index => requests.context[index] ?? 0).values()) {
    let stretch: { low: number; high: number; model: number | undefined } | undefined;
    let drift = 0;
    let largest = 0;
    const hidden: number[] = [];
    for (const index of indices) {
      const input = recordedInput(columns, index);
      if (input === undefined || hasBits(requests.flags, index, requestFlags.complete)) {
        continue;
      }
      const rest = tokens.notRecorded(index);
      figures.requests += 1;
      largest = Math.max(largest, input);
      hidden.push(rest);
      figures.inexact += tokens.prefix(index, requests.length[index] ?? 0) === input ? 0 : 1;
      figures.senseless += (requests.notRecordedError[index] ?? 0) > 1 ? 1 : 0;
      const jump = requests.jump[index] ?? 0;
      figures.jumps += jump === 0 ? 0 : 1;
      if (stretch === undefined || jump !== 0 || stretch.model !== requests.model[index]) {
        stretch = { low: rest, high: rest, model: requests.model[index] };
      }
      stretch.low = Math.min(stretch.low, rest);
      stretch.high = Math.max(stretch.high, rest);
      drift = Math.max(drift, stretch.high - stretch.low);
    }
    figures.drift = Math.max(figures.drift, largest === 0 ? 0 : drift / largest);
    const most = Math.max(0, ...hidden);
    figures.vanished += most === 0 ? 0 : hidden.filter(rest => rest === 0).length;
  }
  return figures;
}

interface SessionRows {
  readonly id: string;
  readonly counted: CountedSession;
  readonly family: ModelFamily;
  readonly rows: StepRows;
}

const fewestSessions = 3;

/** Fits every family that enough sessions show, and predicts each session from the others. */
export function familyFigures(sessions: readonly CountedSession[]): GrowthTable {
  const rows = withoutCopies(sessions).flatMap(sessionRows);
  return [...groupBy(rows, ({ family }) => family)].flatMap(([family, list]) => {
    const ids = new Set(list.map(({ id }) => id));
    if (family === 'other' || ids.size < fewestSessions) {
      return [];
    }
    const unseen = [...ids].flatMap(id => {
      const rates = fittedRates(
        family,
        list.filter(other => other.id !== id),
      );
      const own = new Map(
        list.filter(other => other.id === id).map(({ counted }) => [counted.file, counted]),
      );
      return [...own.values()].flatMap(({ session }) =>
        predictionsOf(session, family, rates).map(prediction => ({ id, ...prediction })),
      );
    });
    const covered = [...ids]
      .map(id => ({
        own: unseen.filter(prediction => prediction.id === id),
        stated: statedErrors(unseen.filter(prediction => prediction.id !== id)),
      }))
      .reduce(
        (sum, { own, stated }) => sum + own.filter(prediction => isCovered(prediction, stated)).length,
        0,
      );
    const errors = unseen
      .map(({ predicted, recorded }) => Math.abs(predicted - recorded) / recorded)
      .sort((first, second) => first - second);
    const stated = statedErrors(unseen);
    return {
      family,
      rates: fittedRates(family, list).map(rate => Number(rate.toFixed(3))),
      errors: {
        afterOutput: Number(stated.afterOutput.toFixed(3)),
        withReply: Number(stated.withReply.toFixed(3)),
      },
      scale: growthOfFamily(family).scale,
      sessions: ids.size,
      steps: errors.length,
      median: Number(quantile(errors, 0.5).toFixed(3)),
      ninetieth: Number(quantile(errors, 0.9).toFixed(3)),
      covered: Number((covered / Math.max(1, errors.length)).toFixed(3)),
    };
  });
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const familyModels: Partial<Record<ModelFamily, string>> = { claude: 'claude-sonnet-4-5', openai: 'gpt-5.5' };

/** The start of the fit of a family: rates known without any session, so that fits do not build on each other. */
function growthOfFamily(family: ModelFamily): { readonly rates: GrowthRates; readonly scale: number } {
  const { scale } = lookUpModel(familyModels[family] ?? '')?.tokenizerPrior ?? unknownPrior;
  return { rates: unknownRates(scale, 8), scale };
}

/** Of files that hold the same session, the one with the most requests. */
export function withoutCopies(sessions: readonly CountedSession[]): readonly CountedSession[] {
  const byId = groupBy(sessions, ({ file, session }) => session.transcript.sessionId ?? file);
  return [...byId.values()].flatMap(copies =>
    [...copies]
      .sort(
        (first, second) =>
          second.session.transcript.requests.length - first.session.transcript.requests.length,
      )
      .slice(0, 1),
  );
}

function sessionRows(counted: CountedSession): readonly SessionRows[] {
  const { transcript, tokenizerTokens } = counted.session;
  return modelRows(transcript, tokenizerTokens, growthOf).map(({ model, rows }) => ({
    id: transcript.sessionId ?? counted.file,
    counted,
    family: growthOf(model).family,
    rows,
  }));
}

const growthOf = (model: string): ModelGrowth => modelGrowth(model, lookUpModel(model));

function fittedRates(family: ModelFamily, sessions: readonly SessionRows[]): GrowthRates {
  return fitRates(joinedRows(sessions.map(session => session.rows)), growthOfFamily(family).rates);
}

/** The size that an error is a share of. */
const sizeOf = ({ blocks }: GrowthPrediction): number => framingTokens + Math.max(0, blocks);

/** The shares that nine of ten errors of these predictions stayed below. */
function statedErrors(predictions: readonly GrowthPrediction[]): GrowthErrors {
  const shares = (withReply: boolean): readonly number[] =>
    predictions
      .filter(prediction => prediction.withReply === withReply)
      .map(prediction => Math.abs(prediction.predicted - prediction.recorded) / sizeOf(prediction));
  return {
    afterOutput: errorShare(shares(false), unknownPrior.error),
    withReply: errorShare(shares(true), unknownPrior.error),
  };
}

function isCovered(prediction: GrowthPrediction, { afterOutput, withReply }: GrowthErrors): boolean {
  const share = prediction.withReply ? withReply : afterOutput;
  return Math.abs(prediction.predicted - prediction.recorded) <= share * sizeOf(prediction);
}

function predictionsOf(
  session: TranscriptSession,
  family: ModelFamily,
  rates: GrowthRates,
): readonly GrowthPrediction[] {
  const predictions: GrowthPrediction[] = [];
  const { growthOf: used } = sessionTotals(
    session.transcript,
    session.tokenizerTokens,
    new Map(),
    model => {
      const growth = growthOf(model);
      return growth.family === family ? { ...growth, prior: { ...growth.prior, rates } } : growth;
    },
    predictions,
  );
  return predictions.filter(({ request, recorded }) => recorded > 0 && used(request).family === family);
}
