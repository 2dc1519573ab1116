import { constants } from 'node:os';
import { inspect as inspectValue } from 'node:util';
import { SentenceError } from '../core/base/sentenceError';
import { translate } from '../core/base/translate';
import { type Command, type ExitCode, UsageError } from './command';
import { printHelp } from './output/ownWords';
import { endWithoutReader, printNotice } from './output/terminal';
import { describeAnyError, isSystemError } from '../node/files/fileErrors';

export function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

/** Runs the command named by the first word with the other words, or prints its help. */
export async function runNamed(
  commands: readonly Command[],
  [name, ...words]: readonly string[],
): Promise<ExitCode> {
  const command = commands.find(known => known.name === name);
  if (command === undefined) {
    const names = commands.map(known => known.name).join(', ');
    throw new UsageError(translate('Expected one of the commands {0}.', names));
  }
  if (words.some(isHelp)) {
    printHelp(`${translate('Usage: {0}', command.usage)}\n\n${command.help}`);
    return 0;
  }
  return command.run(words);
}

/** The exit code of the program's work. An error is printed: as one sentence if the user can correct it. */
export async function exitCodeOf(work: Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work;
  } catch (error) {
    const sentence = isSystemError(error)
      ? describeAnyError(error)
      : error instanceof SentenceError
        ? error.message
        : inspectValue(error);
    await printNotice(`${sentence}\n`);
    return 2;
  }
}

/** Runs the program, which consists of `work`. */
export function start(work: (words: readonly string[]) => Promise<ExitCode>): void {
  endWithoutReader();
  // Ending by `exit` removes unfinished files.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  exitCodeOf(work(process.argv.slice(2))).then(
    code => {
      process.exitCode = code;
    },
    (error: unknown) => {
      throw error;
    },
  );
}
