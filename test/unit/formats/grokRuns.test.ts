import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, objectAt } from '../../../src/core/base/json';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { compareBlocks, openTranscriptBytes, readJsonLines } from '../../fixtures/openedTranscript';
import { rebuiltItems, sentItems } from '../../fixtures/sentRequests';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';

const runs = join(shared, 'agent-runs', 'grok-build');

/**
 * True for calls outside the conversation, which Grok Build does not store: its titles, and a line after each prompt.
 */
const isBeside = /^user: <system-reminder>(Write an ultra-short dashboard|Generate a session title)/;

/** The folder's name inside a path: the recording writes it in two ways. */
function withoutFolder(items: readonly string[]): readonly string[] {
  return items.map(item => item.replaceAll(/(?<=sessions\/)%2F[^/]+/g, 'FOLDER'));
}

function received(run: string): readonly (readonly string[])[] {
  return filesBelow(run, 'raw-requests.jsonl', 'raw-requests.jsonl.gz')
    .flatMap(readJsonLines)
    .filter(request => arrayAt(objectAt(request, 'body'), 'messages').length > 0)
    .map(request => sentItems(objectAt(request, 'body')))
    .filter(items => !isBeside.test(items.at(-1) ?? ''));
}

describe(
  'Grok Build beside what its model received',
  { skip: skipWithout('agent-runs', 'grok-build') },
  () => {
    for (const path of filesBelow(runs, 'chat_history.jsonl', 'chat_history.jsonl.gz')) {
      const run = path.slice(0, path.indexOf('/native/'));
      it(`rebuilds the requests of ${run.slice(runs.length + 1)}`, async context => {
        const sent = received(run);
        const opened = await openTranscriptBytes(readUnpacked(path), { siblings: siblingFilesOf(path) });
        const { requests, format } = opened.transcript;
        assert.equal(format, 'grok-build');
        assert.equal(requests.length, sent.length);
        const sums = { complete: 0, matched: 0, missing: 0, extra: 0 };
        requests.forEach(({ complete }, index) => {
          const compared = compareBlocks(
            withoutFolder(sent[index] ?? []),
            withoutFolder(rebuiltItems(opened, index)),
          );
          sums.matched += compared.matched;
          sums.missing += compared.missing.length;
          sums.extra += compared.extra.length;
          sums.complete += complete ? 1 : 0;
          assert.deepEqual(compared.missing, [], `request ${index}`);
          assert.deepEqual(compared.extra, [], `request ${index}`);
        });
        assert.ok(sums.matched > 100);
        // Each prompt was a start of the program, and only the tools of the last start are on record.
        assert.ok(sums.complete > 0 && sums.complete < requests.length);
        context.diagnostic(`${requests.length} requests, ${JSON.stringify(sums)}`);
      });
    }
  },
);
