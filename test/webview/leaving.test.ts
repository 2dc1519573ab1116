/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { until } from '../fixtures/until';
import { isDeep } from '../fixtures/variants';
import { openThroughDoor } from './door';

/** Bytes that the program holds when nothing is going on. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  Reflect.apply(collect, undefined, []);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The channels to threads. */
const channels = (): number => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length;

describe('transcripts that were left', () => {
  it('leave neither memory nor threads behind', { skip: !isDeep && 'only in deep runs' }, async () => {
    const text = addToolTurns(new ClaudeCodeSession(), 'Sort the shelves', 20, 4000).toString();
    const open = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await openThroughDoor({ text });
      }
    };
    await open(1);
    const alone = channels();
    await open(19);
    const before = heldBytes();
    await open(80);
    const grown = heldBytes() / before;
    assert.ok(grown < 1.15, `${grown} times the memory after five times the transcripts`);
    // A transcript that was left stays open for a while, for those who come back.
    await until('the threads of those that were left have ended', () => channels() <= alone);
  });
});
