import { groupBy } from '../../src/core/base/groupBy';
import type { ModelFamily } from '../../src/core/model/modelRow';
import type { RecordedRequest, Transcript } from '../../src/core/model/transcript';
import { unknownError } from '../../src/core/tokens/calibration';
import type { TotalErrorTable } from '../../src/core/tokens/measured/tables';
import { type ModelGrowth, modelGrowth } from '../../src/core/tokens/modelGrowth';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import {
  calibratedFamily,
  type EstimateSituation,
  estimateSituations,
  type TotalErrors,
} from '../../src/core/tokens/totalErrors';
import { CarriedSums } from '../../src/core/view/totals/carriedSums';
import { recordedInputs } from '../../src/core/view/totals/growthSteps';
import { sessionTotals } from '../../src/core/view/totals/sessionTotals';
import type { CountedSession } from './measureTotals';
import { table } from './tables';

export { countSession, withoutCopies } from './measureTotals';

/** A request whose recorded usage was hidden. */
export interface HiddenTotal {
  readonly session: string;
  readonly format: string;
  readonly family: ModelFamily;
  readonly situation: EstimateSituation;
  /** True if nothing is said of the whole, because the thread has no other recorded total. */
  readonly isLeast: boolean;
  readonly recorded: number;
  readonly estimate: number;
  /** The error of the growth alone, as a share of the estimate. */
  readonly growthError: number;
}

/** Of a longer session, only so many requests are hidden, so that no session decides alone. */
const mostHidden = 40;

/** Agents that record only rounded totals show no error. */
const roundedTo = 100;

const noErrors: TotalErrors = {
  complete: 0,
  beforeFirst: 0,
  newContext: 0,
  afterJump: 0,
  newTurn: 0,
  step: 0,
  between: 0,
};

const growthOf = (model: string): ModelGrowth => ({
  ...modelGrowth(model, lookUpModel(model)),
  totalErrors: noErrors,
});

function withoutUsage(request: RecordedRequest): RecordedRequest {
  const { usage: _usage, ...rest } = request;
  return rest;
}

/**
 * Hides the usage of one request at a time, and estimates its total: once as the newest request, once with those that
 * follow.
 */
export function hiddenTotals({ file, session }: CountedSession): readonly HiddenTotal[] {
  const { transcript } = session;
  const inputs = recordedInputs(transcript);
  const recorded = [...inputs.keys()].filter(index => (inputs[index] ?? 0) > 0);
  if (recorded.every(index => (inputs[index] ?? 0) % roundedTo === 0)) {
    return [];
  }
  const apart = Math.max(1, Math.ceil(recorded.length / mostHidden));
  return recorded
    .filter((_, place) => place % apart === 0)
    .flatMap(index => {
      const { requests } = transcript;
      const request = requests[index];
      if (request === undefined) {
        return [];
      }
      const hidden = withoutUsage(request);
      return [[...requests.slice(0, index), hidden], requests.with(index, hidden)].map(list => ({
        session: transcript.sessionId ?? file,
        format: transcript.format,
        family: calibratedFamily(growthOf(request.model ?? '').family),
        recorded: inputs[index] ?? 0,
        ...estimateOf({ ...transcript, requests: list }, request, index, session.tokenizerTokens),
      }));
    });
}

function estimateOf(
  transcript: Transcript,
  { context, length }: RecordedRequest,
  index: number,
  tokens: Uint32Array,
): Pick<HiddenTotal, 'situation' | 'isLeast' | 'estimate' | 'growthError'> {
  const totals = sessionTotals(transcript, tokens, new Map(), growthOf);
  const sums = new CarriedSums(transcript.contexts[context] ?? [], totals.tokens, totals.leftAt);
  const growthError = totals.totalError[index] ?? 0;
  return {
    situation: estimateSituations[totals.situation[index] ?? 0] ?? 'step',
    isLeast: growthError === unknownError,
    estimate: Math.round((totals.notRecorded[index] ?? 0) + sums.at(length, index)),
    growthError,
  };
}

/** The error that the growth does not explain, as a share of the estimate: the figure that is calibrated. */
function shareBeyond({ recorded, estimate, growthError }: HiddenTotal): number {
  const least = 1;
  return Math.max(0, Math.abs(recorded - estimate) / Math.max(least, estimate) - growthError);
}

const coveredShare = 0.92;
/** With fewer in a situation, a family takes those of all families. */
const fewestSessions = 3;
const fewestRequests = 16;
/** No estimate is stated to be closer than this. */
const leastShare = 0.001;

/** The share that 92 of 100 errors stayed below. */
function quantileOf(hidden: readonly HiddenTotal[]): number {
  const sorted = hidden.map(shareBeyond).sort((first, second) => first - second);
  return Math.max(leastShare, sorted[Math.ceil(coveredShare * sorted.length) - 1] ?? 0);
}

const countSessions = (hidden: readonly HiddenTotal[]): number =>
  new Set(hidden.map(({ session }) => session)).size;

