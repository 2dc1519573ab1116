import type { TextRow } from '../../src/core/view/textRows';
import type { TextSegment } from '../../src/core/sensitivity/maskText';
import type { BlockText } from '../../src/core/session/blockText';
import { piecesOf } from './textPieces';

export type MaskedSegment = Extract<TextSegment, { readonly masked: number }>;

/** A line as it is laid out. Masked parts stand in it as one character each, see `masksIn`. */
export interface ShownLine {
  readonly text: string;
  readonly indent: number;
  readonly sign: TextRow['sign'];
}

/** The first page of a block's text in a form that can be parsed. What is masked is not in it. */
export interface ShownText {
  readonly form: BlockText['form'];
  readonly lines: readonly ShownLine[];
  /** The lines together, as in the transcript. */
  readonly text: string;
  /** The labels of the masked parts, in their order. */
  readonly masks: readonly MaskedSegment[];
  /** False if the text goes on. */
  readonly isWhole: boolean;
}

/** A plane of characters for private use. A text's own characters of it are replaced. */
const firstMask = 0xf0000;
const mostMasks = 0xfff0;
const maskPlane = /[\u{F0000}-\u{FFFFD}]/gu;

/** The first page of a text. Linear in its length. */
export function shownText(page: BlockText): ShownText {
  const masks: MaskedSegment[] = [];
  const lines = piecesOf(page, []).map((pieces, index): ShownLine => {
    const row = page.rows[index];
    const text = pieces
      .map(({ segment }) => {
        if ('text' in segment) {
          return segment.text.replace(maskPlane, '\uFFFD');
        }
        masks.push(segment);
        return String.fromCodePoint(firstMask + Math.min(masks.length - 1, mostMasks));
      })
      .join('');
    return { text, indent: row?.indent ?? 0, sign: row?.sign };
  });
  return {
    form: page.form,
    lines,
    text: lines.map(({ text }) => text).join(''),
    masks,
    isWhole: page.pages === 1,
  };
}

/** A run of a shown text: words, or what is masked. */
export type ShownPart = string | MaskedSegment;

/** A text in runs, with its masked parts. */
export function masksIn(text: string, masks: readonly MaskedSegment[]): readonly ShownPart[] {
  if (masks.length === 0) {
    return [text];
  }
  const parts: ShownPart[] = [];
  let start = 0;
  for (const { 0: character, index } of text.matchAll(maskPlane)) {
    const mask = masks[(character.codePointAt(0) ?? 0) - firstMask];
    if (index > start) {
      parts.push(text.slice(start, index));
    }
    if (mask !== undefined) {
      parts.push(mask);
    }
    start = index + character.length;
  }
  if (start < text.length) {
    parts.push(text.slice(start));
  }
  return parts;
}

/** The beginning of a text: at most so many lines, and so many UTF-16 units, without half a character. */
export function beginningOf(text: string, lines: number, units: number): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) {
      break;
    }
  }
  const cut = text.slice(0, Math.min(end < 0 ? text.length : end, units));
  return cut.length < text.length ? cut.replace(/[\uD800-\uDBFF]$/u, '') : cut;
}
