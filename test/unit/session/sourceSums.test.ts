import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sources } from '../../../src/core/model/source';
import { buildRequestView } from '../../../src/core/view/requestView';
import { blockSources, requestSources } from '../../../src/core/view/sourceSums';
import { timelineOf } from '../../../src/core/view/timelineFigures';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

/** Two contexts with a common prompt; the provider counts 500 unrecorded tokens. */
function session() {
  const made = new HandMade();
  const prompt = made.prompt('please');
  const { call, result } = made.toolPair('Read', 'one', 'text of the file');
  const shell = made.toolPair('Bash', 'two', 'output');
  const first = made.builder.startContext([prompt, call, result, shell.call, shell.result]);
  const second = made.builder.startContext([prompt, shell.call, shell.result]);
  made.request(first, 1, { usage: usageOf(600) });
  made.request(second, 3, { usage: usageOf(800) });
  made.request(first, 3, { usage: usageOf(800) });
  made.request(first, 5, { usage: usageOf(1_000) });
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, () => 100),
  );
}

const named = (figures: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(sources.flatMap((source, index) => (figures[index] ? [[source, figures[index]]] : [])));

describe('tokens by source', () => {
  it('knows the source of every block', () => {
    const names = [...blockSources(session())].map(source => sources[source]);
    assert.deepEqual(names, ['you', 'model', 'files', 'model', 'shell']);
  });

  it('adds up to the total of each request, in any order of contexts', () => {
    const columns = session();
    const timeline = timelineOf(columns, Uint32Array.of(0, 1, 2, 3));
    const expected = [
      { you: 1 },
      { you: 1, model: 1, shell: 1 },
      { you: 1, model: 1, files: 1 },
      { you: 1, model: 2, files: 1, shell: 1 },
    ];
    expected.forEach((counts, request) => {
      const view = buildRequestView(columns, request);
      const own = requestSources(columns, view);
      const total = own.reduce((sum, tokens) => sum + tokens, 0);
      assert.equal(total, view.total.value);
      const { notRecorded, ...rest } = named(own);
      assert.equal(notRecorded, view.notRecorded.value);
      const each = (total - view.notRecorded.value) / view.blocks.length;
      assert.deepEqual(
        Object.fromEntries(Object.entries(rest).map(([name, tokens]) => [name, Math.round(tokens / each)])),
        counts,
      );
      timeline.sources.forEach((column, source) => {
        assert.ok(Math.abs((column[request] ?? 0) - (own[source] ?? 0)) <= 1);
      });
    });
  });
});
