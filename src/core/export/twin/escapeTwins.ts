import { lettersLike } from './letterShapes';
import type { RandomNumbers } from '../../base/randomNumbers';

/** Twins of letters written as `\u4e2d`: another letter with digits and letters in the same places. */
export class EscapeTwins {
  private readonly twins = new Map<string, string>();
  private readonly used = new Set<string>();

  constructor(private readonly random: RandomNumbers) {}

  replace(text: string): string {
    return text.replace(/\\u([\da-fA-F]{4})/g, (whole, digits: string) => {
      const letter = String.fromCharCode(parseInt(digits, 16));
      if (!/\p{L}/u.test(letter)) {
        return whole;
      }
      let twin = this.twins.get(digits);
      if (twin === undefined) {
        const isUpper = /[A-F]/.test(digits);
        const form = digits.replace(/\d/g, '0');
        const others = lettersLike(letter).flatMap(other => {
          const hex = other.charCodeAt(0).toString(16).padStart(4, '0');
          const written = isUpper ? hex.toUpperCase() : hex;
          return written !== digits && written.replace(/\d/g, '0') === form ? [written] : [];
        });
        twin = this.random.oneOf(others.filter(other => !this.used.has(other))) ?? digits;
        this.twins.set(digits, twin);
        this.used.add(twin);
      }
      return `\\u${twin}`;
    });
  }
}
