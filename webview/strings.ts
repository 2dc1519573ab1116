import { counted, formatNumber, formatQuality } from '../src/core/base/format';
import type { BoundaryKind } from '../src/core/drawing/boundaries';
import { edgeWords, laneWords, legendWords, timelineWords } from '../src/core/drawing/drawingWords';
import type { ColourMode } from '../src/core/drawing/palette';
import type { PredictionReason } from '../src/core/model/columns';
import type { PruneMeasure, PruneReplacement, PruneRuleSet } from '../src/core/model/pruneConfig';
import type { ProblemKind } from '../src/core/model/transcript';
import type { KeepReason } from '../src/core/prune/ruleSet';
import type { TokenFigure } from '../src/core/tokens/quality';
import type { MainView, Panel, SortKey, Verdict } from './state/viewState';

export {
  kindWords,
  partitionWords,
  provenanceWords,
  sensitivityWords,
} from '../src/core/drawing/drawingWords';

type Words<Key extends string> = Readonly<Record<Key, string>>;

export const modeWords: Words<ColourMode> = {
  sensitivity: 'Sensitivity',
  provenance: 'Provenance',
  role: 'Role',
  cache: 'Cache',
};

export const mainViewWords: Words<MainView> = {
  layout: 'Slots',
  table: 'Table',
  compaction: 'Compaction',
};
export const panelWords: Words<Panel> = {
  block: 'Block',
  cache: 'Cache',
  prune: 'Prune',
  rendered: 'Rendered',
  model: 'Model',
};
export const verdictWords: Words<Verdict> = { pruned: 'prune candidates', kept: 'kept results' };

export const sortWords: Words<SortKey> = {
  wire: 'Place',
  label: 'Block',
  kind: 'Kind',
  tool: 'Tool',
  tokens: 'Tokens',
  sensitivity: 'Sensitivity',
  partition: 'Slot',
  firstRequest: 'Since',
  line: 'Line',
  verdict: 'Prune',
};

export const reasonWords: Words<PredictionReason> = {
  firstRequest: 'first request, nothing can be cached yet',
  extendsPrevious: 'extends the request before',
  earlierRequest: 'begins like an earlier request',
  contentChanged: 'a block differs from the request before',
  compaction: 'history was compacted',
  modelChanged: 'another model answers',
  lifetimeExpired: 'the cache lifetime ran out',
  belowMinimum: 'shorter than the provider caches',
  lookbackExceeded: 'too many blocks since the last breakpoint',
};

export const boundaryWords: Words<BoundaryKind> = {
  recorded: 'recorded',
  predicted: 'predicted',
  frozenPrefix: 'declared',
  breakpoint: 'breakpoint',
};

export const keepWords: Words<KeepReason> = {
  recentTurn: 'within the newest two turns',
  notCompleted: 'not completed',
  protectedTool: 'protected tool',
  alreadyPruned: 'pruned already',
  withinProtectedTokens: 'within the protected tokens',
  withinWarmPrefix: 'deep in the warm cache',
  newestResults: 'among the newest results',
  notRepeated: 'not repeated later',
  tooSmall: 'too small',
  beyondStop: 'beyond the point where the rule stops',
  disabled: 'pruning is off',
  belowMinimum: 'too little to be worth a prune',
};

export const ruleSetWords: Words<PruneRuleSet> = {
  opencode: 'opencode',
  katu: 'katu',
  'oh-my-pi': 'oh-my-pi',
  microcompact: 'Claude Code microcompact',
  duplicates: 'duplicates and replaced reads',
};
export const replacementWords: Words<PruneReplacement> = {
  clear: 'Clear the output',
  truncate: 'Keep its beginning',
};
export const measureWords: Words<PruneMeasure> = {
  tokens: 'Tokens',
  chars4: 'Characters / 4',
};

export const problemWords: Words<ProblemKind> = {
  unparsableLine: 'Line that is not JSON',
  gluedLine: 'Several records on one line',
  truncatedLastLine: 'Last line is cut off',
  unknownRecord: 'Record of an unknown type',
  malformedRecord: 'Record with unexpected content',
  duplicateRecord: 'Record that occurs twice',
  resultWithoutCall: 'Tool result without its call',
  missingRequestContent: 'Request whose content is missing',
};

const phaseWords = {
  reading: 'Reading',
  measuring: 'Counting tokens and looking for secrets',
} as const;

