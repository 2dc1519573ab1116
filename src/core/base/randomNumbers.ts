/** A stream of random numbers from a key (sfc32, Doty-Humphrey, PractRand 0.95); not for cryptography. */
export class RandomNumbers {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(private readonly key: Uint32Array) {
    [this.a, this.b, this.c] = [key[0] ?? 0, key[1] ?? 0, key[2] ?? 0];
    for (let round = 0; round < 12; round += 1) {
      this.next();
    }
  }

  private next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** The stream for a text: the same for equal texts. */
  for(text: string): RandomNumbers {
    let [first = 0, second = 0] = this.key;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      first = Math.imul(first ^ unit, 0x9e3779b1);
      second = Math.imul(second ^ unit, 0x85ebca6b) + first;
    }
    return new RandomNumbers(Uint32Array.of(first, second, (this.key[2] ?? 0) ^ text.length));
  }

  /** A whole number from 0 to `end - 1`. */
  below(end: number): number {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  /** One of the items; undefined if there are none. */
  oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** All items once, from a random one on, in steps of a random size. */
  *all<Item>(items: readonly Item[]): Generator<Item> {
    const { length } = items;
    let step = 1 + this.below(length);
    while (greatestDivisor(step, length) > 1) {
      step += 1;
    }
    for (let index = 0, at = this.below(length); index < length; index += 1, at = (at + step) % length) {
      const item = items[at];
      if (item !== undefined) {
        yield item;
      }
    }
  }
}

function greatestDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestDivisor(second, first % second);
}
