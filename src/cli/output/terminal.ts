import { translate } from '../../core/base/translate';
import { Gate } from '../../core/sensitivity/gate';
import { describeWriteError } from '../../node/files/fileErrors';
import { invisible, numberSigns, safeText, visible, withoutControls } from '../../node/secrets/safeText';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';

// The only place that writes to the terminal. Names, labels and errors may contain credentials. Texts of transcripts
// and providers may contain control sequences, which set the clipboard or the title, or clear the screen, and lines
// that a build machine would run as its own commands.

/** JSON with the same values in which these characters are escaped. Lines of JSON never begin with a colon. */
function visibleJson(json: string): string {
  const escape = (character: string): string =>
    `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return json
    .replace(invisible, character => (character === '\r' ? character : escape(character)))
    .replace(numberSigns, `${escape('#')}#`);
}

/** True if the standard output is a terminal that supports the characters of a bar. */
export function showsBars(): boolean {
  const { TERM, LC_ALL, LC_CTYPE, LANG, WT_SESSION } = process.env;
  const isUnicode =
    process.platform === 'win32'
      ? WT_SESSION !== undefined
      : /utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find(Boolean) ?? '');
  return process.stdout.isTTY && TERM !== 'dumb' && isUnicode;
}

/** Prints a text to the standard output. */
export async function printText(text: string): Promise<void> {
  process.stdout.write(await safeText(text));
}

/** Prints a value as indented JSON to the standard output. */
export async function printJson(value: unknown): Promise<void> {
  const json = await new Gate(secretScanner).json(JSON.stringify(value, null, 2));
  process.stdout.write(`${visibleJson(json)}\n`);
}

/** Prints workflow commands. Their values are already escaped, so none of them begins a line. */
export async function printWorkflowCommands(text: string): Promise<void> {
  process.stdout.write(withoutControls(await new Gate(secretScanner).text(text)));
}

/** Prints a sentence to the standard error, separate from results. */
export async function printNotice(text: string): Promise<void> {
  process.stderr.write(await safeText(text));
}

/** The end of a piece that the next piece may turn into a workflow command. */
const undecided = /(?:\r?\n[^\S\n]*:?|#+\w*|\r)$/;
const undecidedLine = /^[^\S\n]*:?$/;

/** Prints text that arrives in pieces, such as a reply. `end` prints the held-back rest. */
export class PieceWriter {
  private held = '';
  private beginsLine = true;

  constructor(private readonly stream: { write(text: string): unknown }) {}

  write(piece: string): void {
    const text = this.held + piece;
    const match = this.beginsLine && undecidedLine.test(text) ? { index: 0 } : undecided.exec(text);
    const end = match?.index ?? text.length;
    this.held = text.slice(end);
    this.print(text.slice(0, end));
  }

  end(): void {
    this.print(this.held);
    this.held = '';
  }

  private print(text: string): void {
    if (text !== '') {
      this.stream.write(visible(text, this.beginsLine));
      this.beginsLine = text.endsWith('\n');
    }
  }
}

/** A writer of pieces for the requested output, or for additional notices. */
export function pieceWriter(to: 'result' | 'notice'): PieceWriter {
  return new PieceWriter(to === 'result' ? process.stdout : process.stderr);
}

/** Ends the program with one sentence if its output cannot be written, and silently if its reader has gone. */
export function endWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && stream === process.stdout) {
        const sentence = translate('The result could not be printed: {0}', describeWriteError(error));
        process.stderr.write(`${sentence}\n`);
      }
      process.exit(error.code === 'EPIPE' ? 0 : 2);
    });
  }
}
