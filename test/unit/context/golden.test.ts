import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildPromptIr } from '../../../src/core/context/promptIrBuilder';
import { promptIrToJson } from '../../../src/core/model/promptIr';
import { analyzeObservations, governorStabilityToJson } from '../../../src/core/stability/governorStability';
import { learningKey } from '../../../src/core/stability/learningKey';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { checkGolden } from '../../golden/checkGolden';

/** A case with numbers worked out by hand: 4 + 1 tokens of messages and 1 for the empty state. */
const handMade = {
  id: 'hand',
  input: {
    budget: 100,
    collapseNarration: false,
    frozenHistoryLen: 0,
    preserveRecentMsgs: 0,
    system: [{ role: 'system', content: 'a' }],
    knowledge: [],
    history: [{ role: 'user', content: 'sixteen letters!' }],
    signals: [],
    taskState: { current_step: null },
  },
  expected: {
    totalTokens: 6,
    compact: '',
    rendered: {
      system_text: 'a',
      system_stable: 'a',
      system_knowledge: '',
      turns: [{ role: 'user', content: 'sixteen letters!', token_count: 4 }],
    },
    fingerprint: {
      systemStableHash: 'af63dc4c8601ec8c',
      systemKnowledgeHash: 'cbf29ce484222325',
      turnHashes: ['f8cfbc73c7c37a9e'],
    },
    extendsPrevious: null,
    commonTurnPrefixWithPrevious: null,
  },
};

describe('golden cases', () => {
  for (const name of ['rendered-context.jsonl', 'prompt-ir.jsonl', 'stability.jsonl.gz']) {
    it(`of ${name} all agree`, { skip: skipWithout('golden', name) }, () => {
      const text = readUnpacked(join(shared, 'golden', name)).toString('utf8');
      const cases = text.split('\n').filter(line => line.trim() !== '').length;
      assert.deepEqual(checkGolden(text), { passed: cases, failed: 0, partial: 0, differences: [] });
      assert.ok(cases > 0);
    });
  }

  it('of Prompt IR and stability name what differs', () => {
    const block = {
      span_id: 'user-0',
      sequence_index: 0,
      role: 'user',
      content: 'a b',
      content_type: 'text',
      provenance: 'user',
      sensitivity: 'public',
    };
    const annotated = { messages: [{ role: 'user', content: 'a  b' }] };
    // printf '{"messages":[{"content":"a  b","role":"user"}]}' | sha256sum
    const hash = 'sha256:8b150684f50cb0183a3503f2a285345267375398f9983b7b12aa3848afb1502f';
    const ir = { blocks: [block], source_request_hash: hash };
    const stability = {
      scores: [
        { span_id: 'user-0', classification: 'stable', score: 1, confidence: 0.1, observation_count: 2 },
      ],
      stable_prefix_length: 1,
      stable_prefix_fingerprint: 'none',
      total_observations: 2,
    };
    const identity = { ir_id: '00000000-0000-4000-8000-000000000001', created_at: '2026-01-01T00:00:00Z' };
    const observation = { ...identity, ...ir };
    const lines = [
      { name: 'same', annotated, ir },
      { name: 'other text', annotated, ir: { ...ir, blocks: [{ ...block, content: 'a  b' }] } },
      { name: 'no hash', annotated, ir: { blocks: [block] } },
      { name: 'learned', model: 'm', ir: [observation, observation], st: stability },
    ];
    const { passed, failed, differences } = checkGolden(lines.map(line => JSON.stringify(line)).join('\n'));
    assert.deepEqual([passed, failed], [1, 3]);
    assert.deepEqual(
      differences.map(difference => difference.split(': ').slice(0, 2).join(': ')),
      ['other text: blocks', 'no hash: source_request_hash', 'learned: stable_prefix_fingerprint'],
    );
  });

  it('of stability try likely texts, and count no case whose fingerprint was not compared', () => {
    const messages = [
      { role: 'system', content: 'rules\n' },
      { role: 'user', content: 'hello' },
    ] as const;
    const observation = buildPromptIr(
      { messages },
      {
        irId: '00000000-0000-4000-8000-000000000001',
        createdAt: '2026-01-01T00:00:00Z',
        withSourceHash: true,
      },
    );
    const ir = [promptIrToJson(observation), promptIrToJson(observation)];
    const learned = (agent: string) =>
      governorStabilityToJson(
        analyzeObservations([observation, observation], learningKey(agent, 'm', { messages })),
      );
    const line = (agent: string, more: object = {}): string =>
      JSON.stringify({ name: agent, model: 'm', ir, st: learned(agent), ...more });
    assert.deepEqual(checkGolden([line('a0'), line('other', { agent: 'other' }), line('third')].join('\n')), {
      passed: 2,
      failed: 0,
      partial: 1,
      differences: [],
    });
    const wrong = checkGolden(line('third', { st: { ...learned('third'), total_observations: 3 } }));
    assert.deepEqual([wrong.failed, wrong.partial], [1, 0]);
  });

  it('compare with the case before, and name the case of a difference', () => {
    const line = JSON.stringify(handMade);
    assert.deepEqual(checkGolden(`${line}\n\n`), { passed: 1, failed: 0, partial: 0, differences: [] });
    const second = {
      ...handMade,
      id: 'second',
      expected: { ...handMade.expected, extendsPrevious: true, commonTurnPrefixWithPrevious: 1 },
    };
    assert.equal(checkGolden(`${line}\n${JSON.stringify(second)}`).passed, 2);
    assert.deepEqual(checkGolden(JSON.stringify(second)).differences, [
      'second: extendsPrevious: expected true, got null',
      'second: commonTurnPrefixWithPrevious: expected 1, got null',
    ]);
  });

  it('count a line that cannot be read as failed', () => {
    const report = checkGolden(`{"id":\n{"id":"x","input":{}}\n`);
    assert.equal(report.failed, 2);
    assert.match(report.differences[0] ?? '', /^line 1: /u);
    assert.match(report.differences[1] ?? '', /^x: /u);
    assert.deepEqual(checkGolden(''), { passed: 0, failed: 0, partial: 0, differences: [] });
  });
});