/** Calibrates each family and situation. */
export function calibrate(all: readonly HiddenTotal[]): TotalErrorTable {
  const stated = all.filter(({ isLeast }) => !isLeast);
  return (['claude', 'openai', 'other'] as const).flatMap(family =>
    estimateSituations.map(situation => {
      const ofAll = stated.filter(hidden => hidden.situation === situation);
      const own = ofAll.filter(hidden => hidden.family === family);
      const used = own.length < fewestRequests || countSessions(own) < fewestSessions ? ofAll : own;
      return {
        family,
        situation,
        share: Math.ceil(quantileOf(used) * 1e4) / 1e4,
        sessions: countSessions(used),
        requests: used.length,
      };
    }),
  );
}

/** The stated error of a hidden total according to a table, as a share of the estimate. */
function statedError({ family, situation, growthError }: HiddenTotal, table: TotalErrorTable): number {
  const row = table.find(each => each.family === family && each.situation === situation);
  return growthError + (row?.share ?? 0);
}

type Row = readonly (string | number)[];

/** A row of the table for each group: the coverage, and the median and 90th percentile of the stated error. */
function coverageRows(
  hidden: readonly HiddenTotal[],
  errors: TotalErrorTable,
  nameOf: (hidden: HiddenTotal) => string,
): readonly Row[] {
  const groups = [...groupBy(hidden, nameOf)].sort(([first], [second]) => first.localeCompare(second));
  return groups.map(([name, list]) => {
    const stated = list
      .filter(({ isLeast }) => !isLeast)
      .map(each => statedError(each, errors))
      .sort((first, second) => first - second);
    const isCovered = (each: HiddenTotal): boolean =>
      each.isLeast
        ? each.recorded >= each.estimate
        : Math.abs(each.recorded - each.estimate) <= statedError(each, errors) * each.estimate + 1;
    return [
      name,
      countSessions(list),
      list.length,
      percent(list.filter(isCovered).length / list.length),
      percent(stated[Math.floor(stated.length / 2)]),
      percent(stated[Math.floor(0.9 * stated.length)]),
    ];
  });
}

const percent = (share: number | undefined): string =>
  share === undefined ? '' : `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;

const situationNames: Readonly<Record<EstimateSituation, string>> = {
  complete: 'everything is recorded',
  beforeFirst: 'before the first recorded total',
  newContext: 'new context: compaction, clearing, rewrite, other model',
  afterJump: 'after an unexplained jump',
  newTurn: 'after a prompt of the user',
  step: 'after a step of the agent',
  between: 'between recorded totals',
};

/** Hidden totals of one set of files. */
export interface HiddenSet {
  readonly name: string;
  readonly hidden: readonly HiddenTotal[];
}

const handwritten = '## Before and after';

/**
 * The document with the calibrated errors and their coverage.
 * @param before the present document, whose last section is kept
 */
export function errorsDocument(
  errors: TotalErrorTable,
  fitted: HiddenSet,
  others: readonly HiddenSet[],
  before: string,
): string {
  const unseen = others.flatMap(({ hidden }) => hidden);
  const heads = ['', 'Sessions', 'Requests', 'Covered', 'Stated error, median', '90th percentile'];
  const situationOf = ({ situation, isLeast }: HiddenTotal): string =>
    isLeast ? 'no recorded total (“at least”)' : situationNames[situation];
  const last = before.indexOf(handwritten);
  return [
    '# Stated errors of estimated totals',
    'Made by `npm run hidden-totals -w research -- FOLDER… [--test FOLDER]… [--write]`; only the last section is written by hand.',
    `A request without recorded usage has an estimated total. To measure its error, the usage of one request at a time was hidden, once as the newest request and once between the others, and the estimate was compared with the recorded total. At most ${mostHidden} requests of each session were hidden. The stated error is that of the growth since the last recorded total, plus a share of the total that depends on the model family and the situation. The share is the ${100 * coveredShare} % quantile of one half of the sessions, and at least ${percent(leastShare)}. A family with fewer than ${fewestSessions} sessions or ${fewestRequests} requests in a situation takes those of all families. If a thread has no recorded total, the figure is the least: the unrecorded part is unknown.`,
    '## Calibrated shares',
    table(
      ['Family', 'Situation', 'Share of the total', 'Sessions', 'Requests'],
      errors.map(({ family, situation, share, sessions, requests }) => [
        family,
        situationNames[situation],
        percent(share),
        sessions,
        requests,
      ]),
    ),
    '## Coverage by family',
    ...[fitted, ...others].flatMap(({ name, hidden }) => [
      `### ${name}`,
      table(
        heads,
        coverageRows(hidden, errors, ({ family }) => family),
      ),
    ]),
    '## Coverage by situation',
    'All sessions that were not fitted.',
    table(heads, coverageRows(unseen, errors, situationOf)),
    '## Coverage by format',
    'All sessions that were not fitted.',
    table(
      heads,
      coverageRows(unseen, errors, ({ format }) => format),
    ),
    last < 0 ? handwritten : before.slice(last).trimEnd(),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
