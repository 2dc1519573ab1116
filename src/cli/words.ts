import { formatShare } from '../core/base/format';
import { translate } from '../core/base/translate';
import type { TokenFigure } from '../core/tokens/quality';
import { qualityWords } from '../core/tokens/qualityWords';

// How the command line writes figures. Messages that need a plural have it in their own text.

export { formatMoney as money, formatNumber as number, formatShare as percent } from '../core/base/format';

/** Money for JSON: null where it is not known. */
export function knownMoney(dollars = Number.NaN): number | null {
  return Number.isNaN(dollars) ? null : dollars;
}

/** A number of tokens with its quality and expected error. */
export function figure({ value, quality, error }: TokenFigure): string {
  return `${tokens(value)} (${qualityWords[quality]}${error === undefined ? '' : ` ±${formatShare(error)}`})`;
}

export function blocks(count: number): string {
  return translate('{0, plural, one {# block} other {# blocks}}', count);
}

export function requests(count: number): string {
  return translate('{0, plural, one {# request} other {# requests}}', count);
}

export function tokens(count: number): string {
  return translate('{0, plural, one {# token} other {# tokens}}', count);
}

/** Lines as a text for the terminal. */
export function inLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
