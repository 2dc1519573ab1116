import type { CacheSession } from '../cache/cacheSession';
import type { SessionSummary } from '../model/columns';
import type { RecordedUsage } from '../model/transcript';
import { circumstances, costParts, costSum, inputOf, pricesFor, writtenForHour } from '../tokens/prices';
import type { ModelLookUp } from '../tokens/modelTable';
import type { UsageFigures } from '../model/usageFigures';
import { requestUsage } from '../view/sessionCost';
import { simulateCache, type SimulatedPrompt } from './cacheSimulation';
import { type Course, type Prompt, recordedCourse } from './course';
import { type Setting, settingNames } from './settings';

/** Tokens by billing, and US dollars at list prices for the requests with a known price. */
export type WhatIfFigures = Pick<
  UsageFigures,
  'requests' | 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'money'
>;

/** Figures that a sum begins with. */
export const noFigures = (): { -readonly [Name in keyof WhatIfFigures]: number } => ({
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  money: 0,
});

/** A difference with the interval in which it lies in nine of ten cases (`coverage`). Negative: other settings save. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The share of cases in which an interval holds the true difference; see docs/what-if.md. */
export const coverage = 0.9;

/** A session under other settings. */
export type WhatIfSession =
  | {
      readonly kind: 'told';
      readonly recorded: WhatIfFigures;
      readonly changed: WhatIfFigures;
      /** US dollars. */
      readonly money: Difference;
      /** Input tokens of all kinds. */
      readonly tokens: Difference;
      /** Requests without a known price, which count in tokens alone. */
      readonly unpriced: number;
      /**
       * How far the simulated reads of the recorded course are from the recorded ones, as a share of the larger of the two.
       */
      readonly readError: number;
      /** Results that the settings drop although a later text refers to them; undefined if texts were not read. */
      readonly lost?: number | undefined;
    }
  | { readonly kind: 'untold'; readonly reason: WhatIfReason };

/** `noUsage`: no request of the period has recorded usage. Otherwise a sentence of a setting. */
export type WhatIfReason =
  | { readonly kind: 'noUsage' }
  | { readonly kind: 'setting'; readonly sentence: string };

export interface WhatIfOptions {
  readonly settings: readonly Setting[];
  readonly parts: SessionSummary['parts'];
  /** The name of the agent. */
  readonly agent?: string;
  readonly lookUp: ModelLookUp;
  /** The threads of the session, if its file holds several sessions. */
  readonly threads?: readonly number[];
  /** The requests of the period that were not counted in another session. */
  readonly includes?: (request: number) => boolean;
  /** The last text that refers to a result; -1 for none. */
  readonly lastUse?: (result: number) => number;
}

/**
 * Prices a session as if other settings had been used. One simulation of the cache prices the recorded and the changed
 * course; its difference is applied to the recorded usage of each request. All else stays as it was: replies, calls,
 * results, times. Linear in the blocks of all requests.
 */
export function whatIf(session: CacheSession, options: WhatIfOptions): WhatIfSession {
  return new WhatIfRun(session, options).with(options.settings);
}

/** A session whose recorded course is simulated once for several sets of settings. */
export class WhatIfRun {
  private readonly course: Course;
  private readonly simulated: readonly SimulatedPrompt[];

  constructor(
    private readonly session: CacheSession,
    private readonly options: Omit<WhatIfOptions, 'settings'>,
  ) {
    this.course = recordedCourse(session, options.threads);
    this.simulated = simulateCache(this.course);
  }

