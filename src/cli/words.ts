import { formatNumber, formatQuality } from '../core/base/format';
import type { TokenFigure } from '../core/tokens/quality';

export {
  counted as count,
  formatMoney as money,
  formatNumber as number,
  formatShare as percent,
} from '../core/base/format';

/** Money for JSON: null where it is not known. */
export function knownMoney(dollars = Number.NaN): number | null {
  return Number.isNaN(dollars) ? null : dollars;
}

/** A figure with its quality and expected error. */
export function figure({ value, quality, error }: TokenFigure): string {
  return `${formatNumber(value)} (${formatQuality(quality, error)})`;
}
