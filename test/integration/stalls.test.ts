import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { test } from './index';
import { closeEverything, editorThat, openAlone, temporaryFile } from './inspector';
import { appendCopies, megabyte } from './material';
import { longestHold, stallSentence, stallUnknown, worked, worstStall } from './stall';

/** Blocks the extension host like work without a pause. */
function hold(milliseconds: number): void {
  for (const end = worked() + milliseconds; worked() < end;) {
    // It works.
  }
}

test(
  'never holds the extension host while a transcript of 500 MB is opened and grows',
  async () => {
    const uri = temporaryFile(
      'huge.jsonl',
      new ClaudeCodeSession('huge').prompt('Begin.').reply({ text: 'Gladly.' }).toString(),
    );
    try {
      await closeEverything();
      const seen = await worstStall(() => {
        hold(longestHold);
        return Promise.resolve();
      });
      assert.ok(seen.worked >= longestHold, 'a hold is seen');
      await appendCopies(uri.fsPath, megabyte, 1, 470);
      const stall = await worstStall(async () => {
        await openAlone(uri);
        let { requests = 0 } = await editorThat(uri, 'it is shown', ({ state }) => state === 'shown');
        for (let copy = 471; copy <= 474; copy += 1) {
          await appendCopies(uri.fsPath, megabyte, copy, copy);
          const before = requests;
          ({ requests = 0 } = await editorThat(uri, 'it follows', now => (now.requests ?? 0) > before));
        }
      });
      const said = stallSentence(stall);
      console.log(`  ${said}`);
      assert.ok(stall.worked <= longestHold, said);
    } finally {
      await closeEverything();
      rmSync(uri.fsPath);
    }
  },
  { skip: stallUnknown },
);
