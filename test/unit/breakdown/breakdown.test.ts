import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programOf } from '../../../src/core/breakdown/blockPlace';
import { breakdown, type BreakdownNode } from '../../../src/core/breakdown/breakdown';
import { breakdownTree, kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import { memoryFile } from '../../../src/core/content/classification';
import type { Session } from '../../../src/core/model/columns';
import { HandMade, measuresOf, toColumns, usageOf } from '../session/handMade';

/** One block of each origin with 100 tokens each, in two requests; then a request of a subagent with one block. */
function session(): Session {
  const made = new HandMade();
  const call = (label: string, toolName: string, callId: string, rest: object = {}): number =>
    made.block({
      label,
      role: 'assistant',
      kind: 'toolCall',
      provenance: 'developer',
      toolName,
      callId,
      content: label,
      ...rest,
    });
  const result = (toolName: string, callId: string, rest: object = {}): number =>
    made.block({
      label: toolName,
      role: 'tool',
      kind: 'toolResult',
      contentType: 'tool_result',
      provenance: 'tool',
      toolName,
      callId,
      content: `${toolName} ${callId}`,
      ...rest,
    });
  const blocks = [
    made.block({ label: 'You are an agent.', role: 'system', kind: 'systemPrompt', provenance: 'system' }),
    made.block({ label: 'mcp__shop__find', kind: 'toolSchema', toolName: 'mcp__shop__find', content: 'a' }),
    made.block({ label: 'Read', kind: 'toolSchema', toolName: 'Read', content: 'b' }),
    made.block({ label: 'CLAUDE.md: Write tests', ...memoryFile }),
    made.prompt('Well?'),
    call('mcp__shop__find', 'mcp__shop__find', '1'),
    result('mcp__shop__find', '1'),
    call('Read a.ts', 'Read', '2', { path: '/work/src/a.ts' }),
    result('Read', '2'),
    call('Read b.ts', 'Read', '3', { path: '/work/src/deep/b.ts' }),
    result('Read', '3'),
    call('Read a.ts', 'Read', '4', { path: '/work/src/a.ts' }),
    result('Read', '4'),
    call('Bash CI=1 npm test', 'Bash', '5'),
    result('Bash', '5'),
    call('WebFetch https://example.com', 'WebFetch', '6'),
    result('WebFetch', '6'),
    call('Grep total', 'Grep', '7'),
    result('Grep', '7'),
    call('Task Look', 'Task', '8'),
    result('Task', '8'),
    made.assistant('Done.'),
  ];
  const context = made.builder.startContext(blocks);
  const total = 100 * blocks.length + 50;
  made.request(context, 5, { complete: true, usage: usageOf(550) });
  made.request(context, blocks.length, { complete: true, usage: usageOf(total, 550) });
  const own = made.builder.startContext([made.prompt('Look')]);
  made.request(own, 1, { complete: true, thread: 1, usage: usageOf(150) });
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, () => 100),
  );
  return {
    columns,
    summary: {
      format: '',
      agent: { name: '', versions: [] },
      title: '',
      model: '',
      models: [],
      messages: 0,
      compactions: [],
      subagents: [{ id: 'a1', thread: 1, description: 'Look around' }],
      conversations: [],
      problems: [],
      leftOut: [],
      encoding: '',
    },
  };
}

/** The tree in lines, without blocks and the unrecorded part. */
function outline({ children }: BreakdownNode, depth = 0): readonly string[] {
  return children
    .filter(({ kind }) => kind !== 'block')
    .flatMap(child => [`${'  '.repeat(depth)}${child.name} ${child.blocks}`, ...outline(child, depth + 1)]);
}

