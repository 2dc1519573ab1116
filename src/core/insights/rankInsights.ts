import { groupBy } from '../base/groupBy';
import { tokens as tokenCount } from '../base/countWords';
import { formatNumber } from '../base/format';
import { at } from '../base/numbers';
import { translate } from '../base/translate';
import { type CacheFinding, type CacheReport, isMeant } from '../cache/cacheFinding';
import { causeWords, certaintyText, diagnosisText } from '../cache/causeWords';
import { exposureReports } from '../exposure/exposureReport';
import { sentWords } from '../exposure/exposureWords';
import type { SensitiveItem } from '../exposure/sensitiveItem';
import type { Session } from '../model/columns';
import { hindsightParts } from '../prune/hindsight';
import type { Found, PruneMomentChoice } from '../prune/search';
import { ruleName } from '../sensitivity/ruleWords';
import type { AuditedEdit, SightReport } from '../sight/sightReport';
import { fetchedText } from '../sight/sightWords';
import type { IdealLayout } from '../stability/idealLayout';
import { missingCost } from '../tokens/costNotes';
import { requestLabel, requestNames } from '../view/requestNames';
import { knownCost } from '../tokens/usageFigures';
import { sessionCost, wholeCost } from '../view/sessionCost';
import type { WasteReport } from '../waste/wasteReport';
import { WasteWords } from '../waste/wasteWords';
import { byWorth, type Insight, type Insights, leastShare } from './insight';
import { insightFigure } from './insightWords';

/** The results of the analyses of a session, as far as they are known. */
export interface Analyses {
  readonly cache?: CacheReport | undefined;
  readonly sensitive?: readonly SensitiveItem[] | undefined;
  readonly waste?: WasteReport | undefined;
  readonly moment?: Found<PruneMomentChoice> | undefined;
  readonly sight?: SightReport | undefined;
  /** Of the newest request. */
  readonly layout?: IdealLayout | undefined;
}

/** Blocks of a finding that are highlighted. */
const mostBlocks = 200;
/** Names in a line. */
const mostNames = 2;

/**
 * Puts the findings of all analyses into one ranked list. All figures are those of the analyses; names are those of the
 * session's columns.
 */
export function rankInsights(session: Session, analyses: Analyses): Insights {
  const { columns, summary } = session;
  const listed = new Listed(session);
  const { cache, sensitive, waste, moment, sight, layout } = analyses;
  const found = [
    ...(sensitive === undefined ? [] : listed.sensitive(sensitive)),
    ...(cache === undefined ? [] : cache.findings.map(finding => listed.loss(finding))),
    ...(waste === undefined ? [] : listed.waste(waste)),
    ...listed.prune(moment),
    ...(sight === undefined ? [] : listed.sight(sight)),
    ...listed.layout(layout),
  ].sort(byWorth);
  const isPriced = found.some(({ money }) => money !== null);
  const isCounted = found.some(({ tokens }) => tokens !== null);
  const cost = wholeCost(sessionCost(columns, summary.models), summary);
  const least = leastShare * (knownCost(cost.total).money ?? 0);
  const worth = found.filter(({ money }) => money === null || money >= least);
  return {
    found: worth,
    below: found.length - worth.length,
    unpriced: isPriced || !isCounted ? '' : (missingCost(cost, columns.requests.thread.length) ?? ''),
    isComplete: waste !== undefined && sight !== undefined,
  };
}

/** Finding without a figure. */
const noFigure = {
  figure: '',
  mark: '',
  money: null,
  tokens: null,
  quality: 'exact',
  error: 0,
} as const;

/** Writes the findings with the names of a session. */
class Listed {
  private readonly labels: readonly string[];
  private readonly wasteWords: WasteWords;

  constructor(private readonly session: Session) {
    this.labels = requestNames([...session.columns.requests.thread].map(thread => ({ thread }))).map(
      requestLabel,
    );
    this.wasteWords = new WasteWords(session);
  }

