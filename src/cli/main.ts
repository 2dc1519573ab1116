import { translate } from '../core/base/translate';
import { type Command, type ExitCode, wrap } from './command';
import { anonymise } from './commands/anonymise';
import { breakdown } from './commands/breakdown';
import { cache } from './commands/cache';
import { check } from './commands/check';
import { compare } from './commands/compare';
import { completion } from './commands/completion';
import { count } from './commands/count';
import { diff } from './commands/diff';
import { guard } from './commands/guard';
import { handOff } from './commands/handOff';
import { index } from './commands/index';
import { inspect } from './commands/inspect';
import { mcp } from './commands/mcp';
import { price } from './commands/price';
import { prune } from './commands/prune';
import { radar } from './commands/radar';
import { replay } from './commands/replay';
import { report } from './commands/report';
import { search } from './commands/search';
import { sight } from './commands/sight';
import { status } from './commands/status';
import { statusline } from './commands/statusline';
import { usage } from './commands/usage';
import { view } from './commands/view';
import { waste } from './commands/waste';
import { whatIf } from './commands/whatIf';
import { printHelp } from './output/ownWords';
import { latest, newestHere } from './sessions/sessionNames';
import { isHelp, runNamed } from './start';
import { firstSentence, inLines } from './output/words';

interface Group {
  readonly heading: string;
  readonly commands: readonly Command[];
}

/** In the order of the help. A new command is a file in `commands` and an entry here. */
const groups: readonly Group[] = [
  {
    heading: translate('One session'),
    commands: [view, status, inspect, prune, diff, compare, cache, breakdown, sight, waste, report],
  },
  { heading: translate('All sessions on this machine'), commands: [usage, whatIf, radar, search, index] },
  { heading: translate('Continuous integration'), commands: [check, price] },
  { heading: translate('Ask a provider'), commands: [count, replay] },
  { heading: translate('Write a new session'), commands: [anonymise, handOff] },
  {
    heading: translate('Work with agents and shells'),
    commands: [statusline, mcp, guard, completion(() => commands)],
  },
];
const commands = groups.flatMap(group => group.commands);

/** Runs the program with all its commands. */
export async function main([name, ...words]: readonly string[]): Promise<ExitCode> {
  if (isHelp(name)) {
    const rows = groups.flatMap(group => [
      `${group.heading}:`,
      ...group.commands.map(({ name: known, summary }) => wrap(firstSentence(summary), `  ${known}`, 14)),
      '',
    ]);
    const more = [
      translate(
        'FILE is a path, {0} for the newest session of the current folder, or the beginning of a session ID.',
        latest,
      ),
      translate('To see the options of a command and an example: {0}', 'context-inspector COMMAND --help'),
      translate('To see the version: {0}', 'context-inspector --version'),
    ];
    printHelp(
      inLines([
        translate('Usage: {0}', 'context-inspector COMMAND [FILE] [OPTION...]'),
        '',
        ...rows,
        '',
        ...more,
      ]),
    );
    return 0;
  }
  if (name === '--version' || name === '-v') {
    printHelp(`${process.env['PROGRAM_VERSION'] ?? ''}\n`);
    return 0;
  }
  if (name === undefined) {
    return status.run([await newestHere()]);
  }
  return runNamed(commands, [name, ...words]);
}
