import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { type Answer, packAnswer, Questions } from '../../../src/protocol/rpc';

const table = { words: { params: v.object({}), result: v.array(v.string()) } };

/** Asks `words` of a side that answers with this value, and has the answer passed on or checked. */
function asked(value: unknown, isPassedOn: boolean): Promise<unknown> {
  const questions = new Questions(table, ({ id }) => {
    const answer: Answer = { type: 'answer', id, ok: true, value };
    queueMicrotask(() => questions.receive(packAnswer(answer)));
  });
  const question = { name: 'words', params: {} } as const;
  return isPassedOn ? questions.passOn(question) : questions.ask(question);
}

const many = Array.from({ length: 20_000 }, (_, index) => `wörd ${index}`);

describe('packed answers', () => {
  it('are bytes to who passes them on, and values to who asked', async () => {
    const packed = await asked(many, true);
    assert.ok(packed instanceof ArrayBuffer);
    assert.deepEqual(await asked(many, false), many);
    assert.deepEqual(await asked(packed, false), many, 'also from two sides away');
  });

  it('are only large ones', async () => {
    assert.deepEqual(await asked(['one'], true), ['one']);
  });

  it('are checked', async () => {
    await assert.rejects(asked({ many }, false), /answer is invalid/);
  });
});
