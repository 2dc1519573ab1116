import { entryOf } from '../base/entryOf';
import type { Session } from '../model/columns';
import { buildRequestView } from '../view/requestView';
import { RequestTokens } from '../view/requestTokens';
import { BlockPlaces, type Step } from './blockPlace';
import { breakdownKinds, type BreakdownKind, breakdownWords } from './breakdownKinds';
import { carriedShares, type Share, type ThreadShares } from './carriedShares';

/** A part of what a model was sent. A node with children is their sum, to the token. */
export interface BreakdownNode {
  readonly name: string;
  readonly kind: BreakdownKind;
  /** Input tokens of the request, calibrated; without a request, those carried over all requests. */
  readonly tokens: number;
  /** Input tokens summed over all requests of the session that carried them. */
  readonly carried: { readonly cached: number; readonly fresh: number };
  /** What carrying them has cost, in US dollars at list prices; null where no price is known. */
  readonly money: number | null;
  /** How many blocks stand in it. */
  readonly blocks: number;
  readonly children: readonly BreakdownNode[];
}

export interface Breakdown {
  readonly root: BreakdownNode;
  /** Input tokens that all of it stands for: of the request, or of all requests. */
  readonly total: number;
  /** Requests behind what is carried, and those of them without a known price. */
  readonly requests: number;
  readonly unpriced: number;
}

/** A node while it is filled. */
interface Growing {
  readonly step: Step;
  readonly share: Share;
  tokens: number;
  blocks: number;
  /** Tokens by which it is sorted among its siblings. */
  weight: number;
  readonly children: Map<string, Growing>;
}

const growing = (step: Step): Growing => ({
  step,
  share: { cached: 0, fresh: 0, money: 0 },
  tokens: 0,
  blocks: 0,
  weight: 0,
  children: new Map(),
});

/**
 * What stands in a request, or in all requests, as a tree by where it came from. Requests of subagents count below the
 * group of subagents, each with its own tree.
 * @param request among all requests of the file; undefined for all of them
 */
export function breakdown({ columns, summary }: Session, request: number | undefined): Breakdown {
  const places = new BlockPlaces(columns);
  const thread = request === undefined ? 0 : (columns.requests.thread[request] ?? 0);
  const all = carriedShares(columns, summary.models);
  // A conversation beside the main one stands for itself.
  const shown = thread === 0 ? all : all.filter(shares => shares.thread === thread);
  const root = growing({ kind: 'all', name: '' });
  const stepsOf = stepsOfThreads(summary);
  for (const shares of shown) {
    addThread(root, shares, places, shares.thread === thread ? [] : stepsOf(shares.thread));
  }
  let total = shown.reduce((sum, { input }) => sum + input.cached + input.fresh, 0);
  if (request !== undefined) {
    const view = buildRequestView(columns, request);
    total = new RequestTokens(columns).total(request);
    leafOf(root, [{ kind: 'notRecorded', name: '' }]).tokens = view.notRecorded.value;
    view.blocks.forEach((block, position) => {
      blockLeaf(root, places, [], block).tokens += view.tokens[position] ?? 0;
    });
  }
  weigh(root);
  const requests = shown.reduce((sum, shares) => sum + shares.requests, 0);
  const unpriced = shown.reduce((sum, shares) => sum + shares.unpriced, 0);
  const finisher = new Finisher(request === undefined, requests > unpriced);
  return { root: finisher.finish(root), total, requests, unpriced };
}

/** The way to the tree of a thread that is not shown by itself. */
function stepsOfThreads({
  subagents,
  conversations,
}: Session['summary']): (thread: number) => readonly Step[] {
  const names = new Map(subagents.map(({ thread, description, id }) => [thread, description ?? id]));
  const titles = new Map(conversations.map(({ thread, title }) => [thread, title]));
  return thread => {
    const subagent = names.get(thread);
    const group = subagent === undefined ? 'conversations' : 'subagents';
    const name = subagent ?? titles.get(thread) ?? '';
    return [
      { kind: group, name: '' },
      { kind: 'conversation', name: name === '' ? String(thread) : name },
    ];
  };
}

function addThread(root: Growing, shares: ThreadShares, places: BlockPlaces, above: readonly Step[]): void {
  addShare(leafOf(root, [...above, { kind: 'notRecorded', name: '' }]), shares.notRecorded);
  for (const [block, share] of shares.blocks) {
    addShare(blockLeaf(root, places, above, block), share);
  }
}

function addShare({ share }: Growing, { cached, fresh, money }: Share): void {
  share.cached += cached;
  share.fresh += fresh;
  share.money += money;
}

function blockLeaf(root: Growing, places: BlockPlaces, above: readonly Step[], block: number): Growing {
  const parent = leafOf(root, [...above, ...places.of(block)]);
  const leaf = entryOf(parent.children, `block ${block}`, () =>
    growing({ kind: 'block', name: places.nameOf(block) }),
  );
  leaf.blocks = 1;
  return leaf;
}

function leafOf(root: Growing, steps: readonly Step[]): Growing {
  return steps.reduce(
    (node, step) => entryOf(node.children, `${step.kind} ${step.name}`, () => growing(step)),
    root,
  );
}

/**
 * Makes whole numbers of shares. They are rounded cumulatively over the whole tree, so that every level adds up and the
 * root is the recorded input.
 */
class Finisher {
  private readonly exact = { cached: 0, fresh: 0 };
  private readonly given = { cached: 0, fresh: 0 };

  constructor(
    private readonly countsCarried: boolean,
    private readonly hasPrices: boolean,
  ) {}

  finish(node: Growing): BreakdownNode {
    const { step, share } = node;
    const name = step.name === '' ? (breakdownWords[step.kind] ?? '') : step.name;
    const children = [...node.children.values()].sort(byWeight).map(child => this.finish(child));
    if (children.length === 0) {
      const carried = { cached: this.round('cached', share), fresh: this.round('fresh', share) };
      return {
        name,
        kind: step.kind,
        tokens: this.countsCarried ? carried.cached + carried.fresh : node.tokens,
        carried,
        money: this.hasPrices ? share.money : null,
        blocks: node.blocks,
        children,
      };
    }
    const sum = (value: (child: BreakdownNode) => number): number =>
      children.reduce((total, child) => total + value(child), 0);
    return {
      name,
      kind: step.kind,
      tokens: sum(child => child.tokens),
      carried: { cached: sum(child => child.carried.cached), fresh: sum(child => child.carried.fresh) },
      money: this.hasPrices ? sum(child => child.money ?? 0) : null,
      blocks: sum(child => child.blocks),
      children,
    };
  }

  private round(part: 'cached' | 'fresh', share: Share): number {
    this.exact[part] += share[part];
    const upTo = Math.round(this.exact[part]);
    const own = upTo - this.given[part];
    this.given[part] = upTo;
    return own;
  }
}

/** Groups stand in the order of their kinds, all else by what it weighs. */
function byWeight(one: Growing, other: Growing): number {
  return placeOf(one) - placeOf(other) || other.weight - one.weight;
}

const groups = breakdownKinds.indexOf('server');
const placeOf = ({ step }: Growing): number => Math.min(groups, breakdownKinds.indexOf(step.kind));

function weigh(node: Growing): number {
  node.weight = node.share.cached + node.share.fresh + node.tokens;
  for (const child of node.children.values()) {
    node.weight += weigh(child);
  }
  return node.weight;
}
