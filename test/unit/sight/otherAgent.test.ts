import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { auditSight } from '../../../src/core/sight/sightOf';
import { jsonLines } from '../../fixtures/openedTranscript';
import { sourceOf } from '../../fixtures/transcriptBytes';

const path = '/home/ada/bookshop/shelves.ts';
const shared = { sessionId: 'a', version: '2.0.0', cwd: '/home/ada/bookshop', userType: 'external' };
let lines = 0;
const last: { main: string | null; side: string | null } = { main: null, side: null };

function line(isSidechain: boolean, type: 'user' | 'assistant', content: unknown): object {
  lines += 1;
  const chain = isSidechain ? 'side' : 'main';
  const parentUuid = last[chain];
  last[chain] = `u${lines}`;
  return {
    ...shared,
    isSidechain,
    parentUuid,
    uuid: `u${lines}`,
    type,
    timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, lines)).toISOString(),
    message:
      type === 'user'
        ? { role: 'user', content }
        : {
            id: `msg_${lines}`,
            type: 'message',
            role: 'assistant',
            model: 'claude-sonnet-4-5-20250929',
            content,
            usage: { input_tokens: 100, output_tokens: 10 },
          },
  };
}

const call = (id: string, name: string, input: object) => [{ type: 'tool_use', id, name, input }];
const result = (id: string, content: string) => [{ type: 'tool_result', tool_use_id: id, content }];
const edit = (id: string, before: string, after: string) =>
  call(id, 'Edit', { file_path: path, old_string: before, new_string: after });

it('tells what another agent changed, and what only another agent saw', async () => {
  const text = jsonLines([
    line(false, 'user', 'Sort the shelves.'),
    line(false, 'assistant', call('t1', 'Read', { file_path: path })),
    line(false, 'user', result('t1', '     1→const poets = left;\n     2→const novels = right;')),
    line(true, 'user', 'You are a helper. Move the poets.'),
    line(true, 'assistant', call('s1', 'Read', { file_path: path })),
    line(true, 'user', result('s1', '     1→const poets = left;\n     2→const novels = right;')),
    line(true, 'assistant', edit('s2', 'const poets = left;', 'const poets = middle;')),
    line(true, 'user', result('s2', `The file ${path} has been updated successfully.`)),
    line(true, 'assistant', [{ type: 'text', text: 'Moved.' }]),
    line(false, 'assistant', edit('t2', 'const poets = left;', 'const poets = top;')),
    line(false, 'user', result('t2', '<tool_use_error>String to replace not found in file.')),
    line(false, 'assistant', edit('t3', 'const poets = middle;', 'const poets = top;')),
    line(false, 'user', result('t3', `The file ${path} has been updated successfully.`)),
    line(false, 'assistant', [{ type: 'text', text: 'Done.' }]),
  ]);
  const opened = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName: 'agents.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  const { edits } = (await auditSight(opened.session)).report;
  assert.deepEqual(
    edits.map(({ outcome, verdict }) => [
      outcome,
      verdict.kind,
      verdict.kind === 'stale' ? verdict.by : verdict.kind === 'absent' ? verdict.since : '',
    ]),
    [
      ['applied', 'seen', ''],
      ['notFound', 'stale', 'otherAgent'],
      ['applied', 'absent', 'otherAgent'],
    ],
  );
});
