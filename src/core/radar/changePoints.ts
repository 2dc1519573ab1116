import { groupBy } from '../base/groupBy';
import { RandomNumbers } from '../base/randomNumbers';

/** The part of a session that one version made. */
export interface TestedSession {
  /** The place of its version in the order of versions, from 0. */
  readonly version: number;
  /** Sessions are compared only with others of the same stratum, such as a project and a model. */
  readonly stratum: string;
  /** A value for each figure; NaN if unknown. */
  readonly values: readonly number[];
}

/** A figure that is different from a version on. */
export interface Change {
  readonly figure: number;
  /** The first version after the change, and the versions compared: from `low` on, before `high`. */
  readonly version: number;
  readonly low: number;
  readonly high: number;
  /** With 95 % confidence, the change began with one of the versions from `first` to `last`. */
  readonly first: number;
  readonly last: number;
  /** The chance of so large a difference between equal versions, corrected for all versions and figures compared. */
  readonly p: number;
  readonly isHigher: boolean;
  /** Number of sessions that could be compared, on each side. */
  readonly sessions: { readonly before: number; readonly after: number };
}

/** Shuffles of the versions. The smallest p is 1 / 2,000. */
const shuffles = 1999;
/** Minimum number of comparable sessions on each side of a change. */
const fewest = 5;
/** Rounding errors of sums. */
const rounding = 1e-9;
/**
 * The largest drop of the squared statistic for a change point that is within the 95 % confidence set: 2 ln(1 / (1 − √0.95))
 * (Hansen 2000, Sample splitting and threshold estimation, table I).
 */
const confidenceDrop = 7.35;

/**
 * The versions from which figures of sessions are different, with any earlier or later change of the same figure. Uses
 * the rank sums of the sessions on both sides of each version within their strata (van Elteren 1960). The chance of the
 * largest one over all versions and figures comes from shuffles of the versions within the strata (Westfall & Young
 * 1993, max T). The result is the same for equal sessions in equal order.
 * @param level the largest chance of any change between equal versions
 */
export function findChanges(
  sessions: readonly TestedSession[],
  figures: number,
  versions: number,
  level: number,
): readonly Change[] {
  const known = new Map<string, readonly Change[]>();
  const scan = (low: number, high: number): readonly Change[] => {
    const key = `${low} ${high}`;
    const before = known.get(key);
    if (before !== undefined) {
      return before;
    }
    const within = sessions.filter(({ version }) => version >= low && version < high);
    const found = new Scan(within, figures, low, high).changes(level);
    known.set(key, found);
    return found;
  };
  /** A change divides the versions in two; both parts are tested too. */
  const divide = (figure: number, low: number, high: number): readonly number[] => {
    const change = scan(low, high).find(each => each.figure === figure);
    return change === undefined
      ? []
      : [...divide(figure, low, change.version), change.version, ...divide(figure, change.version, high)];
  };
  return Array.from({ length: figures }, (_, figure) => {
    const places = divide(figure, 0, versions);
    // Each change is placed and judged between its neighbours.
    return places.flatMap((_, number) =>
      scan(places[number - 1] ?? 0, places[number + 1] ?? versions).filter(each => each.figure === figure),
    );
  }).flat();
}

/** The statistics of all figures for each version that a change may begin with. */
class Scan {
  /** In the order of the strata. */
  private readonly labels: Int32Array;
  /** The first session of each stratum, and the number of sessions. */
  private readonly ends: readonly number[];
  private readonly scores: readonly Float64Array[];
  /** The standard deviation of the sum of scores from each version on; 0 if it cannot be judged. */
  private readonly deviations: readonly Float64Array[];
  private readonly comparable: readonly { readonly before: number; readonly after: number }[];

  constructor(
    sessions: readonly TestedSession[],
    private readonly figures: number,
    private readonly low: number,
    private readonly high: number,
  ) {
    const strata = [...groupBy(sessions, ({ stratum }) => stratum).values()];
    const ordered = strata.flat();
    this.labels = Int32Array.from(ordered, ({ version }) => version - low);
    let end = 0;
    this.ends = strata.map(({ length }) => (end += length));
    this.scores = Array.from({ length: figures }, (_, figure) =>
      Float64Array.from(
        strata.flatMap(stratum => centredRanks(stratum.map(({ values }) => values[figure] ?? Number.NaN))),
      ),
    );
    const after = strata.map(stratum => countsFrom(stratum, low, high));
    this.comparable = Array.from({ length: high - low }, (_, version) => {
      const sums = { before: 0, after: 0 };
      strata.forEach(({ length }, number) => {
        const later = after[number]?.[version] ?? 0;
        if (later > 0 && later < length) {
          sums.before += length - later;
          sums.after += later;
        }
      });
      return sums;
    });
    this.deviations = this.scores.map(scores => {
      const squares = strata.map((_, number) => {
        const own = scores.subarray(this.ends[number - 1] ?? 0, this.ends[number]);
        return own.reduce((sum, score) => sum + score * score, 0);
      });
      return Float64Array.from(this.comparable, (sums, version) => {
        if (version === 0 || Math.min(sums.before, sums.after) < fewest) {
          return 0;
        }
        // The variance of a sum of scores that are drawn without replacement.
        const variance = strata.reduce((sum, { length }, number) => {
          const later = after[number]?.[version] ?? 0;
          return length < 2
            ? sum
            : sum + ((squares[number] ?? 0) * later * (length - later)) / (length * (length - 1));
        }, 0);
        return Math.sqrt(variance);
      });
    });
  }