  with(settings: readonly Setting[]): WhatIfSession {
    const { session, options, simulated } = this;
    const includes = (request: number): boolean =>
      session.isRecorded(request) && (options.includes?.(request) ?? true);
    if (!this.course.prompts.some(({ request }) => includes(request))) {
      return { kind: 'untold', reason: { kind: 'noUsage' } };
    }
    let { course } = this;
    for (const { change } of inOrder(settings)) {
      const applied = change(course, options);
      if (applied.kind === 'untold') {
        return { kind: 'untold', reason: { kind: 'setting', sentence: applied.reason } };
      }
      ({ course } = applied);
    }
    const sum = new DifferenceSum(course);
    const after = new Map<number, { readonly sent: SimulatedPrompt; readonly added: Prompt['added'] }[]>();
    simulateCache(course).forEach((sent, index) => {
      const prompt = course.prompts[index];
      if (prompt !== undefined) {
        const entries = after.get(prompt.request) ?? [];
        entries.push({ sent, added: prompt.added });
        after.set(prompt.request, entries);
      }
    });
    simulated.forEach((before, index) => {
      const request = this.course.prompts[index]?.request;
      if (request !== undefined && includes(request)) {
        sum.add(request, before, after.get(request) ?? []);
      }
    });
    return { kind: 'told', ...sum.result(), lost: this.lost(course) };
  }

  /** Results that are dropped before a text that refers to them was written. */
  private lost({ dropped }: Course): number | undefined {
    const { lastUse } = this.options;
    const { firstRequest } = this.session.columns.blocks;
    if (lastUse === undefined) {
      return undefined;
    }
    const found = dropped.filter(({ block, request }) => {
      const user = lastUse(block);
      const first = firstRequest[user] ?? -1;
      return user >= 0 && (first < 0 || first > request);
    });
    return new Set(found.map(({ block }) => block)).size;
  }
}

function inOrder(settings: readonly Setting[]): readonly Setting[] {
  return settings.toSorted((one, other) => settingNames.indexOf(one.name) - settingNames.indexOf(other.name));
}

/** In seconds. */
const hour = 3600;

/** Even an exact difference of the simulation is not closer to the truth than this share of it. */
const leastError = 0.03;

class DifferenceSum {
  private readonly recorded = noFigures();
  private readonly changed = noFigures();
  private unpriced = 0;
  private tokens = 0;
  private tokenError = 0;
  private readonly reads = { wrong: 0, all: 0 };
  /** US dollars of differences that rest on the simulation, each with its error. */
  private moneyError = 0;
  private simulatedMoney = 0;

  constructor(private readonly course: Course) {}

  add(
    request: number,
    before: SimulatedPrompt,
    after: readonly { readonly sent: SimulatedPrompt; readonly added: Prompt['added'] }[],
  ): void {
    const { session } = this.course;
    const usage = requestUsage(session.columns, request);
    if (usage === undefined) {
      return;
    }
    this.reads.wrong += Math.abs(before.read - usage.cacheRead);
    this.reads.all += Math.max(before.read, usage.cacheRead);
    const changed = after.map(({ sent, added }) =>
      added === undefined
        ? this.changedUsage(request, usage, before, sent)
        : this.addedUsage(request, usage, sent, added),
    );
    const paid = this.cost(request, usage, false);
    const others = changed.map(each => this.cost(request, each, true));
    const isPriced = paid !== undefined && others.every(cost => cost !== undefined);
    const money = others.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    addTo(this.recorded, usage, isPriced ? paid : 0, 1);
    changed.forEach(each => addTo(this.changed, each, 0, 1));
    this.changed.money += isPriced ? money : 0;
    this.unpriced += isPriced ? 0 : 1;
    const tokens = changed.reduce((sum, each) => sum + inputOf(each), 0) - inputOf(usage);
    const error = leastError + (session.columns.requests.scaleError[request] ?? 0);
    this.tokens += tokens;
    this.tokenError += Math.abs(tokens) * error;
    if (isPriced) {
      // Other prices of the same tokens are exact, except that another model counts a little differently.
      const same =
        this.cost(request, { ...usage, cacheWriteHour: this.forHour(usage, usage.cacheWrite) }, true) ?? paid;
      this.simulatedMoney += Math.abs(money - same);
      this.moneyError += Math.abs(money - same) * error;
      this.moneyError += this.course.pricedAs === undefined ? 0 : Math.abs(same - paid) * leastError;
    }
  }

