import { translate } from '../../core/base/translate';
import { RadarSums } from '../../core/radar/radar';
import type { RadarReport } from '../../core/radar/radarReport';
import { radarChangeText, radarFigureWords, radarRangeText, radarValue } from '../../core/radar/radarWords';
import { causeWords } from '../../core/cache/causeWords';
import { lookUpWith } from '../../core/tokens/userModels';
import { pathKey } from '../../node/index/updateIndex';
import { withAllSessions } from '../sessions/allSessions';
import { command, type ExitCode, print } from '../command';
import { dayAfter, readDay } from '../options/days';
import { jsonOption, modelsOption, option } from '../options/options';
import { tableLines } from '../output/tableLines';
import { readModels } from '../options/values';
import { inLines, number } from '../output/words';

/** The number of causes that a row of the table names. */
const namedCauses = 2;

export const radar = command({
  name: 'radar',
  operands: [],
  summary: translate(
    'Compares the versions of each agent over all sessions on this machine: cache, losses, unrecorded tokens, compactions, cost. Names the version from which a figure changed.',
  ),
  example: '--agent "Claude Code"',
  options: {
    agent: option('AGENT', translate('Only agents with this text in their name.')),
    since: option('DATE', translate('Count from this day on, for example 2026-01-31.')),
    until: option('DATE', translate('Count up to and including this day.')),
    ...modelsOption,
    ...jsonOption,
  },
  async run(values): Promise<ExitCode> {
    const until = readDay('--until', values.until);
    const since = readDay('--since', values.since)?.getTime();
    const name = values.agent?.toLowerCase() ?? '';
    const lookUp = lookUpWith(await readModels(values.models));
    const report = await withAllSessions(true, async ({ index, files }) => {
      const sums = new RadarSums(lookUp, { since, until: until && dayAfter(until).getTime() });
      const listed = new Set(files.map(pathKey));
      await index.usage(file => {
        if (listed.has(file.path) && file.session.agent.toLowerCase().includes(name)) {
          sums.add(file);
        }
      });
      return sums.report();
    });
    await print(values.json, report, () => describe(report));
    return 0;
  },
});

function describe({ agents, withoutVersion }: RadarReport): string {
  const lines = agents.flatMap(({ agent, versions, changes }) => [
    agent,
    ...(changes.length === 0 ? [`  ${translate('No version stands out.')}`] : []),
    ...changes.flatMap(change => [`  ${radarChangeText(change)}`, `    ${radarRangeText(change)}`]),
    ...tableLines(
      [
        [
          translate('version'),
          translate('sessions'),
          translate('requests'),
          ...Object.values(radarFigureWords),
        ],
        ...versions.map(row => [
          row.version,
          number(row.sessions),
          number(row.requests),
          radarValue('cacheShare', row.cacheShare),
          radarValue('losses', row.losses),
          radarValue('notRecorded', row.notRecorded),
          radarValue('compactions', row.compactions),
          radarValue('cost', row.cost),
        ]),
      ],
      1,
    ).map((line, row) => `  ${line}${causesOf(row === 0 ? undefined : versions[row - 1])}`),
    '',
  ]);
  const rest =
    withoutVersion === 0
      ? []
      : [
          translate(
            'No version is recorded for {0, plural, one {# request} other {# requests}}.',
            withoutVersion,
          ),
        ];
  return inLines(
    agents.length === 0 ? [translate('No version of an agent is recorded.'), ...rest] : [...lines, ...rest],
  );
}

function causesOf(row: RadarReport['agents'][number]['versions'][number] | undefined): string {
  const named = row?.causes.slice(0, namedCauses) ?? [];
  return named.length === 0
    ? ''
    : `  ${named.map(({ cause, share }) => `${causeWords[cause]} ${radarValue('cause', share)}`).join(', ')}`;
}
