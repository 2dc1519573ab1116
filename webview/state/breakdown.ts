import { useDeferredValue, useEffect } from 'react';
import { entryOf } from '../../src/core/base/entryOf';
import { formatMoney, formatShortNumber } from '../../src/core/base/format';
import { at } from '../../src/core/base/numbers';
import { cutText, visibleLabel } from '../../src/core/base/visibleText';
import type { BreakdownKind } from '../../src/core/breakdown/breakdownKinds';
import { type BreakdownTree, breakdownTree, kindOfNode } from '../../src/core/breakdown/breakdownTree';
import { type PartFigures, requestFigures, sessionFigures } from '../../src/core/breakdown/partFigures';
import { partRequests } from '../../src/core/breakdown/partRequests';
import type { PartValue } from '../../src/core/breakdown/requestValues';
import {
  nodeAt,
  partSensitivity,
  type PartPath,
  pathTo,
  sourceOfGroup,
} from '../../src/core/breakdown/parts';
import type { TimelinePart } from '../../src/core/drawing/drawTimelinePart';
import { iconOfBlock, sourceIcons } from '../../src/core/drawing/icons';
import { blockName } from '../../src/core/drawing/laneContent';
import { kindOf } from '../../src/core/model/blockWords';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import { sources } from '../../src/core/model/source';
import { breakdownWords as words } from '../words/breakdown';
import { requestNumber } from './cacheReport';
import { requestsByThread } from './derived';
import { type Inspector, type SessionInView, useAppState, useInspector, useViewState } from './inspector';
import { memoise } from './store';
import { type BreakdownMeasure, type BreakdownScope, notRecordedBlock, type ViewState } from './viewState';

/** The tree of the conversation in view. It is built separately, and undefined until then. */
export function useBreakdownTree(
  { columns, summary }: Pick<SessionInView, 'columns' | 'summary'>,
  isWanted: boolean,
): BreakdownTree | undefined {
  const thread = useAppState(({ view }) => (requestsByThread(columns).has(view.thread) ? view.thread : 0));
  const { grouping } = useViewState('breakdown');
  const wanted = useDeferredValue(isWanted ? columns : undefined, undefined);
  return isWanted && wanted === columns ? breakdownTree({ columns, summary }, thread, grouping) : undefined;
}

const ofRequest = memoise(
  (tree: BreakdownTree, columns: SessionColumns, summary: SessionSummary, request: number): PartFigures =>
    requestFigures(tree, { columns, summary }, request),
  2,
);
const ofSession = memoise(sessionFigures, 2);

/** The figures of all nodes in a scope. */
export const figuresIn = (
  tree: BreakdownTree,
  columns: SessionColumns,
  summary: SessionSummary,
  scope: BreakdownScope,
  request: number,
): PartFigures =>
  scope === 'session' ? ofSession(tree, columns) : ofRequest(tree, columns, summary, request);

/** A part without a known price has no box. */
const paid = memoise(
  ({ money }: PartFigures): PartValue =>
    node => {
      const amount = money(node);
      return amount > 0 ? amount : 0;
    },
  2,
);

/** The measured values of the boxes. */
export function valuesOf(figures: PartFigures, measure: BreakdownMeasure): PartValue {
  switch (measure) {
    case 'tokens':
      return figures.tokens;
    case 'carried':
      return figures.carried;
    case 'money':
      return paid(figures);
  }
}

export const formatMeasure = (measure: BreakdownMeasure, value: number): string =>
  measure === 'money' ? formatMoney(value) : formatShortNumber(value);

/** The appearance of every node, independent of the measure. */
export interface PartLooks {
  /** Index into `sources`: the source of the node's group. */
  readonly source: Uint8Array;
  /** Index into `sensitivityLabels`: the highest label in the node. */
  readonly sensitivity: Uint8Array;
}

export const looksOf = memoise((tree: BreakdownTree, columns: SessionColumns): PartLooks => {
  const source = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node += 1) {
    const own = sourceOfGroup(kindOfNode(tree, node));
    source[node] = own === undefined ? at(source, at(tree.parent, node)) : sources.indexOf(own);
  }
  return { source, sensitivity: partSensitivity(tree, columns) };
}, 2);

export function iconOf(tree: BreakdownTree, columns: SessionColumns, node: number): string {
  const block = at(tree.block, node);
  const source = sources[at(looksOf(tree, columns).source, node)] ?? 'tools';
  return block < 0 ? sourceIcons[source] : iconOfBlock(kindOf(columns.blocks, block), source);
}

