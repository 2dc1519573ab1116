import type { TokenFigure, TokenQuality } from '../src/core/tokens/quality';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const formatNumber = (value: number): string => whole.format(value);

export { formatMoney } from '../src/core/tokens/formatMoney';

/** A share of 1 in percent, with a digit where that says more than a whole number. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) {
    return '<0.1 %';
  }
  return `${percent > 0 && percent < 10 ? oneDigit.format(percent) : whole.format(percent)} %`;
}

/** A share of 1 in percent, to a tenth: for shares where 99.9 is not 100. */
export const formatExactShare = (share: number): string => `${oneDigit.format(share * 100)} %`;

export function formatQuality(quality: TokenQuality, error: number | undefined): string {
  return quality === 'exact' || error === undefined || error === 0
    ? quality
    : `${quality} ±${formatShare(error)}`;
}

export const formatFigure = ({ value, quality, error }: TokenFigure): string =>
  `${formatNumber(value)} tokens, ${formatQuality(quality, error)}`;

export function formatBytes(bytes: number): string {
  if (bytes < 1024) {
    return `${formatNumber(bytes)} B`;
  }
  return bytes < 1024 * 1024
    ? `${oneDigit.format(bytes / 1024)} KiB`
    : `${oneDigit.format(bytes / 1024 / 1024)} MiB`;
}

export const formatTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : time.format(milliseconds);

export const formatDateTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : `${day.format(milliseconds)}, ${time.format(milliseconds)}`;

/**
 * Control and format characters but for line breaks, tabs and the joiners of scripts and emoji: they turn the direction of
 * the text after them or show nothing, so that in foreign text they can hide what it says.
 */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Foreign text with every such character written out. */
export function visibleText(text: string): string {
  return text.replace(invisible, character => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Labels from a damaged or hostile transcript can be of any length. */
const longestLabel = 300;

/** Foreign text on one line. */
export function visibleLabel(label: string): string {
  return visibleText(label.slice(0, longestLabel)).replace(/\s+/gu, ' ');
}
