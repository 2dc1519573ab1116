import { statSync } from 'node:fs';
import { translate } from '../../core/base/translate';
import { describeFileError, folderSentence } from '../../node/files/fileErrors';
import { command } from '../command';
import { flag, option } from '../options/options';
import { UsageError } from '../options/usageError';
import { readWhole } from '../options/values';
import { printHelp } from '../output/ownWords';
import { printNotice } from '../output/terminal';

/** Highest number of a port. */
const lastPort = 65_535;

export const view = command({
  name: 'view',
  operands: ['[FILE]'],
  summary: translate(
    'Opens the sessions, the inspector, the usage and the search in your browser. The pages are served to this machine and this user only, and end with this program.',
  ),
  example: 'latest --editor zed',
  options: {
    port: option('N', translate('Port of the pages. Default: any free one.')),
    'no-open': flag(translate('Print the link, and do not open a browser.')),
    editor: option(
      'CALL',
      translate(
        'Editor for files and lines: a name such as code, cursor, zed, idea, pycharm, nvim, emacs or subl, or a call such as "zed {0}:{1}". Default: the editor around the terminal.',
        '{file}',
        '{line}',
      ),
    ),
  },
  async run(values, file) {
    const port = readWhole('--port', values.port, 0, 0);
    if (port > lastPort) {
      throw new UsageError(translate('{0} must be at most {1}.', '--port', lastPort));
    }
    if (file !== '') {
      expectFile(file);
    }
    const { editorProblem, hasScreen, startView } = await import('../../view/main');
    const problem = values.editor === undefined ? undefined : editorProblem(values.editor);
    if (problem !== undefined) {
      throw new UsageError(problem);
    }
    const started = await startView({
      file: file === '' ? undefined : file,
      port,
      editor: values.editor,
      folders: [process.cwd()],
      environment: process.env,
      notice: sentence => {
        printNotice(`${sentence}\n`).catch(() => undefined);
      },
    }).catch((error: unknown) => {
      throw isTaken(error) ? new UsageError(translate('Port {0} is used by another program.', port)) : error;
    });
    const opens =
      values['no-open'] !== true &&
      hasScreen(process.env) &&
      (await started.open().then(
        () => true,
        () => false,
      ));
    const printLink = (): void => printHelp(`  ${started.link()}\n`);
    printHelp(
      `${
        opens
          ? translate('Context Inspector opens in your browser. For another browser, this link works once:')
          : translate('Open this link in your browser. It works once:')
      }\n`,
    );
    printLink();
    printHelp(
      `${
        process.stdin.isTTY
          ? translate('Press Enter for another link, Ctrl+C to end.')
          : translate('The pages end with this program.')
      }\n`,
    );
    if (process.stdin.isTTY) {
      process.stdin.on('data', printLink);
    }
    return 0;
  },
});

/** Throws UsageError if a transcript cannot be opened, before a browser does. */
function expectFile(file: string): void {
  try {
    if (!statSync(file).isDirectory()) {
      return;
    }
  } catch (error) {
    throw new UsageError(`${file}: ${describeFileError(error)}`);
  }
  throw new UsageError(`${file}: ${folderSentence}`);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