  /** The secrets by rule, and all private data together. */
  sensitive(items: readonly SensitiveItem[]): readonly Insight[] {
    const { firstRequest } = this.session.columns.blocks;
    const groups = [...groupBy(items, ({ rule, label }) => (label === 'restricted' ? rule : '')).values()];
    const blocksOf = (group: readonly SensitiveItem[]): readonly number[] => [
      ...new Set(group.flatMap(({ places }) => places.map(({ block }) => block))),
    ];
    const reports = exposureReports(this.session, groups.map(blocksOf));
    return groups.flatMap((group, place): readonly Insight[] => {
      const report = reports[place];
      const blocks = blocksOf(group).filter(block => (firstRequest[block] ?? -1) >= 0);
      if (report === undefined || report.requests === 0 || blocks.length === 0) {
        return [];
      }
      const isSecret = group[0]?.label === 'restricted';
      const rules = [...new Set(group.map(({ rule }) => rule))];
      const names = rules.map(ruleName);
      const what = names.slice(0, mostNames).join(', ');
      const count = group.length === 1 || names.length > 1 ? '' : ` × ${formatNumber(group.length)}`;
      return [
        {
          ...noFigure,
          kind: isSecret ? 'secret' : 'privateData',
          detail: rules.length === 1 ? (rules[0] ?? '') : '',
          what: names.length > mostNames ? `${what}, …` : `${what}${count}`,
          why: report.requests === 0 ? sentWords(report) : translate('sent {0}', sentWords(report)),
          request: blocks.reduce((least, block) => Math.min(least, at(firstRequest, block)), Infinity),
          blocks: blocks.slice(0, mostBlocks),
          panel: 'block',
        },
      ];
    });
  }

  loss(finding: CacheFinding): Insight {
    const { request, tokensLost, moneyLost, causes, place } = finding;
    const isCompaction = isMeant(finding);
    const label = this.label(request);
    const money = moneyLost ?? null;
    const figure = { value: tokensLost, quality: 'exact', error: 0 } as const;
    return {
      kind: isCompaction ? 'compaction' : 'loss',
      detail: causes[0],
      what: !isCompaction
        ? translate('Cache lost at request {0}', label)
        : causes[0] === 'compaction'
          ? translate('Compacted at request {0}', label)
          : translate('Results pruned at request {0}', label),
      why: isCompaction ? translate('{0} written again', tokenCount(tokensLost)) : reasonOf(finding),
      ...insightFigure(money, figure),
      money,
      tokens: tokensLost,
      quality: figure.quality,
      error: figure.error,
      request,
      blocks: place?.after === undefined ? [] : [place.after],
      panel: isCompaction ? 'compaction' : 'cache',
    };
  }

  waste({ findings }: WasteReport): readonly Insight[] {
    return findings.map(finding => {
      const { kind, money, cached, fresh, quality, error, blocks } = finding;
      const { title, evidence } = this.wasteWords.of(finding);
      const [first] = blocks;
      const tokens = cached + fresh;
      return {
        kind: 'waste',
        detail: kind,
        what: title,
        why: evidence,
        ...insightFigure(money, { value: tokens, quality, error }),
        money,
        tokens,
        quality,
        error,
        request: Math.max(0, first?.since ?? 0),
        blocks: blocks.map(({ block }) => block).slice(0, mostBlocks),
        panel: 'waste',
      };
    });
  }

  /** The best moment to prune, unless not pruning is best. */
  prune(found: Found<PruneMomentChoice> | undefined): readonly Insight[] {
    const best = found?.best;
    if (found === undefined || best === undefined) {
      return [];
    }
    const { request, gained, tokensFreed, quality, error, results } = best;
    const { money } = gained;
    return [
      {
        kind: 'prune',
        detail: '',
        what: translate(
          '{0, plural, one {# old result} other {# old results}} could be pruned at request {1}',
          results,
          this.label(request),
        ),
        why: [
          `−${tokenCount(tokensFreed)}`,
          ...hindsightParts(best, found.foreseen, label => this.label(label)),
        ].join(', '),
        ...insightFigure(money, { value: tokensFreed, quality, error }),
        money,
        tokens: tokensFreed,
        quality,
        error,
        request,
        blocks: [],
        panel: 'prune',
      },
    ];
  }

