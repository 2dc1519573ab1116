import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { SightVerdict } from '../../../src/core/sight/sightReport';
import { auditSight } from '../../../src/core/sight/sightOf';
import { jsonLines } from '../../fixtures/openedTranscript';
import { sourceOf } from '../../fixtures/transcriptBytes';

const path = '/home/ada/bookshop/shelves.ts';

/** The verdict on the edit in the last of some calls, each with its answer. */
async function verdictOn(
  calls: readonly (readonly [tool: string, input: object, answer: string])[],
): Promise<SightVerdict | undefined> {
  let last: string | null = null;
  const line = (type: 'user' | 'assistant', message: object, uuid: string): object => {
    const parentUuid = last;
    last = uuid;
    const timestamp = '2026-01-05T09:00:00.000Z';
    return { parentUuid, uuid, type, timestamp, sessionId: 'a', version: '2.0.0', cwd: '/', message };
  };
  const text = jsonLines([
    line('user', { role: 'user', content: 'Sort the shelves.' }, 'u'),
    ...calls.flatMap(([name, input, content], index) => {
      const id = `t${index}`;
      const model = 'claude-sonnet-4-5-20250929';
      const use = {
        id: `m${index}`,
        role: 'assistant',
        model,
        content: [{ type: 'tool_use', id, name, input }],
      };
      const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] };
      return [line('assistant', use, `a${index}`), line('user', answer, `b${index}`)];
    }),
  ]);
  const opened = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName: 'shelves.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  return (await auditSight(opened.session)).report.edits.at(-1)?.verdict;
}

const reading = [
  'Read',
  { file_path: path },
  '     1→const shelf = new Shelf(poets);\n     2→const rest = new Shelf(novels);',
] as const;
const patchOf = (...lines: readonly string[]): object => ({
  input: ['*** Begin Patch', `*** Update File: ${path}`, '@@', ...lines, '*** End Patch'].join('\n'),
});
const missing = `apply_patch verification failed: Failed to find expected lines in ${path}`;

it('does not take a patch that begins inside a line for lines that are gone', async () => {
  const inside = patchOf('-new Shelf(poets);', '+new Shelf(plays);');
  assert.deepEqual(await verdictOn([reading, ['apply_patch', inside, missing]]), {
    kind: 'absent',
    since: 'never',
  });
  const whole = patchOf('-const shelf = new Shelf(poets);', '+const shelf = new Shelf(plays);');
  const verdict = await verdictOn([reading, ['apply_patch', whole, missing]]);
  assert.equal(verdict?.kind === 'stale' && verdict.by, 'outside');
});

it('applies a patch to whole lines only', async () => {
  const source = '     1→if (full) { sell(); }\n     2→sell();\n     3→close();';
  const verdict = await verdictOn([
    ['Read', { file_path: path }, source],
    ['apply_patch', patchOf('-sell();', '+lend();'), 'Done!'],
    ['Edit', { file_path: path, old_string: 'if (full) { sell(); }', new_string: '' }, 'Updated.'],
  ]);
  assert.equal(verdict?.kind, 'seen');
});

it('calls an edit partly seen if a search showed one long line of it', async () => {
  const long = "const greeting = 'Welcome to the bookshop of Ada and her friends';";
  const old = [long, 'let open = true;', 'let count = 0;', 'let shelf;'].join('\n');
  const search = ['Grep', { pattern: 'Welcome' }, `${path}:7:${long}`] as const;
  const edit = ['Edit', { file_path: path, old_string: old, new_string: '' }, 'Updated.'] as const;
  const verdict = await verdictOn([search, edit]);
  assert.equal(verdict?.kind === 'absent' && verdict.since, 'partly');
});
