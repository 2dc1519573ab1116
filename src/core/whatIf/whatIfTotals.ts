import { entryOf } from '../base/entryOf';
import {
  type Difference,
  noFigures,
  type WhatIfFigures,
  type WhatIfReason,
  type WhatIfSession,
} from './whatIf';

/** The name of a session in the table. */
export interface WhatIfName {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly project: string;
  /** The path of its file, and its conversation in there. */
  readonly file: string;
  readonly conversation: number;
}

/** Figures of one or several sessions. Members as in `WhatIfSession`. */
export interface WhatIfSum {
  readonly recorded: WhatIfFigures;
  readonly changed: WhatIfFigures;
  readonly money: Difference;
  readonly tokens: Difference;
  readonly unpriced: number;
  readonly lost?: number | undefined;
}

/** A session with its subagents. */
export interface WhatIfRow extends WhatIfName, WhatIfSum {
  /** Reasons why nothing can be told of it, or of some of its files. */
  readonly reasons: readonly WhatIfReason[];
  /** False if nothing can be told of it at all. */
  readonly isTold: boolean;
}

export interface WhatIfOverview {
  /** `NAME=VALUE`. */
  readonly settings: readonly string[];
  readonly assumptions: readonly string[];
  /** The share of cases in which an interval holds the true difference. */
  readonly coverage: number;
  /** The greatest difference first. */
  readonly rows: readonly WhatIfRow[];
  /** Of the sessions of which something can be told. */
  readonly total: WhatIfSum & { readonly sessions: number; readonly untold: number };
}

type Told = Extract<WhatIfSession, { readonly kind: 'told' }>;

/** Adds up sessions. Errors are added too, as if all had the same cause. */
export class WhatIfTotals {
  private readonly sessions = new Map<
    string,
    { readonly name: WhatIfName; sums: Sum; reasons: WhatIfReason[] }
  >();

  /** @param root the same for a session and its subagents, whose names do not count */
  add(root: string, name: WhatIfName, isSubagent: boolean, result: WhatIfSession): void {
    const known = this.sessions.get(root);
    const entry = {
      name: known === undefined || !isSubagent ? name : known.name,
      sums: known?.sums ?? new Sum(),
      reasons: known?.reasons ?? [],
    };
    this.sessions.set(root, entry);
    if (result.kind === 'told') {
      entry.sums.add(result);
    } else if (!entry.reasons.some(reason => reasonKey(reason) === reasonKey(result.reason))) {
      entry.reasons.push(result.reason);
    }
  }

  overview(settings: readonly string[], assumptions: readonly string[], coverage: number): WhatIfOverview {
    const total = new Sum();
    const rows = [...this.sessions.values()].map(({ name, sums, reasons }) => {
      total.join(sums);
      return { ...name, ...sums.sum(), reasons, isTold: sums.count > 0 };
    });
    const told = rows.filter(({ isTold }) => isTold).length;
    return {
      settings,
      assumptions,
      coverage,
      rows: rows.sort(
        (one, other) =>
          Number(other.isTold) - Number(one.isTold) ||
          Math.abs(other.money.value) - Math.abs(one.money.value) ||
          Math.abs(other.tokens.value) - Math.abs(one.tokens.value),
      ),
      total: { ...total.sum(), sessions: told, untold: rows.length - told },
    };
  }
}

const reasonKey = (reason: WhatIfReason): string => (reason.kind === 'noUsage' ? '' : reason.sentence);

const noDifference: Difference = { value: 0, low: 0, high: 0 };

class Sum {
  count = 0;
  private readonly recorded = noFigures();
  private readonly changed = noFigures();
  private money = noDifference;
  private tokens = noDifference;
  private unpriced = 0;
  private lost: number | undefined;

  add(result: Omit<Told, 'kind' | 'readError'>): void {
    this.count += 1;
    addFigures(this.recorded, result.recorded);
    addFigures(this.changed, result.changed);
    this.money = together(this.money, result.money);
    this.tokens = together(this.tokens, result.tokens);
    this.unpriced += result.unpriced;
    this.lost = result.lost === undefined ? this.lost : (this.lost ?? 0) + result.lost;
  }

  join(other: Sum): void {
    if (other.count > 0) {
      this.add(other.sum());
    }
  }

  sum(): WhatIfSum {
    const { recorded, changed, money, tokens, unpriced, lost } = this;
    return { recorded, changed, money, tokens, unpriced, lost };
  }
}

function addFigures(sum: ReturnType<typeof noFigures>, more: WhatIfFigures): void {
  sum.requests += more.requests;
  sum.input += more.input;
  sum.cacheRead += more.cacheRead;
  sum.cacheWrite += more.cacheWrite;
  sum.output += more.output;
  sum.money += more.money;
}

function together(one: Difference, other: Difference): Difference {
  return { value: one.value + other.value, low: one.low + other.low, high: one.high + other.high };
}

/** Several choices of settings, summed over the same sessions. */
export class BestSums {
  private readonly sums = new Map<
    string,
    { readonly settings: readonly string[]; readonly sum: Sum; readonly results: string[] }
  >();

  add(settings: readonly string[], result: WhatIfSession): void {
    const { sum, results } = entryOf(this.sums, settings.join(' '), () => ({
      settings,
      sum: new Sum(),
      results: [],
    }));
    results.push(resultKey(result));
    if (result.kind === 'told') {
      sum.add(result);
    }
  }

  /**
   * The choices that save money in all of their interval, those that save the most first. Of choices whose result is the
   * same in every session, only the one with the fewest settings.
   */
  best(most: number): readonly BestSettings[] {
    const simplest = new Map<string, { readonly settings: readonly string[]; readonly sum: Sum }>();
    for (const { settings, sum, results } of this.sums.values()) {
      const key = results.join(' ');
      const known = simplest.get(key);
      if (known === undefined || settings.length < known.settings.length) {
        simplest.set(key, { settings, sum });
      }
    }
    return [...simplest.values()]
      .map(({ settings, sum }) => {
        const { money, tokens, lost } = sum.sum();
        return { settings, money, tokens, lost };
      })
      .filter(({ settings, money }) => settings.length > 0 && money.high < 0)
      .sort((one, other) => one.money.value - other.money.value)
      .slice(0, most);
  }
}

/** The same for results that differ in nothing but rounding; nothing told counts as no difference. */
function resultKey(result: WhatIfSession): string {
  return result.kind === 'told'
    ? [result.money.value.toFixed(6), result.tokens.value, result.lost ?? 0].join()
    : [(0).toFixed(6), 0, 0].join();
}

export interface BestSettings extends Pick<WhatIfSum, 'money' | 'tokens' | 'lost'> {
  readonly settings: readonly string[];
}
