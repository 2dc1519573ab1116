import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isArray, isObject, parseJson } from '../../../src/core/base/json';
import { DistinctWords, wordsIn } from '../../../src/core/index/distinctWords';
import { parseWords, placeOf } from '../../../src/core/index/wordQuery';
import { TextReader } from '../../../src/core/session/textReader';
import { formatIds } from '../../../src/core/formats/registry';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import type { Transcript } from '../../../src/core/model/transcript';
import { decoderTools } from '../../../src/node/databases/database';
import { openFile } from '../../../src/node/files/fileByteSource';
import type { Index } from '../../../src/node/index/indexTypes';
import {
  filesByKey,
  type SearchHit,
  searchIndex,
  type SearchWish,
} from '../../../src/node/index/searchIndex';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { fixturesOf } from '../../fixtures/formats';
import { Random } from '../../generator/random';
import { IndexedHome } from '../../fixtures/indexedHome';
import { plantedCredentials, plantedTranscript } from '../../fixtures/plantedCredentials';
import { isDeep, someOf } from '../../fixtures/variants';

async function search(
  home: IndexedHome,
  index: Index,
  words: string,
  rest: Partial<SearchWish> = {},
  most = 1000,
) {
  return searchIndex(index, filesByKey(await home.files()), { query: parseWords(words), ...rest }, { most });
}

const textOf = ({ context }: SearchHit): string =>
  context === undefined ? '' : `${context.before}[${context.hit}]${context.after}`;

describe('a query of words', () => {
  const isIn = (query: string, text: string): boolean => placeOf(parseWords(query), text) !== undefined;

  it('takes words, phrases and the beginning of the last word', () => {
    assert.equal(parseWords('sum "the old bug" rea').match, '"sum" AND "the" AND "old" AND "bug" AND "rea"*');
    assert.equal(parseWords('"rea"').match, '"rea"');
    assert.equal(parseWords('src/main.ts').match, '"src" AND "main" AND "ts"*');
    assert.equal(parseWords(' "" => ').match, undefined);
    assert.ok(isIn('"old bug"', 'An OLD, bug.'));
    assert.ok(!isIn('"old bug"', 'The bug is old.'));
    assert.ok(!isIn('"old bug"', 'old bugs'));
    assert.ok(isIn('old bug', 'bugs are old'));
    assert.ok(!isIn('bug old', 'debug is old'));
    assert.ok(isIn('cafe', 'In the Café'));
  });

  it('takes writing without spaces character by character', () => {
    assert.deepEqual(wordsIn('打开 a'), ['打', '开', 'a']);
    assert.ok(isIn('完整', '打开完整链接'));
    assert.ok(!isIn('整完', '打开完整链接'));
  });
});

describe('the words of a text', () => {
  const finder = new DistinctWords();
  const found = (text: string): readonly string[] =>
    Array.from(finder.find(text), piece => Buffer.from(piece).toString().split(' ').slice(0, -1)).flat();

  it('are small, without diacritics, and each is there once', () => {
    assert.deepEqual(found('The Café, the cafe\u0301; CAFE_2 → ΩMEGA… x'), [
      'the',
      'cafe',
      '2',
      'ωmega',
      'x',
    ]);
    assert.deepEqual(found(''), []);
    assert.deepEqual(found('?!'), []);
    assert.deepEqual(found('東京 ガ ก้'), ['東', '京', 'カ', 'ก']);
    assert.deepEqual(found('lone \ud800surrogate 𝔘'), ['lone', 'surrogate', '𝔘']);
  });

  it('leave out runs of data, and nothing beside them', () => {
    assert.deepEqual(found(`before ${'aB3/'.repeat(64)} after`), ['before', 'after']);
    assert.equal(found(`before ${'aB3/'.repeat(63)} after`).length, 3);
  });

  it('are those of the query, in texts of any length', () => {
    const random = new Random(20_261_125);
    const pieces = [
      'a',
      'Zq',
      '9',
      '_',
      ' ',
      '.',
      '\n',
      'é',
      'Ä',
      '…',
      '東',
      'ß',
      'İ',
      '→',
      '│',
      '✅',
      '\u2070',
      '\u2776',
      '\u0301',
      '𝔘',
      '\ud800',
    ];
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: random.below(60) }, () => pieces[random.below(pieces.length)]).join(''),
    );
    const numbers = Array.from({ length: 120_000 }, (_, number) => `word${number}`).join(' ');
    for (const text of [...texts, numbers, 'é '.repeat(300_000), `${'x'.repeat(200)} `.repeat(5_000)]) {
      assert.deepEqual([...new Set(found(text))], [...new Set(wordsIn(text))]);
    }
  });
});

