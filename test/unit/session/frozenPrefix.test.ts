import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frozenHistoryLengths, frozenPrefixLengths } from '../../../src/core/view/frozenPrefix';
import { HandMade } from './handMade';

describe('frozen prefix length', () => {
  it('is absent before the first compaction', () => {
    const made = new HandMade();
    made.request(made.builder.startContext([made.prompt('a'), made.assistant('b')]), 2);
    assert.deepEqual(frozenPrefixLengths(made.build()), [undefined]);
  });

  it('counts the summary and the messages that the compaction kept, once something stands behind them', () => {
    const made = new HandMade();
    const kept = [made.prompt('kept prompt'), made.assistant('kept reply')];
    made.request(made.builder.startContext(kept), 2);
    made.builder.compactions.push({ kind: 'compaction', request: 1, thread: 0, line: 3 });
    const summary = made.block({
      label: 'summary',
      kind: 'summary',
      message: made.builder.addMessage({ role: 'user', summary: true }),
    });
    const reminder = made.block({ label: 'reminder', kind: 'injected', partition: 'state' });
    const context = made.builder.startContext([
      summary,
      ...kept,
      reminder,
      made.prompt('next'),
      made.assistant('reply'),
    ]);
    made.request(context, 4);
    made.request(context, 5);
    made.request(context, 6);
    const transcript = made.build();
    assert.deepEqual(frozenPrefixLengths(transcript), [undefined, undefined, 3, 3]);
    assert.deepEqual(frozenHistoryLengths(transcript), [undefined, 3, 3, 3]);
  });

  it('counts the whole history of a context in which results were cleared', () => {
    const made = new HandMade();
    const blocks = [made.prompt('a'), made.assistant('b'), made.prompt('c')];
    made.request(made.builder.startContext(blocks), 3);
    made.builder.compactions.push({ kind: 'clearing', request: 1, thread: 0, line: 4, contextLength: 3 });
    const context = made.builder.startContext([...blocks, made.assistant('d')]);
    made.request(context, 3);
    made.request(context, 4);
    assert.deepEqual(frozenPrefixLengths(made.build()), [undefined, undefined, 3]);
  });

  it('takes no notice of a compaction in another thread', () => {
    const made = new HandMade();
    made.builder.compactions.push({ kind: 'compaction', request: 0, thread: 1, line: 1 });
    made.request(made.builder.startContext([made.prompt('a')]), 1);
    assert.deepEqual(frozenPrefixLengths(made.build()), [undefined]);
  });
});
