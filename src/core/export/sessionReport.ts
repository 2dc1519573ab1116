import { entryOf } from '../base/entryOf';
import type { CacheReport } from '../cache/cacheFinding';
import { CacheSession } from '../cache/cacheSession';
import { type SessionExposureReport, exposureReport } from '../exposure/exposureReport';
import type { SensitiveItem } from '../exposure/sensitiveItem';
import type { Insights } from '../insights/insight';
import { analysesOf } from '../insights/insightsOf';
import { rankInsights } from '../insights/rankInsights';
import type { Session, SessionColumns, SessionSummary } from '../model/columns';
import type { ShareLevel } from '../model/exportForm';
import type { SensitivityLabel } from '../model/labels';
import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import { type ComparedPrune, comparePrunes } from '../prune/compare';
import type { NetWorth, PruneNet } from '../prune/net';
import { cacheQuestions } from '../questions/cacheQuestions';
import { planOf } from '../questions/stabilityOf';
import { wasteOf } from '../questions/wasteQuestion';
import type { Gate } from '../sensitivity/gate';
import { redactionMark } from '../sensitivity/redactionMark';
import { byLabel } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import type { SightReport } from '../sight/sightReport';
import type { BreakpointPlan } from '../stability/breakpointPlan';
import { type Planner, planners } from '../stability/planWords';
import { requestsOfConversation } from '../view/requestNames';
import { largestFirst, type RequestView } from '../view/requestView';
import { type SessionCost, sessionCost, wholeCost } from '../view/sessionCost';
import type { WasteReport } from '../waste/wasteReport';
import { type BlockRow, blockRow } from './blockRow';
import { figuresOfCache, figuresOnly } from './figuresOnly';
import { type FindingRow, fileFindings, findingRows } from './fileFindings';
import { redactSession } from './redactSession';
import { type RequestFacts, requestFacts } from './requestFacts';
import { sensitivityFindings } from './sensitivityFindings';

/** The content of a report about a session and one of its requests. Labels are masked; findings have no text. */
export interface SessionReport extends RequestFacts {
  /** The findings of all analyses, the most important first. Their names are those of the columns. */
  readonly insights: Insights;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** 0-based index among the requests of its conversation, and the number of these requests. */
  readonly index: number;
  readonly requests: number;
  /** Cost of all requests of the file. */
  readonly cost: SessionCost;
  readonly largest: readonly BlockRow[];
  readonly cache: CacheReport;
  /** The breakpoints of the request by planner. */
  readonly plans: readonly { readonly planner: Planner; readonly plan: BreakpointPlan }[];
  /** The avoidable context of the whole file. Its names are those of the columns. */
  readonly waste: WasteReport;
  readonly prune: {
    readonly options: PruneOptions;
    readonly rows: readonly PruneRow[];
  };
  /** Findings in the blocks of the request by rule, credentials first. */
  readonly sensitivity: readonly RuleRow[];
  /** Findings in the whole file by rule and place, also outside requests. */
  readonly found: readonly FindingRow[];
  /** The requests that sent each secret and each block with a secret. */
  readonly exposure: SessionExposureReport;
}

/** One rule set at a request. */
export interface PruneRow {
  readonly ruleSet: PruneRuleSet;
  readonly candidates: number;
  readonly tokensFreed: number;
  readonly tokensAfter: number;
  readonly prefixTokens: number;
  readonly executes: boolean;
  /** The net value, including the cost of the lost cache; without the curve, which has a point for each request. */
  readonly net: Omit<PruneNet, 'worth'> & { readonly worth: Omit<NetWorth, 'curve'> | undefined };
}

export interface RuleRow {
  readonly rule: string;
  readonly label: SensitivityLabel;
  readonly count: number;
  /** The first lines in the transcript. */
  readonly lines: readonly number[];
}

const mostBlocks = 20;
const mostLines = 8;

/** The content that a report may show. Every foreign text passes the gate; a report with everything has no gate. */
export type Disclosure =
  | { readonly level: 'full' }
  | { readonly level: Exclude<ShareLevel, 'full'>; readonly gate: Gate };

/** Creates a report. The session must be counted and scanned. */
export async function sessionReport(
  session: TranscriptSession,
  request: number,
  options: PruneOptions,
  scanner: SecretScanner,
  disclosure: Disclosure,
): Promise<SessionReport> {
  // Figures are computed for the session as recorded, because rules look at names.
  const recorded = session.toSession();
  const facts = requestFacts(recorded, request, options);
  const { view } = facts;
  const analyses = await analysesOf(session, options);
  const waste = analyses.waste ?? (await wasteOf(session));
  const named = waste.findings.flatMap(({ blocks }) => blocks.map(({ block }) => block));
  const { summary, columns } = await shownSession(
    recorded,
    [...new Set([...view.blocks, ...named])],
    disclosure,
  );
  const { requests: all } = session.transcript;
  const requests = requestsOfConversation(all, all[request]?.thread ?? 0);
  const largest = largestBlocks(columns, view);
  const cache = await shownCache(await cacheQuestions(session).report(), disclosure);
  const items = await shownItems(analyses.sensitive ?? [], disclosure);
  const sight = analyses.sight && (await shownSight(analyses.sight, disclosure));
  return {
    insights: await shownInsights(
      rankInsights({ columns, summary }, { ...analyses, cache, sensitive: items, sight }),
      disclosure,
    ),
    summary,
    columns,
    ...facts,
    index: requests.indexOf(request),
    requests: requests.length,
    cost: await shownCost(recorded, disclosure),
    // A hash would confirm a guess of a short text.
    largest: disclosure.level === 'figures' ? largest.map(row => ({ ...row, contentHash: '' })) : largest,
    cache,
    plans: await plansOf(session, request),
    waste,
    prune: {
      options,
      rows: comparePrunes(new CacheSession(recorded), view, options).map(pruneRow),
    },
    sensitivity: byRule(await sensitivityFindings(session, [...new Set(view.blocks)], scanner)),
    found: findingRows(await fileFindings(session, scanner)),
    exposure: exposureReport({ columns, summary }, items),
  };
}

