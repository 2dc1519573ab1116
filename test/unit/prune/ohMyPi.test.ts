import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { splitSelector } from '../../../src/core/prune/ohMyPiRules';
import { loadOhMyPi, type Saving } from '../../fixtures/ohMyPi';
import { assistant, planOf, type PruneMessage, type PruneResult, reasons, result, user } from './transcripts';

const options = { ...defaultPruneOptions('oh-my-pi'), measure: 'chars4' } as const;
const quarter = (text: string): number => Math.ceil(text.length / 4);
const hour = 3_600_000;

/** Gives results of four bytes per token their places, one after the other, with `behind` tokens after the last. */
function placed(results: readonly PruneResult[], behind = 0) {
  let endBytes = 0;
  const messages = results.map(entry => {
    endBytes += entry.bytes;
    return assistant({ ...entry, endBytes });
  });
  return { messages, endBytes: endBytes + behind * 4 };
}

function plan(
  { messages, endBytes }: { readonly messages: readonly PruneMessage[]; readonly endBytes: number },
  changed: Partial<PruneOptions> = {},
  idle = 0,
) {
  return planOf([user, ...messages], { ...options, ...changed }, quarter, { endBytes, idle });
}

const read = (block: number, tokens: number, path: string, other: Partial<PruneResult> = {}) =>
  result(block, tokens, { tool: 'read', path, ...other });

describe('rule set oh-my-pi', () => {
  it('takes out reads that a newer read replaces, however few tokens they are', () => {
    const session = placed([read(1, 60, 'a.ts'), read(2, 60, 'b.ts'), read(3, 60, 'a.ts')]);
    const { decisions, executes, tokensFreed } = plan(session);
    assert.deepEqual(reasons(decisions), ['pruned', 'withinProtectedTokens', 'withinProtectedTokens']);
    assert.equal(executes, true);
    // The notice has 41 characters, which count for 11 tokens.
    assert.equal(tokensFreed, 60 - 11);
  });

  it('lets the read of a whole file replace that of a part, and not the other way round', () => {
    const replaced = placed([read(1, 60, 'a.ts:1-50'), read(2, 60, 'a.ts:raw:1-9'), read(3, 60, 'a.ts')]);
    assert.deepEqual(reasons(plan(replaced).decisions), ['pruned', 'pruned', 'withinProtectedTokens']);
    const kept = placed([read(1, 60, 'a.ts'), read(2, 60, 'a.ts:1-50'), read(3, 60, 'a.ts:51-90')]);
    assert.equal(plan(kept).executes, false);
  });

  it('leaves what is not a file, and what is a skill', () => {
    const session = placed(
      ['https://x.test/a', 'skill://a'].flatMap((path, at) => [
        read(2 * at, 60, path),
        read(2 * at + 1, 60, path),
      ]),
    );
    assert.equal(plan(session).executes, false);
  });

  it('takes out results that their tool calls useless, unless that frees nothing or they are errors', () => {
    const session = placed([
      result(1, 60, { useless: true }),
      result(2, 7, { useless: true }),
      result(3, 60, { useless: true, status: 'error' }),
      result(4, 60, { useless: true, tool: 'skill' }),
    ]);
    const { decisions, tokensFreed } = plan(session);
    assert.deepEqual(reasons(decisions), [
      'pruned',
      'withinProtectedTokens',
      'withinProtectedTokens',
      'withinProtectedTokens',
    ]);
    // 27 characters of notice are 7 tokens.
    assert.equal(tokensFreed, 60 - 7);
  });

  it('leaves alone what has more behind it than the warm end, unless the cache has gone cold', () => {
    const session = placed([read(1, 60, 'a.ts'), read(2, 60, 'a.ts')], 7_941);
    // 60 + 7,941 tokens come after the first.
    assert.deepEqual(reasons(plan(session).decisions), ['withinWarmPrefix', 'withinProtectedTokens']);
    assert.equal(plan(session, { cacheWarmSuffixTokens: 8_001 }).executes, true);
    assert.equal(plan(session, {}, 1.5 * hour - 1).executes, false);
    assert.equal(plan(session, {}, 1.5 * hour).executes, true);
  });

  it('takes out old results from the protected tokens on, if that saves enough net of the notices', () => {
    const open = { cacheWarmSuffixTokens: 1_000_000 };
    const session = (oldest: number) => placed([result(1, oldest), result(2, 49), result(3, 40_000)]);
    // "[Output truncated - 20008 tokens]" has 33 characters: 9 tokens.
    assert.equal(plan(session(20_008), open).executes, false);
    const { decisions, candidateTokens, tokensFreed } = plan(session(20_009), open);
    assert.deepEqual(reasons(decisions), ['pruned', 'tooSmall', 'withinProtectedTokens']);
    assert.deepEqual([candidateTokens, tokensFreed], [20_000, 20_000]);
  });

  it('splits selectors from paths', () => {
    const split = (path: string) => Object.values(splitSelector(path));
    assert.deepEqual(split('src/a.ts'), ['src/a.ts', '']);
    assert.deepEqual(split('src/a.ts:5-16,960-973'), ['src/a.ts', '5-16,960-973']);
    assert.deepEqual(split('src/a.ts:raw:L5..9'), ['src/a.ts', 'raw:L5..9']);
    assert.deepEqual(split('src/a.ts:raw:raw'), ['src/a.ts:raw', 'raw']);
    assert.deepEqual(split('C:5'), ['C', '5']);
    assert.deepEqual(split(':5'), [':5', '']);
    assert.deepEqual(split('src/a.ts:conflicts'), ['src/a.ts', 'conflicts']);
    assert.deepEqual(split('src/a.ts:name'), ['src/a.ts:name', '']);
  });

  it('prunes what the published oh-my-pi prunes', async context => {
    const oracle = await loadOhMyPi();
    if (typeof oracle === 'string') {
      context.skip(oracle);
      return;
    }
    let pruned = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomNumbers(seed);
      const session = randomSession(random);
      const guard = pick(random, [0, 500, 8_000, 40_000, 10_000_000]);
      const chosen = {
        protectTokens: pick(random, [0, 1_000, 5_000, 40_000]),
        minimumTokens: pick(random, [0, 1_000, 20_000]),
        cacheWarmSuffixTokens: guard,
      };
      const idle = pick(random, [0, 0, 2 * hour]);
      const { protectedTools } = oracle.defaults;
      const tokenizer = { countMessage: ({ content }: SentMessage) => quarter(content[0].text) };
      const first: Saving = oracle.pruneSuperseded(session.entries, tokenizer, {
        supersedeKey: oracle.supersedeKey,
        pruneUseless: true,
        protectedTools,
        suffixTokenLimit: guard,
        idleFlushMs: 1.5 * hour,
        now: idle,
      });
      const second: Saving = oracle.pruneToolOutputs(session.entries, tokenizer, {
        protectTokens: chosen.protectTokens,
        minimumSavings: chosen.minimumTokens,
        protectedTools,
        pruneUseless: true,
        cacheWarmSuffixTokens: guard,
      });
      const expected = session.entries.flatMap(({ id, message }) =>
        message.prunedAt === undefined ? [] : [Number(id)],
      );
      const planned = plan({ messages: session.messages, endBytes: session.endBytes }, chosen, idle);
      assert.deepEqual(
        planned.executes ? planned.candidates.toSorted((one, other) => one - other) : [],
        expected,
        `seed ${seed}`,
      );
      if (planned.executes) {
        assert.equal(planned.tokensFreed, first.tokensSaved + second.tokensSaved, `seed ${seed}`);
      }
      pruned += expected.length;
    }
    assert.ok(pruned > 300, `${pruned} results pruned`);
  });
});

