import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { periodBounds } from '../../../src/core/index/usagePeriod';
import { readSettings } from '../../../src/core/whatIf/settings';
import { threadOf } from '../../../src/node/threads/bundleThread';
import { stateOf } from '../../../src/node/index/fileState';
import { readerHere } from '../../../src/node/index/indexReaders';
import { indexState } from '../../../src/node/index/indexFolder';
import { openIndex } from '../../../src/node/index/indexStore';
import { whatIfSessions } from '../../../src/node/index/whatIfSessions';
import {
  indexQuestions,
  type IndexResult,
  type IndexState,
  type PricingProgress,
  whatIfStopped,
} from '../../../src/protocol/indexService';
import { Questions } from '../../../src/protocol/rpc';
import { IndexService } from '../../../src/worker/indexService';
import { IndexedHome } from '../../fixtures/indexedHome';
import { PlantedSecrets } from '../../fixtures/plantedSecrets';
import { until } from '../../fixtures/until';

const day = 86_400_000;
const folder = '.claude/projects/-home-ada-bookshop';

/** Input, read from the cache, written to it: the usage of three requests. The third loses the cache. */
const requests = [
  [10, 0, 12_000],
  [10, 12_000, 1200],
  [10, 0, 14_400],
] as const;

/** A session of three requests, two hours apart. */
function session(name: string, began: number, text: string, model = 'claude-sonnet-4-5-20250929'): string {
  const line = (number: number, type: string, message: object): string =>
    `${JSON.stringify({
      parentUuid: number === 0 ? null : `${name}-${number - 1}`,
      uuid: `${name}-${number}`,
      sessionId: name,
      version: '2.1.62',
      cwd: '/home/ada/bookshop',
      type,
      timestamp: new Date(began + number * 7_200_000).toISOString(),
      message,
    })}\n`;
  return [
    line(0, 'user', { role: 'user', content: text }),
    ...requests.map(([input, read, written], index) =>
      line(index + 1, 'assistant', {
        id: `msg_01${name}Number${index}`,
        role: 'assistant',
        model,
        content: [{ type: 'text', text: `Shelf ${index} is sorted.` }],
        usage: {
          input_tokens: input,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
          output_tokens: 20,
        },
      }),
    ),
  ].join('');
}

interface ServiceNews {
  readonly onState: (state: IndexState) => void;
  readonly onPricing?: (progress: PricingProgress) => void;
}

/** A service over the sessions of a home folder, and the questions to it. */
function serviceOf(home: IndexedHome, { onState, onPricing }: ServiceNews, open = () => home.open()) {
  const service = new IndexService({
    openIndex: open,
    finder: { list: () => home.files() },
    startReading: threadOf(''),
    threads: 1,
    post: message => {
      switch (message.type) {
        case 'answer':
          questions.receive(message);
          break;
        case 'pricing':
          onPricing?.(message.progress);
          break;
        case 'state':
          onState(message.state);
      }
    },
  });
  const questions = new Questions(indexQuestions, message => {
    service.handle(message).catch(assert.ifError);
  });
  return { service, questions };
}

