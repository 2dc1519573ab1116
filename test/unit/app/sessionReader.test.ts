import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import { SessionReader } from '../../../src/app/sessions/sessionReader';

it('leaves no timer behind when it is disposed while it reads', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const before = timers();
  // A thread that never answers.
  const thread = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", {
    eval: true,
  });
  const reader = new SessionReader({
    startWorker: () => thread,
    index: { version: undefined, keeps: false, ask: () => Promise.reject(new Error('There is no index.')) },
    models: () => ({}),
    unpackLimits: () => defaultUnpackLimits,
    onRead: () => undefined,
  });
  reader.look([
    {
      path: '/home/ada/session.jsonl',
      agent: 'Claude Code',
      size: 10,
      modified: 1,
      isKnown: true,
      projectKey: '',
    },
  ]);
  reader.dispose();
  await once(thread, 'exit');
  await turn();
  assert.equal(timers(), before);
});