  /** The best change of each figure, if its chance is at most `level`. */
  changes(level: number): readonly Change[] {
    const statistics = Array.from({ length: this.figures }, (_, figure) => this.statistics(figure));
    const best = statistics.map(values =>
      values.reduce(
        (top, value, version) => (Math.abs(value) > Math.abs(values[top] ?? 0) ? version : top),
        0,
      ),
    );
    const largest = best.map((version, figure) => Math.abs(statistics[figure]?.[version] ?? 0));
    const reached = this.reachedBy(largest, level);
    return best.flatMap((version, figure): readonly Change[] => {
      const p = (1 + (reached[figure] ?? shuffles)) / (1 + shuffles);
      const values = statistics[figure] ?? new Float64Array();
      const top = values[version] ?? 0;
      const isPossible = (value: number): boolean =>
        top ** 2 - value ** 2 <= confidenceDrop && value * top > 0;
      return p > level || top === 0
        ? []
        : [
            {
              figure,
              version: this.low + version,
              low: this.low,
              high: this.high,
              first: this.low + values.findIndex(isPossible),
              last: this.low + values.findLastIndex(isPossible),
              p,
              isHigher: top > 0,
              sessions: this.comparable[version] ?? { before: 0, after: 0 },
            },
          ];
    });
  }

  /** Standardised sum of the scores from each version on, in a list that may be used again. */
  private statistics(figure: number, values = new Float64Array(this.high - this.low)): Float64Array {
    const { labels } = this;
    const [scores, deviations] = [this.scores[figure], this.deviations[figure]];
    values.fill(0);
    if (scores === undefined || deviations === undefined) {
      return values;
    }
    for (let session = 0; session < labels.length; session += 1) {
      const version = labels[session] ?? 0;
      values[version] = (values[version] ?? 0) + (scores[session] ?? 0);
    }
    for (let version = values.length - 1, sum = 0; version >= 0; version -= 1) {
      sum += values[version] ?? 0;
      const deviation = deviations[version] ?? 0;
      values[version] = deviation === 0 ? 0 : sum / deviation;
    }
    return values;
  }

  /**
   * For each figure, the number of shuffles in which any figure reached its statistic. Stops when no figure can have a
   * chance of at most `level` any more.
   */
  private reachedBy(largest: readonly number[], level: number): readonly number[] {
    const reached = largest.map(() => 0);
    const random = new RandomNumbers(Uint32Array.of(this.labels.length, this.figures, this.high - this.low));
    const most = level * (1 + shuffles) - 1;
    const values = new Float64Array(this.high - this.low);
    for (let shuffle = 0; shuffle < shuffles; shuffle += 1) {
      this.shuffle(random);
      let top = 0;
      for (let figure = 0; figure < this.figures; figure += 1) {
        for (const value of this.statistics(figure, values)) {
          top = Math.max(top, Math.abs(value));
        }
      }
      largest.forEach((value, figure) => {
        reached[figure] = (reached[figure] ?? 0) + (top >= value - rounding ? 1 : 0);
      });
      if (Math.min(...reached) > most) {
        return largest.map(() => shuffles);
      }
    }
    return reached;
  }

  /** Fisher and Yates, within each stratum. */
  private shuffle(random: RandomNumbers): void {
    const { labels } = this;
    let start = 0;
    for (const end of this.ends) {
      for (let place = end - 1; place > start; place -= 1) {
        const other = start + random.below(place - start + 1);
        const label = labels[place] ?? 0;
        labels[place] = labels[other] ?? 0;
        labels[other] = label;
      }
      start = end;
    }
  }
}

/** The number of sessions from each version on. */
function countsFrom(sessions: readonly TestedSession[], low: number, high: number): Int32Array {
  const counts = new Int32Array(high - low);
  for (const { version } of sessions) {
    counts[version - low] = (counts[version - low] ?? 0) + 1;
  }
  for (let version = counts.length - 2; version >= 0; version -= 1) {
    counts[version] = (counts[version] ?? 0) + (counts[version + 1] ?? 0);
  }
  return counts;
}

/**
 * The ranks of values, with equal ranks for equal values, minus their mean, divided by the number of values plus one. 0
 * for an unknown value.
 */
function centredRanks(values: readonly number[]): readonly number[] {
  const order = [...values.keys()]
    .filter(place => !Number.isNaN(values[place]))
    .sort((first, second) => (values[first] ?? 0) - (values[second] ?? 0));
  const scores = values.map(() => 0);
  const mean = (order.length - 1) / 2;
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) {
      end += 1;
    }
    for (const place of order.slice(start, end)) {
      scores[place] = ((start + end - 1) / 2 - mean) / (order.length + 1);
    }
    start = end;
  }
  return scores;
}
