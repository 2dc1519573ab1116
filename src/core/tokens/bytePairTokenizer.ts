import readCl100k from 'vocabulary:cl100k_base';
import readO200k from 'vocabulary:o200k_base';
import { entryOf } from '../base/entryOf';
import type { Encoding } from '../model/modelRow';
import instantiate from './assembly/counter?wasm';
import { classifyCharacters } from './characterClasses';
import type { Tokenizer } from './tokenizer';

/**
 * A text is passed to the counter in windows of this many UTF-16 units or bytes, so memory does not depend on its size.
 */
const windowLength = 2 ** 18;
/**
 * Text without a place to cut is cut anywhere after this many bytes; merging takes 32 bytes of memory for each of them.
 */
const longestUncut = 2 ** 22;
const leastRoom = 2 ** 16;
const pageLength = 128;

/** The end of the window in the source, and the number of bytes in the window. */
interface Filled {
  readonly next: number;
  readonly filled: number;
}

/**
 * A tokenizer whose counts equal the length of js-tiktoken 1.0.21's `encode(text, [], [])` in this JavaScript engine.
 * The work is done in WebAssembly; with such tables, JavaScript reaches only two thirds of its speed.
 * @param vocabulary the tokens, in the form of `vocabulary:` modules
 */
async function createBytePairTokenizer(encoding: Encoding, vocabulary: Uint8Array): Promise<Tokenizer> {
  const counter = await instantiate({ pattern: { classify: fillClasses } });
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let room = new Uint8Array();

  function fillClasses(page: number): void {
    const first = page * pageLength;
    classifyCharacters(
      first,
      new Uint8Array(counter.memory.buffer, counter.classes.value + first, pageLength),
    );
  }

  /** The memory for texts, of at least this many bytes. Its contents are kept. */
  function roomFor(length: number): Uint8Array {
    // An array over a replaced buffer has length 0.
    if (room.length < length) {
      const size = Math.max(length, leastRoom);
      const start = counter.reserve(size);
      room = new Uint8Array(counter.memory.buffer, start, size);
    }
    return room;
  }

  /**
   * Counts window by window; `fill` adds to the window after the bytes that it keeps. Undefined if the bytes are not
   * well-formed, which is checked only if `isChecked` is true.
   */
  function countWindows(
    length: number,
    isChecked: boolean,
    fill: (from: number, kept: number) => Filled,
  ): number | undefined {
    let count = 0;
    let kept = 0;
    for (let from = 0; from < length;) {
      const { next, filled } = fill(from, kept);
      from = next;
      if (isChecked && counter.isWellFormed(filled) === 0) {
        return undefined;
      }
      const cut = next === length || filled >= longestUncut ? filled : lastCut(roomFor(filled), kept, filled);
      if (cut === 0) {
        kept = filled;
        continue;
      }
      const rest = cut === filled ? undefined : roomFor(filled).slice(cut, filled);
      count += counter.count(cut);
      kept = filled - cut;
      if (rest !== undefined) {
        roomFor(kept).set(rest);
      }
    }
    return count;
  }

  function count(text: string): number {
    const counted = countWindows(text.length, false, (from, kept) => {
      const next = afterWholeCharacter(text, Math.min(text.length, from + windowLength));
      const { written } = encoder.encodeInto(
        text.slice(from, next),
        roomFor(kept + 3 * (next - from)).subarray(kept),
      );
      return { next, filled: kept + written };
    });
    return counted ?? 0;
  }

  roomFor(vocabulary.length).set(vocabulary);
  fillClasses(0);
  counter.prepare(encoding === 'o200k_base');
  room = new Uint8Array();

  return {
    encoding,
    count,
    countBytes(bytes, start = 0, end = bytes.length) {
      const counted = countWindows(end - start, true, (from, kept) => {
        const next =
          beforeWholeCharacter(bytes, start + Math.min(end - start, from + windowLength), end) - start;
        roomFor(kept + next - from).set(bytes.subarray(start + from, start + next), kept);
        return { next, filled: kept + next - from };
      });
      return counted ?? count(decoder.decode(bytes.subarray(start, end)));
    },
  };
}

/** `end`, or one more if it would split a surrogate pair. */
function afterWholeCharacter(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 && end < text.length ? end + 1 : end;
}

/** `at`, or up to three less if it would split a UTF-8 character. */
function beforeWholeCharacter(bytes: Uint8Array, at: number, end: number): number {
  for (let back = 0; at < end && back < 4; back++) {
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) {
      return at - back;
    }
  }
  return at;
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}

/**
 * The last place from `from` on that no piece of either encoding can cross, or 0: after a letter or digit and before an
 * ASCII character that is neither and begins no contraction; or after a line end and before a sign other than a slash.
 */
function lastCut(bytes: Uint8Array, from: number, end: number): number {
  for (let at = end - 1; at >= Math.max(from, 1); at--) {
    const after = bytes[at] ?? 0;
    const before = bytes[at - 1] ?? 0;
    if (
      after < 0x80 &&
      after !== 0x27 &&
      !isLetterOrDigit(after) &&
      (isLetterOrDigit(before) || ((before === 10 || before === 13) && after > 0x20 && after !== 0x2f))
    ) {
      return at;
    }
  }
  return 0;
}

/** The tokens of an encoding, in the form of `vocabulary:` modules. */
export function readVocabulary(encoding: Encoding): Promise<Uint8Array> {
  switch (encoding) {
    case 'o200k_base':
      return readO200k();
    case 'cl100k_base':
      return readCl100k();
  }
}

const loaded = new Map<Encoding, Promise<Tokenizer>>();

/** Loads the vocabulary of the encoding on its first use; later calls return the same tokenizer. */
export function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  return entryOf(loaded, encoding, async () =>
    createBytePairTokenizer(encoding, await readVocabulary(encoding)),
  );
}
