import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { charTokenEngine } from '../../../src/core/context/charTokenEngine';
import { totalTokens } from '../../../src/core/context/totalTokens';
import {
  createContextPartitions,
  Partition,
  userMessage,
  withoutDeliveredSignals,
} from '../../../src/core/model/contextPartitions';
import { emptyTaskState } from '../../../src/core/model/taskState';

describe('context partitions', () => {
  it('stamps what is pushed with the cost that the caller names', () => {
    const partition = new Partition();
    assert.equal(partition.isEmpty, true);
    partition.push(userMessage('a long text that would cost more'), 3);
    partition.push({ ...userMessage('b'), tokenCount: 99 }, 0);
    assert.deepEqual(
      partition.messages.map(message => message.tokenCount),
      [3, 0],
    );
    assert.equal(partition.tokenCount, 3);
    assert.equal(partition.length, 2);
    partition.clear();
    assert.deepEqual([partition.isEmpty, partition.length, partition.tokenCount], [true, 0, 0]);
  });

  it('charges one token for an empty state and nothing for signals', () => {
    assert.equal(totalTokens(createContextPartitions(), charTokenEngine), 1);
    assert.equal(totalTokens(createContextPartitions(emptyTaskState, ['x'.repeat(400)]), charTokenEngine), 1);
  });

  it('adds up all four partitions', () => {
    const partitions = createContextPartitions({ ...emptyTaskState, goal: 'eleven char' });
    partitions.system.push(userMessage('s'), 10);
    partitions.knowledge.push(userMessage('k'), 20);
    partitions.history.push(userMessage('h'), 30);
    // "[TASK STATE] goal: " has 19 code points, the goal 11: 30 / 4 = 7.
    assert.equal(totalTokens(partitions, charTokenEngine), 67);
  });

  it('drops the signals that were delivered and keeps those that came meanwhile', () => {
    const partitions = createContextPartitions(emptyTaskState, ['sent', 'sent too', 'new']);
    assert.deepEqual(withoutDeliveredSignals(partitions, 2).signals, ['new']);
    assert.equal(partitions.signals.length, 3);
  });
});
