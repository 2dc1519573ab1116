import { exec } from 'node:child_process';
import { translate } from '../../core/base/translate';

/** In bytes. */
const longestOutput = 1_000_000;

/** The output of a command without white space around it, or the reason why there is none. */
export type CommandOutput =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly reason: string };

/** Runs a command of the user in a shell, with a text on its standard input. */
export function outputOf(command: string, input: string): Promise<CommandOutput> {
  return new Promise(resolve => {
    const child = exec(command, { maxBuffer: longestOutput, encoding: 'utf8' }, (error, stdout, stderr) => {
      const output = stdout.trim();
      if (error !== null) {
        const [first = ''] = stderr.trim().split('\n');
        const ended =
          typeof error.code === 'number'
            ? translate('it ended with code {0}.', error.code)
            : translate('it was stopped ({0}).', error.signal ?? error.code ?? '');
        resolve({ ok: false, reason: [ended, first].filter(each => each !== '').join(' ') });
      } else if (output === '') {
        resolve({ ok: false, reason: translate('it printed nothing.') });
      } else {
        resolve({ ok: true, output });
      }
    });
    // A command may end without reading everything.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
