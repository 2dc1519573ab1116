import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { charTokenEngine } from '../../../src/core/context/charTokenEngine';
import { turnJson } from '../../../src/core/context/contextJson';
import { renderContext } from '../../../src/core/context/render';
import { openSteps } from '../../../src/core/model/taskState';
import { requestIr } from '../../../src/core/questions/requestIr';
import { requestPartitions } from '../../../src/core/session/requestPartitions';
import { taskStateOf } from '../../../src/core/session/taskStateOf';
import { HandMade } from './handMade';

function textBlocks(made: HandMade, numbers: readonly number[]) {
  return numbers.flatMap(number => {
    const block = made.builder.blocks.at(number);
    return block?.text.kind === 'literal' ? [{ block, text: block.text.text }] : [];
  });
}

describe('context partitions of a request', () => {
  it('put every block into its slot, and render them as upstream does', () => {
    const made = new HandMade();
    const todo = JSON.stringify({
      todos: [
        { content: 'Read the parser', status: 'completed' },
        { content: 'Fix the offset', status: 'in_progress' },
      ],
    });
    const plan = made.block({
      label: 'TodoWrite',
      role: 'assistant',
      kind: 'toolCall',
      partition: 'state',
      toolName: 'TodoWrite',
      callId: 't1',
      content: todo,
    });
    const read = made.toolPair('Read', 'c1', 'let x');
    const numbers = [
      made.block({ label: 'You are an agent', role: 'system', kind: 'systemPrompt', partition: 'system' }),
      made.block({
        label: 'CLAUDE.md says',
        kind: 'injected',
        partition: 'knowledge',
        provenance: 'developer',
      }),
      made.prompt('Fix the parser'),
      plan,
      read.call,
      read.result,
      made.block({ label: 'Hook says no', kind: 'injected', partition: 'state' }),
    ];
    const partitions = requestPartitions(textBlocks(made, numbers));
    const rendered = renderContext(partitions, {
      budget: 10_000,
      engine: charTokenEngine,
      preserveRecentMsgs: 4,
    });
    assert.equal(rendered.systemStable, 'You are an agent');
    assert.equal(rendered.systemKnowledge, 'CLAUDE.md says');
    assert.deepEqual(
      rendered.turns.map(({ role, toolCalls }) => [role, toolCalls.map(({ name }) => name)]),
      [
        ['user', []],
        ['assistant', ['TodoWrite']],
        ['assistant', ['Read']],
        ['tool', []],
      ],
    );
    assert.equal(
      rendered.stateTurn?.content,
      [
        '[TASK STATE] goal: Fix the parser',
        'plan:',
        '  [done] 1. Read the parser',
        '  [active] 2. Fix the offset',
        '',
        'Hook says no',
        '',
        '→ did: Read · next: step 2 — Fix the offset',
        '',
        'Proceed.',
      ].join('\n'),
    );
  });
});

