import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookUpModel, modelTable } from '../../../src/core/tokens/modelTable';

describe('lookUpModel', () => {
  it('finds a model however its id is written', () => {
    const cases = [
      ['claude-opus-4-6', 'claude-opus-4-6'],
      ['claude-opus-4.6', 'claude-opus-4-6'],
      ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
      ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
      ['claude-sonnet-4@20250514', 'claude-sonnet-4'],
      ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
      ['anthropic/claude-opus-5.5', 'claude-opus-5-5'],
      ['copilot/claude-opus-4.5', 'claude-opus-4-5'],
      ['claude-3-5-haiku-20241022', 'claude-3-5-haiku'],
      ['claude-3-opus-20240229', 'claude-3-opus'],
      ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
      ['openai/gpt-4.1-mini', 'gpt-4-1-mini'],
      ['gpt-5-2025-08-07', 'gpt-5'],
      ['gpt-5.3-codex-spark', 'gpt-5-3-codex-spark'],
      ['gpt-6.1-sol', 'gpt-6-1-sol'],
      ['gpt-7', 'gpt'],
      ['o3-mini', 'o3-mini'],
      ['deepseek/deepseek-chat', 'deepseek'],
      ['glm-4.7', 'glm-4-7'],
      ['glm-6', 'glm'],
      ['qwen3-coder-plus', 'qwen3'],
      ['Qwen/Qwen2.5-Coder-32B', 'qwen'],
      ['gemini-2.5-flash-lite', 'gemini-2-5-flash-lite'],
      ['x-ai/grok-code-fast-1', 'grok-code-fast-1'],
      ['MiniMax-M2.5', 'minimax-m2-5'],
      ['devstral-medium-2507', 'devstral'],
      ['moonshotai/kimi-k2-thinking', 'kimi-k2-thinking'],
    ] as const;
    for (const [id, match] of cases) {
      assert.equal(lookUpModel(id)?.match, match, id);
    }
  });

  it('takes no unknown version for a known one, and no other name for a model', () => {
    for (const id of [
      'claude-opus-4-9',
      'claude-opus-4.10',
      'claude-sonnet-6',
      'o33',
      'gptx',
      '<synthetic>',
      '',
      'auto',
    ]) {
      assert.equal(lookUpModel(id), undefined, id);
    }
  });

  it('reads the suffix for the long context', () => {
    assert.equal(lookUpModel('claude-sonnet-4-5[1m]')?.contextWindow, 1_000_000);
    assert.equal(lookUpModel('claude-sonnet-4-5')?.contextWindow, 200_000);
    assert.equal(lookUpModel('claude-opus-4-6')?.contextWindow, undefined);
  });

  it('knows prices for a release of a model, and none for a variant that is not listed', () => {
    for (const id of [
      'claude-opus-4-5-20251101',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-3-7-sonnet-latest',
      'gpt-5.2-high',
      'openai/gpt-5-codex-2025-09-23',
      'gemini-3-pro-preview',
      'deepseek-v4-pro-0813',
      'gpt-6.2-sol',
      'gpt-6.2-astra',
      'gpt-6-cyber',
      'gpt-5.3-codex-spark',
      'qwen4-max',
      'gemini-4-neon',
      'kimi-for-coding',
      'k3',
      'mistral-large-4',
      'mistral-large-latest',
      'gemini-flash-latest',
      'gemini-pro-latest',
    ]) {
      assert.notEqual(lookUpModel(id)?.prices, undefined, id);
    }
    for (const id of [
      'claude-opus-4-6-fast',
      'gpt-4o-realtime-preview',
      'glm-4.6v',
      'kimi-k3-turbo',
      'gpt-7',
    ]) {
      assert.equal(lookUpModel(id)?.prices, undefined, id);
      assert.notEqual(lookUpModel(id), undefined, id);
    }
  });

  it('names each row once, in the form that ids are compared in', () => {
    const names = modelTable.map(({ match }) => match);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.every(name => /^[a-z0-9-]+$/.test(name)));
  });
});