describe('what the index knows of all sessions', () => {
  const home = new IndexedHome();
  const states: IndexState[] = [];
  const { service, questions } = serviceOf(home, { onState: state => states.push(state) });
  const { ask } = questions;
  const known = (): Promise<IndexResult<'sessions'>> => ask({ name: 'sessions', params: {} });
  after(async () => {
    await service.handle({ type: 'end' });
    home.remove();
  });

  it('is nothing, and nothing is read for it, where there is an index of nothing', async () => {
    assert.equal(indexState(home.indexFolder), undefined);
    home.write(`${folder}/first.jsonl`, session('first', Date.now() - 2 * day, 'Sort the books.'));
    const { week, files } = await known();
    assert.deepEqual(files, []);
    assert.deepEqual([week.sessions, week.requests], [0, 0]);
    assert.deepEqual(states, []);
    assert.notEqual(indexState(home.indexFolder), undefined);
  });

  it('is the week as the page Usage sums it, and kinds of findings and losses of the cache by file', async () => {
    const token = new PlantedSecrets().token();
    const paths = [
      home.write(
        `${folder}/second.jsonl`,
        session('second', Date.now() - 3 * day, `Mail ada.lovelace@books.acme.io twice: ${token}`),
      ),
      home.write(`${folder}/third.jsonl`, session('third', Date.now() - 4 * day, 'Dust it.', 'nobody-knows')),
      home.write(`${folder}/old.jsonl`, session('old', Date.now() - 30 * day, 'Sort the books.')),
    ];
    const index = home.open();
    await home.update(index);
    const marksOf = ({ files }: IndexResult<'sessions'>) =>
      paths.map(path => {
        const found = files.find(file => file.path === path);
        return found && [found.secrets, found.personal, found.breaks];
      });
    const nothing = [0, 0, 0];
    assert.deepEqual(marksOf(await known()), [nothing, nothing, nothing]);
    const before = indexState(home.indexFolder);
    await home.update(index, true);
    assert.notEqual(indexState(home.indexFolder), before);
    const result = await known();
    assert.deepEqual(marksOf(result), [
      [1, 1, 1],
      [0, 0, 1],
      [0, 0, 1],
    ]);
    const listed = await home.files();
    for (const file of listed) {
      assert.equal(result.files.find(({ path }) => path === file.path)?.state, stateOf(file));
    }
    // The page Usage brings the index up to date first.
    await service.handle({ type: 'update' });
    const usage = await ask({
      name: 'usage',
      params: { period: 'week', stack: 'project', subagents: 'together' },
    });
    const { input, cacheRead, cacheWrite, output, losses, ...sums } = usage.total;
    assert.deepEqual([sums.sessions, sums.requests, sums.unpriced], [3, 9, 3]);
    assert.deepEqual(result.week, {
      first: usage.days[0],
      last: usage.days.at(-1),
      since: result.week.since,
      ...sums,
    });
    assert.deepEqual(new Date(result.week.since).getHours(), 0);
    // Personal data is no loss.
    assert.deepEqual(
      losses?.findings.map(({ label, count }) => [label, count]),
      [['restricted', 1]],
    );
    assert.equal(losses.cache.requests, 3);
  });

  it('is what a list says of files, and what was read elsewhere is kept where it is not known', async () => {
    const path = home.write(`${folder}/listed.jsonl`, session('listed', Date.now() - day, 'Dust the books.'));
    const listed = await home.files();
    const files = listed.filter(({ path: name }) => name === path || name.endsWith('second.jsonl'));
    const lookIn = (): Promise<IndexResult<'listed'>> => ask({ name: 'listed', params: { files } });
    const before = await lookIn();
    assert.deepEqual(
      before.map(({ description }) => description.title.slice(0, 4)),
      ['Mail'],
    );
    const read = await Promise.all(
      files.map(async file => {
        for await (const part of readerHere.read({ file, words: false })) {
          if (part.kind === 'session') {
            return { file, state: stateOf(file), session: part.session, requests: part.requests };
          }
        }
        return assert.fail('Nothing was read.');
      }),
    );
    const marks = await known();
    await ask({ name: 'keep', params: { read } });
    const after = await lookIn();
    const found = after.find(row => row.path === path);
    assert.equal(found?.state, stateOf(files.find(file => file.path === path) ?? assert.fail()));
    assert.equal(found.description.title, 'Dust the books.');
    assert.match(found.description.facts, /^3 requests/);
    // 27,600 written at 3.75 dollars per million, 12,000 read at 0.30, 30 in full at 3, 60 written by the model at 15.
    assert.ok(Math.abs((found.usage.cost ?? 0) - 0.10809) < 1e-6, String(found.usage.cost));
    assert.equal(found.usage.fill, 14_410 / 200_000);
    // The findings in the other file's texts are unknown when only usage is read, and are kept.
    const second = ({ files: all }: IndexResult<'sessions'>) =>
      all.find(file => file.path.endsWith('second.jsonl'));
    assert.deepEqual(second(await known()), second(marks));
  });

  it('is nothing once the index was deleted, and no question makes it again', async () => {
    const onItsWay = known();
    await ask({ name: 'delete', params: {} });
    await onItsWay;
    await assert.rejects(known(), /The session index was deleted/u);
    assert.equal(indexState(home.indexFolder), undefined);
  });
});

