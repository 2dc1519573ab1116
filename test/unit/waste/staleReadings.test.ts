import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasteOf } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { WasteWords } from '../../../src/core/waste/wasteWords';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedCapture } from '../../fixtures/planted/plantedWriters';
import { ownCode } from '../../fixtures/planted/wastePlants';
import { sourceOf } from '../../fixtures/transcriptBytes';

const path = '/home/ada/bookshop/src/shelves.ts';
const code = ownCode('alder', 40);
const [firstLine = ''] = code.split('\n');

/** The blocks reported as stale after an edit of a file that was read. */
async function staleAfter(before: string, answer: string, changed = path): Promise<number> {
  const session = new PlantedSession();
  session.system('You help in a bookshop.');
  session.prompt('Change the shelves.');
  session.read(path, code);
  session.use(
    'Edit',
    { file_path: changed, old_string: before, new_string: 'export const none = 1;' },
    answer,
  );
  session.reply('Done.');
  session.talk(24);
  const opened = await openTranscript(sourceOf(Buffer.from(plantedCapture(session))), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  const { findings } = await wasteOf(opened.session);
  return findings.find(({ kind }) => kind === 'staleReading')?.count ?? 0;
}

/** The advice about a reading that an edit made stale. After the edit, the turn goes on, or another one begins. */
async function adviceWhere(hasNextTurn: boolean): Promise<string> {
  const session = new PlantedSession();
  session.system('You help in a bookshop.');
  session.prompt('Change the shelves.');
  session.read(path, code);
  session.use(
    'Edit',
    { file_path: path, old_string: firstLine, new_string: 'x' },
    'The file has been updated.',
  );
  for (let call = 0; call < 9; call += 1) {
    session.use('Bash', { command: `sleep ${call}` }, 'Awake.');
  }
  session.reply('Done.');
  if (hasNextTurn) {
    session.talk(24);
  }
  const opened = await openTranscript(sourceOf(Buffer.from(plantedCapture(session))), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  const finding = (await wasteOf(opened.session)).findings.find(({ kind }) => kind === 'staleReading');
  return finding === undefined ? '' : new WasteWords(opened.session.toSession()).of(finding).advice.text;
}

describe('a reading', () => {
  it('that is stale within one turn only is not to be cleared between tasks', async () => {
    assert.match(await adviceWhere(true), /next task/);
    assert.match(await adviceWhere(false), /^Split large tasks/);
  });

  it('is stale once an edit has replaced a line that it shows', async () => {
    assert.equal(await staleAfter(firstLine, 'The file has been updated.'), 1);
  });

  it('is not stale by an edit of other lines, or by one that was refused', async () => {
    assert.equal(await staleAfter('export const elsewhere = 2;', 'The file has been updated.'), 0);
    assert.equal(await staleAfter(firstLine, 'ERROR: No replacement was performed.'), 0);
  });

  it('is of the file that an edit names in another way', async () => {
    const changed = path.replaceAll('/', '\\');
    assert.equal(await staleAfter(firstLine, 'The file has been updated.', changed), 1);
    assert.equal(await staleAfter('export const elsewhere = 2;', 'The file has been updated.', changed), 0);
  });
});