const namesIn = memoise((tree: BreakdownTree, columns: SessionColumns) => {
  const known = new Map<number, string>();
  return (node: number): string => entryOf(known, node, () => writtenName(tree, columns, node));
}, 2);

/**
 * The name of a node among its siblings. Readings of a file and runs of a command are distinguished by their requests.
 */
export const nameOf = (tree: BreakdownTree, columns: SessionColumns, node: number): string =>
  namesIn(tree, columns)(node);

function writtenName(tree: BreakdownTree, columns: SessionColumns, node: number): string {
  const block = at(tree.block, node);
  if (block < 0) {
    return visibleLabel(tree.nameOf(node));
  }
  const above = kindOfNode(tree, at(tree.parent, node));
  return isRepeated(above) ? words.arrivalName(firstRequest(columns, block)) : blockName(columns, block);
}

/** The number of the request in which a block arrived, in its conversation. */
export function firstRequest(columns: SessionColumns, block: number): string {
  const request = at(columns.blocks.firstRequest, block);
  return request < 0 ? words.neverSent : requestNumber(columns, request);
}

/** The name of a node without its siblings next to it: a file includes its folder, a reading includes its file. */
export function fullName(tree: BreakdownTree, columns: SessionColumns, node: number): string {
  const own = nameOf(tree, columns, node);
  const above = at(tree.parent, node);
  const kind = kindOfNode(tree, node);
  const kindAbove = kindOfNode(tree, above);
  if (kind === 'file' && kindAbove === 'folder') {
    return `${nameOf(tree, columns, above)}/${own}`;
  }
  if (kind === 'block' && isRepeated(kindAbove)) {
    return `${fullName(tree, columns, above)}, ${own}`;
  }
  return kindAbove === 'tool' ? words.within(own, nameOf(tree, columns, above)) : own;
}

/** True if the parts of a node are repetitions of the same thing. */
const isRepeated = (kind: BreakdownKind): boolean => kind === 'file' || kind === 'command';

/**
 * The arrival times of a node's blocks, from 0 for the first request of its conversation to 1 for the last, ascending.
 */
export const arrivalsIn = memoise((tree: BreakdownTree, columns: SessionColumns) => {
  const known = new Map<number, ArrayLike<number>>();
  return (node: number): ArrayLike<number> => {
    return entryOf(known, node, () => arrivalsOf(tree, columns, node));
  };
}, 2);

function arrivalsOf(tree: BreakdownTree, columns: SessionColumns, node: number): Float64Array {
  const requests = requestsByThread(columns).get(at(tree.thread, node));
  const last = Math.max(1, requests?.at(-1) ?? 1);
  const first = requests?.[0] ?? 0;
  const times: number[] = [];
  for (const block of tree.block.subarray(node, tree.end[node])) {
    const request = block < 0 ? -1 : at(columns.blocks.firstRequest, block);
    if (request >= 0) {
      times.push(last === first ? 0 : (request - first) / (last - first));
    }
  }
  return Float64Array.from(times).sort();
}

/** The node of a path, or its closest parent that exists. */
export const rootAt = memoise((tree: BreakdownTree, path: PartPath): number => {
  for (let length = path.length; length > 0; length -= 1) {
    const node = nodeAt(tree, path.slice(0, length));
    if (node !== undefined) {
      return node;
    }
  }
  return 0;
}, 4);

const litAt = memoise(nodeAt, 4);

/**
 * The selected node: the highlighted part, unless a block outside it is selected; otherwise the leaf of the selected
 * block. Undefined if nothing is selected.
 */
export function selectedNode(
  tree: BreakdownTree,
  { part, block }: Pick<ViewState, 'part' | 'block'>,
  thread: number,
): number | undefined {
  const leaf = block === undefined ? undefined : leafOfBlock(tree, block, thread);
  const lit = part === undefined ? undefined : litAt(tree, part);
  return lit !== undefined && (block === undefined || holdsBlock(tree, lit, block)) ? lit : leaf;
}

function leafOfBlock(tree: BreakdownTree, block: number, thread: number): number | undefined {
  const leaf = block === notRecordedBlock ? tree.notRecordedOf(thread) : tree.leafOf(block, thread);
  const any = leaf < 0 && block >= 0 ? tree.leafOf(block) : leaf;
  return any < 0 ? undefined : any;
}

/** True if a block is in a node. A block that several agents read has several places. */
export function holdsBlock(tree: BreakdownTree, node: number, block: number): boolean {
  return block >= 0 && tree.block.subarray(node, tree.end[node]).includes(block);
}

