import { parseArgs } from 'node:util';
import { translate } from '../core/base/translate';
import { fileNamed, type NamedFile } from './sessions/sessionNames';
import { printJson, printText } from './output/terminal';
import { UsageError } from './options/usageError';
import { inLines } from './output/words';

export { UsageError };

/** 0: success. 1: something was found, or a budget is exceeded. 2: wrong usage, or a file that cannot be read. */
export type ExitCode = 0 | 1 | 2;

interface Option {
  readonly type: 'boolean' | 'string';
  /** The placeholder for the value in the help, such as `FILE`. Only options of the type `string` have one. */
  readonly value?: string;
  readonly help: string;
  /** Every value that the option accepts, if there are few. */
  readonly choices?: readonly string[];
}
/** Options by their name without dashes. Usage, help and parsing all follow from this table. */
export type Options = Readonly<Record<string, Option>>;

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
  /** The values that a shell suggests for operands, instead of files. */
  readonly operandChoices?: readonly string[];
  /** The call of the command, on one line. */
  readonly usage: string;
  /** A description of the command, whose first sentence says what it does, with a paragraph for each option and an example. */
  readonly help: string;
  /** Throws UsageError. */
  run(words: readonly string[]): Promise<ExitCode>;
}

/** A word of a call with its explanation. */
interface Described {
  readonly call: string;
  readonly help: string;
}

function parse<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    // Node explains a wrong option in several lines. The first sentence names the error.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/[.\n]/, 1)[0] ?? ''}.`);
  }
}

/** The values of a command's options. */
export type Values<Known extends Options> = ReturnType<typeof parse<Known>>['values'];

/**
 * Describes a command.
 * @param operands the words after the command's name: `FILE` by default. The last may end in `...`; optional ones are
 * in square brackets. A `FILE` may also be named in the ways of `fileNamed`
 * @param operandHelp what an operand can be, if that is a choice of a few forms
 * @param example a useful call, without the name of the program
 * @param run gets the options, the first operand and the others
 */
export function command<const Known extends Options>({
  name,
  operands = ['FILE'],
  operandChoices,
  operandHelp = [],
  summary,
  example,
  options,
  run,
}: {
  readonly name: string;
  readonly operands?: readonly string[];
  readonly operandChoices?: readonly string[];
  readonly operandHelp?: readonly Described[];
  readonly summary: string;
  readonly example: string;
  readonly options: Known;
  readonly run: (values: Values<Known>, file: string, others: readonly string[]) => Promise<ExitCode>;
}): Command {
  const written = Object.entries<Option>(options).map(([option, { value, help }]) => ({
    call: `--${option}${value === undefined ? '' : ` ${value}`}`,
    help,
  }));
  const usage = (): string =>
    ['context-inspector', name, ...operands, ...written.map(({ call }) => `[${call}]`)].join(' ');
  return {
    name,
    summary,
    options,
    ...(operandChoices === undefined ? {} : { operandChoices }),
    // Lines are wrapped only when they are shown.
    get usage() {
      return usage();
    },
    get help() {
      const parts = [
        [wrap(summary, '')],
        operandHelp.map(({ call, help }) => wrap(help, `  ${call}`)),
        written.map(({ call, help }) => wrap(help, `  ${call}`)),
        [translate('Example:'), `  context-inspector ${name} ${example}`],
      ];
      return parts
        .filter(lines => lines.length > 0)
        .map(inLines)
        .join('\n');
    },
    async run(words) {
      const { values, positionals } = parse(words, options);
      const least = operands.filter(each => !each.startsWith('[')).length;
      const most = operands.at(-1)?.includes('...') === true ? Number.POSITIVE_INFINITY : operands.length;
      if (positionals.length < least || positionals.length > most) {
        throw new UsageError(translate('Usage: {0}', usage()));
      }
      const named = (word: string, place: number): Promise<NamedFile> =>
        /^\[?FILE/.test(operands[place] ?? operands.at(-1) ?? '')
          ? fileNamed(word)
          : Promise.resolve({ path: word });
      const files = await Promise.all(positionals.map(named));
      const [file = { path: '' }, ...others] = files;
      const chooses = 'conversation' in options;
      const unread = (chooses ? others : files).find(({ conversation }) => conversation !== undefined);
      if (unread !== undefined) {
        throw new UsageError(
          translate(
            '{0} contains several sessions, and this command cannot choose one of them. Give its path to read all.',
            unread.path,
          ),
        );
      }
      const isChosen = chooses && !('conversation' in values) && file.conversation !== undefined;
      return run(
        // Parsed again as if the user had given this option.
        isChosen ? parse([...words, '--conversation', `${file.conversation}`], options).values : values,
        file.path,
        others.map(({ path }) => path),
      );
    },
  };
}

const lineLength = 100;

/**
 * A text in lines of at most `lineLength` characters, without the end of the last one. After a heading the lines are
 * indented by `indent` characters; a long heading has a line of its own.
 */
export function wrap(text: string, heading: string, indent = 23): string {
  const margin = heading === '' ? '' : ' '.repeat(indent);
  const isLong = heading.length + 2 > indent;
  const lines = isLong ? [heading] : [];
  let line = isLong ? margin : heading.padEnd(margin.length);
  for (const word of text.split(' ')) {
    if (line.length + word.length > lineLength) {
      lines.push(line);
      line = margin;
    }
    line += `${word} `;
  }
  return [...lines, line].map(each => each.trimEnd()).join('\n');
}

/** Prints a result without credentials: as JSON with `--json`, otherwise as text. */
export async function print(json: boolean | undefined, value: unknown, text: () => string): Promise<void> {
  await (json === true ? printJson(value) : printText(text()));
}