  sight({ edits, compactions }: SightReport): readonly Insight[] {
    return [...this.fetchedAgain(compactions), ...this.staleEdits(edits)];
  }

  private fetchedAgain(compactions: SightReport['compactions']): readonly Insight[] {
    const { summary, columns } = this.session;
    return compactions.flatMap(after => {
      const { compaction: place, fetched, tokens, cached, fresh, money = null } = after;
      const compaction = summary.compactions[place];
      const request =
        compaction === undefined
          ? -1
          : columns.requests.thread.indexOf(compaction.thread, compaction.request);
      if (fetched.length === 0 || request < 0) {
        return [];
      }
      const { money: _, ...counted } = after;
      // The cost is that of all requests that carried them, like that of waste.
      const figure = { value: cached + fresh, quality: 'calibrated' } as const;
      return [
        {
          kind: 'fetchedAgain',
          detail: '',
          what:
            compaction?.kind === 'clearing'
              ? translate('Fetched again after results were pruned at request {0}', this.label(request))
              : translate('Fetched again after the compaction at request {0}', this.label(request)),
          why: fetchedText(counted),
          ...insightFigure(money, figure),
          money,
          tokens: cached + fresh === 0 ? tokens : cached + fresh,
          quality: figure.quality,
          error: 0,
          request,
          blocks: fetched.map(({ block }) => block).slice(0, mostBlocks),
          panel: 'compaction',
        } satisfies Insight,
      ];
    });
  }

  private staleEdits(edits: readonly AuditedEdit[]): readonly Insight[] {
    const stale = edits.filter(({ verdict, request }) => verdict.kind === 'stale' && request >= 0);
    const [first] = stale;
    if (first === undefined) {
      return [];
    }
    const paths = [...new Set(stale.map(({ path }) => path))].slice(0, mostNames);
    const places = stale.slice(0, mostNames).map(({ request }) => this.label(request));
    return [
      {
        ...noFigure,
        kind: 'staleEdit',
        detail: '',
        what: translate(
          '{0, plural, one {# edit} other {# edits}} of lines that had changed since they were read',
          stale.length,
        ),
        why: [...paths, translate('request {0}', places.join(', '))].join(', '),
        request: this.firstWith(first.block) ?? first.request,
        blocks: stale.map(({ block }) => block).slice(0, mostBlocks),
        panel: 'block',
      },
    ];
  }

  /** Changing blocks that keep the blocks after them out of the cache. */
  layout(layout: IdealLayout | undefined): readonly Insight[] {
    if (layout === undefined) {
      return [];
    }
    const { request, early, frozen, frozenStateLast, dollarsSaved } = layout;
    const tokens = frozenStateLast - frozen;
    if (early.length === 0 || tokens <= 0) {
      return [];
    }
    const money = dollarsSaved ?? null;
    const figure = { value: tokens, quality: 'calibrated' } as const;
    return [
      {
        kind: 'layout',
        detail: '',
        what: translate(
          '{0, plural, one {# changing block comes} other {# changing blocks come}} before stable ones',
          early.length,
        ),
        why: translate('{0} more could stay cached in each request', tokenCount(tokens)),
        ...insightFigure(money, figure),
        money,
        tokens,
        quality: figure.quality,
        error: 0,
        request,
        blocks: early.map(({ block }) => block).slice(0, mostBlocks),
        panel: 'cache',
      },
    ];
  }

  /** The first request that contains a block. */
  private firstWith(block: number): number | undefined {
    const first = this.session.columns.blocks.firstRequest[block] ?? -1;
    return first < 0 ? undefined : first;
  }

  private label(request: number): string {
    return this.labels[request] ?? '';
  }
}

/** The reason of a loss: the shown fact, otherwise the likely causes and their certainty. */
function reasonOf(finding: CacheFinding): string {
  const { causes, certainty, recorded, evidence } = finding;
  const [fact] = evidence;
  if (certainty === 'shown' && fact !== undefined) {
    return fact.replace(/[.。]$/u, '');
  }
  const names = causes.map(cause => causeWords[cause]).join(', ');
  return recorded === null ? `${names}, ${certaintyText(finding)}` : diagnosisText(recorded);
}
