import { defined } from '../base/defined';
import { arrayAt, stringAt } from '../base/json';

/** The part of a file that a call reads. */
export interface FileReading {
  readonly path: string;
  /** The first and the last line that it names, or the number of lines; absent if it reads the whole file. */
  readonly lines?: readonly [number, number];
}

/** The command that a call of a shell runs. */
function commandOf(input: unknown): string {
  const last = arrayAt(input, 'command').at(-1);
  return stringAt(input, 'command') ?? stringAt(input, 'cmd') ?? (typeof last === 'string' ? last : '');
}

const shellReaders: readonly (readonly [
  RegExp,
  (...numbers: readonly number[]) => readonly [number, number] | undefined,
])[] = [
  [/^(?:cat|nl)(?: -[\w-]+)* (?<path>\S+)$/, () => undefined],
  [
    /^(?:cat|nl)(?: -[\w-]+)* (?<path>\S+) \| sed -n '(\d+),(\d+)p'$/,
    (first = 1, last = first) => [first, last],
  ],
  [/^sed -n ['"]?(\d+),(\d+)p['"]? (?<path>\S+)$/, (first = 1, last = first) => [first, last]],
  [/^head(?: -n)? ?-?(\d+) (?<path>\S+)$/, (count = 1) => [1, count]],
];

/** The file shown by a command that does nothing else. Commands of several steps are ignored. */
export function shellReading(input: unknown): readonly FileReading[] {
  const [, folder = stringAt(input, 'workdir'), command = ''] =
    /^(?:cd (\S+) && )?(.*)$/s.exec(commandOf(input).trim()) ?? [];
  for (const [pattern, range] of shellReaders) {
    const found = pattern.exec(command);
    const path = found?.groups?.['path']?.replace(/^(['"])(.*)\1$/, '$2');
    if (found !== null && path !== undefined && !/[*?$|;&<>`]/.test(path)) {
      const numbers = found
        .slice(1)
        .filter(group => /^\d+$/.test(group))
        .map(Number);
      const lines = range(...numbers);
      return [
        {
          path: folder === undefined || /^(?:[/~]|\w:)/.test(path) ? path : `${folder}/${path}`,
          ...defined({ lines }),
        },
      ];
    }
  }
  return [];
}

/** A step of a command up to an operator, with what it is joined to the next one by. Quotes hide operators. */
const steps = /((?:'[^']*'|"(?:\\.|[^"\\])*"|\\[^]|[^'"\\;&|\n]|&(?!&)|'|")+)(&&|\|\|?|[;\n]|$)/g;
const words = /'([^']*)'|"((?:\\.|[^"\\])*)"|([^\s'"]+)/g;

/** Programs that print the files that they are given. */
const printers: ReadonlySet<string> = new Set(['cat', 'nl', 'head', 'tail', 'bat', 'less', 'more', 'sed']);

/** A file that a step of a command prints. The lines are absent if only the output would tell. */
export function filesPrinted(input: unknown): readonly FileReading[] {
  const found: FileReading[] = [];
  let isPiped = false;
  for (const [, step = '', operator] of commandOf(input).matchAll(steps)) {
    const [program = '', ...rest] = [...step.matchAll(words)].map(
      ([, one, two, three]) => one ?? two ?? three ?? '',
    );
    const name = program.slice(program.lastIndexOf('/') + 1);
    if (!isPiped && printers.has(name) && !/[<>]/.test(step)) {
      found.push(...printedBy(name, rest));
    }
    isPiped = operator === '|';
  }
  return found;
}

function printedBy(program: string, rest: readonly string[]): readonly FileReading[] {
  const operands = rest.filter(
    (word, place) => !word.startsWith('-') && !/^-[nc]$/.test(rest[place - 1] ?? ''),
  );
  if (program !== 'sed') {
    return operands.map(path => ({ path }));
  }
  const script = rest.find(word => /^\d+(?:,\d+)?p$/.test(word));
  const [first = 0, last = first] = (script ?? '').replace('p', '').split(',').map(Number);
  return script === undefined
    ? []
    : rest
        .filter(word => word !== script && !word.startsWith('-'))
        .map(path => ({ path, lines: [first, last] }));
}