it('answers from memory where the index cannot be written, and says so once', async () => {
  const home = new IndexedHome();
  const states: IndexState[] = [];
  home.write(`${folder}/first.jsonl`, session('first', Date.now() - 2 * day, 'Sort the magnolia books.'));
  // A file where the folder of the index would be.
  const index = openIndex(join(home.write('occupied', ''), 'index'));
  await home.update(index, true);
  const news = { onState: (state: IndexState) => states.push(state) };
  const { service, questions } = serviceOf(home, news, () => index);
  try {
    const { ask } = questions;
    await service.handle({ type: 'update' });
    await until('the sessions are read', () =>
      states.some(({ kind }) => kind === 'current' || kind === 'failed'),
    );
    assert.deepEqual(
      states.filter(({ kind }) => kind === 'current' || kind === 'failed'),
      [{ kind: 'current', files: 1, failed: 0, revision: 1, madeAnew: 'unwritable' }],
    );
    const { total } = await ask({
      name: 'usage',
      params: { period: 'week', stack: 'project', subagents: 'together' },
    });
    assert.deepEqual([total.sessions, total.requests], [1, 3]);
    const found = await ask({ name: 'search', params: { text: 'magnolia', most: 10 } });
    assert.equal(found.hits.length, 1);
  } finally {
    await service.handle({ type: 'end' });
    home.remove();
  }
});

describe('what the sessions of a period would have cost', () => {
  const home = new IndexedHome();
  const states: IndexState[] = [];
  const progress: PricingProgress[] = [];
  let onProgress = (): Promise<void> => Promise.resolve();
  const { service, questions } = serviceOf(home, {
    onState: state => states.push(state),
    onPricing: done => {
      progress.push(done);
      onProgress().catch(assert.ifError);
    },
  });
  const wish = { period: 'week', settings: ['lifetime=1h'], searches: false } as const;
  before(async () => {
    home.write(`${folder}/first.jsonl`, session('first', Date.now() - 2 * day, 'Sort the books.'));
    home.write(`${folder}/second.jsonl`, session('second', Date.now() - 40 * day, 'Sort the maps.'));
    const index = home.open();
    await home.update(index, true);
    index.close();
    await service.handle({ type: 'update' });
    await until('the sessions are read', () => states.some(({ kind }) => kind === 'current'));
  });
  after(async () => {
    await service.handle({ type: 'end' });
    home.remove();
  });

  it('is what the command says, with the file of each session', async () => {
    const answer = await questions.ask({ name: 'whatIf', params: wish });
    const index = home.open();
    const { since, until: end } = periodBounds('week', Date.now());
    const settings = readSettings(wish.settings) ?? assert.fail();
    const command = await whatIfSessions(index, await home.files(), {
      ...{ settings, since, until: end, models: {}, searches: false },
    });
    index.close();
    assert.deepEqual(answer, command);
    assert.deepEqual(
      answer.rows.map(({ title, file }) => [title, file.endsWith('first.jsonl')]),
      [['Sort the books.', true]],
    );
    assert.deepEqual(progress, [{ done: 0, total: 1 }]);
    const { best, settings: none } = await questions.ask({
      name: 'whatIf',
      params: { ...wish, settings: [], searches: true },
    });
    assert.deepEqual([none, best !== undefined], [[], true]);
  });

  it('ends when it is stopped, and when another is asked', async () => {
    onProgress = () => service.handle({ type: 'stopPricing' });
    await assert.rejects(questions.ask({ name: 'whatIf', params: wish }), { message: whatIfStopped() });
    onProgress = () => Promise.resolve();
    const replaced = questions.ask({ name: 'whatIf', params: wish });
    const newer = questions.ask({ name: 'whatIf', params: { ...wish, settings: ['thinking=none'] } });
    await assert.rejects(replaced, { message: whatIfStopped() });
    assert.deepEqual((await newer).settings, ['thinking=none']);
  });

  it('is current in the end where an update is wished while reading is stopped', async () => {
    home.write(`${folder}/third.jsonl`, session('third', Date.now() - 3 * day, 'Sort the prints.'));
    states.length = 0;
    await service.handle({ type: 'update' });
    const stopping = service.handle({ type: 'stop' });
    await service.handle({ type: 'update' });
    await stopping;
    await until('the sessions are read', () => states.some(({ kind }) => kind === 'current'));
  });
});
