import { type BlobTwin, BlobTwins, blobsIn } from './blobTwins';
import { EscapeTwins } from './escapeTwins';
import { publicNames } from './keptNames';
import type { KeptPart, KeptParts } from './keptParts';
import { type Difference, stepsOf } from './otherTwins';
import type { NumberTwins } from './numberTwins';
import type { RandomNumbers } from '../../base/randomNumbers';
import { RecentTexts } from './recentTexts';
import { runLength, type TextRuns, type WordRange } from './textRuns';
import { isDigit, isEscaped, TextWalk } from './textWalk';
import type { WordTwins } from './wordTwins';

/** Maximum number of remembered pieces, and their maximum length. */
const mostPieces = 200_000;
const longestPiece = 64;
/** Further attempts if a text has a run of the transcript or another token count. */
const mostRounds = 6;
/** After this many unsuccessful words in a row, no more are tried in the text. */
const mostTried = 100_000;

const none: Difference = { plain: 0, quoted: 0 };

/** The settings for making a text again: different words in some places, and a token difference to compensate. */
interface Round {
  readonly others: ReadonlyMap<number, number>;
  readonly owed: Difference;
  /** Number of unsuccessful words in a row, in this round and earlier ones. */
  readonly inVain: { tried: number };
}

interface FoundWord extends WordRange {
  readonly isReplaced: boolean;
}

interface Made {
  readonly twin: string;
  /** Its words in order, and the words that share no letters with words of the transcript. */
  readonly words: readonly FoundWord[];
  readonly fresh: readonly WordRange[];
  readonly owed: Difference;
}

/**
 * Replaces the words and numbers of texts. White space and signs are kept, and so are the parts by which readers
 * recognise texts. In a first pass, `learn` sees every text; then `replace` returns the twin of each: with the same
 * length in UTF-16 units and UTF-8 bytes, with the same token count, and without a run of the transcript.
 */
export class TextTwins {
  private readonly walk: TextWalk;
  private readonly escapes: EscapeTwins;
  private readonly blobs: BlobTwins;
  private readonly learnt = new RecentTexts();
  private readonly made = new RecentTexts();
  private readonly learntPieces = new Set<string>();
  private readonly pieceTwins = new Map<
    string,
    { readonly twin: string; readonly offset: number; readonly isNew: boolean }
  >();
  /** Number of texts whose twin has another token count. */
  inexact = 0;

  constructor(
    private readonly words: WordTwins,
    private readonly numbers: NumberTwins,
    private readonly kept: KeptParts,
    random: RandomNumbers,
    private readonly runs: TextRuns,
    /** The place where a reader may cut a text, in UTF-16 units. */
    private readonly cut: number,
  ) {
    this.walk = new TextWalk(words.encoding);
    this.escapes = new EscapeTwins(random);
    this.blobs = new BlobTwins(words.tokenizer, random);
  }

  /** Learns a text in plain form and in its form inside JSON. */
  learn(text: string): void {
    if (this.learnt.get(text) !== undefined) {
      return;
    }
    this.learnt.set(text, '');
    const { words, cut, learntPieces } = this;
    const kept = this.kept.of(text);
    this.runs.add(text, kept);
    const blobAt = rangeAt(blobsIn(text));
    this.walk.through(text, kept, {
      piece: (start, end, gap) => {
        if (blobAt(start, end) !== undefined) {
          return true;
        }
        if (
          gap === 0 ||
          end - start > longestPiece ||
          (start < cut && end > cut) ||
          isEscaped(text, gap, start + 1)
        ) {
          return false;
        }
        const piece = text.slice(start, end);
        const isLearnt = learntPieces.has(piece);
        if (!isLearnt && learntPieces.size < mostPieces) {
          learntPieces.add(piece);
        }
        return isLearnt;
      },
      word: (start, from, to, end, gap) => {
        const word = text.slice(from, to);
        const before = text.slice(start, from);
        const after = text.slice(to, end);
        words.learnt.learn(word, before, after);
        if (from < cut && to > cut) {
          words.learnt.learn(word, before, '', cut - from);
        }
        if (start === 0) {
          words.learnt.learnFirst(word, before, after);
        }
        const quoted = this.walk.quotedBefore(text, gap, start, from, to);
        if (quoted !== undefined) {
          words.learnt.learn(word, quoted.before, after);
          if (quoted.isFirst) {
            words.learnt.learnFirst(word, quoted.before, after);
          }
        }
      },
      digits: () => undefined,
    });
  }

  replace(text: string): string {
    let twin = this.made.get(text);
    if (twin === undefined) {
      twin = this.checked(text);
      this.made.set(text, twin);
    }
    return twin;
  }

  /** Makes a text again until it has no run of the transcript and the token count is compensated. */
  private checked(text: string): string {
    const kept = this.kept.of(text);
    const others = new Map<number, number>();
    const inVain = { tried: 0 };
    let owed = none;
    let made = this.make(text, kept, { others, owed, inVain });
    for (let round = 1; round < mostRounds; round += 1) {
      const again = wordsAt(made.words, this.runs.endsIn(made.twin, kept, made.fresh), round);
      if (again.length === 0 && isNone(made.owed)) {
        break;
      }
      for (const { from } of again) {
        others.set(from, (others.get(from) ?? 0) + 1);
      }
      // The difference that the last words cannot compensate is left to the first ones.
      owed = again.length > 0 ? owed : sum(owed, made.owed);
      const last = made;
      made = this.make(text, kept, { others, owed, inVain });
      if (again.length === 0 && made.twin === last.twin) {
        break;
      }
    }
    this.inexact += isNone(made.owed) ? 0 : 1;
    return made.twin.includes('\\u') ? this.escapes.replace(made.twin) : made.twin;
  }

