import { counted, formatBytes, formatMinute, formatNumber, formatShare } from '../base/format';
import { cutText } from '../base/visibleText';
import type { SessionFile } from './sessionList';
import type { OutlineResult } from './sessionOutline';
import { lastName } from './pathPattern';

/** Longest title in a list, in UTF-16 units. */
const longestTitle = 120;

/** How a session is shown in a list. */
export interface SessionText {
  readonly title: string;
  /** Age, requests, size and fill, as far as they are known. */
  readonly description: string;
  /** Several lines of plain text. */
  readonly tooltip: string;
}

/** @param now milliseconds since 1970 */
export function describeSession(file: SessionFile, result: OutlineResult, now: number): SessionText {
  const outline = result.kind === 'session' ? result.outline : undefined;
  const last = outline?.lastTime ?? file.modified;
  const requests =
    outline === undefined ? '' : `${outline.isWhole ? '' : 'about '}${counted(outline.requests, 'request')}`;
  const fill = outline?.fill;
  const share = fill?.window === undefined ? '' : formatShare(fill.tokens / fill.window);
  const tokens = fill === undefined ? '' : `${formatNumber(fill.tokens)} tokens`;
  const title = oneLine(outline?.title ?? '') || oneLine(lastName(file.path));
  const tooltip = [
    title,
    [oneLine(file.agent), oneLine(outline?.model ?? '')].filter(isFilled).join(' · '),
    oneLine(outline?.workingDirectory ?? ''),
    [requests, formatBytes(file.size), describeFill(tokens, share)].filter(isFilled).join(' · '),
    [outline?.firstTime, last].flatMap(time => (time === undefined ? [] : formatMinute(time))).join(' – '),
    oneLine(file.path),
  ];
  return {
    title,
    description: [describeAge(now - last), requests, formatBytes(file.size), share || tokens]
      .filter(isFilled)
      .join(' · '),
    tooltip: tooltip.filter(isFilled).join('\n'),
  };
}

function isFilled(text: string): boolean {
  return text !== '';
}

function describeFill(tokens: string, share: string): string {
  return share === '' ? tokens : `${tokens}, ${share} of the window`;
}

/** `5 min ago`; the largest unit that fits. */
export function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) {
    return 'now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return `${hours} h ago`;
  }
  const days = Math.floor(hours / 24);
  return days < 365 ? `${days} d ago` : `${Math.floor(days / 365)} y ago`;
}

/**
 * Foreign text on one short line, without the control and format characters that could hide what it says or turn the
 * direction of the text after it.
 */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * longestTitle)
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle - 1)}…`;
}