describe('words of all formats', () => {
  const home = new IndexedHome();
  after(() => home.remove());

  /** A JSON value in which every text with words ends with a unique word. */
  function marked(value: unknown, marks: string[]): unknown {
    if (typeof value === 'string') {
      if (!/^[\w.,'?! ]+ [\w.,'?! ]+$/.test(value)) {
        return value;
      }
      marks.push(`quillfish${String(marks.length + 1)}x`);
      return `${value} ${marks.at(-1) ?? ''} brass lantern`;
    }
    if (isArray(value)) {
      return value.map(item => marked(item, marks));
    }
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, marks)]))
      : value;
  }

  function markedFile(text: string, marks: string[]): string {
    const whole = parseJson(text);
    return whole !== undefined
      ? JSON.stringify(marked(whole, marks), null, 1)
      : text
          .split('\n')
          .map(line => (line === '' ? '' : JSON.stringify(marked(parseJson(line), marks))))
          .join('\n');
  }

  async function blocksWith(path: string, words: readonly string[]) {
    const source = await openFile(path);
    try {
      const result = await readTranscript(source, { tools: decoderTools, siblings: siblingFilesOf(path) });
      const transcript: Transcript | undefined = result.ok ? result.transcript : undefined;
      const found = new Map<string, number[]>();
      if (result.ok && transcript !== undefined) {
        const reader = new TextReader(result.source ?? source, transcript, result.document);
        for (let block = 0; block < transcript.blocks.length; block += 1) {
          if (transcript.blocks.at(block)?.contentType !== 'image') {
            const text = await reader.read(block);
            for (const word of words.filter(each => text.includes(each))) {
              found.set(word, [...(found.get(word) ?? []), block]);
            }
          }
        }
      }
      return found;
    } finally {
      await source.close();
    }
  }

  it('finds each planted phrase once in each of its places', async context => {
    const planted: { readonly path: string; readonly marks: readonly string[]; readonly format: string }[] =
      [];
    const textsOf = (format: string): readonly string[] =>
      fixturesOf(format)
        .filter(({ siblings }) => siblings === undefined)
        .map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
        .filter(text => /^\s*[[{]/.test(text));
    for (const format of someOf(
      formatIds.filter(id => textsOf(id).length > 0),
      12,
    )) {
      for (const text of textsOf(format)) {
        const marks: string[] = [];
        const number = planted.length;
        const unique = markedFile(text, marks).replaceAll('quillfish', `quillfish${String(number)}n`);
        const path = home.write(`.claude/projects/p${String(number)}/${format}.jsonl`, unique);
        planted.push({
          path,
          format,
          marks: marks.map(mark => mark.replace('quillfish', `quillfish${String(number)}n`)),
        });
      }
    }
    const index = home.open();
    assert.deepEqual((await home.update(index, true)).failed, []);
    let places = 0;
    const formats = new Set<string>();
    for (const { path, format, marks } of planted) {
      for (const [mark, blocks] of await blocksWith(path, marks)) {
        const { hits } = await search(home, index, `"${mark} brass lantern"`);
        assert.deepEqual(
          hits.map(hit => [hit.file.path, hit.block.block]).sort(byBlock),
          blocks.map(block => [path, block]).sort(byBlock),
          `${format} ${mark}`,
        );
        for (const hit of hits) {
          assert.match(textOf(hit), new RegExp(`\\[${mark} brass lantern\\]`, 'i'), format);
        }
        places += blocks.length;
        formats.add(format);
      }
    }
    context.diagnostic(`${String(places)} places in files of ${String(formats.size)} formats`);
    assert.ok(places > (isDeep ? 200 : 20) && formats.size > (isDeep ? 40 : 6));
  });

  const byBlock = (first: (string | number)[], second: (string | number)[]): number =>
    Number(first[1]) - Number(second[1]);
});

