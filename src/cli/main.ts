import { usageLine, UsageError, type Command, type ExitCode } from './arguments';
import { cache } from './commands/cache';
import { check } from './commands/check';
import { diff } from './commands/diff';
import { inspect } from './commands/inspect';
import { count } from './commands/count';
import { report } from './commands/report';
import { prune } from './commands/prune';
import { replay } from './commands/replay';
import { keepHeapSmall } from '../node/smallHeap';

/** A new command is a file in `commands` and a line here. */
const commands: readonly Command[] = [inspect, prune, diff, cache, report, check, count, replay];

function usage(): string {
  return `Usage:\n${commands.map(({ name, synopsis }) => `  ${usageLine(name, synopsis)}\n`).join('')}
context-inspector COMMAND --help explains a command.
`;
}

async function main([name, ...words]: readonly string[]): Promise<ExitCode> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(usage());
    return 0;
  }
  const command = commands.find(candidate => candidate.name === name);
  if (command === undefined) {
    throw new UsageError(`Expected one of the commands ${commands.map(known => known.name).join(', ')}.`);
  }
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`Usage: ${usageLine(command.name, command.synopsis)}\n\n${command.help}`);
    return 0;
  }
  return command.run(words);
}

keepHeapSmall();
main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
    } else {
      console.error(error);
    }
    process.exitCode = 2;
  },
);
