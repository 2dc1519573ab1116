import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HandMade } from '../session/handMade';

describe('transcript builder', () => {
  it('tells calls of different tools with the same arguments apart, and calls of one tool not', () => {
    const made = new HandMade();
    const calls = ['Read', 'Write', 'Read'].map(
      (tool, index) => made.toolPair(tool, `call${index}`, 'ok').call,
    );
    const [read, write, again] = calls.map(call => made.builder.blocks.at(call)?.contentHash);
    assert.notEqual(read, write);
    assert.equal(read, again);
  });
});
