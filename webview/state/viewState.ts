import * as v from 'valibot';
import { breakdownGroupings } from '../../src/core/breakdown/breakdownKinds';
import { colourModes } from '../../src/core/drawing/palette';
import { insightKinds } from '../../src/core/insights/insight';
import { blockKinds } from '../../src/core/model/block';
import { sensitivityLabels } from '../../src/core/model/labels';
import { sources } from '../../src/core/model/source';
import { findQuery } from '../../src/core/questions/findQuery';
import { planners } from '../../src/core/stability/planWords';
import { type Described, pruneOptions } from '../../src/protocol/schema';

export const mainViews = [
  'layout',
  'conversation',
  'table',
  'breakdown',
  'compaction',
  'comparison',
] as const;
export type MainView = (typeof mainViews)[number];

/** Parts of a conversation: all, what was said, edits, and what has a mark. */
export const conversationParts = ['all', 'talk', 'edits', 'marked'] as const;
export type ConversationPart = (typeof conversationParts)[number];

export const panels = ['block', 'cache', 'prune', 'waste', 'rendered', 'model'] as const;
export type Panel = (typeof panels)[number];

/** The panels that a wide page shows in a separate column. */
export const columnPanels = ['cache', 'prune'] as const satisfies readonly Panel[];

/** The panes with a saved size: the details in each class of the page's width, and the second column. */
export const paneNames = ['narrow', 'medium', 'wide', 'widest', 'column'] as const;
export type PaneName = (typeof paneNames)[number];

export const sortKeys = [
  'wire',
  'label',
  'source',
  'kind',
  'tool',
  'tokens',
  'sensitivity',
  'partition',
  'firstRequest',
  'line',
  'verdict',
] as const;
export type SortKey = (typeof sortKeys)[number];

export const verdicts = ['pruned', 'kept'] as const;
export type Verdict = (typeof verdicts)[number];

const index = v.pipe(v.number(), v.safeInteger());

const filterSchema = v.object({
  /** Blocks by number, from a finding of waste. */
  blocks: v.optional(v.array(index)),
  kind: v.optional(v.picklist(blockKinds)),
  sensitivity: v.optional(v.picklist(sensitivityLabels)),
  verdict: v.optional(v.picklist(verdicts)),
  source: v.optional(v.picklist(sources)),
});

/** The blocks that the table lists and the drawing does not dim. A search restricts them further. */
export type Filter = Described<typeof filterSchema>;

/** The search field. Its text is kept while it is closed. */
const findSchema = v.object({ ...findQuery.entries, isWholeSession: v.boolean(), isOpen: v.boolean() });

/** The measure of the breakdown's boxes: size, tokens sent, or cost. */
export const breakdownMeasures = ['tokens', 'carried', 'money'] as const;
export type BreakdownMeasure = (typeof breakdownMeasures)[number];

/** The scope of the breakdown: the request in view, or all requests. */
export const breakdownScopes = ['request', 'session'] as const;
export type BreakdownScope = (typeof breakdownScopes)[number];

/** A part of the breakdown by its path, which stays valid in later versions of the session. */
const partPath = v.array(v.string());

const breakdownSchema = v.object({
  measure: v.picklist(breakdownMeasures),
  scope: v.picklist(breakdownScopes),
  grouping: v.fallback(v.picklist(breakdownGroupings), 'content'),
  isTable: v.boolean(),
  /** The part whose children are shown. */
  root: partPath,
});

const length = v.pipe(v.number(), v.finite(), v.minValue(0));

const viewSchema = v.object({
  thread: v.fallback(index, 0),
  /** Index of the request; absent while the newest one is followed. */
  request: v.fallback(v.optional(index), undefined),
  /** Number of the selected block; `notRecordedBlock` for the unrecorded part. */
  block: v.fallback(v.optional(index), undefined),
  /** The other end of the selected range, a block number like `block`; absent if one block or nothing is selected. */
  rangeFrom: v.fallback(v.optional(index), undefined),
  colourMode: v.fallback(v.picklist(colourModes), 'source'),
  /** The planner of breakpoints in the cache panel. */
  planner: v.fallback(v.picklist(planners), 'own'),
  mainView: v.fallback(v.picklist(mainViews), 'layout'),
  /** Index in the summary of the chosen compaction. */
  compaction: v.fallback(v.optional(index), undefined),
  /** Index of the request that the one in view is compared with; absent for the one before. */
  compared: v.fallback(v.optional(index), undefined),
  /** Kinds of findings that the user has hidden in this file. */
  hiddenInsights: v.fallback(v.array(v.picklist(insightKinds)), []),
  panel: v.fallback(v.picklist(panels), 'block'),
  /** The content of the second column, if there is space for one. */
  column: v.fallback(v.picklist(columnPanels), 'prune'),
  /** True if the details are open; absent until the user opens or closes them. */
  isPaneOpen: v.fallback(v.optional(v.boolean()), undefined),
  /** In CSS pixels, for panes that the user has resized. */
  paneSizes: v.fallback(v.record(v.picklist(paneNames), v.optional(length)), {}),
  /** True if the key figures are folded; absent until the user folds or opens them. */
  isHeaderFolded: v.fallback(v.optional(v.boolean()), undefined),
  isTimelineFolded: v.fallback(v.boolean(), false),
  sort: v.fallback(v.object({ key: v.picklist(sortKeys), descending: v.boolean() }), {
    key: 'wire',
    descending: false,
  }),
  filter: v.fallback(filterSchema, {}),
  find: v.fallback(findSchema, {
    text: '',
    isRegex: false,
    matchesCase: false,
    isWholeSession: false,
    isOpen: false,
  }),
  breakdown: v.fallback(breakdownSchema, {
    measure: 'tokens',
    scope: 'request',
    grouping: 'content',
    isTable: false,
    root: [],
  }),
  /** The part of the breakdown that is highlighted in all views; absent if one block or nothing is selected. */
  part: v.fallback(v.optional(partPath), undefined),
  /** Tokens in a row of the drawing; absent while they are fitted to the window. */
  rowTokens: v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(1))), undefined),
  layoutScroll: v.fallback(length, 0),
  tableScroll: v.fallback(length, 0),
  /** True if the text of a block is shown in its form: Markdown, changes, code in colours. */
  isTextFormatted: v.fallback(v.boolean(), false),
  /** The messages that the conversation shows. */
  conversationPart: v.fallback(v.picklist(conversationParts), 'all'),
  /** The rows of the conversation that the user has opened, or closed if they are open at first. */
  toggledRows: v.fallback(v.array(v.string()), []),
  /** The what-if options; absent if they equal the settings. */
  prune: v.fallback(v.optional(pruneOptions), undefined),
});

/** The state that is kept when the editor is hidden or reloaded. */
export type ViewState = Described<typeof viewSchema>;

/** The view after a change. A change of the panel also opens the details; another block or view ends a range. */
export function changedView(view: ViewState, change: Partial<ViewState>): ViewState {
  const { panel } = change;
  const column = columnPanels.find(name => name === panel);
  return {
    ...view,
    ...(panel === undefined ? {} : { isPaneOpen: true }),
    ...(column === undefined ? {} : { column }),
    ...('block' in change || 'mainView' in change ? { rangeFrom: undefined } : {}),
    ...change,
  };
}

/** The number of the block for the unrecorded part. */
export const notRecordedBlock = -1;

/** Reads a saved state. Invalid members get their defaults. */
export function parseViewState(value: unknown): ViewState {
  const parsed = v.safeParse(viewSchema, value);
  return parsed.success ? parsed.output : v.parse(viewSchema, {});
}
