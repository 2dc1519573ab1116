import type { Tokenizer } from '../tokens/tokenizer';
import { markOfPieces, withNote } from './recordedText';

/** Tokens of a page without the sentence about recorded text and the line about the next page. */
const pageTokens = 445;
/** Maximum length of a line in UTF-16 units. A longer one is cut into pieces: none has more than three tokens a unit. */
const pieceUnits = 150;

/**
 * One page of an answer, of at most 500 tokens: whole lines where they fit, and the way to the next page.
 * @param page 1-based; a page after the last one is a sentence that says so
 */
export function answerPage(lines: readonly string[], page: number, tokenizer: Tokenizer): string {
  const pages = pagesOf(lines, tokenizer);
  const shown = pages[page - 1];
  if (shown === undefined) {
    return `There is no page ${page}: the answer has ${pages.length}.`;
  }
  const whole = withNote(shown);
  return page === pages.length
    ? whole
    : `${whole}\n(page ${page} of ${pages.length}; more with page: ${page + 1})`;
}

function pagesOf(lines: readonly string[], tokenizer: Tokenizer): readonly string[] {
  const pages: string[] = [];
  let page: string | undefined;
  let size = 0;
  const add = (text: string, tokens: number, joint: string, mark = ''): void => {
    if (page !== undefined && size + tokens > pageTokens) {
      pages.push(page);
      page = undefined;
      size = 0;
    }
    page = page === undefined ? `${mark}${text}` : `${page}${joint}${text}`;
    size += tokens;
  };
  for (const line of lines) {
    const tokens = tokenizer.count(`${line}\n`);
    if (tokens <= pageTokens) {
      add(line, tokens, '\n');
    } else {
      piecesOf(line).forEach((piece, index) => {
        const isFirst = index === 0;
        add(piece, tokenizer.count(`${piece}\n`), isFirst ? '\n' : '', isFirst ? '' : markOfPieces(line));
      });
    }
  }
  return [...pages, page ?? ''];
}

/** A line in pieces that fit on a page. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < line.length;) {
    const end = start + pieceUnits;
    const splitsPair = (line.codePointAt(end - 1) ?? 0) > 0xffff;
    const next = splitsPair ? end - 1 : end;
    pieces.push(line.slice(start, next));
    start = next;
  }
  return pieces;
}
