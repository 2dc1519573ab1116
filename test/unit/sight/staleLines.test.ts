import assert from 'node:assert/strict';
import { it } from 'node:test';
import { verdictsOn } from '../../fixtures/sightVerdicts';

const file_path = '/home/ada/bookshop/shelves.ts';
const lines = ['const shelf = new Shelf(poets);', 'const rest = new Shelf(novels);'] as const;
const reading = (first: string) => ['Read', { file_path }, `     1→${first}\n     2→${lines[1]}`] as const;
const edit = (answer: string, old_string: string = lines[0], new_string = 'const shelf = plays;') =>
  ['Edit', { file_path, old_string, new_string }, answer] as const;
const changed = '<tool_use_error>File has been modified since read. Read it again.</tool_use_error>';
const missing = '<tool_use_error>String to replace not found in file.</tool_use_error>';
const kindsOf = async (calls: Parameters<typeof verdictsOn>[0]) =>
  (await verdictsOn(calls)).map(({ kind }) => kind);

it('takes lines that an edit replaced for current, whatever happened to them before', async () => {
  const kinds = await kindsOf([
    reading(lines[0]),
    edit('The file has been updated.'),
    ['Bash', { command: 'git stash' }, 'Saved working directory.'],
    edit('The file has been updated.'),
  ]);
  assert.deepEqual(kinds, ['seen', 'seen']);
});

it('calls lines stale that are not found after an edit of its own', async () => {
  const kinds = await kindsOf([reading(lines[0]), edit('The file has been updated.'), edit(missing)]);
  assert.deepEqual(kinds, ['seen', 'stale']);
});

it('takes the lines of a changed file for seen if the next reading shows them', async () => {
  assert.deepEqual(await kindsOf([reading(lines[0]), edit(changed)]), ['stale']);
  assert.deepEqual(await kindsOf([reading(lines[0]), edit(changed), reading(lines[0])]), ['seen']);
  assert.deepEqual(await kindsOf([reading(lines[0]), edit(changed), reading('const shelf = [];')]), [
    'stale',
  ]);
});

it('calls lines stale that were not found, although a later reading has them again', async () => {
  assert.deepEqual(await kindsOf([reading(lines[0]), edit(missing), reading(lines[0])]), ['stale']);
});

it('takes the lines of a changed file for seen if the same edit is applied next', async () => {
  const applied = edit('The file has been updated.');
  assert.deepEqual(await kindsOf([reading(lines[0]), edit(changed), applied]), ['seen', 'seen']);
});

it('does not take lines for current that the agent wrote after an edit had failed', async () => {
  const kinds = await kindsOf([
    reading(lines[0]),
    edit(changed),
    edit('The file has been updated.', lines[1], lines.join('\n')),
    reading(lines[0]),
  ]);
  assert.equal(kinds[0], 'stale');
});

it('names the own edit that removed lines after a reading, although older output still shows them', async () => {
  const output = ['Bash', { command: 'npm run lint' }, `${file_path}:1:\n${lines[0]}`] as const;
  const applied = edit('The file has been updated.');
  const verdicts = await verdictsOn([output, reading(lines[0]), applied, edit(missing)]);
  const verdict = verdicts.at(-1);
  assert.equal(verdict?.kind === 'stale' && verdict.by, 'ownEdit');
});

it('takes lines that the report of another agent quotes for no version of the file', async () => {
  const report = ['Task', { prompt: 'Find it.' }, `In ${file_path}:\n\n${lines.join('\n')}`] as const;
  const indented = `     1→  ${lines[0]}\n     2→  ${lines[1]}`;
  const read = ['Read', { file_path }, indented] as const;
  assert.deepEqual(await kindsOf([report, edit(missing, lines.join('\n'))]), ['seen']);
  assert.deepEqual(await kindsOf([report, read, edit(missing, lines.join('\n'))]), ['seen']);
});
