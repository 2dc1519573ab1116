import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FindQuery, FoundPart } from '../../../src/core/questions/findQuery';
import { findInBlock, findPart, mostHits } from '../../../src/core/questions/findTexts';
import { TextReader } from '../../../src/core/session/textReader';
import { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { runWithin } from '../../../src/node/threads/runWithin';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { HandMade } from '../session/handMade';
import { openText } from '../session/openText';

const words = (text: string, more: Partial<FindQuery> = {}): FindQuery => ({
  text,
  isRegex: false,
  matchesCase: false,
  ...more,
});

interface Found {
  readonly blocks: readonly FoundPart['blocks'][number][];
  readonly parts: number;
  readonly sentence: string | undefined;
}

async function find(session: TranscriptSession, query: FindQuery, request = 0): Promise<Found> {
  const blocks: FoundPart['blocks'][number][] = [];
  let parts = 0;
  for (let from = 0; ;) {
    const part = await findPart(session, { query, request, from }, runWithin);
    blocks.push(...part.blocks);
    parts += 1;
    if (part.done >= part.total || part.sentence !== undefined) {
      return { blocks, parts, sentence: part.sentence };
    }
    assert.ok(part.done > from, 'the search goes on');
    from = part.done;
  }
}

/** Block and hits. */
const counts = ({ blocks }: Found): readonly (readonly [number, number])[] =>
  blocks.map(({ block, hits }) => [block, hits]);

const session = (): Promise<TranscriptSession> =>
  openText(
    new ClaudeCodeSession()
      .prompt('Where is the GRÖẞE of the parcel?')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/parcel.ts' } })
      .result('toolu_1', 'const größe = 3; // the size\n\tof the   parcel (a+b)\nconst Größe = größe;')
      .reply({ text: 'It is in 包裹.ts, 👋 there.' })
      .prompt('Thanks')
      .reply({ text: 'Done.' })
      .toString(),
  );

describe('a search', () => {
  it('finds words in texts, whatever the space between them, in any case and script', async () => {
    const opened = await session();
    assert.deepEqual(counts(await find(opened, words('größe'))), [
      [0, 1],
      [2, 3],
    ]);
    assert.deepEqual(counts(await find(opened, words('größe', { matchesCase: true }))), [[2, 2]]);
    assert.deepEqual(counts(await find(opened, words(' the size  of the parcel '))), [[2, 1]]);
    assert.deepEqual(counts(await find(opened, words('包裹'))), [[3, 1]]);
    assert.deepEqual(counts(await find(opened, words('👋'))), [[3, 1]]);
    assert.deepEqual(counts(await find(opened, words('(a+b)'))), [[2, 1]]);
    assert.deepEqual(counts(await find(opened, words('nowhere'))), []);
  });

  it('finds regular expressions, by lines', async () => {
    const opened = await session();
    const regex = (text: string): Promise<Found> => find(opened, words(text, { isRegex: true }));
    assert.deepEqual(counts(await regex('^const \\w')), [[2, 2]]);
    assert.deepEqual(counts(await regex('gr.{1,2}e')), [
      [0, 1],
      [2, 3],
    ]);
    // Valid only without the Unicode flag.
    assert.deepEqual(counts(await regex('parcel\\!?')).length > 0, true);
    // Empty matches are not hits, and the search ends, also next to a surrogate pair.
    assert.deepEqual(counts(await regex('x*')), []);
    await assert.rejects(regex('('), /^Error: This is not a regular expression\.$/);
  });

  it('finds names: labels, tools and paths', async () => {
    const { blocks } = await find(await session(), words('bookshop/parcel'));
    assert.deepEqual(
      blocks.map(({ block, hits, isNamed }) => [block, hits, isNamed]),
      [
        [1, 1, true],
        [2, 0, true],
      ],
    );
  });

  it('begins with the blocks of the request, and goes on over all others', async () => {
    const opened = await openText(
      new ClaudeCodeSession()
        .prompt('word '.repeat(3))
        .reply({ text: 'word' })
        .prompt('word again')
        .reply({ text: 'the last word' })
        .toString(),
    );
    const part = await findPart(opened, { query: words('word'), request: 0, from: 0 }, runWithin);
    assert.deepEqual(
      part.blocks.map(({ block, hits }) => [block, hits]),
      [
        [0, 3],
        [1, 1],
        [2, 1],
        [3, 1],
      ],
    );
    const newest = await findPart(opened, { query: words('word'), request: 1, from: 0 }, runWithin);
    assert.equal(newest.blocks.at(-1)?.block, 3);
  });

  it('works in parts that let other questions through, however large the session is', async () => {
    const written = new ClaudeCodeSession();
    for (let turn = 0; turn < 300; turn++) {
      written
        .prompt(`turn ${turn} ${'lorem ipsum '.repeat(6000)}`)
        .reply({ text: turn === 250 ? 'needle' : 'hay' });
    }
    const opened = await openText(written.toString());
    const found = await find(opened, words('needle'));
    assert.deepEqual(counts(found), [[501, 1]]);
    assert.ok(found.parts > 1, `${found.parts} parts`);
    let others = 0;
    const timer = setInterval(() => {
      others += 1;
    }, 1);
    await findPart(opened, { query: words('lorem'), request: 0, from: 0 }, runWithin);
    clearInterval(timer);
    assert.ok(others > 0, 'the event loop runs during a part');
  });

  it('finds what stands across the pieces of a text that was recorded in pieces', async () => {
    const made = new HandMade();
    made.block({
      label: 'reply',
      content: 'the needle here',
      text: {
        kind: 'joined',
        parts: ['the nee', 'dle h', 'ere'].map(text => ({ kind: 'literal', text }) as const),
      },
    });
    const transcript = made.build();
    const source = { size: 0, read: () => Promise.resolve(new Uint8Array()) };
    const opened = new TranscriptSession(transcript, new TextReader(source, transcript), {
      fileName: 'file',
      scanner: secretScanner,
    });
    assert.deepEqual(counts(await find(opened, words('needle here'))), [[0, 1]]);
    const { hits } = await findInBlock(opened, { query: words('needle here'), block: 0 }, runWithin);
    assert.deepEqual(hits, [{ start: 4, end: 15 }]);
  });

  it('gives up a hostile expression with a sentence, and keeps what it has found', async () => {
    const hostile = `${'a'.repeat(40)}!`;
    const opened = await openText(
      new ClaudeCodeSession().prompt(hostile).reply({ text: 'Done.' }).toString(),
    );
    const query = words('(a+)+$', { isRegex: true });
    const { sentence } = await find(opened, query);
    assert.match(sentence ?? '', /takes too long/);
    const inBlock = await findInBlock(opened, { query, block: 0 }, runWithin);
    assert.match(inBlock.sentence ?? '', /takes too long/);
    assert.deepEqual(counts(await find(opened, words('aaa!'))), [[0, 1]]);
  });

  it('counts no more than it says', async () => {
    const opened = await openText(new ClaudeCodeSession().prompt('e'.repeat(3 * mostHits)).toString());
    assert.deepEqual(counts(await find(opened, words('e'))), [[0, mostHits]]);
  });
});

describe('the text around a hit', () => {
  const password = ['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('=');
  const secrets = (): Promise<TranscriptSession> =>
    openText(
      new ClaudeCodeSession()
        .prompt(`Use this:\n${password}\nfor the shop`)
        .reply({ text: 'In the shop.' })
        .toString(),
    );

  it('is masked like the text, also where the hit is in what is masked', async () => {
    const opened = await secrets();
    await opened.measure();
    for (const text of ['use this', 'for the', 'hVq7Lr2', 'database_password']) {
      const { blocks } = await find(opened, words(text));
      assert.equal(blocks[0]?.hits, 1, text);
      const shown = JSON.stringify(blocks);
      assert.ok(!shown.includes('hVq7') && !shown.includes('Xw9s'), shown);
      assert.ok(blocks[0].around !== undefined);
    }
    const [clean] = (await find(opened, words('in the shop'))).blocks;
    assert.deepEqual(clean?.around, { before: [], hit: [{ text: 'In the shop' }], after: [{ text: '.' }] });
  });

  it('is not shown before the text has been scanned', async () => {
    const { blocks } = await find(await secrets(), words('use this'));
    assert.deepEqual(
      blocks.map(({ hits, around }) => [hits, around]),
      [[1, undefined]],
    );
  });
});
