import { formatMoney } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import { readSetting, type Setting, settingKinds } from '../../core/whatIf/settings';
import {
  moneyDifference,
  moneyInterval,
  nothingBetter,
  tokenDifference,
  whatIfNotes,
} from '../../core/whatIf/whatIfWords';
import type { WhatIfRow, WhatIfSum } from '../../core/whatIf/whatIfTotals';
import { ProgressNotices } from '../../node/index/progressNotices';
import { type WhatIfAnswer, whatIfSessions } from '../../node/index/whatIfSessions';
import { withAllSessions } from '../sessions/allSessions';
import { command, type ExitCode, print, UsageError } from '../command';
import { dayAfter, readDay } from '../options/days';
import { flag, jsonOption, modelsOption, option } from '../options/options';
import { readModels } from '../options/values';
import { tableLines } from '../output/tableLines';
import { printNotice } from '../output/terminal';
import { inLines, number } from '../output/words';

/** Number of sessions in the text. */
const mostRows = 20;
/** The length of a title in the table. */
const titleLength = 40;

export const whatIf = command({
  name: 'what-if',
  operands: ['[SETTING...]'],
  operandChoices: settingKinds.flatMap(
    ({ name, choices }) => choices?.map(choice => `${name}=${choice}`) ?? [`${name}=`],
  ),
  operandHelp: settingKinds.map(({ name, value, help }) => ({ call: `${name}=${value}`, help: help() })),
  summary: translate(
    'Prices all sessions on this machine as if other settings had been used. With --best, searches the settings that cost least.',
  ),
  example: '--since 2026-01-01 prune=opencode,protect=20k lifetime=1h',
  options: {
    since: option('DATE', translate('Count from this day on, for example 2026-01-31.')),
    until: option('DATE', translate('Count up to and including this day.')),
    best: flag(translate('Search the best settings for pruning, cache lifetime and compaction.')),
    ...modelsOption,
    ...jsonOption,
  },
  async run(values, first, others): Promise<ExitCode> {
    const settings = [first, ...others].filter(text => text !== '').map(settingOf);
    const repeated = settings.find(
      ({ name }, place) => settings.findIndex(other => other.name === name) < place,
    );
    if (repeated !== undefined) {
      throw new UsageError(translate('{0} is given twice.', repeated.name));
    }
    if (settings.length === 0 && values.best !== true) {
      throw new UsageError(translate('Give a setting such as {0}, or {1}.', 'prune=opencode', '--best'));
    }
    const until = readDay('--until', values.until);
    const wish = {
      settings,
      since: readDay('--since', values.since)?.getTime(),
      until: until && dayAfter(until).getTime(),
      models: await readModels(values.models),
      searches: values.best === true,
    };
    const progress = new ProgressNotices(printNotice);
    const answer = await withAllSessions(false, ({ index, files }) =>
      whatIfSessions(index, files, wish, {
        onProgress: (done, total) =>
          progress.note(() => translate('Sessions: {0} of {1}', number(done), number(total))),
      }),
    );
    await progress.end();
    await print(values.json, answer, () => describe(answer));
    return 0;
  },
});

/** Throws UsageError. */
function settingOf(text: string): Setting {
  const setting = readSetting(text);
  if (setting === undefined) {
    const known = settingKinds.map(({ name, value }) => `${name}=${value}`).join(', ');
    throw new UsageError(translate('{0} is not a setting. The settings are {1}.', text, known));
  }
  return setting;
}

function describe(answer: WhatIfAnswer): string {
  const { settings, rows, total, best, failed } = answer;
  const told = rows.filter(({ isTold }) => isTold);
  return inLines([
    ...(settings.length === 0 ? [] : [translate('What if: {0}', settings.join(' ')), '']),
    ...(settings.length === 0
      ? []
      : [
          ...tableLines(
            [
              [
                translate('session'),
                translate('recorded'),
                translate('changed'),
                translate('difference'),
                translate('interval'),
                translate('input tokens'),
                translate('cache reads'),
                translate('cache writes'),
              ],
              ...told.slice(0, mostRows).map(row => cellsOf(nameOf(row), row)),
              cellsOf(translate('{0, plural, one {# session} other {# sessions}}', total.sessions), total),
            ],
            1,
          ),
          ...(told.length > mostRows
            ? [translate('{0} more sessions are in the output of --json.', number(told.length - mostRows))]
            : []),
          '',
          ...whatIfNotes(answer),
        ]),
    ...(best === undefined ? [] : bestLines(best)),
    ...(failed === 0
      ? []
      : [translate('{0, plural, one {# file} other {# files}} could not be read.', failed)]),
  ]);
}

function nameOf({ title, id, agent }: WhatIfRow): string {
  const name = withNamedMarks(title === '' ? id : title).replaceAll(/\s+/g, ' ');
  return `${name.length > titleLength ? `${name.slice(0, titleLength - 1)}…` : name}  ${agent}`;
}

function cellsOf(name: string, { recorded, changed, money, tokens }: WhatIfSum): readonly string[] {
  const moved = (figure: 'cacheRead' | 'cacheWrite'): string => {
    const value = changed[figure] - recorded[figure];
    return tokenDifference({ value, low: value, high: value });
  };
  return [
    name,
    formatMoney(recorded.money),
    formatMoney(changed.money),
    moneyDifference(money),
    moneyInterval(money),
    tokenDifference(tokens),
    moved('cacheRead'),
    moved('cacheWrite'),
  ];
}

function bestLines(best: NonNullable<WhatIfAnswer['best']>): readonly string[] {
  return [
    '',
    best.length === 0 ? nothingBetter() : translate('Best settings'),
    ...tableLines(
      best.map(({ settings, money, lost }) => [
        settings.join(' '),
        moneyDifference(money),
        moneyInterval(money),
        lost === undefined || lost === 0
          ? ''
          : translate('{0, plural, one {# result} other {# results}} that later texts refer to', lost),
      ]),
      1,
    ),
  ];
}