describe('a search', () => {
  const home = new IndexedHome();
  let index: Index;
  before(async () => {
    const session = new ClaudeCodeSession()
      .prompt('Where does the walrus sleep?')
      .reply({ text: 'I look.' }, { tool: 'Read', id: 'toolu_a', input: { file_path: '/home/ada/zoo.ts' } })
      .result('toolu_a', 'The walrus sleeps on the eastern rock.')
      .compact('The user asks about an animal.')
      .prompt('And the heron?')
      .reply({ text: 'No walrus\u0000 is near the heron.' })
      .prompt('Count the ostriches.')
      .reply({ text: 'I count.' }, { tool: 'Bash', id: 'toolu_b', input: { command: 'wc -l birds' } })
      .result('toolu_b', 'wc: ostriches: No such file', undefined, { is_error: true });
    home.write('.claude/projects/zoo/11111111-1111-4111-8111-111111111111.jsonl', session.toString());
    index = home.open();
    await home.update(index, true);
  });
  after(() => home.remove());

  const found = async (words: string, rest: Partial<SearchWish> = {}) =>
    (await search(home, index, words, rest)).hits.map(({ block }) => block);

  it('marks blocks that a compaction took out', async () => {
    const blocks = await found('walrus');
    assert.deepEqual(
      blocks.map(({ kind, removed, request, left }) => [kind, removed, request, left]),
      [
        ['assistant', false, 1, undefined],
        ['toolResult', true, undefined, undefined],
        ['prompt', true, 0, 1],
      ],
    );
  });

  it('is narrowed by role, tool, agent, project and date', async () => {
    assert.deepEqual(
      (await found('walrus', { role: 'tool' })).map(({ kind }) => kind),
      ['toolResult'],
    );
    assert.deepEqual(
      (await found('walrus', { tool: 'read' })).map(({ kind }) => kind),
      ['toolResult'],
    );
    assert.equal((await found('walrus', { agent: 'claude' })).length, 3);
    assert.equal((await found('walrus', { agent: 'codex' })).length, 0);
    assert.equal((await found('walrus', { project: 'bookshop' })).length, 3);
    assert.equal((await found('walrus', { project: 'zoo' })).length, 0);
    assert.equal((await found('walrus', { since: Date.UTC(2026, 0, 5, 9, 0, 20) })).length, 1);
    assert.equal((await found('walrus', { until: Date.UTC(2026, 0, 5, 9, 0, 20) })).length, 2);
  });

  it('is narrowed by model, source, file and failure', async () => {
    const narrowed = async (rest: Partial<SearchWish>) =>
      (await found('walrus', rest)).map(({ kind }) => kind);
    assert.deepEqual(await narrowed({ model: 'SONNET' }), ['assistant', 'prompt']);
    assert.deepEqual(await narrowed({ model: 'opus' }), []);
    assert.deepEqual(await narrowed({ source: 'files' }), ['toolResult']);
    assert.deepEqual(await narrowed({ source: 'you' }), ['prompt']);
    assert.deepEqual(await narrowed({ file: 'ada\\zoo.ts' }), ['toolResult']);
    assert.deepEqual(await narrowed({ file: 'aviary' }), []);
    assert.deepEqual(await narrowed({ isError: true }), []);
    const failed = await found('ostriches', { isError: true });
    assert.deepEqual(
      failed.map(({ kind, isError, tool }) => [kind, isError, tool]),
      [['toolResult', true, 'Bash']],
    );
    assert.equal((await found('ostriches')).length, 2);
  });

  it('without words finds every block that the rest asks for, the newest first', async () => {
    const kinds = async (rest: Partial<SearchWish>) => (await found(' ', rest)).map(({ kind }) => kind);
    assert.deepEqual(await kinds({ isError: true }), ['toolResult']);
    assert.deepEqual(await kinds({ tool: 'bash' }), ['toolResult', 'toolCall']);
    assert.deepEqual(await kinds({ file: 'zoo.ts' }), ['toolResult', 'toolCall']);
    assert.deepEqual(await kinds({ source: 'you' }), ['prompt', 'prompt', 'prompt']);
    assert.deepEqual(await kinds({}), []);
    assert.deepEqual(await kinds({ tool: '' }), []);
    assert.deepEqual((await found('=>', { tool: 'bash' })).length, 0);
    const { hits } = await search(home, index, '', { isError: true });
    assert.deepEqual(hits.map(textOf), ['[]wc: ostriches: No such file']);
  });

  it('gives the first hits, and says whether there are more', async () => {
    const first = async (most: number) => search(home, index, 'walrus', {}, most);
    assert.equal((await first(2)).hits.length, 2);
    assert.equal((await first(2)).hasMore, true);
    assert.equal((await first(3)).hasMore, false);
    assert.equal((await first(2)).counts.isLeast, true);
    const wish = { query: parseWords('walrus'), source: 'you' } as const;
    const limits = { most: 1, counting: 10_000 };
    const counted = await searchIndex(index, filesByKey(await home.files()), wish, limits);
    assert.deepEqual(
      counted.hits.map(({ block }) => block.kind),
      ['prompt'],
    );
    assert.deepEqual(
      [...counted.counts.sources],
      [
        ['model', 1],
        ['files', 1],
        ['you', 1],
      ],
    );
    assert.equal(counted.counts.isLeast, false);
    assert.equal(counted.counts.sessions, 1);
  });

  it('finds what is new and no longer what was removed', async () => {
    const path = join(home.folder, '.claude/projects/zoo/11111111-1111-4111-8111-111111111111.jsonl');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replaceAll('heron', 'stork'));
    await home.update(index, true);
    assert.equal((await found('heron')).length, 0);
    assert.equal((await found('stork')).length, 2);
    writeFileSync(path, before);
    await home.update(index, true);
    assert.equal((await found('heron')).length, 2);
  });
});

