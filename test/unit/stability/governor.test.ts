import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PromptRole } from '../../../src/core/model/labels';
import { type PromptBlock, type PromptIR, spanId } from '../../../src/core/model/promptIr';
import { governorMinimumTokens, governorPlan } from '../../../src/core/stability/governorPlan';
import { analyzeObservations } from '../../../src/core/stability/governorStability';
import { learningKey } from '../../../src/core/stability/learningKey';

/** A text of a role, such as `system rules`; blocks of a prompt in order. */
function promptOf(texts: readonly (readonly [PromptRole, string])[], hash = 'sha256:same'): PromptIR {
  return {
    irId: '',
    createdAt: '',
    sourceRequestHash: hash,
    blocks: texts.map(([role, content], sequenceIndex): PromptBlock => ({
      spanId: spanId(role, sequenceIndex),
      sequenceIndex,
      role,
      content,
      contentType: 'text',
      provenance: role === 'system' ? 'system' : 'user',
      sensitivity: 'public',
    })),
  };
}

const rules = ['system', 'r'.repeat(8000)] as const;
const question = ['user', 'q'.repeat(8000)] as const;
const plain = promptOf([rules, question]);
const planned = (observations: readonly PromptIR[], ir = plain, model = 'claude-sonnet-4') =>
  governorPlan({
    ir,
    learningKey: 'key',
    stability: analyzeObservations(observations, 'key'),
    model,
    hasSystemPrompt: true,
  });

describe('analyzeObservations', () => {
  it('sorts spans of one place by class, then by id, and not by score', () => {
    const other = (role: PromptRole): PromptIR => promptOf([rules, [role, 'x']]);
    const observations = [
      ...Array.from({ length: 5 }, () => plain),
      other('tool'),
      other('tool'),
      other('assistant'),
    ];
    assert.deepEqual(
      analyzeObservations(observations, 'key').scores.map(({ spanId: id, score }) => [id, score]),
      // Both variable spans come before the semi-stable one, by their ids: the lower score does not decide.
      [
        ['system-0', 1],
        ['assistant-1', 0.125],
        ['tool-1', 0.25],
        ['user-1', 0.625],
      ],
    );
  });

  it('binds the fingerprint to the key inside the scaffold, and to the request beyond it', () => {
    const of = (hash: string, key: string, texts = [rules, question]): string | undefined =>
      analyzeObservations([promptOf(texts, hash), promptOf(texts, hash)], key).stablePrefixFingerprint;
    assert.equal(of('a', 'key', [rules]), of('b', 'key', [rules]));
    assert.notEqual(of('a', 'key', [rules]), of('a', 'other', [rules]));
    assert.notEqual(of('a', 'key'), of('b', 'key'));
  });
});

describe('governorPlan', () => {
  it('plans from two observations on, where that pays', () => {
    assert.deepEqual(planned([plain]), { ok: false, reason: 'tooFewObservations' });
    // One expected read of a confidence of 2/20 does not pay; two of 3/20 do.
    assert.deepEqual(planned([plain, plain]), { ok: false, reason: 'notWorthIt' });
    const plan = planned([plain, plain, plain]);
    // 16,000 bytes, four to a token.
    assert.ok(plan.ok && plan.breakpoints[0]?.prefixTokens === 4000);
  });

  it('plans for a request beyond the scaffold only where it is the one that was seen', () => {
    const observations = [plain, plain, plain];
    assert.deepEqual(planned(observations, promptOf([rules, question], 'sha256:next')), {
      ok: false,
      reason: 'otherRequest',
    });
  });

  it('prices nothing from a contested place on', () => {
    const contested = promptOf([rules, ['assistant', 'x']]);
    const plan = planned([...Array.from({ length: 19 }, () => plain), contested]);
    assert.ok(plan.ok);
    assert.deepEqual(
      plan.breakpoints.map(({ position }) => position),
      [0],
    );
  });

  it('takes the family whose name begins the model, and no other', () => {
    assert.equal(governorMinimumTokens('claude-opus-4-6'), 1024);
    assert.equal(governorMinimumTokens('claude-opus-4.6-x'), 4096);
    assert.deepEqual(planned([plain, plain, plain], plain, 'claude-next'), {
      ok: false,
      reason: 'modelUnknown',
    });
  });
});

describe('learningKey', () => {
  const tool = (name: string) => ({ name, definition: { type: 'function', function: { name } } });

  it('changes with the tools, and not with the messages where there is a scaffold', () => {
    const key = (text: string, ...names: string[]): string =>
      learningKey('a', 'm', {
        instructions: 'rules',
        messages: [{ role: 'user', content: text }],
        tools: names.map(tool),
      });
    assert.equal(key('one', 'read'), key('two', 'read'));
    assert.notEqual(key('one', 'read'), key('one', 'write'));
    assert.notEqual(key('one', 'read', 'write'), key('one', 'write', 'read'));
  });

  it('has four digits of the first message where nothing else is there', () => {
    assert.match(
      learningKey('a', undefined, { messages: [{ role: 'user', content: 'hello' }] }),
      /^a::model=unknown::seed=user:sha256:[\da-f]{4}::system=no-system::tools=no-tools$/u,
    );
    assert.match(
      learningKey('a', 'm', { messages: [{ role: 'assistant', content: 'hello' }], tools: [] }),
      /::seed=assistant:sha256::system=no-system::tools=tools-unavailabl$/u,
    );
  });
});
