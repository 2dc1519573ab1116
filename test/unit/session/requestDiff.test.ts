import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffRequests } from '../../../src/core/view/requestDiff';
import { jsonLines } from '../../fixtures/openedTranscript';
import { openCounted } from '../../fixtures/prunedCopies';

const said = (text: string, index: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: text,
});

/** Two requests of one conversation, as in a capture. */
async function diffOf(before: readonly string[], after: readonly string[]) {
  const session = await openCounted(
    jsonLines(
      [before, after].map((texts, number) => ({
        timestamp: number,
        request: {
          url: 'https://api.anthropic.com/v1/messages',
          method: 'POST',
          headers: {},
          body: { model: 'claude-sonnet-4-5', max_tokens: 9, messages: texts.map(said) },
        },
        response: { status: 200, headers: {}, body: null },
      })),
    ),
  );
  return diffRequests(session.toSession().columns, 0, 1);
}

describe('the difference of two requests', () => {
  it('is a changed block where another text stands between the same neighbours', async () => {
    const diff = await diffOf(['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'C', 'd', 'e']);
    assert.deepEqual(diff.changes, [{ kind: 'changed', before: 2, after: 2 }]);
    assert.deepEqual([diff.commonPrefix.blocks, diff.unchanged], [2, 4]);
  });

  it('is a moved block where the same text stands elsewhere', async () => {
    const diff = await diffOf(['a', 'b', 'c', 'd', 'e'], ['c', 'b', 'e', 'd', 'a']);
    assert.ok(diff.changes.some(({ kind }) => kind === 'moved'));
    assert.ok(diff.changes.every(({ kind }) => kind === 'moved'));
    assert.deepEqual([diff.tokensAdded, diff.tokensRemoved, diff.commonPrefix.blocks], [0, 0, 0]);
  });

  it('has no larger start in common than either request is, also where more is not recorded later', async () => {
    const usage = (read: number) => ({
      input_tokens: 3,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    });
    const common = { parentUuid: null, sessionId: 's', version: '2.1.62', isSidechain: false };
    const turn = (index: number, read: number) => [
      { ...common, type: 'user', uuid: `u${index}`, message: { role: 'user', content: `Question ${index}` } },
      {
        ...common,
        type: 'assistant',
        uuid: `a${index}`,
        message: {
          id: `msg_${index}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: 'So.' }],
          usage: usage(read),
        },
      },
    ];
    const session = await openCounted(jsonLines([...turn(0, 20_000), ...turn(1, 50_000)]));
    const { columns } = session.toSession();
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { commonPrefix, before, after } = diffRequests(columns, first, second);
      assert.ok(
        commonPrefix.tokens <= Math.min(before.total.value, after.total.value),
        `${commonPrefix.tokens}`,
      );
      assert.ok(commonPrefix.tokens > 19_000);
    }
  });

  it('is what was added and removed, with the tokens of each side', async () => {
    const diff = await diffOf(['a', 'b', 'c'], ['a', 'b', 'c', 'one two three', 'e']);
    assert.deepEqual(diff.changes, [
      { kind: 'added', after: 3 },
      { kind: 'added', after: 4 },
    ]);
    assert.equal(diff.tokensAdded, (diff.after.tokens[3] ?? 0) + (diff.after.tokens[4] ?? 0));
    assert.equal(diff.tokensRemoved, 0);
  });
});
