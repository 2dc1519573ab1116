/// <reference types="node" />
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { it } from 'node:test';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { longestWork, work, workUnknown } from '../fixtures/stall';
import { isFinal, openThroughDoor } from './door';

/** A person notices when the server does nothing else for so long, in milliseconds. */
const longestHold = 100;
/** Written one after another without a pause, which is faster than an agent ever writes. */
const copies = 5;

/** A megabyte: a compaction, then twenty calls with results of 25 kB, which the agent stores twice. */
const megabyte = addToolTurns(
  new ClaudeCodeSession().compact('They spoke of shelves.'),
  'Look at all of them.',
  20,
  25_000,
).toString();
/** The replies in the text: each request has one. */
const requests = new Set(megabyte.match(/"id":"msg_[^"]*"/g)).size;
/** Each copy has its own ids. */
const copyOf = (number: number): string =>
  megabyte.replaceAll(/00000000-0000|(?<=(?:msg|req|toolu)_)/g, String(number).padStart(8, '0'));

it(
  'follows megabytes that are written at once, and never holds its server',
  { skip: workUnknown ?? false },
  async () => {
    const seen = await longestWork(() => {
      work(longestHold);
      return Promise.resolve();
    });
    assert.ok(seen >= longestHold, `a hold is seen: ${seen}`);
    const opened = await openThroughDoor({
      text: new ClaudeCodeSession('flood').prompt('Begin.').reply({ text: 'Gladly.' }).toString(),
    });
    const { page, file } = opened;
    const [first = '', ...others] = Array.from({ length: copies }, (_, number) => copyOf(number + 1));
    const newest = (count: number): Promise<void> =>
      page.getByText(`Request ${count} of ${count}`, { exact: true }).waitFor();
    const longest = await longestWork(async () => {
      appendFileSync(file, first);
      await newest(1 + requests);
      others.forEach(text => appendFileSync(file, text));
      await newest(1 + copies * requests);
    });
    await isFinal(page);
    assert.ok(longest < longestHold, `the server worked for ${Math.round(longest)} ms without a pause`);
    await opened.close();
  },
);