  result(): Omit<Extract<WhatIfSession, { readonly kind: 'told' }>, 'kind' | 'lost'> {
    const { recorded, changed, reads, tokens } = this;
    const readError = reads.all === 0 ? 0 : reads.wrong / reads.all;
    return {
      recorded,
      changed,
      money: around(changed.money - recorded.money, this.moneyError + this.simulatedMoney * readError),
      tokens: around(tokens, this.tokenError),
      unpriced: this.unpriced,
      readError,
    };
  }

  /** The recorded usage with the simulated differences applied to it. */
  private changedUsage(
    request: number,
    usage: RecordedUsage,
    before: SimulatedPrompt,
    after: SimulatedPrompt,
  ): RecordedUsage {
    const total = Math.max(0, Math.round(inputOf(usage) + after.total - before.total));
    const moved = usage.cacheRead + after.read - before.read;
    // Between the record and the simulation: a loss that the simulation does not know stays one.
    const [low, high] = [Math.min(usage.cacheRead, after.read), Math.max(usage.cacheRead, after.read)];
    const cacheRead = Math.min(total, Math.round(Math.max(low, Math.min(high, moved))));
    return this.billed(request, usage, total, cacheRead, usage.output);
  }

  private addedUsage(
    request: number,
    usage: RecordedUsage,
    { total, read }: SimulatedPrompt,
    { output, readShare }: NonNullable<Prompt['added']>,
  ): RecordedUsage {
    const cacheRead = Math.min(read, total * readShare);
    return this.billed(request, usage, Math.round(total), Math.round(cacheRead), Math.round(output));
  }

  /** Tokens that are not read count as uncached up to the recorded uncached input, then as written. */
  private billed(
    request: number,
    usage: RecordedUsage,
    total: number,
    cacheRead: number,
    output: number,
  ): RecordedUsage {
    const { session } = this.course;
    const writes = usage.cacheWrite > 0 || session.rowOf(request)?.cache.explicit === true;
    const unread = total - cacheRead;
    const input = writes ? Math.min(unread, usage.input) : unread;
    const cacheWrite = unread - input;
    return {
      ...usage,
      input,
      cacheRead,
      cacheWrite,
      cacheWriteHour: this.forHour(usage, cacheWrite),
      output,
    };
  }

  /** The part of some cache writes that is for an hour: as chosen, otherwise as in the recorded usage. */
  private forHour(usage: RecordedUsage, cacheWrite: number): number {
    const { lifetime } = this.course;
    if (lifetime !== undefined) {
      return lifetime >= hour ? cacheWrite : 0;
    }
    return usage.cacheWrite === 0
      ? (usage.cacheLifetime ?? 0) >= hour
        ? cacheWrite
        : 0
      : (cacheWrite * writtenForHour(usage)) / usage.cacheWrite;
  }

  /** US dollars of a request's own tokens. */
  private cost(request: number, usage: RecordedUsage, isChanged: boolean): number | undefined {
    const { session, pricedAs } = this.course;
    const prices = (isChanged ? (pricedAs ?? session.rowOf(request)) : session.rowOf(request))?.prices;
    const list =
      prices && pricesFor(prices, circumstances(usage, session.columns.requests.timestamp[request]));
    return list && costSum(costParts(list, usage));
  }
}

function addTo(
  sum: ReturnType<typeof noFigures>,
  { input, cacheRead, cacheWrite, output }: RecordedUsage,
  money: number,
  requests: number,
): void {
  sum.requests += requests;
  sum.input += input;
  sum.cacheRead += cacheRead;
  sum.cacheWrite += cacheWrite;
  sum.output += output;
  sum.money += money;
}

function around(value: number, error: number): Difference {
  return { value, low: value - error, high: value + error };
}
