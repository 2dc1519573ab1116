import { translate } from '../core/base/translate';
import { startProgram } from './program';

/** Opens a file at a line. Rejects with a sentence if the editor cannot be started. */
export type OpenInEditor = (path: string, line?: number) => Promise<void>;

/** Calls of the usual editors, without a shell. Several calls run one after the other. */
const known: Readonly<Record<string, readonly string[]>> = {
  code: ['code --goto {file}:{line}'],
  codium: ['codium --goto {file}:{line}'],
  cursor: ['cursor --goto {file}:{line}'],
  windsurf: ['windsurf --goto {file}:{line}'],
  zed: ['zed {file}:{line}'],
  subl: ['subl {file}:{line}'],
  emacs: ['emacsclient --no-wait +{line} {file}'],
  // In a terminal of Neovim, which names its own address.
  nvim: ['nvim --server {nvim} --remote {file}', 'nvim --server {nvim} --remote-send <C-\\><C-N>{line}G'],
  ...Object.fromEntries(
    ['idea', 'pycharm', 'webstorm', 'goland', 'phpstorm', 'rubymine', 'clion', 'rider', 'rustrover'].map(
      name => [name, [`${name} --line {line} {file}`]],
    ),
  ),
};

/** The names of the usual editors. */
export const editorNames = Object.keys(known);

type Environment = Readonly<Record<string, string | undefined>>;

/** The editor in whose terminal this program was started. */
function surrounding({ NVIM, ZED_TERM, TERMINAL_EMULATOR, TERM_PROGRAM }: Environment): string | undefined {
  return NVIM !== undefined
    ? 'nvim'
    : ZED_TERM !== undefined
      ? 'zed'
      : TERMINAL_EMULATOR === 'JetBrains-JediTerm'
        ? 'idea'
        : TERM_PROGRAM === 'vscode'
          ? 'code'
          : undefined;
}

/**
 * The editor that the user named, or the one around the terminal.
 * @param wanted a usual name, or a call with `{file}` and, if it has one, `{line}`
 */
export function editorOf(wanted: string | undefined, environment: Environment): OpenInEditor | undefined {
  const name = wanted ?? surrounding(environment);
  if (name === undefined) {
    return undefined;
  }
  const calls = (known[name] ?? [name]).map(wordsOf);
  return async (path, line = 1) => {
    const values: Readonly<Record<string, string>> = {
      file: path,
      line: String(line),
      nvim: environment['NVIM'] ?? '',
    };
    for (const [place, words] of calls.entries()) {
      const [program = '', ...parts] = words.map(word =>
        word.replace(/\{(file|line|nvim)\}/g, (_, value: string) => values[value] ?? ''),
      );
      await startProgram([program, ...parts], place < calls.length - 1);
    }
  };
}

/** Why a call is not usable; undefined if it is. */
export function editorProblem(wanted: string): string | undefined {
  return Object.hasOwn(known, wanted) ||
    wordsOf(wanted)
      .slice(1)
      .some(word => word.includes('{file}'))
    ? undefined
    : translate(
        'Name an editor, or write its call with {0}. The names are {1}.',
        '{file}',
        editorNames.join(', '),
      );
}

/** The words of a call, in which quotation marks hold spaces together. Nothing else has a meaning. */
function wordsOf(call: string): readonly string[] {
  return [...call.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
}