describe('credentials', () => {
  const home = new IndexedHome();
  after(() => home.remove());

  it('are in no file of the index, raw, in base64 or escaped', async () => {
    const secrets: string[] = [];
    for (const seed of someOf([1, 2, 3], 1)) {
      const credentials = plantedCredentials(seed);
      home.write(`.claude/projects/p/${String(seed)}.jsonl`, plantedTranscript(credentials));
      secrets.push(...credentials.map(({ secret }) => secret));
    }
    const index = home.open();
    assert.deepEqual((await home.update(index, true)).failed, []);
    const bytes = readFileSync(join(home.indexFolder, 'sessions.db')).toString('latin1').toLowerCase();
    assert.ok(existsSync(join(home.indexFolder, 'sessions.db-journal')));
    const left: string[] = [];
    for (const secret of secrets) {
      const words = [...secret.matchAll(/[\p{L}\p{N}]{12,}/gu)].map(([word]) => word);
      for (const word of words) {
        const { hits } = await search(home, index, `"${word}"`);
        if (hits.length > 0 || bytes.includes(word.toLowerCase())) {
          left.push(`${word} of ${secret}`);
        }
      }
    }
    assert.ok(secrets.length > (isDeep ? 400 : 130));
    assert.deepEqual(left, []);
  });
});