interface SentMessage {
  readonly role: string;
  readonly content: readonly [{ readonly type: string; readonly text: string }, ...unknown[]];
  readonly prunedAt?: number;
}

/** A linear congruential generator (Numerical Recipes). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<Value>(random: () => number, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** The same session in two forms: as entries of oh-my-pi, and as messages. Texts are whole tokens of four bytes. */
function randomSession(random: () => number) {
  const entries: { type: 'message'; id: string; message: SentMessage }[] = [];
  const messages: PruneMessage[] = [];
  let endBytes = 0;
  const add = (id: number, role: string, tokens: number, rest: object = {}): void => {
    const text = 'abcd'.repeat(tokens);
    endBytes += text.length;
    entries.push({
      type: 'message',
      id: String(id),
      message: { role, content: [{ type: 'text', text }], ...rest },
    });
  };
  const size = (): number => Math.floor(random() ** 3 * 12_000) + 1;
  for (let block = 1; block <= 25; block++) {
    if (random() < 0.2) {
      add(0, 'user', size());
      messages.push(user);
    }
    const tool = pick(random, ['read', 'read', 'bash', 'skill']);
    const path = pick(random, ['a.ts', 'a.ts:1-9', 'a.ts:raw:1-9', 'b.ts', 'skill://x', 'https://x.test/y']);
    const tokens = size();
    const useless = tool !== 'read' && random() < 0.2;
    const isError = random() < 0.1;
    const call = { type: 'toolCall', id: `c${block}`, name: tool, arguments: { path } };
    const said = size();
    entries.push({
      type: 'message',
      id: '0',
      message: { role: 'assistant', content: [{ type: 'text', text: 'abcd'.repeat(said) }, call] },
    });
    endBytes += said * 4;
    add(block, 'toolResult', tokens, {
      toolCallId: `c${block}`,
      toolName: tool,
      ...(useless ? { useless } : {}),
      ...(isError ? { isError } : {}),
      timestamp: 0,
    });
    const status = isError ? 'error' : 'completed';
    messages.push(assistant(result(block, tokens, { tool, path, useless, status, endBytes })));
  }
  return { entries, messages, endBytes };
}
