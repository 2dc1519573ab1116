import type { RandomNumbers } from '../../base/randomNumbers';

/**
 * Numbers of up to this many digits keep their order, except at the end of the range, because a growing number is a
 * counter. The range is this many times as long as its part whose numbers wrap to its beginning, or longer.
 */
const longestShifted = 9;
const rangePerShift = 10;
/** Maximum number of tries to find an unused number. */
const mostTries = 20;
/** The number of long numbers that are remembered. */
const mostRemembered = 200_000;

/**
 * A random number for each run of digits: of the same length, zero for zero, and with a leading zero only if the
 * original has one, so that JSON stays JSON. In a time in seconds or milliseconds, the leading 1 stays.
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

  /**
   * The twin of the digits after a decimal point. Zeros stay, so that the number is written with the same number of
   * digits.
   */
  fractionTwin(digits: string): string {
    return digits.replace(/[1-9]/g, digit => this.shifted(digit));
  }

  /** The twin of a number in JSON form. */
  jsonTwin(number: string): string {
    const twin = number.replace(
      /^(-?)(\d+)(?:\.(\d+))?/,
      (_, sign: string, whole: string, fraction?: string) =>
        `${sign}${this.twinOf(whole)}${fraction === undefined ? '' : `.${this.fractionTwin(fraction)}`}`,
    );
    // Beyond the range of numbers, uses the smallest number with the same digits.
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