describe('the task state of a request', () => {
  const call = (made: HandMade, toolName: string, content: string, rest = {}) =>
    made.block({ label: toolName, role: 'assistant', kind: 'toolCall', toolName, content, ...rest });

  it('takes what the user says to a working agent as a directive, and anything else as the new goal', () => {
    const made = new HandMade();
    const { call: read, result } = made.toolPair('Read', 'c1', 'let x');
    const state = taskStateOf(
      textBlocks(made, [
        made.prompt('First goal'),
        made.assistant('Done.'),
        made.prompt('  Second goal\n'),
        read,
        result,
        made.prompt('Run no tests'),
        made.assistant('Very well.'),
      ]),
    );
    assert.equal(state.goal, 'Second goal');
    assert.deepEqual(state.directives, ['Run no tests']);
  });

  it('keeps the calls of the newest six replies, one entry a reply', () => {
    const made = new HandMade();
    const message = made.builder.addMessage({ role: 'assistant', timestamp: 0 });
    const numbers = [
      ...['a', 'b', 'c'].map(name => call(made, name, '{}')),
      call(made, 'Read', '{"b": 1.0, "a": [1]}', { message }),
      call(made, 'Write', JSON.stringify({ text: 'x'.repeat(90) }), { message }),
      ...['d', 'd', 'd', 'd'].map(name => call(made, name, '""')),
    ];
    const state = taskStateOf(textBlocks(made, [made.prompt('Goal'), ...numbers]));
    assert.deepEqual(state.recentActions, [
      'c()',
      `Read({"a":[1],"b":1.0}), Write({"text":"${'x'.repeat(39)}…)`,
      'd()',
      'd()',
      'd()',
      'd()',
    ]);
    const partitions = requestPartitions(textBlocks(made, [made.prompt('Goal'), ...numbers]));
    const { stateTurn } = renderContext(partitions, {
      budget: 10_000,
      engine: charTokenEngine,
      preserveRecentMsgs: 4,
    });
    assert.match(JSON.stringify(stateTurn?.content), /STOP: `d` repeated 4× unchanged/);
    // Upstream hashes the arguments with their numbers as written.
    const [, , , , turn] = partitions.history.messages;
    assert.ok(turn !== undefined);
    assert.match(turnJson(turn), /\{"a":\[1\],"b":1\.0\}/);
  });

  it('takes the first open step for the active one where none is marked, and logs compactions', () => {
    const made = new HandMade();
    const plan = ['one', 'two', 'three'].map((step, index) => ({
      step,
      status: index === 0 ? 'completed' : 'pending',
    }));
    const state = taskStateOf(
      textBlocks(made, [
        made.block({ label: 'What was before', kind: 'summary' }),
        made.prompt('Goal'),
        call(made, 'update_plan', JSON.stringify({ explanation: 'Halfway', plan }), { partition: 'state' }),
      ]),
    );
    assert.deepEqual(openSteps(state), ['two', 'three']);
    assert.equal(state.currentStep, 1);
    assert.equal(state.progress, 'Halfway');
    assert.deepEqual(state.recentActions, []);
    assert.deepEqual(state.compressionLog, [{ action: 'summary', summary: 'What was before' }]);
  });

  it('drops the signals that an earlier request delivered', () => {
    const made = new HandMade();
    const note = (label: string) => made.block({ label, kind: 'injected', partition: 'state' });
    const numbers = [made.prompt('Goal'), note('old'), made.assistant('Done.'), note('new')];
    assert.deepEqual(requestPartitions(textBlocks(made, numbers)).signals, ['new']);
  });
});

describe('prompt IR of a request', () => {
  it('has every block in sequence, normalised, with its labels, tokens and tool schema hashes', () => {
    const made = new HandMade();
    const schema = made.block({
      label: 'Read',
      role: 'system',
      kind: 'toolSchema',
      contentType: 'tool_schema',
      provenance: 'system',
      toolName: 'Read',
      content: '{"name":"Read","description":"d","input_schema":{}}',
    });
    const [tool, prompt] = textBlocks(made, [schema, made.prompt('  two   words\n  indented ')]);
    assert.ok(tool !== undefined && prompt !== undefined);
    const ir = requestIr(
      [
        { ...tool, sequenceIndex: 0, position: 0, tokens: 9, sensitivity: 0 },
        { ...prompt, sequenceIndex: 1, position: 1, tokens: 3, sensitivity: 1 },
      ],
      {
        irId: '00000000-0000-4000-8000-000000000001',
        createdAt: '2026-01-01T00:00:00Z',
        modelFamily: 'claude',
      },
      undefined,
    ).upstream;
    assert.deepEqual(
      ir.blocks.map(block => [
        block.spanId,
        block.content,
        block.sensitivity,
        block.tokenMetadata?.tokenCount,
      ]),
      [
        [
          'system-0-Read',
          '{"function":{"description":"d","name":"Read","parameters":{}},"type":"function"}',
          'public',
          9,
        ],
        ['user-1', 'two words\n indented', 'private', 3],
      ],
    );
    // printf '%s' of the content above | sha256sum
    assert.deepEqual(ir.toolSchemaHashes, [
      {
        toolName: 'Read',
        schemaHash: 'sha256:dde7cf9cee299f1296fb3069ccf6ef50b3d0d9ec0668a38e5e2a18a2df2dd7f1',
      },
    ]);
  });
});