  private make(text: string, kept: readonly KeptPart[], round: Round): Made {
    const { others, owed: owedAtFirst, inVain } = round;
    const { words, runs, pieceTwins } = this;
    const output: string[] = [];
    const found: FoundWord[] = [];
    const fresh: WordRange[] = [];
    let blob: { readonly range: WordRange; readonly next: BlobTwin } | undefined;
    let owed = owedAtFirst;
    let copied = 0;
    let whole = 0;
    const put = (start: number, end: number, twin: string): void => {
      output.push(text.slice(copied, start), twin);
      copied = end;
    };
    const blobAt = rangeAt(blobsIn(text));
    this.walk.through(text, kept, {
      piece: (start, end) => {
        whole = end;
        const piece = text.slice(start, end);
        const range = blobAt(start, end);
        if (range !== undefined) {
          if (blob?.range !== range) {
            blob = { range, next: this.blobs.start(text.slice(start, start + longestPiece)) };
          }
          const { twin, more } = blob.next(piece, owed.plain);
          put(start, end, twin);
          owed = sum(owed, { plain: more, quoted: more });
          return true;
        }
        const known = others.size === 0 && isNone(owed) ? pieceTwins.get(piece) : undefined;
        if (known !== undefined) {
          put(start, end, known.twin);
          const { offset } = known;
          found.push({ from: start + offset, to: end, isReplaced: true });
          if (known.isNew) {
            fresh.push({ from: start + offset, to: end });
          }
        }
        return known !== undefined;
      },
      word: (start, from, to, end, gap) => {
        const word = text.slice(from, to);
        const before = text.slice(start, from);
        const after = text.slice(to, end);
        const attempt = others.get(from) ?? 0;
        let twin = words.twinOf(word, before, after);
        const isOwing = !isNone(owed) && inVain.tried < mostTried;
        const isUsual = attempt === 0 && !isOwing && words.isExact(word, before, after);
        if (!isUsual) {
          const quotedBefore = this.walk.quotedBefore(text, gap, start, from, to)?.before ?? before;
          const place = { word, before, quotedBefore, after };
          const steps = isOwing ? stepsOf(place, owed) : [];
          const { tried } = words.others;
          const making = words.others.firstOf(place, steps, attempt);
          inVain.tried = making === undefined ? inVain.tried + words.others.tried - tried : 0;
          const other = making ?? (attempt > 0 ? words.others.find(place, none, attempt) : undefined);
          twin = other ?? (attempt > 1 ? words.others.nearest(place, attempt) : twin);
          owed = sum(owed, words.others.difference(place, twin));
        }
        put(from, to, twin);
        const isReplaced = twin !== word;
        found.push({ from, to, isReplaced });
        const isNew = isReplaced && runs.isNew(twin);
        if (isNew || publicNames.has(word)) {
          fresh.push({ from, to });
        }
        if (
          isUsual &&
          isReplaced &&
          whole === end &&
          to === end &&
          end - start <= longestPiece &&
          pieceTwins.size < mostPieces
        ) {
          pieceTwins.set(text.slice(start, end), { twin: before + twin, offset: from - start, isNew });
        }
      },
      digits: (from, to) => {
        if (from >= copied) {
          const digits = text.slice(from, to);
          const isFraction = text.charCodeAt(from - 1) === 0x2e && isDigit(text.charCodeAt(from - 2));
          put(from, to, isFraction ? this.numbers.fractionTwin(digits) : this.numbers.twinOf(digits));
        }
      },
    });
    output.push(text.slice(copied));
    return {
      twin: output.join(''),
      words: found,
      fresh,
      owed: { plain: owed.plain - owedAtFirst.plain, quoted: owed.quoted - owedAtFirst.quoted },
    };
  }
}

/** The words to change so that a run disappears: the last replaced one in each run, or any. */
function wordsAt(words: readonly FoundWord[], ends: readonly number[], round: number): readonly WordRange[] {
  const chosen = new Set<FoundWord>();
  let next = 0;
  for (const end of ends) {
    while (next + 1 < words.length && (words[next + 1]?.from ?? Infinity) < end) {
      next += 1;
    }
    const inRun: FoundWord[] = [];
    for (let at = next; at >= 0 && (words[at]?.to ?? 0) > end - runLength; at -= 1) {
      const word = words[at];
      if (word !== undefined && word.from < end) {
        inRun.push(word);
      }
    }
    const replaced = inRun.filter(({ isReplaced }) => isReplaced);
    const choice = replaced.length > 0 ? replaced : inRun;
    const word = choice[round % 2 === 1 ? 0 : choice.length - 1];
    if (word !== undefined) {
      chosen.add(word);
    }
  }
  return [...chosen];
}

/** Returns a function that finds the range around a part of the text. The parts must be passed in order. */
function rangeAt(ranges: readonly WordRange[]): (from: number, to: number) => WordRange | undefined {
  let next = 0;
  return (from, to) => {
    while ((ranges[next]?.to ?? Infinity) < to) {
      next += 1;
    }
    const range = ranges[next];
    return range !== undefined && range.from <= from ? range : undefined;
  };
}

function sum(first: Difference, second: Difference): Difference {
  return { plain: first.plain + second.plain, quoted: first.quoted + second.quoted };
}

function isNone({ plain, quoted }: Difference): boolean {
  return plain === 0 && quoted === 0;
}
