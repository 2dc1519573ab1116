import { writeText } from '../base/wasmText';
import { instantiateNow } from './assembly/distinctWords?wasm';

/** Scripts without spaces between words. Each character is a separate word. */
const alone =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;

/** Minimum length of a run that is data, not a word: pictures, signatures, hashes of whole files. In UTF-16 units. */
const dataLength = 256;

/** Letters, digits, and the other base64 characters, by their codes. */
const isData = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const beyondAscii = /[^\0-\x7f]+/g;
/** Cached, because most runs of such characters are a few frequent signs. */
const foldedRuns = new Map<string, string>();
const mostRuns = 2000;
const longestRun = 8;

/**
 * A text whose words are its longest runs of ASCII letters, digits and characters beyond ASCII. ASCII case is
 * unchanged. Other letters become lower case without diacritics, and word separators become spaces.
 */
function foldText(text: string): string {
  return withoutData(text).replace(beyondAscii, foldRun);
}

/** The words of a text in the form of the index. */
export function wordsIn(text: string): readonly string[] {
  return (
    foldText(text)
      .toLowerCase()
      .match(/[a-z\d\u0080-\uffff]+/g) ?? []
  );
}

/** True if a word is a single character of a script without spaces. */
export function isAlone(word = ''): boolean {
  return word.length === 1 && word.search(alone) === 0;
}

/** A text without diacritics, so that a query without them finds it. */
export function withoutDiacritics(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function foldRun(run: string): string {
  const known = foldedRuns.get(run);
  if (known !== undefined) {
    return known;
  }
  const folded = withoutDiacritics(run)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Co}]/gu, ' ')
    .replace(alone, ' $& ');
  if (run.length <= longestRun && foldedRuns.size < mostRuns) {
    foldedRuns.set(run, folded);
  }
  return folded;
}

/**
 * A text without runs of data. Each run has a unit at a multiple of its minimum length, so only those units are
 * checked.
 */
function withoutData(text: string): string {
  const isDataAt = (index: number): boolean => isData[text.charCodeAt(index)] === 1;
  let kept = '';
  let from = 0;
  for (let index = dataLength - 1; index < text.length; index += dataLength) {
    if (!isDataAt(index)) {
      continue;
    }
    let [start, end] = [index, index + 1];
    while (start > from && isDataAt(start - 1)) {
      start -= 1;
    }
    while (end < text.length && isDataAt(end)) {
      end += 1;
    }
    if (end - start >= dataLength) {
      kept += `${text.slice(from, start)} `;
      from = end;
      // The first position to check after the run.
      index = end - 1;
    }
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** UTF-16 units processed at once. */
const mostAtOnce = 1 << 18;

/**
 * Finds the different words of texts. The index needs each word of a block only once, and this leaves a third of the
 * text to store.
 */
export class DistinctWords {
  private readonly finder = instantiateNow({});

  /**
   * The different words of a text in UTF-8, each followed by a space. Each piece is valid until the next one is
   * requested. In a long text, a word may be repeated.
   */
  *find(text: string): Generator<Uint8Array> {
    const words = withoutData(text);
    for (let from = 0; from < words.length;) {
      const end = endOfPiece(words, from);
      yield this.findIn(words.slice(from, end));
      from = end;
    }
  }

  private findIn(piece: string): Uint8Array {
    const { finder } = this;
    let bytes = writeText(finder, piece);
    if (bytes > piece.length && finder.blankSigns(bytes) !== 0) {
      bytes = writeText(finder, piece.replace(beyondAscii, foldRun));
    }
    const length = finder.find(bytes);
    return new Uint8Array(finder.memory.buffer, finder.wordsAt(), length);
  }
}

/** Between two words, if there are two. */
function endOfPiece(text: string, from: number): number {
  const most = from + mostAtOnce;
  let end = most;
  while (end > from && end < text.length && !/[\0-/:-@[-`{-\x7f]/.test(text.charAt(end))) {
    end -= 1;
  }
  return end === from ? most : Math.min(end, text.length);
}