/** The first blocks of a node in order of arrival, at most this many. */
export const firstArrivals = memoise(
  (tree: BreakdownTree, columns: SessionColumns, node: number, most: number): readonly number[] => {
    const { firstRequest: cameIn } = columns.blocks;
    const isBefore = (one: number, other: number): boolean =>
      (at(cameIn, one) - at(cameIn, other) || one - other) < 0;
    const found: number[] = [];
    for (const block of tree.block.subarray(node, tree.end[node])) {
      const last = found[most - 1];
      if (block >= 0 && (last === undefined || isBefore(block, last))) {
        const place = found.findIndex(other => isBefore(block, other));
        found.splice(place < 0 ? found.length : place, 0, block);
        found.length = Math.min(found.length, most);
      }
    }
    return found;
  },
);

/** 1 for the blocks of a node, by block number. */
export const litBlocks = memoise((tree: BreakdownTree, node: number, columns: SessionColumns): Uint8Array => {
  const lit = new Uint8Array(columns.blocks.kind.length);
  for (const block of tree.block.subarray(node, tree.end[node])) {
    if (block >= 0) {
      lit[block] = 1;
    }
  }
  return lit;
}, 2);

/** Selects a node: a leaf as its block, any other node as a highlighted part, with its block if it has only one. */
export function selectNode({ changeView }: Inspector, tree: BreakdownTree, node: number): void {
  const own = at(tree.block, node);
  if (own >= 0) {
    changeView({ part: undefined, block: own });
  } else if (kindOfNode(tree, node) === 'notRecorded') {
    changeView({ part: undefined, block: notRecordedBlock });
  } else {
    const block =
      at(tree.blocks, node) === 1 ? tree.block.subarray(node).find(found => found >= 0) : undefined;
    changeView({ part: node === 0 ? undefined : pathTo(tree, node), block });
  }
}

/** Removes the highlight when a block outside the part is selected. */
export function useLitPart(session: Pick<SessionInView, 'columns' | 'summary'>): LitPart | undefined {
  const { changeView } = useInspector();
  const part = useViewState('part');
  const block = useViewState('block');
  const tree = useBreakdownTree(session, part !== undefined);
  const node = tree === undefined || part === undefined ? undefined : litAt(tree, part);
  const isOutside =
    tree !== undefined && node !== undefined && block !== undefined && !holdsBlock(tree, node, block);
  useEffect(() => {
    if (isOutside) {
      changeView({ part: undefined });
    }
  }, [isOutside, changeView]);
  return tree === undefined || node === undefined || isOutside ? undefined : { tree, node };
}

/** A node that is highlighted in all views. */
export interface LitPart {
  readonly tree: BreakdownTree;
  readonly node: number;
}

/** The part that the timeline follows: the highlighted part or, in the breakdown, any selected node. */
export function useFollowedPart(
  session: Pick<SessionInView, 'columns' | 'summary'>,
  requests: Uint32Array,
): TimelinePart | undefined {
  const part = useViewState('part');
  const block = useViewState('block');
  const isBreakdown = useViewState('mainView') === 'breakdown';
  const tree = useBreakdownTree(session, part !== undefined || (isBreakdown && block !== undefined));
  const { columns } = session;
  const thread = at(columns.requests.thread, requests[0] ?? 0);
  const node = tree === undefined ? undefined : selectedNode(tree, { part, block }, thread);
  return tree === undefined || node === undefined ? undefined : followed(tree, node, columns, requests);
}

/** Maximum length in UTF-16 units. A longer name would take the space of the events. */
const longestName = 40;
const shortened = (name: string): string =>
  name.length <= longestName ? name : `${cutText(name, longestName)}…`;

const followed = memoise(
  (tree: BreakdownTree, node: number, columns: SessionColumns, requests: Uint32Array): TimelinePart => ({
    name: shortened(fullName(tree, columns, node)),
    fill: at(looksOf(tree, columns).source, node),
    ...partRequests(tree, node, columns, requests),
  }),
);

export type BreakdownChoices = ViewState['breakdown'];

/** The choices in the breakdown, and a way to change some of them. */
export function useBreakdownView({
  changeView,
  store,
}: Inspector): readonly [BreakdownChoices, (change: Partial<BreakdownChoices>) => void] {
  const view = useViewState('breakdown');
  return [view, change => changeView({ breakdown: { ...store.get().view.breakdown, ...change } })];
}

/** The children with a value, the largest first. */
export function shownChildren(tree: BreakdownTree, valueAt: PartValue, node: number): readonly number[] {
  return [...tree.childrenOf(node)]
    .filter(child => valueAt(child) > 0)
    .sort((one, other) => valueAt(other) - valueAt(one));
}
