import { entryOf } from '../base/entryOf';
import { billionths, dollarsOf } from '../base/moneySum';
import type { CacheBreakCause } from '../cache/cacheFinding';
import { FiguresSum, type UsedRequest } from '../tokens/usageFigures';
import type { WasteKind } from '../waste/wasteKinds';
import type { RuleCount } from './ruleCount';
import type { LossSum, UsageLosses } from './usageLosses';
import type { UsagePart, UsageSum } from './usageTypes';

/** The tokens that a request paid for again. `isMeant` is true if a compaction or a prune was the reason. */
interface LostTokens {
  readonly cause: CacheBreakCause;
  readonly isMeant: boolean;
  readonly tokens: number;
  readonly money: number | undefined;
}

/** The usage and the losses of a request. */
export interface CountedRequest extends UsedRequest {
  /** The session in which it is counted. */
  readonly root: string;
  /** The request's file with its findings; undefined if the file was read only for its usage. */
  readonly file: { readonly findings: readonly RuleCount[] } | undefined;
  readonly lost: LostTokens | undefined;
  /** Input tokens that belong to no recorded text; undefined if the file was read only for its usage. */
  readonly notRecorded: number | undefined;
  /** Compactions of its conversation since the request before it. */
  readonly compactions: number;
  /** The avoidable content that it carried, one entry for each kind. */
  readonly wasted:
    | readonly { readonly kind: WasteKind; readonly tokens: number; readonly money: number | undefined }[]
    | undefined;
}

/** The sums of a row. */
export class Row {
  private readonly sessions = new Set<string>();
  private readonly figures = new FiguresSum();

  private readonly lost = new CacheLosses();
  private readonly meant = new CacheLosses();
  private readonly kinds = new Map<WasteKind, Losses>();
  private readonly wasted = new Losses();
  private readonly files = new Set<NonNullable<CountedRequest['file']>>();
  private unread = 0;
  /** Of a tool or a server. */
  calls = 0;

  constructor(
    readonly key: string,
    readonly subagents: boolean | undefined,
    readonly part?: UsagePart,
  ) {}

  add(request: CountedRequest): void {
    const { prices, root, file, lost, wasted } = request;
    this.figures.add(request);
    this.sessions.add(root);
    if (file === undefined) {
      this.unread += 1;
    } else {
      this.files.add(file);
    }
    if (lost !== undefined) {
      (lost.isMeant ? this.meant : this.lost).add(lost);
    }
    if (wasted !== undefined) {
      this.wasted.add({
        tokens: wasted.reduce((sum, { tokens }) => sum + tokens, 0),
        money: prices === undefined ? undefined : wasted.reduce((sum, part) => sum + (part.money ?? 0), 0),
      });
      wasted.forEach(part => entryOf(this.kinds, part.kind, () => new Losses()).add(part));
    }
  }

  sum(): UsageSum {
    const isKnown = this.part === undefined && this.files.size > 0;
    return {
      sessions: this.sessions.size,
      ...this.figures.figures(),
      ...(isKnown ? { losses: this.losses() } : {}),
    };
  }

  private losses(): UsageLosses {
    const rules = new Map<string, RuleCount>();
    for (const { findings } of this.files) {
      for (const { rule, label, count } of findings) {
        // Losses count credentials, not personal data.
        if (label === 'restricted') {
          rules.set(rule, { rule, label, count: count + (rules.get(rule)?.count ?? 0) });
        }
      }
    }
    return {
      unread: this.unread,
      cache: this.lost.sum(),
      meant: this.meant.sum(),
      waste: {
        ...this.wasted.sum(),
        kinds: [...this.kinds].map(([kind, losses]) => ({ kind, ...losses.sum() })).sort(byLoss),
      },
      findings: [...rules.values()].sort(
        (first, second) => second.count - first.count || (first.rule < second.rule ? -1 : 1),
      ),
    };
  }
}

const byLoss = (first: LossSum, second: LossSum): number =>
  second.money - first.money || second.tokens - first.tokens;

class Losses {
  private readonly sums = { requests: 0, tokens: 0, money: 0, unpriced: 0 };

  add({ tokens, money }: { readonly tokens: number; readonly money: number | undefined }): void {
    const { sums } = this;
    sums.requests += 1;
    sums.tokens += tokens;
    sums.money += billionths(money ?? 0);
    sums.unpriced += money === undefined ? 1 : 0;
  }

  sum(): LossSum {
    return { ...this.sums, money: dollarsOf(this.sums.money) };
  }
}

/** Losses of the cache, in all and by cause. */
class CacheLosses {
  private readonly all = new Losses();
  private readonly causes = new Map<CacheBreakCause, Losses>();

  add(lost: LostTokens): void {
    this.all.add(lost);
    entryOf(this.causes, lost.cause, () => new Losses()).add(lost);
  }

  sum(): UsageLosses['cache'] {
    return {
      ...this.all.sum(),
      causes: [...this.causes].map(([cause, losses]) => ({ cause, ...losses.sum() })).sort(byLoss),
    };
  }
}
