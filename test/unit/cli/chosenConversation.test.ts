import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenConversation } from '../../../src/node/mcp/chosenConversation';

const folder = '/home/ada/shop';
const session = (thread: number, id: string, last: number, workingDirectory = folder) => ({
  thread,
  id,
  last,
  workingDirectory,
});
const first = session(0, 'ses_1aaaa', 100);
const second = session(4, 'ses_2bbbb', 300);
const elsewhere = session(7, 'ses_3cccc', 900, '/home/ada/mill');

describe('the caller’s session in a database with the sessions of an agent', () => {
  it('is asked for if two of the folder have been written since the server was started', () => {
    assert.throws(
      () => chosenConversation([first, second, elsewhere], undefined, { folders: [folder], started: 50 }),
      { message: /^2 sessions are being written .*«ses_1aaaa»; «ses_2bbbb»$/ },
    );
  });

  it('is the only one that has been written, else the newest, else the named one', () => {
    const all = [first, second, elsewhere];
    const chosen = (wanted: string | undefined, started: number): number =>
      chosenConversation(all, wanted, { folders: [folder], started }).conversation;
    assert.deepEqual([chosen(undefined, 200), chosen(undefined, 1000), chosen('SES_1', 50)], [4, 4, 0]);
  });
});
