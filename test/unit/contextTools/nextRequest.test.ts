import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, numberAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { type NextRequest, nextRequest } from '../../../src/core/contextTools/nextRequest';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { decodeText } from '../../../src/node/files/decodeText';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { filesBelow, shared, skipWithout } from '../../fixtures/sharedFiles';

async function nextOf(text: string): Promise<NextRequest | undefined> {
  const bytes = Buffer.from(text);
  const opened = await openTranscript(
    {
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    },
    { fileName: 'session.jsonl', scanner: { scan: () => Promise.resolve([]) }, decodeText },
  );
  assert.ok(opened.ok);
  return nextRequest(opened.session.toSession(), 0);
}

const twoReplies = (): ClaudeCodeSession =>
  new ClaudeCodeSession()
    .prompt('Read the ledger')
    .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: 'ledger.txt' } })
    .result('toolu_1', 'a row of the ledger\n'.repeat(3000))
    .reply({ text: 'It balances.' });

describe('the next request', () => {
  it('is foreseen if the newest reply has no usage, or only zeros', async () => {
    const before = await nextOf(twoReplies().toString());
    assert.ok(before !== undefined && !before.isEstimated);
    const more = twoReplies().prompt('And the other one').reply({ text: 'It does not.' }).toString();
    const lines = more.trimEnd().split('\n');
    const last = lines.pop() ?? '';
    const usage = /"usage":\{[^}]*\}/;
    assert.match(last, usage);
    for (const replaced of ['"usage":null', '"usage":{}', '"usage":{"input_tokens":0,"output_tokens":0}']) {
      const next = await nextOf(`${[...lines, last.replace(usage, replaced)].join('\n')}\n`);
      assert.ok(next?.isEstimated === true, replaced);
      assert.deepEqual(
        [next.after, next.readable, next.coldAt],
        [before.after, before.readable, before.coldAt],
      );
      assert.ok(next.tokens >= before.tokens && next.tokens < 1.05 * before.tokens, `${next.tokens}`);
    }
  });

  it('is not foreseen without any usage', async () => {
    assert.equal(
      await nextOf(
        twoReplies()
          .toString()
          .replaceAll(/"usage":\{[^}]*\}/g, '"usage":null'),
      ),
      undefined,
    );
  });
});

/** Input, cache read, cache write and output, in US dollars per million tokens, from a list of others. */
const listed = objectAt(parseJson(readFileSync('research/listedPrices.json', 'utf8')), 'models');

/** The costs of the next input from the raw lines of a session of Claude Code; undefined where they do not say enough. */
function rawCosts(text: string): { readonly warm: number; readonly cold: number } | undefined {
  const records = text.split('\n').map(line => parseJson(line));
  if (/"compact_boundary"|"isSidechain":true|"isCompactSummary"/.test(text)) {
    return undefined;
  }
  const last = records.findLast(record => stringAt(record, 'type') === 'assistant');
  const message = objectAt(last, 'message');
  const usage = objectAt(message, 'usage');
  const [input, read, written] = arrayAt(listed, `anthropic/${stringAt(message, 'model') ?? ''}`);
  if (typeof input !== 'number' || typeof read !== 'number' || typeof written !== 'number') {
    return undefined;
  }
  const count = (name: string): number => numberAt(usage, name) ?? 0;
  const kept = count('cache_read_input_tokens') + count('cache_creation_input_tokens');
  const rest = count('input_tokens') + count('output_tokens');
  const hour = numberAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens') ?? 0;
  const write = hour > 0 ? 2 * input : written;
  return { warm: (kept * read + rest * write) / 1e6, cold: ((kept + rest) * write) / 1e6 };
}

describe('the prices of the next request', { skip: skipWithout('samples') }, () => {
  it('are those of a list of others, times the raw usage', async test => {
    let compared = 0;
    const wrong: string[] = [];
    for (const file of filesBelow(`${shared}/samples`, '.jsonl')) {
      const whole = readFileSync(file, 'utf8');
      const lines = whole.slice(0, 5000).includes('"sessionId":') ? whole.split('\n') : [];
      const replies = lines.flatMap((line, index) =>
        stringAt(parseJson(line), 'type') === 'assistant' ? index : [],
      );
      // Each session is looked at as it was at some of its replies.
      for (const part of lines.length > 800 ? [] : [0.5, 1]) {
        const end = replies[Math.ceil(part * replies.length) - 1] ?? -1;
        const text = `${lines.slice(0, end + 1).join('\n')}\n`;
        const costs = rawCosts(text);
        const next = costs === undefined ? undefined : await nextOf(text);
        if (costs === undefined || next === undefined || next.isEstimated || next.readable === 0) {
          continue;
        }
        compared += 1;
        const isEqual = (one: number, other = Number.NaN): boolean => Math.abs(one - other) <= 1e-9;
        if (!isEqual(costs.warm, next.warm) || !isEqual(costs.cold, next.cold)) {
          wrong.push(`${basename(file)}: ${next.warm}, ${next.cold} instead of ${costs.warm}, ${costs.cold}`);
        }
      }
    }
    test.diagnostic(`${compared} states of sessions`);
    assert.ok(compared > 5, `${compared}`);
    assert.deepEqual(wrong, []);
  });
});
