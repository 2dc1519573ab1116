import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sensitivityLabels } from '../../../src/core/model/labels';
import { notableBlocks } from '../../../src/core/view/notableBlocks';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns } from './handMade';

/** Figures are tokens of a complete request without recorded usage: tokenizer counts at the model's prior scale. */
function notable(longestList = 10) {
  const made = new HandMade();
  const schema = (toolName: string) =>
    made.block({ label: toolName, role: 'system', kind: 'toolSchema', contentType: 'tool_schema', toolName });
  const read = schema('Read');
  const search = schema('WebSearch');
  const prompt = made.prompt('What is in the file?');
  const first = made.toolPair('Read', 'call1', 'the same file');
  const small = made.toolPair('Read', 'call2', 'ok');
  const smallAgain = made.toolPair('Read', 'call3', 'ok');
  const second = made.toolPair('Read', 'call4', 'the same file');
  const third = made.toolPair('Read', 'call5', 'the same file');
  const blocks = [
    read,
    search,
    prompt,
    ...[first, small, smallAgain, second, third].flatMap(pair => [pair.call, pair.result]),
  ];
  made.request(made.builder.startContext(blocks), blocks.length, { model: 'gpt-4o', complete: true });
  const transcript = made.build();
  const results = new Set([first.result, second.result, third.result]);
  const measures = measuresOf(transcript, block =>
    results.has(block) ? 1_000 : block === search ? 300 : block === read ? 200 : 10,
  );
  measures.sensitivity[prompt] = sensitivityLabels.indexOf('private');
  measures.sensitivity[small.result] = sensitivityLabels.indexOf('restricted');
  const columns = toColumns(transcript, measures);
  const found = notableBlocks(columns, buildRequestView(columns, 0), longestList);
  return { found, read, search, prompt, first, small, second, third };
}

describe('notable blocks', () => {
  it('finds content that is there more than once, with the tokens of all copies but one', () => {
    const { found, third } = notable();
    assert.deepEqual(found.repeated, [{ block: third.result, tokens: 2_000, copies: 3 }]);
  });

  it('finds the tools that nothing calls', () => {
    const { found, search } = notable();
    assert.deepEqual(found.unusedTools, [{ block: search, tokens: 300 }]);
  });

  it('puts what is restricted before what is private', () => {
    const { found, small, prompt } = notable();
    assert.deepEqual(
      found.sensitive.map(({ block }) => block),
      [small.result, prompt],
    );
  });

  it('lists the largest first, and no more than asked for', () => {
    const { found, first, second, third, search } = notable(4);
    assert.deepEqual(
      found.largest.map(({ block }) => block),
      [first.result, second.result, third.result, search],
    );
  });
});
