import { Gate } from '../../core/sensitivity/gate';
import { secretScanner } from './secretScannerOnDemand';

// Texts as they may leave the program, for a terminal, a log of a build machine or another program.

/**
 * All control characters except tab and line feed, characters that change the direction of text, and other line ends.
 */
export const invisible = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Two number signs at the start of a command of GitHub's older form, Azure Pipelines or TeamCity, anywhere in a line.
 */
export const numberSigns = /##(?=\w*\[)/g;

/** The start of a workflow command of GitHub. White space may come before it. */
const colons = /^([^\S\n]*):(?=:)/gm;

/** A character in the notation of the Unicode escapes of JavaScript: `\u{1b}`. */
export function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A text in which control characters and workflow commands are spelled out. */
export function visible(text: string, beginsLine = true): string {
  return withoutControls(text).replace(colons, (match: string, space: string, at: number) =>
    at === 0 && !beginsLine ? match : `${space}${escaped(':')}`,
  );
}

export function withoutControls(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(invisible, escaped)
    .replace(numberSigns, `${escaped('#')}#`);
}

/**
 * A text as it may leave the program.
 * @param gate one that knows secrets already
 */
export async function safeText(text: string, gate = new Gate(secretScanner)): Promise<string> {
  return visible(await gate.text(text));
}
