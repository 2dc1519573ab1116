import type { RandomNumbers } from './randomNumbers';

/** Numbers of up to so many digits keep their order, but for those at the end of the range. */
const longestShifted = 4;

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
    return number.replace(
      /^(-?)(\d+)(?:\.(\d+))?/,
      (_, sign: string, whole: string, fraction?: string) =>
        `${sign}${this.twinOf(whole)}${fraction === undefined ? '' : `.${this.fractionTwin(fraction)}`}`,
    );
  }

  private shifted(digits: string): string {
    const zeros = /^0*/.exec(digits)?.[0] ?? '';
    const rest = digits.slice(zeros.length);
    const least = 10 ** (rest.length - 1);
    const size = 9 * least;
    let shift = this.shifts.get(`${zeros} ${rest.length}`);
    if (shift === undefined) {
      shift = 1 + this.random.below(size - 1);
      this.shifts.set(`${zeros} ${rest.length}`, shift);
    }
    return zeros + String(least + ((Number(rest) - least + shift) % size));
  }

  private replaced(digits: string): string {
    let twin = this.twins.get(digits);
    while (twin === undefined) {
      const isTime = digits.length >= 10 && digits.length <= 13;
      const first =
        digits.startsWith('0') || (isTime && digits.startsWith('1'))
          ? digits.slice(0, 1)
          : String(isTime ? 2 + this.random.below(8) : 1 + this.random.below(9));
      const made = first + Array.from(digits.slice(1), () => String(this.random.below(10))).join('');
      if (made !== digits && !this.used.has(made)) {
        twin = made;
        this.used.add(made);
        this.twins.set(digits, made);
      }
    }
    return twin;
  }
}
