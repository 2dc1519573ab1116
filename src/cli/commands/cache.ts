import { translate } from '../../core/base/translate';
import { type CacheReport, isMeant, lossesIn } from '../../core/cache/cacheFinding';
import { causeTotals } from '../../core/cache/cacheReport';
import {
  causeText,
  causeWords,
  meantSentence,
  certaintyText,
  diagnosisText,
  diagnosisWords,
  possibleText,
  reasonWords,
  verdictWords,
} from '../../core/cache/causeWords';
import { remedyOf } from '../../core/cache/remedy';
import { cacheDiagnosisTypes } from '../../core/model/cacheDiagnosis';
import { cacheQuestions } from '../../core/questions/cacheQuestions';
import { stabilityOf } from '../../core/questions/stabilityOf';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import type { BreakpointPlan } from '../../core/stability/breakpointPlan';
import { type Planner, planText, plannerTexts, plannerWords, planners } from '../../core/stability/planWords';
import { type RequestName, requestLabel, requestNames } from '../../core/view/requestNames';
import { command, print } from '../command';
import { choice, jsonOption, modelsOption } from '../options/options';
import { formatOption } from '../options/transcriptOptions';
import { withTranscript } from '../sessions/transcripts';
import { readOneOf } from '../options/values';
import { inLines, money, number, requestHeading, requests, tokens } from '../output/words';

export const cache = command({
  name: 'cache',
  summary: translate(
    'Shows how much of every request was cached and why the cache was lost. The exit code is 1 if it was lost.',
  ),
  example: 'session.jsonl',
  options: {
    planner: choice(
      'NAME',
      planners,
      translate(
        'Planning method for the breakpoints of the last request: own (saves the most) or relay (as NeMo Relay plans). Default: own.',
      ),
    ),
    ...jsonOption,
    ...modelsOption,
    ...formatOption,
  },
  run: (values, file) => {
    const planner = readOneOf('--planner', values.planner ?? 'own', planners);
    return withTranscript(
      file,
      values.models,
      async session => {
        await session.countTokens();
        const report = await cacheQuestions(session).report();
        const { requests: all } = session.transcript;
        const names = requestNames(all);
        const last = all.length - 1;
        const planned = last < 0 ? undefined : await plannedRequest(session, last, planner);
        await print(
          values.json,
          { ...named(report, names), plan: planned && { ...names[last], ...planned } },
          () =>
            inLines([
              describe(report, names),
              ...(planned === undefined ? [] : describePlan(planned, nameAt(names, last))),
            ]),
        );
        return lossesIn(report.findings).length === 0 ? 0 : 1;
      },
      { format: values.format },
    );
  },
});

/** The breakpoint plan of a request, and who planned. */
interface PlannedRequest {
  readonly planner: Planner;
  /** Requests that the plan is based on. */
  readonly observations: number;
  readonly stablePrefixBlocks: number;
  readonly fingerprint: string | null;
  readonly plan: BreakpointPlan;
}

async function plannedRequest(
  session: TranscriptSession,
  request: number,
  planner: Planner,
): Promise<PlannedRequest> {
  const { report, fingerprint } = await stabilityOf(session, request, planner);
  return {
    planner,
    observations: report.observed.length,
    stablePrefixBlocks: report.stablePrefixBlocks,
    fingerprint: fingerprint ?? null,
    plan: report.plan,
  };
}

function describePlan({ planner, plan }: PlannedRequest, name: RequestName): readonly string[] {
  return [
    '',
    translate(
      'Breakpoints of request {0}, {1}: {2}',
      requestLabel(name),
      plannerWords[planner],
      planText(plan),
    ),
    `  ${plannerTexts[planner]}`,
  ];
}

const nameAt = (names: readonly RequestName[], request: number): RequestName =>
  names[request] ?? { conversation: 0, request };

/** The report with requests named as in other commands. */
function named(report: CacheReport, names: readonly RequestName[]) {
  return {
    ...report,
    findings: report.findings.map(({ request, previous, ...rest }) => ({
      ...names[request],
      previous: names[previous] ?? null,
      ...rest,
    })),
    boundaries: report.boundaries.map(({ request, predicted, ...rest }) => ({
      ...names[request],
      ...rest,
      predicted: {
        ...predicted,
        from: predicted.from === undefined ? null : (names[predicted.from] ?? null),
      },
    })),
  };
}

function describe(report: CacheReport, names: readonly RequestName[]): string {
  const { input, lost, conservation, agreement, findings, causes, boundaries } = report;
  const cost = (dollars: number | undefined): string => (dollars === undefined ? '' : `, ${money(dollars)}`);
  const heads = [
    translate('request'),
    translate('cached'),
    translate('available'),
    translate('expected'),
    translate('reason'),
  ];
  const width = Math.max(heads[0]?.length ?? 0, ...names.map(name => requestLabel(name).length));
  const row = ([label = '', ...cells]: readonly string[]): string =>
    [label.padEnd(width), ...cells.slice(0, 3).map(cell => cell.padStart(10)), cells[3] ?? ''].join('  ');
  const figure = (value: number | undefined): string => (value === undefined ? '–' : number(value));
  return inLines([
    translate(
      'Input: {0} tokens read from the cache, {1} written to it, {2} at full price',
      number(input.read),
      number(input.written),
      number(input.fresh),
    ),
    translate(
      'Cache lost {0, plural, one {# time} other {# times}}: {1}',
      lossesIn(findings).length,
      `${tokens(lost.tokens)}${cost(lost.money)}`,
    ),
    translate(
      'Read as expected: {0} of {1}. Everything cached before was read again: {2} of {3}.',
      agreement.agreeing,
      agreement.compared,
      conservation.kept,
      conservation.checked,
    ),
    ...causes.map(total => `  ${causeText(total)}`),
    ...causeTotals(findings.filter(isMeant)).map(total => meantSentence(causeText(total))),
    ...cacheDiagnosisTypes.flatMap(type => {
      const count = report.diagnostics[type];
      return count === undefined
        ? []
        : [`  ${translate('provider’s report: {0}', diagnosisWords[type])}: ${requests(count)}`];
    }),
    ...findings.flatMap(finding => [
      '',
      translate(
        '{0}: {1} ({2})',
        requestHeading(nameAt(names, finding.request)),
        finding.causes.map(cause => causeWords[cause]).join(', '),
        certaintyText(finding),
      ),
      `  ${translate(
        'read {0} of {1} available tokens, paid again for {2}',
        number(finding.read),
        number(finding.readable),
        `${number(finding.tokensLost)}${cost(finding.moneyLost)}`,
      )}`,
      ...(finding.recorded === null
        ? []
        : [`  ${translate('provider’s report: {0}', diagnosisText(finding.recorded))}`]),
      ...[possibleText(finding) ?? []].flat().map(text => `  ${text}`),
      ...finding.evidence.map(fact => `  ${fact}`),
      ...[remedyOf(finding) ?? []].flat().map(remedy => `  ${translate('Remedy: {0}', remedy)}`),
    ]),
    '',
    row(heads),
    ...boundaries.map(({ request, recorded, readable, predicted, agreement: verdict, diagnosis }) =>
      row([
        requestLabel(nameAt(names, request)),
        figure(recorded),
        figure(readable),
        number(predicted.tokens),
        [
          reasonWords[predicted.reason],
          ...(verdict === 'short' || verdict === 'beyond' ? [verdictWords[verdict]] : []),
          ...(diagnosis === undefined ? [] : [translate('provider’s report: {0}', diagnosisText(diagnosis))]),
        ].join(', '),
      ]),
    ),
  ]);
}