async function shownSession(
  recorded: Session,
  blocks: readonly number[],
  disclosure: Disclosure,
): Promise<Session> {
  switch (disclosure.level) {
    case 'full':
      return recorded;
    case 'redacted':
      return redactSession(recorded, blocks, disclosure.gate);
    case 'figures':
      return figuresOnly(recorded);
  }
}

/**
 * A text of the transcript as a report shows it.
 * @param inFigures the text that a report of figures has in its place
 */
async function shownText(text: string, disclosure: Disclosure, inFigures: string): Promise<string> {
  switch (disclosure.level) {
    case 'full':
      return text;
    case 'redacted':
      return disclosure.gate.text(text);
    case 'figures':
      return inFigures;
  }
}

/** The names of models are the transcript's own. A report of figures names only models that the program knows. */
async function shownCost({ summary, columns }: Session, disclosure: Disclosure): Promise<SessionCost> {
  const cost = wholeCost(sessionCost(columns, summary.models), summary);
  const known = new Set(summary.models.map(({ id }) => id));
  const byModel = cost.byModel.map(async row => {
    const { model } = row;
    const inFigures = model === '' || known.has(model) ? model : redactionMark('model');
    return { ...row, model: await shownText(model, disclosure, inFigures) };
  });
  return { ...cost, byModel: await Promise.all(byModel) };
}

async function shownCache(report: CacheReport, disclosure: Disclosure): Promise<CacheReport> {
  switch (disclosure.level) {
    case 'full':
      return report;
    case 'figures':
      return figuresOfCache(report);
    case 'redacted': {
      const findings = report.findings.map(async finding => ({
        ...finding,
        evidence: await Promise.all(finding.evidence.map(fact => disclosure.gate.text(fact))),
      }));
      return { ...report, findings: await Promise.all(findings) };
    }
  }
}

/** The names of members are the transcript's own. */
async function shownItems(
  items: readonly SensitiveItem[],
  disclosure: Disclosure,
): Promise<readonly SensitiveItem[]> {
  const shownPlace = async (place: SensitiveItem['places'][number]): Promise<typeof place> => {
    const { member, ...rest } = place;
    switch (disclosure.level) {
      case 'full':
        return place;
      case 'redacted':
        return member === undefined ? rest : { ...rest, member: await disclosure.gate.text(member) };
      case 'figures':
        return rest;
    }
  };
  return Promise.all(
    items.map(async item => ({ ...item, places: await Promise.all(item.places.map(shownPlace)) })),
  );
}

/**
 * Names of models and of settings in the sentences are the transcript's own. Those of a report of figures come from
 * figures alone.
 */
async function shownInsights(insights: Insights, disclosure: Disclosure): Promise<Insights> {
  const shown = (sentence: string): Promise<string> => shownText(sentence, disclosure, sentence);
  const found = insights.found.map(async insight => ({
    ...insight,
    what: await shown(insight.what),
    why: await shown(insight.why),
  }));
  return { ...insights, found: await Promise.all(found), unpriced: await shown(insights.unpriced) };
}

/** The paths of edited files are the transcript's own. */
async function shownSight(report: SightReport, disclosure: Disclosure): Promise<SightReport> {
  const edits = report.edits.map(async edit => ({
    ...edit,
    path: await shownText(edit.path, disclosure, redactionMark('path')),
  }));
  return { ...report, edits: await Promise.all(edits) };
}

function largestBlocks(columns: SessionColumns, view: RequestView): readonly BlockRow[] {
  return largestFirst(view)
    .slice(0, mostBlocks)
    .map(position => blockRow(columns, view, position));
}

export function pruneRow({ ruleSet, preview: { plan, tokensAfter, prefix }, net }: ComparedPrune): PruneRow {
  return {
    ruleSet,
    candidates: plan.candidates.length,
    tokensFreed: plan.tokensFreed,
    tokensAfter,
    prefixTokens: prefix.tokens,
    executes: plan.executes,
    net: { ...net, worth: net.worth && withoutCurve(net.worth) },
  };
}

function withoutCurve({ curve: _, ...worth }: NetWorth): Omit<NetWorth, 'curve'> {
  return worth;
}

function byRule(
  findings: readonly { readonly rule: string; readonly label: SensitivityLabel; readonly line: number }[],
): readonly RuleRow[] {
  const rows = new Map<string, { rule: string; label: SensitivityLabel; count: number; lines: number[] }>();
  for (const { rule, label, line } of findings) {
    const row = entryOf(rows, `${label} ${rule}`, () => ({ rule, label, count: 0, lines: [] }));
    row.count += 1;
    if (row.lines.length < mostLines && !row.lines.includes(line)) {
      row.lines.push(line);
    }
  }
  return [...rows.values()].sort((first, second) => byLabel(first, second) || second.count - first.count);
}

async function plansOf(session: TranscriptSession, request: number): Promise<SessionReport['plans']> {
  const plans: { readonly planner: Planner; readonly plan: BreakpointPlan }[] = [];
  for (const planner of planners) {
    plans.push({ planner, plan: await planOf(session, request, planner) });
  }
  return plans;
}
