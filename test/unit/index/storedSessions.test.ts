import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sessionOfThread } from '../../../src/core/index/indexedSession';
import { BarSums } from '../../../src/core/index/usagePeriod';
import { parseWords } from '../../../src/core/index/wordQuery';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { filesByKey, searchIndex } from '../../../src/node/index/searchIndex';
import { databaseOf, type Row } from '../../fixtures/databaseOf';
import { IndexedHome } from '../../fixtures/indexedHome';

// A database of opencode contains all sessions of a user, of every project. One of them has a subagent.

const noon = new Date(2026, 0, 5, 12).getTime();
const sessions = [
  { id: 'ses_1aaaaaaaaa', folder: '/w/kiosk', title: 'Opening hours', parent: null, asked: 'the quillfish' },
  { id: 'ses_2bbbbbbbbb', folder: '/w/garden', title: 'Roses', parent: null, asked: 'the brass lantern' },
  {
    id: 'ses_3ccccccccc',
    folder: '/w/garden',
    title: 'Look',
    parent: 'ses_2bbbbbbbbb',
    asked: 'the watering can',
  },
];

function messagesOf(session: string, number: number): readonly Row[] {
  const time = noon + 1000 * number;
  const row = (id: string, data: object): Row => [`${session}${id}`, session, time, JSON.stringify(data)];
  const tokens = { input: 10 ** number, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
  return [
    row('u', { role: 'user', time: { created: time } }),
    row('v', { role: 'assistant', modelID: 'claude-sonnet-4-5', time: { created: time }, tokens }),
  ];
}

const text = (words: string): string => JSON.stringify({ type: 'text', text: words });

describe('a database with several sessions in the index', () => {
  const home = new IndexedHome();
  const index = home.open();

  before(async () => {
    home.write(
      '.local/share/opencode/opencode.db',
      await databaseOf({
        session: {
          columns:
            'id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER',
          rows: sessions.map(({ id, parent, folder, title }, number) => [
            ...[id, parent, folder, title, '1.18.34'],
            ...[noon + number, noon + number],
          ]),
        },
        message: {
          columns: 'id TEXT, session_id TEXT, time_created INTEGER, data TEXT',
          rows: sessions.flatMap(({ id }, number) => messagesOf(id, number)),
        },
        part: {
          columns: 'id TEXT, message_id TEXT, session_id TEXT, data TEXT',
          rows: sessions.flatMap(({ id, asked }) => [
            [`p${id}u`, `${id}u`, id, text(`Where is ${asked}?`)],
            [`p${id}v`, `${id}v`, id, text('I look for it.')],
          ]),
        },
      }),
    );
    await home.update(index, true);
  });
  after(() => home.remove());

  it('counts each with its own project, and subagents with the session that started them', async () => {
    const rows = async (by: 'project' | 'session', subagents?: 'apart'): Promise<readonly unknown[]> =>
      (await home.usage(index, { by, subagents })).rows.map(
        ({ key, title, sessions: count, input, ...row }) => [key, title, count, input, row.subagents],
      );
    assert.deepEqual(await rows('project'), [
      ['/w/garden', undefined, 1, 110, undefined],
      ['/w/kiosk', undefined, 1, 1, undefined],
    ]);
    assert.deepEqual(await rows('session', 'apart'), [
      ['ses_2bbbbbbbbb', 'Roses', 1, 100, true],
      ['ses_2bbbbbbbbb', 'Roses', 1, 10, false],
      ['ses_1aaaaaaaaa', 'Opening hours', 1, 1, false],
    ]);
  });

  it('says where each is in the file, for a bar and for a hit', async () => {
    const bar = new BarSums({ day: '2026-01-05', stack: 'project' }, lookUpModel);
    await index.usage(file => bar.add(file.path, file), false);
    assert.deepEqual(
      bar.sessions().map(({ title, project, conversation }) => [title, project, conversation]),
      [
        // The newest stands first in the database.
        ['Roses', '/w/garden', 0],
        ['Opening hours', '/w/kiosk', 1],
      ],
    );
    for (const { asked, folder } of sessions) {
      const { hits } = await searchIndex(
        index,
        filesByKey(await home.files()),
        { query: parseWords(`"${asked}"`) },
        { most: 5 },
      );
      assert.deepEqual(
        hits.map(({ session, block }) => sessionOfThread(session, block.conversation).project),
        [folder],
      );
    }
  });

  it('narrows a search to the sessions of a project, with words and without', async () => {
    const found = async (words: string, project: string): Promise<readonly string[]> => {
      const wish = { query: parseWords(words), project, role: 'user' } as const;
      const { hits } = await searchIndex(index, filesByKey(await home.files()), wish, { most: 9 });
      return hits.map(({ context }) => `${context?.before}${context?.hit}${context?.after}`).sort();
    };
    const garden = ['Where is the brass lantern?', 'Where is the watering can?'];
    assert.deepEqual(await found('where', 'garden'), garden);
    assert.deepEqual(await found('', 'garden'), garden);
    assert.deepEqual(await found('where', 'kiosk'), ['Where is the quillfish?']);
    assert.deepEqual(await found('', 'attic'), []);
  });
});
