import { translate } from '../../core/base/translate';
import { causeWords, meantSentence } from '../../core/cache/causeWords';
import { breakdownWords } from '../../core/breakdown/breakdownKinds';
import { QuotaSums, type QuotaUse } from '../../core/index/quotaUse';
import type { LossSum, UsageLosses } from '../../core/index/usageLosses';
import { usageCsv } from '../../core/index/usageTable';
import { UsageSums } from '../../core/index/usageSums';
import {
  isOfParts,
  type UsageGroup,
  usageGroups,
  type UsageOverview,
  type UsagePart,
  type UsageSum,
  type UsageSumRow,
} from '../../core/index/usageTypes';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import { wasteKindWords } from '../../core/waste/wasteKindWords';
import { costNotes } from '../../core/tokens/costNotes';
import { quotaWindowText } from '../../core/tokens/quotaWords';
import { sumText } from '../../core/tokens/usageFigures';
import { lookUpWith } from '../../core/tokens/userModels';
import { pathKey } from '../../node/index/updateIndex';
import { withAllSessions } from '../sessions/allSessions';
import { command, type ExitCode, print } from '../command';
import { dayAfter, readDay } from '../options/days';
import { choice, flag, jsonOption, modelsOption, option } from '../options/options';
import { worktreeName } from '../../core/finder/worktrees';
import { tableLines } from '../output/tableLines';
import { readModels, readOneOf, refuse } from '../options/values';
import { inLines, money, number, requests, tokens } from '../output/words';

/** Windows with a limit in the text, and sessions of each. */
const mostWindows = 4;
const mostOfWindow = 3;

const together = 'together';
const apart = 'apart';

export const usage = command({
  name: 'usage',
  operands: [],
  summary: translate(
    'Sums the recorded tokens of all sessions on this machine and their cost at list prices. Requests repeated in a resumed or forked session count once.',
  ),
  example: '--by month',
  options: {
    since: option('DATE', translate('Count from this day on, for example 2026-01-31.')),
    until: option('DATE', translate('Count up to and including this day.')),
    by: choice('WHAT', usageGroups, translate('Rows: {0}. Default: day.', usageGroups.join(', '))),
    subagents: choice(
      'HOW',
      [together, apart],
      translate(
        'Count subagents with the sessions that started them ({0}) or in separate rows ({1}). Default: {0}.',
        together,
        apart,
      ),
    ),
    losses: flag(
      translate(
        'Read all sessions for cache losses, waste and sensitive data. Without this option, these figures are printed only for sessions already read.',
      ),
    ),
    csv: flag(translate('Print comma-separated values.')),
    ...modelsOption,
    ...jsonOption,
  },
  async run(values): Promise<ExitCode> {
    refuse(values.csv === true && values.json === true, '--json', '--csv');
    const by = readOneOf('--by', values.by ?? 'day', usageGroups);
    const until = readDay('--until', values.until);
    const wish = {
      by,
      since: readDay('--since', values.since)?.getTime(),
      until: until && dayAfter(until).getTime(),
      subagents: readOneOf('--subagents', values.subagents ?? together, [together, apart]),
    } as const;
    const lookUp = lookUpWith(await readModels(values.models));
    const overview = await withAllSessions(
      values.losses === true || isOfParts(by),
      async ({ index, files }) => {
        const sums = new UsageSums(wish, lookUp);
        const quotas = new QuotaSums(lookUp, wish);
        const listed = new Set(files.map(pathKey));
        await index.usage(file => {
          if (listed.has(file.path)) {
            sums.add(file);
            quotas.add(file.path, file);
          }
        }, isOfParts(by));
        const paths = new Map(files.map(file => [pathKey(file), file.path]));
        return {
          ...sums.overview(),
          quotas: quotas.report().map(({ sessions, ...window }) => ({
            ...window,
            sessions: sessions.map(({ file, ...session }) => ({ ...session, file: paths.get(file) ?? '' })),
          })),
        };
      },
    );
    await print(values.json, overview, () =>
      values.csv === true ? inLines(usageCsv(overview)) : describe(overview),
    );
    return 0;
  },
});

