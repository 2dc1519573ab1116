import type { TokenFigure, TokenQuality } from '../src/core/tokens/quality';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const formatNumber = (value: number): string => whole.format(value);

/** A share of 1 in percent, with a digit where that says more than a whole number. */
export function formatShare(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? oneDigit.format(percent) : whole.format(percent)} %`;
}

export function formatQuality(quality: TokenQuality, error: number | undefined): string {
  return quality === 'exact' || error === undefined || error === 0 ? quality : `${quality} ±${formatShare(error)}`;
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

/** Characters that turn the direction of the text after them, or that show nothing: in foreign text they can hide what it says. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Foreign text with every such character written out. */
export function visibleText(text: string): string {
  return text.replace(invisible, character => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}

/** Labels from a damaged or hostile transcript can be of any length. */
const longestLabel = 300;

/** Foreign text on one line. */
export function visibleLabel(label: string): string {
  return visibleText(label.slice(0, longestLabel)).replace(/\s+/gu, ' ');
}