describe('breakdown', () => {
  it('groups the results of tools by tool, with the same sums', () => {
    const { root, total } = breakdown(session(), undefined, 'tool');
    const tools = root.children.find(({ kind }) => kind === 'builtInTools');
    assert.ok(tools !== undefined);
    assert.deepEqual(outline(tools), [
      'Read 7',
      '  Schema 1',
      '  Calls 3',
      '  a.ts 2',
      '  deep 1',
      '    b.ts 1',
      'Bash 2',
      '  Calls 1',
      '  npm 1',
      '    CI=1 npm test 1',
      'WebFetch 2',
      '  Calls 1',
      '  Results 1',
      'Grep 2',
      '  Calls 1',
      '  Results 1',
      'Task 2',
      '  Calls 1',
      '  Results 1',
    ]);
    const other = breakdown(session(), undefined);
    assert.equal(total, other.total);
    assert.equal(root.money, other.root.money);
    assert.equal(root.blocks, other.root.blocks);
    assert.ok(!root.children.some(({ kind }) => kind === 'files' || kind === 'shell' || kind === 'search'));
  });

  it('sorts blocks by where they came from', () => {
    const { root } = breakdown(session(), undefined);
    assert.deepEqual(outline(root), [
      'System prompt 1',
      'Built-in tools 8',
      '  Read 4',
      '    Schema 1',
      '    Calls 3',
      '  Bash 1',
      '    Calls 1',
      '  WebFetch 1',
      '    Calls 1',
      '  Grep 1',
      '    Calls 1',
      '  Task 1',
      '    Calls 1',
      'MCP servers 3',
      '  shop 3',
      '    find 3',
      '      Schema 1',
      '      Calls 1',
      '      Results 1',
      'Memory 1',
      'Files 3',
      '  a.ts 2',
      '  deep 1',
      '    b.ts 1',
      'Shell 1',
      '  npm 1',
      '    CI=1 npm test 1',
      'Web 1',
      '  WebFetch 1',
      'Search 1',
      '  Grep 1',
      'Subagents 2',
      '  Look around 1',
      '    You 1',
      '    Not recorded 0',
      'Replies 1',
      'You 1',
      'Not recorded 0',
    ]);
  });

  it('adds up on every level: a request’s input, and what all requests were sent', () => {
    const { root, total } = breakdown(session(), 1);
    assert.deepEqual([root.tokens, total], [2250, 2250]);
    assert.deepEqual(root.carried, { cached: 550, fresh: 550 + 1700 + 150 });
    assert.equal(unequal(root), 0);
    const whole = breakdown(session(), undefined);
    assert.deepEqual([whole.root.tokens, whole.total, whole.requests], [2950, 2950, 3]);
    assert.equal(unequal(whole.root), 0);
  });

  it('counts a block in every request that held it, from the cache and in full', () => {
    const { root } = breakdown(session(), 1);
    const of = (kind: string) => root.children.find(child => child.kind === kind);
    // The prompt ends the first request, whose whole input the second read from the cache.
    const { tokens = 0, carried } = of('user') ?? {};
    assert.ok(tokens > 90 && tokens < 110);
    assert.equal(carried?.cached, tokens);
    assert.ok(Math.abs(carried.fresh - tokens) < 20);
    assert.deepEqual(of('replies')?.carried, { cached: 0, fresh: of('replies')?.tokens });
  });

  it('has each reading of a file in order, with its line and the first request that held it', () => {
    const made = session();
    const { root } = breakdown(made, 1);
    const files = root.children.find(({ kind }) => kind === 'files');
    const readings = files?.children.find(({ name }) => name === 'a.ts')?.children ?? [];
    const tree = breakdownTree(made);
    const blocks = [...(made.columns.contexts[0] ?? [])].filter(
      block => kindOfNode(tree, tree.parent[tree.leafOf(block)] ?? 0) === 'file',
    );
    assert.deepEqual(
      readings.map(({ line, firstRequest }) => [line, firstRequest]),
      [
        [1, 1],
        [1, 1],
      ],
    );
    // Leaves of one file follow each other as their blocks do.
    const leaves = blocks
      .map(block => tree.leafOf(block))
      .filter(leaf => tree.nameOf(tree.parent[leaf] ?? 0) === 'a.ts');
    assert.deepEqual(
      leaves,
      leaves.toSorted((one, other) => one - other),
    );
    assert.equal(leaves.length, 2);
  });

  it('knows no money where no price is known', () => {
    assert.equal(breakdown(session(), 0).root.money, null);
  });

  it('shows the request of a subagent by itself', () => {
    const { root, total } = breakdown(session(), 2);
    assert.deepEqual(
      [total, root.carried, outline(root)],
      [150, { cached: 0, fresh: 150 }, ['You 1', 'Not recorded 0']],
    );
  });

  it('names the program that a command line runs', () => {
    assert.deepEqual(
      ['npm test', 'cd a && LC_ALL=C sudo /usr/bin/git log', 'ls;pwd', '', 'time -p make'].map(programOf),
      ['npm', 'git', 'ls', '', '-p'],
    );
    assert.deepEqual(
      [
        'number=$(gh pr view --json number) && echo "$number"',
        'text="$( git log )"',
        'filter=\'\n sort_by(.id)\n\'\n\ngh api repos | jq "$filter"',
        'A="one two" B=3; make',
      ].map(programOf),
      ['gh', 'git', 'gh', 'make'],
    );
  });
});

function unequal({ children, tokens, carried }: BreakdownNode): number {
  const own =
    children.length === 0 ||
    (children.reduce((sum, child) => sum + child.tokens, 0) === tokens &&
      children.reduce((sum, child) => sum + child.carried.cached, 0) === carried.cached &&
      children.reduce((sum, child) => sum + child.carried.fresh, 0) === carried.fresh);
  return children.reduce((sum, child) => sum + unequal(child), own ? 0 : 1);
}