function describe({
  by,
  rows,
  total,
  quotas,
}: UsageOverview & { readonly quotas: readonly QuotaUse[] }): string {
  const cells = (sum: UsageSum): readonly string[] => [
    ...[sum.sessions, sum.requests, sum.input, sum.cacheRead, sum.cacheWrite, sum.output].map(number),
    sumText(sum) ?? translate('not known'),
  ];
  const head = [
    groupWords[by](),
    translate('sessions'),
    translate('requests'),
    translate('uncached input'),
    translate('cache reads'),
    translate('cache writes'),
    translate('output'),
    translate('cost'),
  ];
  const table = [
    head,
    ...rows.flatMap(row => [
      [nameOf(row), ...cells(row)],
      ...(row.worktrees ?? []).map(worktree => [
        `  ${worktreeName(worktree.key, row.key)}`,
        ...cells(worktree),
      ]),
    ]),
    [translate('total'), ...cells(total)],
  ];
  return inLines([...tableLines(table, 1), ...costNotes(total), ...lossLines(total), ...quotaLines(quotas)]);
}

/** The last windows of time with a limit, each with the sessions that used most of it. */
function quotaLines(quotas: readonly QuotaUse[]): readonly string[] {
  return [
    ...quotas
      .slice(0, mostWindows)
      .flatMap(({ agent, total, sessions, ...window }) => [
        `${quotaWindowText(agent, window)}; ${translate('{0, plural, one {# session} other {# sessions}}', sessions.length)}, ${sumText(total) ?? translate('not known')}`,
        ...sessions
          .slice(0, mostOfWindow)
          .map(
            session =>
              `  ${nameOf(session)}: ${requests(session.requests)}, ${sumText(session) ?? translate('not known')}`,
          ),
      ]),
    ...(quotas.length > mostWindows
      ? [translate('{0} more windows are in the output of --json.', number(quotas.length - mostWindows))]
      : []),
  ];
}

/** The cache losses and the avoidable context, if known. */
function lossLines({ losses }: UsageSum): readonly string[] {
  if (losses === undefined) {
    return [];
  }
  const { unread, cache, meant, waste } = losses;
  const cost = (sum: LossSum): string =>
    `${tokens(sum.tokens)}, ${sum.unpriced === 0 ? '' : '≥ '}${money(sum.money)}`;
  const causeLine = (sum: UsageLosses['cache']['causes'][number]): string =>
    `${causeWords[sum.cause]}: ${requests(sum.requests)}, ${cost(sum)}`;
  return [
    translate('Cache lost {0, plural, one {# time} other {# times}}: {1}', cache.requests, cost(cache)),
    ...cache.causes.map(sum => `  ${causeLine(sum)}`),
    ...meant.causes.map(sum => meantSentence(causeLine(sum))),
    translate('Waste in {0}: {1}', requests(waste.requests), cost(waste)),
    ...waste.kinds.map(sum => `  ${wasteKindWords[sum.kind]}: ${requests(sum.requests)}, ${cost(sum)}`),
    ...(unread === 0
      ? []
      : [
          translate(
            'Cache losses are not computed yet for {0, plural, one {# request} other {# requests}}. To compute them: {1}',
            unread,
            '--losses',
          ),
        ]),
  ];
}

function partName(part: UsagePart): string {
  return part === 'output' ? translate('output') : (breakdownWords[part] ?? part);
}

function nameOf({ key, title = '', subagents, part }: UsageSumRow): string {
  const name = key !== '' ? key : part === undefined ? translate('not recorded') : partName(part);
  const shown = title === '' ? name : `${name}  ${withNamedMarks(title)}`;
  return subagents === true ? translate('{0}, subagents', shown) : shown;
}

const groupWords: Readonly<Record<UsageGroup, () => string>> = {
  day: () => translate('day'),
  week: () => translate('week from'),
  month: () => translate('month'),
  project: () => translate('project'),
  agent: () => translate('agent'),
  model: () => translate('model'),
  version: () => translate('version'),
  session: () => translate('session'),
  branch: () => translate('branch'),
  tool: () => translate('tool'),
  server: () => translate('server'),
};
