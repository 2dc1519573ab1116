import { tokens } from '../core/base/countWords';
import type { TokenFigure } from '../core/tokens/quality';
import { qualityText } from '../core/tokens/qualityWords';

// How the command line writes figures. Messages that need a plural have it in their own text.

export { blocks, requests, tokens } from '../core/base/countWords';
export { formatMoney as money, formatNumber as number, formatShare as percent } from '../core/base/format';

/** Money for JSON: null where it is not known. */
export function knownMoney(dollars = Number.NaN): number | null {
  return Number.isNaN(dollars) ? null : dollars;
}

/** A number of tokens with its quality and expected error. */
export function figure({ value, quality, error }: TokenFigure): string {
  return `${tokens(value)} (${qualityText(quality, error)})`;
}

/** Lines as a text for the terminal. */
export function inLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
