import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeBySource } from '../../../src/core/view/changeBySource';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

/** A conversation that reads a file and runs a command, and is then compacted. The provider counts 500 more tokens. */
function session() {
  const made = new HandMade();
  const prompt = made.prompt('please');
  const read = made.toolPair('Read', 'one', 'text of the file');
  const shell = made.toolPair('Bash', 'two', 'output');
  const context = made.builder.startContext([prompt, read.call, read.result, shell.call, shell.result]);
  const compacted = made.builder.startContext([prompt, shell.result]);
  made.request(context, 1, { usage: usageOf(600) });
  made.request(context, 3, { usage: usageOf(830) });
  made.request(context, 5, { usage: usageOf(1_000) });
  made.request(compacted, 2, { usage: usageOf(700) });
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, () => 100),
  );
}

const columns = session();
const views = [0, 1, 2, 3].map(request => buildRequestView(columns, request));

/** The change between two requests, and whether it is as expected but for rounding. */
function assertChange(earlier: number, later: number, expected: Readonly<Record<string, number>>): void {
  const [before, after] = [views[earlier], views[later]];
  assert.ok(before !== undefined && after !== undefined);
  const named = changeBySource(columns, before, after);
  assert.deepEqual(named.map(({ source }) => source).sort(), Object.keys(expected).sort());
  for (const { source, tokens } of named) {
    assert.ok(Math.abs(tokens - (expected[source] ?? 0)) <= 1, `${source}: ${tokens}`);
  }
}

/** Tokens of a request at a position. */
const tokensAt = (request: number, position: number): number => views[request]?.tokens[position] ?? 0;

describe('the change of a request by source', () => {
  it('is what came, and nothing of a source whose blocks are the same', () => {
    assertChange(0, 1, { model: tokensAt(1, 1), files: tokensAt(1, 2) });
    assertChange(1, 2, { model: tokensAt(2, 3), shell: tokensAt(2, 4) });
  });

  it('is what went, with the tokens that it had', () => {
    assertChange(2, 3, { model: -tokensAt(2, 1) - tokensAt(2, 3), files: -tokensAt(2, 2) });
  });

  it('is nothing between a request and itself', () => {
    assertChange(2, 2, {});
  });
});
