import { stat } from 'node:fs/promises';
import { sessionIdOf } from '../../core/finder/sessionId';
import { translate } from '../../core/base/translate';
import { describeAge, oneLine } from '../../core/finder/sessionText';
import { sourceWords } from '../../core/drawing/drawingWords';
import type { Insights } from '../../core/insights/insight';
import { lossesIn } from '../../core/cache/cacheFinding';
import { cacheText, fillText, roomText } from '../../core/contextTools/statusWords';
import { insightsOf } from '../../core/insights/insightsOf';
import {
  belowText,
  byTokens,
  insightLine,
  insightsTitle,
  moreInsights,
} from '../../core/insights/insightWords';
import { defaultPruneOptions } from '../../core/model/pruneConfig';
import { lastUsed } from '../../core/model/sessionTimes';
import { cacheQuestions } from '../../core/questions/cacheQuestions';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import { type SessionStatus, sessionStatus } from '../../core/session/sessionStatus';
import { quotaTexts } from '../../core/tokens/quotaWords';
import { costText, mainCostText, recordedText } from '../../core/tokens/usageFigures';
import { afterSentences } from '../../core/view/contextAfter';
import { command, type ExitCode, print } from '../command';
import { flag, jsonOption, modelsOption } from '../options/options';
import { formatOption } from '../options/transcriptOptions';
import { fillBar, type Filled } from '../output/fillBar';
import { showsBars } from '../output/terminal';
import { wordFor } from '../sessions/sessionNames';
import { withTranscript } from '../sessions/transcripts';
import { inLines, money, number, requests } from '../output/words';

/** The output of `status --json`. Times are milliseconds since 1970. */
interface StatusReport extends SessionStatus {
  readonly id: string;
  readonly file: string;
  /** When the file was last written. */
  readonly modified: number;
  /** Number of cache losses. Compactions and prunes are none. */
  readonly cacheBreaks: number;
  /** The findings of all analyses, the most important first. */
  readonly insights?: Insights;
}

/** Maximum number of findings that are listed. */
const mostInsights = 6;

/** Maximum number of sources that are listed separately. */
const mostSources = 4;

export const status = command({
  name: 'status',
  summary: translate(
    'Shows the state of a session in a few lines: findings worth a look, how full the window is and of what, the cache, and the cost. Without a command, shows the newest session of the current folder.',
  ),
  example: 'latest',
  options: {
    'no-findings': flag(translate('Leave out the findings worth a look. Much faster.')),
    ...jsonOption,
    ...modelsOption,
    ...formatOption,
  },
  run: (values, file) => {
    const findsAll = values['no-findings'] !== true;
    return withTranscript(
      file,
      values.models,
      async (session): Promise<ExitCode> => {
        if (findsAll) {
          await session.scan();
        }
        const { mtimeMs } = await stat(file);
        const { findings } = await cacheQuestions(session).report();
        const report: StatusReport = {
          id: sessionIdOf(file),
          file,
          modified: mtimeMs,
          cacheBreaks: lossesIn(findings).length,
          ...(findsAll ? { insights: await insightsOf(session, defaultPruneOptions()) } : {}),
          ...sessionStatus(session.toSession()),
        };
        await print(values.json, report, () => describe(report, Date.now()));
        return 0;
      },
      // The figures of the context must be the same as in `inspect` and the editor.
      { format: values.format, readsSubagents: true, countWhileReading: true, scanWhileReading: findsAll },
    );
  },
});

function describe(report: StatusReport, now: number): string {
  const { newest, after, isLeast } = report;
  const known = { money: report.cost, isLeast, recorded: report.recordedCost };
  const cost = costText(known);
  const recorded = recordedText(known, report.agent);
  const main = mainCostText(report.conversationCost, report.cost);
  return inLines([
    report.title === '' ? report.id : oneLine(withNamedMarks(report.title)),
    [
      report.agent,
      report.model,
      requests(report.requests),
      describeAge(now, lastUsed(report.ended, report.modified)),
    ]
      .filter(part => part !== '')
      .join(' · '),
    '',
    ...describeInsights(report),
    ...(after === undefined ? [] : afterSentences(after).map(sentence => `${sentence}.`)),
    ...(newest === undefined
      ? [translate('No requests yet.')]
      : describeNewest(newest, after !== undefined, now)),
    ...(cost === ''
      ? []
      : [
          costSentence(
            cost,
            newest?.cost === undefined ? translate('not known') : money(newest.cost),
            newest?.isRun === true,
          ),
        ]),
    ...(main === undefined ? [] : [main]),
    ...(recorded === undefined ? [] : [recorded]),
    ...(report.quota === undefined ? [] : quotaTexts(report.quota, now)),
    '',
    translate('More: {0}', `context-inspector inspect ${wordFor(report.file)}`),
  ]);
}

/** The most important findings, each with its figure and reason. */
function describeInsights({ file, insights }: StatusReport): readonly string[] {
  if (insights === undefined || insights.found.length === 0) {
    return [];
  }
  const { found, below, unpriced } = insights;
  const more = found.length - mostInsights;
  return [
    unpriced === '' ? `${insightsTitle}:` : `${insightsTitle}, ${byTokens(unpriced)}:`,
    ...found.slice(0, mostInsights).map(insight => `  ${oneLine(insightLine(insight))}`),
    ...(more <= 0
      ? []
      : [`  ${moreInsights(more)}: context-inspector report ${wordFor(file)} --out report.html`]),
    ...(below === 0 ? [] : [`  ${belowText(below)}`]),
    '',
  ];
}

/** @param isRun true if the part is that of a whole run, whose requests record no usage of their own */
function costSentence(cost: string, part: string, isRun: boolean): string {
  return isRun
    ? translate('Cost: {0}, of which the newest run {1}', cost, part)
    : translate('Cost: {0}, of which the newest request {1}', cost, part);
}

type Newest = NonNullable<SessionStatus['newest']>;

/** @param isPast true if the context was changed after this request */
function describeNewest(newest: Newest, isPast: boolean, now: number): readonly string[] {
  const { window, cache } = newest;
  const parts = filledBy(newest);
  const hasBar = window !== undefined && showsBars();
  const fill = fillText(newest);
  const room = isPast ? undefined : roomText(newest);
  return [
    isPast ? translate('Newest request: {0}', fill) : translate('Context: {0}', fill),
    ...(hasBar ? [fillBar(parts, window)] : []),
    parts
      .map(({ name, count, fill }) => `${hasBar ? `${fill} ` : ''}${name} ${number(count)}`)
      .join(hasBar ? '  ' : ' · '),
    ...(cache === undefined ? [] : [cacheText(cache, now)]),
    ...(room === undefined ? [] : [room]),
  ];
}

/** The largest sources, and all others together. */
function filledBy({ sources }: Newest): readonly Filled[] {
  const named = sources
    .slice(0, mostSources)
    .map(({ source, tokens: count }) => ({ name: sourceWords[source], count }));
  const others = sources.slice(mostSources).reduce((sum, { tokens: count }) => sum + count, 0);
  return [...named, ...(others === 0 ? [] : [{ name: translate('others'), count: others }])].map(
    (part, place) => ({ ...part, fill: fills[place] ?? ' ' }),
  );
}

const fills = ['█', '▓', '▒', '░', '▪'];