export const strings = {
  untitled: 'Untitled session',
  reading: 'Reading …',
  showMore: (left: number): string => `Show more (${formatNumber(left)} left)`,
  notRecorded: 'not recorded',
  notRecordedName: 'Not recorded',
  phase: (phase: keyof typeof phaseWords): string => phaseWords[phase],
  cancel: 'Cancel',
  retry: 'Try again',
  close: 'Close',
  nothingToExport: 'There is nothing to export yet: no request is in view.',
  openAsText: 'Open as text',
  failedTitle: 'This file cannot be shown',
  cancelledTitle: 'Reading was cancelled',
  cancelledText: 'Nothing was changed. Try again to read the transcript.',
  crashedTitle: 'The view ran into an error',
  emptyTitle: 'No request in this transcript',
  emptyText: 'It was read, but nothing in it was sent to a model yet. The view follows the file as it grows.',
  waiting: 'Opening the transcript',

  header: {
    window: 'Context window',
    cache: 'Cache hits',
    cacheUnknown: 'not recorded',
    cacheOfAll: (share: string): string => `${share} of the session`,
    cost: 'Cost at list prices',
    costUnknown: 'price not known',
    costOfRequest: (money: string): string => `${money} this request`,
    costOfRequestUnknown: 'this request: not known',
    costAtLeast: (money: string): string => `at least ${money}`,
    costWithout: (count: number): string =>
      `${counted(count, 'request')} of models without a known price ${count === 1 ? 'is' : 'are'} not in it.`,
    costAbout: (money: string): string => `about ${money}`,
    costRecorded: (money: string): string => `recorded: ${money}`,
    costEstimated: (count: number): string =>
      `The output of ${counted(count, 'request')} is recorded too low. In the cost it is estimated by the reply's own tokens.`,
    costTooLow: 'The agent records output tokens too low, so that the cost is a least.',
    details: 'Session details',
    noProblems: 'No problems',
    problems: 'Problems',
    leftOut: 'Left out: never sent to the model',
    subagents: 'Subagents',
    openSubagent: 'Open',
    openParent: 'Open parent',
    openParentHint: (fileName: string): string => `Open the session that started this subagent: ${fileName}`,
    line: 'Line',
    count: 'Count',
    kind: 'Kind',
    reason: 'Reason',
    leftOutCount: (count: number): string => `${formatNumber(count)} left out`,
  },

  timeline: {
    ...timelineWords,
    label: 'Request',
    section: 'Requests over time',
    cacheRead: 'cache read',
    thread: 'Conversation',
    mainThread: 'Main conversation',
    subagentThread: (number: number): string => `Subagent ${number}`,
    conversation: (number: number, title: string): string =>
      title === '' ? `Conversation ${formatNumber(number)}` : `${formatNumber(number)} · ${title}`,
    conversationSize: (requests: number): string => counted(requests, 'request'),
    moreConversations: (count: number): string => `${formatNumber(count)} more: type to narrow the list`,
    noConversation: 'No conversation matches.',
    toCall: 'Back to its call',
    output: (recorded: number, estimate: TokenFigure | undefined): string =>
      `output ${formatNumber(recorded)} recorded${estimate === undefined ? ', too low' : `, about ${formatNumber(estimate.value)} (${formatQuality(estimate.quality, estimate.error)})`}`,
    outputHint:
      "This version of the agent records output tokens too low. The estimate is the reply's own tokens.",
    caption: (number: number, count: number): string =>
      `Request ${formatNumber(number)} of ${formatNumber(count)}`,
  },

  toolbar: {
    view: 'View',
    colours: 'Colours',
    exportReport: 'Export report …',
    search: 'Find blocks',
    matches: (count: number, all: number): string => `${formatNumber(count)} of ${formatNumber(all)} blocks`,
    clearFilter: 'Clear filter',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit',
    fitHint: 'Fit all blocks into the window',
    readable: 'Readable',
    readableHint: 'Readable: zoom in until labels can be read',
    anyKind: 'All kinds',
    anySensitivity: 'Any sensitivity',
    anyVerdict: 'Any prune verdict',
    kind: 'Kind',
    sensitivity: 'Sensitivity',
    verdict: 'Prune verdict',
  },

  lanes: {
    ...laneWords,
    label: 'Slot layout',
    hint: 'Arrow keys move through the blocks, Enter opens details, plus and minus zoom.',
    displaced: (place: number): string => `stands at wire place ${formatNumber(place)}, among the messages`,
  },

  boundary: {
    title: 'Frozen',
    none: 'nothing',
    recorded: (tokens: number, place: number): string => `${formatNumber(tokens)} exact, ${edgeWords(place)}`,
    recordedNone: 'cache reads are not recorded',
    predicted: (tokens: number, place: number): string => `${formatNumber(tokens)}, ${edgeWords(place)}`,
    breakpoints: (count: number): string => counted(count, 'breakpoint'),
    turns: (turns: number): string => `frozenPrefixLen ${counted(turns, 'turn')}`,
    disagree: (tokens: number): string =>
      `${formatNumber(Math.abs(tokens))} ${tokens > 0 ? 'more' : 'fewer'} read than predicted`,
  },

  legend: { ...legendWords, label: 'Legend' },

  table: {
    label: 'Blocks of the request',
    noMatch: 'No block matches the filter.',
    candidate: 'candidate',
    kept: 'kept',
    sort: (column: string): string => `Sort by ${column}`,
  },

  details: {
    none: 'No block selected',
    noneHint: 'Click a block in the drawing or the table, or move to one with the arrow keys.',
    title: (place: number): string => `Block ${formatNumber(place)}`,
    notInRequest: 'not in this request',
    origin: 'Origin',
    path: 'Path',
    slot: 'Slot',
    wire: 'Wire place',
    wirePlace: (place: number, count: number): string => `${formatNumber(place)} of ${formatNumber(count)}`,
    span: 'Span id',
    tokens: 'Tokens',
    uncounted: 'estimated from its size, still to be counted',
    size: 'Size',
    sizes: (characters: number, bytes: string): string => `${counted(characters, 'character')} · ${bytes}`,
    time: 'Time',
    exposure: 'Sent',
    exposureText: (count: number, first: number): string =>
      `in ${counted(count, 'request')}, since request ${formatNumber(first)}`,
    neverSent: 'in no request',
    frozen: 'Cache',
    frozenYes: 'frozen',
    frozenNo: 'not frozen',
    sensitivity: 'Sensitivity',
    findings: (count: number): string => counted(count, 'finding'),
    findingRange: (start: number, end: number): string =>
      `characters ${formatNumber(start)} – ${formatNumber(end)}`,
    prune: 'Prune',
    pruned: (tokens: number): string => `pruned, frees ${formatNumber(tokens)} tokens`,
    keptFor: (reason: string): string => `kept: ${reason}`,
    contentHash: 'Content hash',
    irHash: 'IR hash',
    error: 'error result',
    cleared: 'content cleared by the agent',
    summary: 'part of a compaction summary',
    goToLine: (line: number): string => `Go to line ${formatNumber(line)}`,
    goToCall: 'Go to its call',
    goToResult: 'Go to its result',
    openFile: 'Open file',
    openSubagent: 'Open subagent',
    text: 'Text',
    image: 'The image is not shown here; go to its line to see the record.',
    reading: 'Reading the text …',
    reveal: 'Reveal masked text',
    hide: 'Mask again',
    masked: (characters: number, rule: string): string => `masked · ${counted(characters, 'char')} · ${rule}`,
    emptyText: 'The text is empty.',
    notRecordedText:
      'The transcript does not hold this part: usually the system prompt, the tool schemas and texts that the agent adds by itself. Its size is what the provider counted beyond the blocks that are recorded.',
    notRecordedRange: 'Over the session',
    range: (low: number, high: number): string => `${formatNumber(low)} – ${formatNumber(high)} tokens`,
  },

  side: {
    label: 'Block, prune plan and rendering',
    tabs: 'Shown here',
  },

  overview: {
    sensitive: 'Sensitive blocks',
    repeated: 'Repeated content, newest copy',
    unusedTools: 'Tools that are never called',
    largest: 'Largest blocks',
  },

  prune: {
    result: 'What the rule would do now',
    enabled: 'Pruning on',
    ruleSet: 'Rule set',
    protectTokens: 'Protect tokens',
    minimumTokens: 'Minimum tokens',
    toolOutputMaxChars: 'Max output characters',
    cacheWarmSuffixTokens: 'Keep warm behind',
    protectedTools: 'Protected tools',
    addTool: 'Add a tool',
    add: 'Add',
    removeTool: (tool: string): string => `Stop protecting ${tool}`,
    noProtected: 'none',
    replacement: 'A pruned output',
    measure: 'Thresholds measured in',
    freed: (tokens: number): string => (tokens === 0 ? '0' : `−${formatNumber(tokens)}`),
    tokensNow: 'tokens',
    net: 'net of the notice',
    candidates: (count: number): string => counted(count, 'candidate'),
    fill: (before: string, after: string): string => `window falls from ${before} to ${after}`,
    tokensAfter: (before: number, after: number): string =>
      `request falls from ${formatNumber(before)} to ${formatNumber(after)} tokens`,
    prefix: (place: number, tokens: number): string =>
      `cacheable prefix would end before block ${formatNumber(place)}, at ${formatNumber(tokens)} tokens`,
    executes: 'executes',
    doesNotExecute: 'does not execute',
    off: 'Pruning is off.',
    nothing: 'No result is old enough to be a candidate.',
    enough: (candidateTokens: number, minimum: number, unit: string): string =>
      `${formatNumber(candidateTokens)} ${unit} are queued, the minimum is ${formatNumber(minimum)}.`,
    listTitle: 'Candidates',
    keptTitle: 'Kept results',
    more: (count: number): string => `and ${formatNumber(count)} more in the table`,
    save: 'Save to settings',
    exportCopy: 'Export pruned copy …',
    reset: 'Reset',
    value: (label: string): string => `${label}, value`,
  },

  rendered: {
    title: 'The request as the renderer sees it',
    reading: 'Rendering …',
    stable: 'systemStable',
    knowledge: 'systemKnowledge',
    history: 'turns',
    total: 'Total',
    own: 'Tokens here are the renderer’s own estimate from characters.',
    turns: 'Number of turns',
    frozenPrefixLen: 'frozenPrefixLen',
    absent: 'absent before the first compaction',
    fingerprints: 'Fingerprint',
    extends: 'Extends previous',
    extendsFirst: 'first request',
    yes: 'yes',
    no: 'no',
    common: (turns: number): string => `${counted(turns, 'leading turn')} equal`,
    stateTurn: 'State turn',
    noStateTurn: 'There is no state turn.',
    irBlocks: 'PromptIR blocks',
    source: 'sourceRequestHash',
    tokens: (tokens: number): string => `${formatNumber(tokens)} tokens`,
  },
} as const;
