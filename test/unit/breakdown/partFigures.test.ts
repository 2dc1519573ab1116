import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakdownKinds } from '../../../src/core/breakdown/breakdownKinds';
import { breakdownTree, kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import { requestFigures, sessionFigures } from '../../../src/core/breakdown/partFigures';
import { partRequests } from '../../../src/core/breakdown/partRequests';
import {
  blocksOfPart,
  isItemKind,
  nodeAt,
  nodesTo,
  partSensitivity,
  pathTo,
  sourceOfGroup,
} from '../../../src/core/breakdown/parts';
import { rangeFigures } from '../../../src/core/breakdown/rangeFigures';
import { requestTokens } from '../../../src/core/breakdown/requestValues';
import type { TextPart } from '../../../src/core/model/transcript';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { inputSegments } from '../../../src/core/view/inputSegments';
import { buildRequestView } from '../../../src/core/view/requestView';
import { requestUsage, SessionPrices } from '../../../src/core/view/sessionCost';
import { sampleSession } from '../../webview/sampleSession';

const { columns, summary: unpriced } = sampleSession();
const id = 'claude-sonnet-4-5';
const row = lookUpModel(id);
assert.ok(row !== undefined);
/** The first block contains two instruction files, and some text around them. */
const length = columns.blocks.characters[0] ?? 0;
const parts: readonly TextPart[] = [
  { block: columns.blocks.content[0] ?? 0, kind: 'memory', name: '/work/a.md', start: 0, end: length >> 1 },
  {
    block: columns.blocks.content[0] ?? 0,
    kind: 'memory',
    name: '/work/b.md',
    start: length >> 1,
    end: length - 200,
  },
];
const summary = { ...unpriced, models: [{ id, row }], parts };
const session = { columns, summary };
const tree = breakdownTree(session);
const nodes = [...tree.parent.keys()];
assert.ok(tree.divided.length > 0);
const requests = Uint32Array.from(columns.requests.context.keys());

/** Fails unless two sums of fractions are the same except for rounding. */
function near(actual: number | undefined, expected: number | undefined, within: number, what: string): void {
  const difference = Math.abs((actual ?? Number.NaN) - (expected ?? Number.NaN));
  assert.ok(difference <= within, `${what}: ${actual ?? ''} is not ${expected ?? ''}`);
}

describe('the figures of a range', () => {
  it('are those of the request for all of it, and those of its parts for one block', () => {
    for (const request of [0, 22, 59]) {
      const view = buildRequestView(columns, request);
      const figures = requestFigures(tree, session, request);
      const last = view.blocks.length - 1;
      const all = rangeFigures(session, view, { first: -1, last });
      assert.deepEqual(all.tokens, view.total);
      assert.equal(all.blocks, view.blocks.length);
      near(all.money, figures.money(0), 1e-9, 'money of all');
      const sums = [-1, ...view.blocks.keys()].map(position =>
        rangeFigures(session, view, { first: position, last: position }),
      );
      near(
        sums.reduce((sum, { tokens }) => sum + tokens.value, 0),
        view.total.value,
        0,
        'tokens',
      );
      near(
        sums.reduce((sum, { money }) => sum + money, 0),
        all.money,
        1e-9,
        'money',
      );
    }
  });

  it('have the mark of their parts, and no money without prices', () => {
    const view = buildRequestView(columns, 59);
    const { tokens } = rangeFigures(session, view, { first: 2, last: 5 });
    assert.equal(tokens.quality, 'calibrated');
    assert.equal(tokens.error ?? 0, view.error);
    const start = rangeFigures(session, view, { first: -1, last: 0 });
    assert.equal(start.blocks, 1);
    assert.equal(start.tokens.value, view.notRecorded.value + (view.tokens[0] ?? 0));
    assert.ok((start.tokens.error ?? 0) >= Math.min(view.error, view.notRecorded.error ?? 0));
    assert.ok(Number.isNaN(rangeFigures({ columns, summary: unpriced }, view, { first: 0, last: 3 }).money));
  });
});

describe('the figures of a request by part', () => {
  it('add up on every level', () => {
    const figures = requestFigures(tree, session, 59);
    for (const node of nodes.filter(candidate => tree.childrenOf(candidate).length > 0)) {
      for (const column of [figures.tokens, figures.carried, figures.cached, figures.money]) {
        const sum = [...tree.childrenOf(node)].reduce((all, child) => all + column(child), 0);
        near(column(node), sum, 1e-6, `${tree.nameOf(node)} of request 60`);
      }
    }
  });

  it('are the recorded usage and its price', () => {
    const prices = new SessionPrices(columns, summary.models);
    for (const request of [0, 14, 22, 59]) {
      const { tokens, cached, money } = requestFigures(tree, session, request);
      const usage = requestUsage(columns, request);
      assert.ok(usage !== undefined);
      assert.equal(tokens(0), usage.input + usage.cacheRead + usage.cacheWrite);
      near(cached(0), usage.cacheRead, 1e-6, 'from the cache');
      const paid = inputSegments(usage, prices.of(request)).reduce(
        (sum, { from, to, price }) => sum + (to - from) * price,
        0,
      );
      assert.ok(paid > 0);
      near(money(0), paid, 1e-9, 'money');
    }
  });

  it('are over all requests what the tree says of each part', () => {
    const cached = new Float64Array(tree.count);
    const money = new Float64Array(tree.count);
    for (const request of requests) {
      const figures = requestFigures(tree, session, request);
      nodes.forEach(node => {
        cached[node] = (cached[node] ?? 0) + figures.cached(node);
        money[node] = (money[node] ?? 0) + figures.money(node);
      });
    }
    for (const node of nodes) {
      // The tree has whole tokens.
      near(cached[node], tree.cached[node], 1, `cached of ${pathTo(tree, node).join(' › ')}`);
      near(money[node], tree.money[node], 1e-6, `money of ${pathTo(tree, node).join(' › ')}`);
    }
  });

  it('have no money without a price', () => {
    const { money } = requestFigures(tree, { columns, summary: unpriced }, 59);
    assert.ok(nodes.every(node => Number.isNaN(money(node))));
  });
});

describe('the figures of a session by part', () => {
  it('count each block once', () => {
    const { tokens, cached } = sessionFigures(tree, columns);
    const hidden = tree.notRecordedOf(0);
    const blocks = columns.blocks.tokens.reduce((sum, count) => sum + count, 0);
    const most = columns.requests.notRecorded.reduce((highest, count) => Math.max(highest, count), 0);
    assert.ok(most > 0);
    assert.equal(tokens(hidden), most);
    assert.equal(tokens(0), blocks + most);
    assert.ok(nodes.every(node => cached(node) === tree.cached[node]));
  });
});

describe('what requests carried of a part', () => {
  it('is what each request has of it', () => {
    for (const node of nodes.filter(candidate => kindOfNode(tree, candidate) !== 'block')) {
      const { tokens } = partRequests(tree, node, columns, requests);
      for (const request of [0, 21, 22, 59]) {
        const expected = requestTokens(tree, columns, request)(node);
        near(tokens[request], expected, (tree.blocks[node] ?? 0) + 1, pathTo(tree, node).join(' › '));
      }
    }
  });

  it('came in where its blocks were sent first', () => {
    const files = nodeAt(tree, ['files']) ?? 0;
    const first = blocksOfPart(tree, files).map(block => columns.blocks.firstRequest[block] ?? -1);
    const { arrivals } = partRequests(tree, files, columns, requests);
    assert.ok(arrivals.length > 3);
    assert.deepEqual(
      arrivals,
      [...new Set(first)].sort((one, other) => one - other),
    );
  });
});

describe('paths', () => {
  it('lead back to the node that they are of', () => {
    for (const node of nodes) {
      assert.equal(nodeAt(tree, pathTo(tree, node)), node);
    }
    assert.deepEqual(pathTo(tree, 0), []);
  });

  it('name kinds that have a name of their own by it, and others by their name', () => {
    const file = nodes.findLast(node => kindOfNode(tree, node) === 'file') ?? 0;
    const path = pathTo(tree, file);
    assert.equal(path[0], 'files');
    assert.match(path.at(-1) ?? '', /^file \S+$/);
    assert.equal(nodeAt(tree, ['files', 'file of another session']), undefined);
  });

  it('stay the same while the session grows', () => {
    const shorter = {
      columns: {
        ...columns,
        requests: { ...columns.requests, context: columns.requests.context.subarray(0, 30) },
      },
      summary,
    };
    const before = breakdownTree(shorter);
    const found = [...before.parent.keys()].filter(node => {
      const now = nodeAt(tree, pathTo(before, node));
      return now !== undefined && tree.nameOf(now) === before.nameOf(node);
    });
    assert.equal(found.length, before.count);
    assert.ok(before.count < tree.count);
  });
});

describe('parts', () => {
  it('have the source of the group that they stand in', () => {
    const groups = breakdownKinds.filter(kind => sourceOfGroup(kind) !== undefined);
    for (const node of tree.childrenOf(0)) {
      assert.ok(groups.includes(kindOfNode(tree, node)));
    }
    assert.equal(sourceOfGroup('mcpServers'), 'mcp');
    assert.equal(sourceOfGroup('server'), undefined);
    assert.ok(isItemKind('file') && !isItemKind('folder'));
  });

  it('are as sensitive as the worst of their blocks', () => {
    const sensitivity = partSensitivity(tree, columns);
    for (const node of nodes) {
      const worst = Math.max(
        0,
        ...blocksOfPart(tree, node).map(block => columns.blocks.sensitivity[block] ?? 0),
      );
      assert.equal(sensitivity[node], worst);
    }
    assert.equal(sensitivity[0], 2);
  });

  it('are on the way to their blocks', () => {
    const leaf = tree.leafOf(columns.blocks.kind.length - 1);
    const way = nodesTo(tree, leaf);
    assert.equal(way.at(-1), leaf);
    assert.ok(way.every((node, index) => tree.parent[node] === (way[index - 1] ?? 0)));
  });
});
