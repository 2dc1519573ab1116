import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BreakdownNode, breakdown } from '../../../src/core/breakdown/breakdown';
import { breakdownTree } from '../../../src/core/breakdown/breakdownTree';
import { requestTokens } from '../../../src/core/breakdown/requestValues';
import { memoryFile, systemPrompt } from '../../../src/core/content/classification';
import { textParts } from '../../../src/core/content/textParts';
import type { Session } from '../../../src/core/model/columns';
import type { Subagent } from '../../../src/core/model/transcript';
import { makeSummary } from '../../webview/sessionBuilder';
import { HandMade, measuresOf, toColumns, usageOf } from '../session/handMade';

const named = (text: string) =>
  textParts(text).map(({ kind, name, start, end }) => [kind, name, text.slice(start, end)]);

describe('parts of a client’s text', () => {
  it('are Claude Code’s files of instructions', () => {
    const text = [
      '<system-reminder>',
      'Instructions are shown below.',
      'Contents of /home/me/.claude/CLAUDE.md (private instructions for all projects):',
      'Short words.',
      'Contents of /work/shop/CLAUDE.md (project instructions, checked into the codebase):',
      '# Tests',
      'Run them.',
      '</system-reminder>',
    ].join('\n');
    assert.deepEqual(named(text), [
      [
        'memory',
        '/home/me/.claude/CLAUDE.md',
        'Contents of /home/me/.claude/CLAUDE.md (private instructions for all projects):\nShort words.\n',
      ],
      [
        'memory',
        '/work/shop/CLAUDE.md',
        'Contents of /work/shop/CLAUDE.md (project instructions, checked into the codebase):\n# Tests\nRun them.\n',
      ],
    ]);
  });

  it('are those of Codex, opencode, Gemini CLI and Copilot', () => {
    const texts = [
      '# AGENTS.md instructions for /work/shop\n\n<INSTRUCTIONS>\nTest.\n</INSTRUCTIONS>\nrest',
      'prompt\nInstructions from: /work/shop/AGENTS.md\nTest.\nInstructions from: /work/b.md\nMore.',
      'a\n--- Context from: ../GEMINI.md ---\nTest.\n--- End of Context from: ../GEMINI.md ---\nb',
      '<custom_instruction>Test.</custom_instruction> rest',
    ];
    assert.deepEqual(
      texts.map(text => named(text).map(([kind, name]) => `${kind ?? ''} ${name ?? ''}`)),
      [
        ['memory /work/shop/AGENTS.md'],
        ['memory /work/shop/AGENTS.md', 'memory /work/b.md'],
        ['memory ../GEMINI.md'],
        ['memory custom_instruction'],
      ],
    );
  });

  it('are skills and agents in their lists', () => {
    const list = [
      'The following skills are available for use with the Skill tool:',
      '',
      '- pdf: Reads forms.',
      '- shop:refund: Pays back.',
      '  In two steps.',
      '</system-reminder>',
      '- not: a skill',
    ].join('\n');
    assert.deepEqual(named(list), [
      ['skill', 'pdf', '- pdf: Reads forms.\n'],
      ['skill', 'shop:refund', '- shop:refund: Pays back.\n  In two steps.\n'],
    ]);
    const marked = '<available_skills>\n<skill>\n<name>\npdf\n</name>\nReads.\n</skill>\n</available_skills>';
    assert.deepEqual(named(marked), [['skill', 'pdf', '<skill>\n<name>\npdf\n</name>\nReads.\n</skill>']]);
    assert.deepEqual(
      named('Base directory for this skill: /home/me/skills/pdf\n\nRead.').map(([, name]) => name),
      ['pdf'],
    );
    assert.deepEqual(named('Available agent types:\n- Explore: Looks.\n\n- no: agent'), [
      ['agent', 'Explore', '- Explore: Looks.'],
    ]);
  });

  it('are none of a person’s or a program’s text', () => {
    assert.deepEqual(named('- one: two\nContents of the box\nskills'), []);
  });
});

