import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { checkGolden } from '../../golden/checkGolden';

const file = resolve('..', 'shared', 'golden', 'rendered-context.jsonl');
const skip = existsSync(file) ? false : 'the golden cases are not beside this repository';

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
  it('of the upstream kernel all agree', { skip }, () => {
    const report = checkGolden(readFileSync(file, 'utf8'));
    assert.deepEqual(report, { passed: 400, failed: 0, differences: [] });
  });

  it('compare with the case before, and name the case of a difference', () => {
    const line = JSON.stringify(handMade);
    assert.deepEqual(checkGolden(`${line}\n\n`), { passed: 1, failed: 0, differences: [] });
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
    assert.deepEqual(checkGolden(''), { passed: 0, failed: 0, differences: [] });
  });
});
