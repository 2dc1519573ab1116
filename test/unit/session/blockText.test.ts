import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageFrom } from '../../../src/core/session/blockImage';
import { pageAt, rowsOf } from '../../../src/core/view/textRows';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openText } from './openText';

/** The rows of a text as shown, each with its depth. */
const shown = (text: string): readonly string[] =>
  rowsOf(text).rows.map(
    ({ start, indent }, index, rows) => `${' '.repeat(indent)}${text.slice(start, rows[index + 1]?.start)}`,
  );

describe('the rows of a text', () => {
  it('are its lines, and together the text', () => {
    assert.deepEqual(shown('one\ntwo\n\nfour'), ['one\n', 'two\n', '\n', 'four']);
    assert.deepEqual(shown(''), ['']);
    for (const text of ['a\n', '\n\n', '😀'.repeat(3000), `x\n${'y'.repeat(9000)}\nz`]) {
      assert.equal(shown(text).join(''), text);
    }
    // A row that is too long continues, without half a character at its end.
    assert.ok(shown(`a${'😀'.repeat(3000)}`).every(row => !/^[\uDC00-\uDFFF]/.test(row)));
  });

  it('of JSON on one line are its members, as deep as they stand; short values stay together', () => {
    const text = JSON.stringify({
      path: '/home/ada/bookshop/a/long/path/to/a/file.ts',
      range: [1, 20],
      note: `{"[${'n'.repeat(70)}\nsecond line\\n`,
    });
    assert.deepEqual(shown(text), [
      '{',
      ' "path":"/home/ada/bookshop/a/long/path/to/a/file.ts",',
      ' "range":[1,20],',
      ` "note":"{\\"[${'n'.repeat(70)}\\n`,
      '  second line\\\\n"',
      '}',
    ]);
    const { form, rows } = rowsOf(text);
    assert.equal(form, 'json');
    assert.deepEqual(
      rows.map(({ foldEnd }) => foldEnd),
      [text.length, ...Array.from({ length: 5 }, () => undefined)],
    );
  });

  it('of JSON on several lines are its lines, with folds', () => {
    const text = JSON.stringify({ list: [{ a: 1 }, { b: 2 }], last: [] }, null, 1);
    const folds = rowsOf(text).rows.flatMap(({ number, foldEnd }) => (foldEnd === undefined ? [] : [number]));
    assert.deepEqual(folds, [1, 2, 3, 6]);
  });

  it('of a difference say what is added and removed', () => {
    const text =
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\ndiff --git a/y b/y\n--- a/y';
    assert.deepEqual(
      rowsOf(text).rows.map(({ sign }) => sign),
      [undefined, undefined, undefined, 'place', undefined, 'removed', 'added', undefined, undefined],
    );
    assert.equal(rowsOf('- a list\n+ of things').form, 'lines');
  });

  it('come in pages that do not depend on which is asked for', () => {
    const text = Array.from({ length: 2500 }, (_, line) => `line ${line}`).join('\n');
    const { rows } = rowsOf(text);
    let start = 0;
    for (let page = 0; page < 7; page++) {
      const found = pageAt(rows, start, text.length);
      assert.deepEqual([found.page, found.pages, found.start], [page, 7, start]);
      assert.deepEqual(pageAt(rows, found.end - 1, text.length), found);
      start = found.end;
    }
    assert.equal(start, text.length);
    assert.equal(pageAt(rows, text.length + 100, text.length).page, 6);
    assert.deepEqual(pageAt(rowsOf('').rows, 0, 0).rows.length, 1);
  });
});

describe('the text of a block', () => {
  const password = ['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('=');

  it('comes in pages, each masked, also where a finding reaches into it', async () => {
    const long = `${'x'.repeat(23_990)} ${password}\n${'y '.repeat(3000)}`;
    const opened = await openText(
      new ClaudeCodeSession()
        .prompt('Read it.')
        .reply({ tool: 'Read', id: 't', input: {} })
        .result('t', long)
        .toString(),
    );
    const pages = [await opened.blockText(2, 0, false)];
    for (let last = pages[0]; last !== undefined && last.end < last.characters; last = pages.at(-1)) {
      pages.push(await opened.blockText(2, last.end, false));
    }
    assert.ok(pages.length > 1);
    assert.ok(!JSON.stringify(pages).includes('hVq7'));
    assert.equal(pages.at(-1)?.pages, pages.length);
    const copy = await opened.wholeText(2, false);
    assert.ok(!copy.includes('hVq7') && copy.includes('[redacted: '));
    assert.equal(await opened.wholeText(2, true), long);
  });

  it('has no row that begins in what is masked', async () => {
    const begin = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');
    const end = ['-----END RSA', 'PRIVATE KEY-----'].join(' ');
    const body = Array.from(
      { length: 6 },
      (_, line) => `MIIEpAIBAAKCAQEA${line}kq3vWm9Zt8Yb5Nc1Hs7Lr2mXw9sKp3Tz8Yb5Nc1`,
    );
    const text = ['first', begin, ...body, end, 'last'].join('\n');
    const opened = await openText(new ClaudeCodeSession().prompt(text).toString());
    const { rows, findings } = await opened.blockText(0, 0, false);
    assert.equal(findings.length, 1);
    assert.deepEqual(
      rows.map(({ start }) => text.slice(start, start + 5)),
      ['first', '-----', 'last'],
    );
    assert.equal((await opened.blockText(0, 0, true)).rows.length, 10);
  });
});

describe('a picture', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

  it('is known by its bytes, whatever it is called', () => {
    assert.deepEqual(imageFrom(png), { mediaType: 'image/png', data: png, width: 1, height: 1 });
    assert.equal(imageFrom(`data:image/svg+xml;base64,${png}`).mediaType, 'image/png');
  });

  it('is refused where it is an address, markup, no picture, or too large to be decoded', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    const vast = Buffer.from(png, 'base64');
    vast.writeUInt32BE(60_000, 16);
    vast.writeUInt32BE(60_000, 20);
    for (const text of [
      'https://bookshop.test/a.png',
      svg,
      `data:image/png;base64,${svg}`,
      '',
      `${png}"><b>`,
    ]) {
      assert.throws(() => imageFrom(text), /This image cannot be shown/, text);
    }
    assert.throws(() => imageFrom(vast.toString('base64')), /too large/);
  });
});
