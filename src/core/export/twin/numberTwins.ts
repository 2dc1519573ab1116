import type { RandomNumbers } from './randomNumbers';

/**
 * Numbers of up to so many digits keep their order, but for those at the end of the range: a number that grows is a
 * counter. The range is so many times as long as the part of it whose numbers go back to its beginning, or longer.
 */
const longestShifted = 9;
const rangePerShift = 10;
/** How often a number that no other has is looked for. */
const mostTries = 20;
/** How many long numbers are remembered. */
const mostRemembered = 200_000;

/**
 * A random number for each run of digits: of the same length, zero where it is zero, and with a leading zero only where
 * it has one, so that JSON stays JSON. In a time in seconds or milliseconds the leading 1 stays.
 */
export class NumberTwins {
  private readonly shifts = new Map<string, number>();
  private readonly twins = new Map<string, string>();
  private readonly used = new Set<string>();

  constructor(private readonly random: RandomNumbers) {}

  twinOf(digits: string): string {
    if (/^0+$/.test(digits)) {
      return digits;
    }
    return digits.length <= longestShifted ? this.shifted(digits) : this.replaced(digits);
  }

  /** The digits after a decimal point: zeros stay where they are, so that the number is written with as many digits. */
  fractionTwin(digits: string): string {
    return digits.replace(/[1-9]/g, digit => this.shifted(digit));
  }

  /** A number as JSON writes it. */
  jsonTwin(number: string): string {
    const twin = number.replace(
      /^(-?)(\d+)(?:\.(\d+))?/,
      (_, sign: string, whole: string, fraction?: string) =>
        `${sign}${this.twinOf(whole)}${fraction === undefined ? '' : `.${this.fractionTwin(fraction)}`}`,
    );
    // At the end of what a number can be, the least one of as many digits.
    return Number.isFinite(Number(twin))
      ? twin
      : number.replace(
          /^(-?)\d([\d.]*)/,
          (_, sign: string, rest: string) => `${sign}1${rest.replace(/\d/g, '0')}`,
        );
  }

  private shifted(digits: string): string {
    const zeros = /^0*/.exec(digits)?.[0] ?? '';
    const rest = digits.slice(zeros.length);
    const least = 10 ** (rest.length - 1);
    const size = 9 * least;
    let shift = this.shifts.get(`${zeros} ${rest.length}`);
    if (shift === undefined) {
      shift = 1 + this.random.below(Math.floor(size / rangePerShift));
      this.shifts.set(`${zeros} ${rest.length}`, shift);
    }
    return zeros + String(least + ((Number(rest) - least + shift) % size));
  }

  private replaced(digits: string): string {
    const known = this.twins.get(digits);
    if (known !== undefined) {
      return known;
    }
    const random = this.random.for(digits);
    const isTime = digits.length >= 10 && digits.length <= 13;
    const isFirstKept = digits.startsWith('0') || (isTime && digits.startsWith('1'));
    let twin = digits;
    for (let attempt = 0; attempt < mostTries && (twin === digits || this.used.has(twin)); attempt += 1) {
      const first = isFirstKept
        ? digits.slice(0, 1)
        : String(isTime ? 2 + random.below(8) : 1 + random.below(9));
      twin = first + Array.from(digits.slice(1), () => String(random.below(10))).join('');
    }
    if (this.twins.size < mostRemembered) {
      this.used.add(twin);
      this.twins.set(digits, twin);
    }
    return twin;
  }
}