describe('a breakdown', () => {
  const rules = `Contents of /work/CLAUDE.md (ours):\n${'a'.repeat(264)}\n`;
  const more = `Contents of /work/shop/CLAUDE.md (ours):\n${'b'.repeat(60)}\n`;

  function session(subagents: readonly Subagent[] = []): Session {
    const made = new HandMade();
    const call = (callId: string, toolName: string) =>
      made.toolPair(toolName, callId, `${toolName} ${callId}`);
    const image = made.block({
      label: 'image 10 × 10',
      role: 'tool',
      kind: 'image',
      contentType: 'image',
      provenance: 'tool',
      toolName: 'mcp__browser__screenshot',
      content: 'data',
    });
    const task = call('t1', 'Task');
    const blocks = [
      made.block({ label: 'You', role: 'system', ...systemPrompt, content: `You are an agent.\n${rules}` }),
      made.block({ label: 'files', ...memoryFile, content: rules + more }),
      task.call,
      task.result,
      image,
    ];
    const context = made.builder.startContext(blocks);
    made.request(context, 2, { complete: true, usage: usageOf(211) });
    made.request(context, blocks.length, { complete: true, usage: usageOf(533, 207) });
    const inner = call('t2', 'Task');
    const own = made.builder.startContext([made.prompt('Look'), inner.call, inner.result]);
    made.request(own, 3, { complete: true, thread: 1, usage: usageOf(350) });
    const deeper = made.builder.startContext([made.prompt('Look deeper')]);
    made.request(deeper, 1, { complete: true, thread: 2, usage: usageOf(77) });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    );
    return { columns, summary: makeSummary({ subagents, parts: transcript.parts }) };
  }

  const agents: readonly Subagent[] = [
    { id: 'a', thread: 1, callId: 't1', description: 'Outer' },
    { id: 'b', thread: 2, callId: 't2', description: 'Inner' },
  ];

  const find = (node: BreakdownNode, ...way: readonly string[]): BreakdownNode => {
    const [name, ...rest] = way;
    if (name === undefined) {
      return node;
    }
    const child = node.children.find(one => one.name === name);
    assert.ok(child !== undefined, `${name} below ${node.name}`);
    return find(child, ...rest);
  };

  it('divides a text by file, to the token, in the part that its length is', () => {
    for (const request of [undefined, 0, 1]) {
      const { root, total } = breakdown(session(), request);
      assert.equal(root.tokens, total);
      const memory = find(root, 'Memory');
      const [all, own] = [find(memory, '/work', 'CLAUDE.md'), find(memory, '/work/shop', 'CLAUDE.md')];
      // The first file is in the system prompt too.
      assert.deepEqual([all.blocks, own.blocks, memory.tokens], [2, 1, all.tokens + own.tokens]);
      const inReminder = all.children[1]?.tokens ?? 0;
      const share = rules.length / (rules.length + more.length);
      assert.ok(
        Math.abs(inReminder / (inReminder + own.tokens) - share) < 0.01,
        `request ${request ?? 'all'}`,
      );
      assert.ok(find(root, 'System prompt').tokens < (all.children[0]?.tokens ?? 0));
    }
  });

  it('finds the leaf of a block wherever its parts stand, and adds up on every node', () => {
    const made = session(agents);
    const tree = breakdownTree(made);
    for (const request of [0, 1, 2, 3]) {
      const tokens = requestTokens(tree, made.columns, request);
      for (let node = 0; node < tree.count; node += 1) {
        const children = [...tree.childrenOf(node)];
        assert.ok(children.every(child => tree.parent[child] === node && child > node));
        if (children.length > 0) {
          const sum = (of: ArrayLike<number>): number =>
            children.reduce((all, child) => all + (of[child] ?? 0), 0);
          assert.deepEqual(
            [
              children.reduce((all, child) => all + tokens(child), 0),
              sum(tree.cached),
              sum(tree.fresh),
              sum(tree.blocks),
            ],
            [tokens(node), tree.cached[node], tree.fresh[node], tree.blocks[node]],
          );
        }
      }
    }
    made.columns.contexts.forEach((context, number) => {
      for (const block of context) {
        assert.equal(tree.block[tree.leafOf(block, number)], block);
      }
    });
    assert.equal(tree.leafOf(0, 1), -1);
  });

  it('shows what a subagent returned beside its own tree, which is exact, below its caller', () => {
    const { root } = breakdown(session(agents), undefined);
    const outer = find(root, 'Subagents', 'Outer');
    const returned = find(outer, 'Returned to the caller');
    const inner = find(outer, 'Subagents', 'Inner');
    assert.deepEqual([returned.blocks, inner.tokens], [1, find(inner, 'Returned to the caller').tokens + 77]);
    assert.equal(outer.tokens - returned.tokens - 77, 350);
    assert.equal(root.tokens, 211 + 533 + 350 + 77);
  });

  it('holds the subagents of a conversation that stands by itself, and no other', () => {
    const tree = breakdownTree(session(agents), 1);
    assert.deepEqual([tree.cached[0], tree.fresh[0], tree.notRecordedOf(0)], [0, 350 + 77, -1]);
  });

  it('leaves agents that call each other in a circle below the main conversation', () => {
    const circle = agents.map(({ thread = 0, ...rest }) => ({ ...rest, thread, callId: `t${3 - thread}` }));
    const { root } = breakdown(session(circle), undefined);
    assert.equal(root.tokens, 211 + 533 + 350 + 77);
  });

  it('names the skill that a call loaded', () => {
    const made = new HandMade();
    const call = { role: 'assistant', kind: 'toolCall', provenance: 'developer' } as const;
    const blocks = [
      made.block({ label: 'Skill pdf', toolName: 'Skill', callId: '1', ...call }),
      made.block({
        label: 'Skill pdf',
        role: 'tool',
        kind: 'toolResult',
        contentType: 'tool_result',
        provenance: 'tool',
        partition: 'knowledge',
        toolName: 'Skill',
        callId: '1',
        content: 'Launching skill',
      }),
    ];
    made.request(made.builder.startContext(blocks), 2, { complete: true, usage: usageOf(200) });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    );
    const { root } = breakdown({ columns, summary: makeSummary() }, 0);
    assert.equal(find(root, 'Skills, plugins and commands', 'pdf').blocks, 1);
  });

  it('counts an image of a tool under images, with its tool', () => {
    const { root } = breakdown(session(), 1);
    assert.equal(find(root, 'Images and documents', 'mcp__browser__screenshot').blocks, 1);
  });
});
