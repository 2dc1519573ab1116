import { readFileSync } from 'node:fs';
import { Random } from '../../test/generator/random';

/** Ids that agents and services make: UUIDs, those of messages, requests and calls, and hashes. */
const id =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<=\b(?:msg|req|toolu)_)\w{16,}|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b/g;

/**
 * Copies of a recorded session that are sessions of their own: every id is another one in each copy, and the same one
 * wherever it stands in it. All else is as it was recorded, so the copies are as hard to read as real files are.
 */
export class SampleCopies {
  private readonly between: readonly string[];
  /** The places between these pieces, as numbers of different ids. */
  private readonly places: readonly number[];
  private readonly ids: readonly string[];

  constructor(path: string) {
    const text = readFileSync(path, 'utf8');
    const numbers = new Map<string, number>();
    this.places = [...text.matchAll(id)].map(([found]) => {
      const number = numbers.get(found) ?? numbers.size;
      numbers.set(found, number);
      return number;
    });
    this.between = text.split(id);
    this.ids = [...numbers.keys()];
  }

  /** The same copy for the same seed. */
  copy(seed: number): string {
    const random = new Random(seed);
    const fresh = this.ids.map(known => likeIt(known, random));
    return this.between.map((piece, place) => piece + (fresh[this.places[place] ?? -1] ?? '')).join('');
  }
}

/** Another id with the same length and the same kinds of characters. */
function likeIt(known: string, random: Random): string {
  const hex = random.hex(known.length);
  let made = '';
  for (const [place, character] of Array.from(known).entries()) {
    made += /[\da-f]/.test(character) ? (hex[place] ?? character) : character;
  }
  return made;
}
