import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasSeen } from '../../../src/core/contextTools/wasSeen';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openRun } from '../../fixtures/serverRuns';

describe('was_seen', () => {
  it('takes no message about a missing file for the file', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Look')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/src/gone.ts' } })
      .result('toolu_1', 'Error: /home/ada/bookshop/src/gone.ts does not exist.')
      .reply({ tool: 'Read', id: 'toolu_2', input: { file_path: '/home/ada/bookshop/src/errors.ts' } })
      .result('toolu_2', '     1→Error: a file does not exist\n     2→is what it says\n')
      .reply({ text: 'Done.' });
    const run = await openRun('session.jsonl', Buffer.from(session.toString()), 0);
    assert.ok(run !== undefined);
    assert.deepEqual(await run.ask(wasSeen, { file: 'src/gone.ts' }), ['Never seen.']);
    const [verdict] = await run.ask(wasSeen, { file: 'src/errors.ts', lines: '1-2' });
    assert.equal(verdict, 'Yes: the context has lines 1–2, as last read.');
  });

  it('lists readings with the newest first, however many blocks there are', async () => {
    const session = new ClaudeCodeSession().prompt('Look');
    for (let part = 0; part < 8; part += 1) {
      const input = { file_path: 'src/long.ts', offset: 10 * part + 1, limit: 10 };
      session.reply({ tool: 'Read', id: `toolu_${part}`, input });
      session.result(
        `toolu_${part}`,
        Array.from({ length: 10 }, (_, line) => `${10 * part + line + 1}→text`).join('\n'),
      );
    }
    const run = await openRun('session.jsonl', Buffer.from(session.reply({ text: 'Done.' }).toString()), 0);
    assert.ok(run !== undefined);
    const [, ...lines] = await run.ask(wasSeen, { file: 'src/long.ts' });
    assert.deepEqual(
      lines.map(line => /lines (\d+)–/.exec(line)?.[1]),
      ['71', '61', '51', '41', '31', '21', '11', '1'],
    );
  });
});
