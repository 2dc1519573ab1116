import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { sessionStatus } from '../../../src/core/session/sessionStatus';
import { costNotes } from '../../../src/core/tokens/costNotes';
import { figureText } from '../../../src/core/tokens/qualityWords';
import { buildRequestView } from '../../../src/core/view/requestView';
import { jsonLines } from '../../fixtures/jsonLines';
import { sourceOf } from '../../fixtures/transcriptBytes';

const text = 'The shop sells books and maps. '.repeat(1_000);

/** A session of Claude Code that reads a file, with these recorded inputs. */
async function opened(...inputs: readonly number[]) {
  const line = (number: number, type: string, message: object) => ({
    uuid: `line-${number}`,
    parentUuid: number === 0 ? null : `line-${number - 1}`,
    sessionId: 's',
    version: '2.1.180',
    type,
    message,
  });
  const reply = (number: number, content: object) =>
    line(2 * number + 1, 'assistant', {
      id: `msg_${number}`,
      role: 'assistant',
      model: 'claude-opus-4-8',
      content: [content],
      usage: { input_tokens: inputs[number] ?? 0, output_tokens: 50 },
    });
  const lines = [
    line(0, 'user', { role: 'user', content: 'Explain the repository to me.' }),
    reply(0, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'shop.md' } }),
    line(2, 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: text }],
    }),
    reply(1, { type: 'text', text: 'It is a shop.' }),
    line(4, 'user', { role: 'user', content: 'Thanks.' }),
    reply(2, { type: 'text', text: 'You are welcome.' }),
  ];
  const result = await openTranscript(sourceOf(new TextEncoder().encode(jsonLines(lines))), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  await result.session.countTokens();
  return result.session.toSession();
}

describe('a recorded input that is smaller than its texts can be', () => {
  it('is shown as doubted, and the context is estimated with the texts in it', async () => {
    const session = await opened(1, 1);
    const { total, notRecorded } = buildRequestView(session.columns, 1);
    assert.deepEqual([total.quality, total.doubted, notRecorded.value], ['estimated', 1, 0]);
    assert.ok(total.value > 6_000 && total.value < 13_000, String(total.value));
    assert.match(figureText(total), /tokens, estimated.*; recorded: 1 token, doubted because/);
    const { tokens, cache } = sessionStatus(await opened(9_000, 18_000, 400)).newest ?? {};
    assert.equal(tokens?.quality, 'exact', 'an old result may have been cleared');
    assert.equal(cache?.input, 400);
  });

  it('is in the sums as recorded, which are a lower bound', async () => {
    const { usage, isLeast, newest } = sessionStatus(await opened(20_000, 1, 28_100));
    assert.deepEqual([usage.input, usage.doubtedInput, isLeast], [48_101, 1, true]);
    assert.deepEqual(costNotes(usage), ['The recorded input of 1 request is smaller than the texts can be.']);
    assert.equal(newest?.tokens.value, 28_100);
  });

  it('scales nothing, and leaves other requests as they are', async () => {
    const { columns } = await opened(20_000, 1, 28_100);
    const [first, doubted, third] = [0, 1, 2].map(request => buildRequestView(columns, request));
    assert.equal(first?.total.quality, 'exact');
    assert.ok(doubted !== undefined && doubted.total.value > 26_000 && doubted.total.value < 30_000);
    assert.ok((doubted.tokens[2] ?? 0) > 6_000);
    assert.equal(third?.total.quality, 'exact');
  });

  it('is believed as soon as its texts could be so short', async () => {
    const { columns } = await opened(10, 4_000);
    assert.equal(buildRequestView(columns, 1).total.quality, 'exact');
    assert.equal(buildRequestView(columns, 0).total.doubted, undefined);
  });
});
