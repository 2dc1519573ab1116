import assert from 'node:assert/strict';
import { it } from 'node:test';
import { verdictsOn } from '../../fixtures/sightVerdicts';

const path = '/home/ada/bookshop/shelves.ts';

const verdictOn = async (calls: Parameters<typeof verdictsOn>[0]) => (await verdictsOn(calls)).at(-1);

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
