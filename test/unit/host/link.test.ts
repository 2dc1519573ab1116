import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkText, parseLink, type TranscriptLink } from '../../../src/host/links/link';

const base = 'vscode://context-inspector.context-inspector';

/** The form in which VS Code passes an address to a handler: path and query are decoded once. */
function received(address: string): readonly [path: string, query: string] {
  const [before = '', query = ''] = address.split('?', 2);
  return [decodeURIComponent(before.slice(base.length)), decodeURIComponent(query)];
}

const parsed = (query: string, platform: NodeJS.Platform = 'linux') => parseLink('/open', query, platform);

describe('links to a place of a transcript', () => {
  const links: readonly (TranscriptLink & { readonly platform?: NodeJS.Platform })[] = [
    { file: '/home/ada/session.jsonl' },
    { file: '/home/ada/session.jsonl', conversation: 2, request: 0, block: 17 },
    { file: '/home/ada/a b & c=d #1 100% + ä?.jsonl', request: 5 },
    { file: '/home/ada/%2e%2e/%00.jsonl', request: 5 },
    { file: 'C:\\Users\\Ada Lovelace\\a&b.jsonl', block: 3, platform: 'win32' },
  ];
  for (const { platform = 'linux', ...link } of links) {
    it(`comes back as it was written: ${link.file}`, () => {
      const address = linkText(base, link);
      assert.ok(address.startsWith(`${base}/open?file=`));
      assert.match(address, /^[\x21-\x7e]+$/);
      assert.deepStrictEqual(parseLink(...received(address), platform), { ok: true, link });
    });
  }

  it('may name the file by its URI', () => {
    assert.deepStrictEqual(parsed('file=file:///home/ada/a%20b.jsonl&request=1'), {
      ok: true,
      link: { file: '/home/ada/a b.jsonl', request: 1 },
    });
    assert.deepStrictEqual(parsed('file=file:///C:/Users/ada/a.jsonl', 'win32'), {
      ok: true,
      link: { file: 'C:\\Users\\ada\\a.jsonl' },
    });
  });

  it('names each file by one path', () => {
    for (const query of ['file=/home/ada/../bob//a.jsonl', 'file=file:///home/ada/%2e%2e/bob/a.jsonl']) {
      assert.deepStrictEqual(parsed(query), { ok: true, link: { file: '/home/bob/a.jsonl' } });
    }
  });

  const refused: readonly (readonly [what: string, query: string, platform?: NodeJS.Platform])[] = [
    ['nothing', ''],
    ['no file', 'request=1'],
    ['an empty file', 'file='],
    ['a relative path', 'file=session.jsonl'],
    ['a path above', 'file=../session.jsonl'],
    ['a home folder', 'file=~/session.jsonl'],
    ['another scheme', 'file=https://example.com/a.jsonl'],
    ['a command', 'file=command:workbench.action.terminal.new'],
    ['a share', 'file=//server/share/a.jsonl'],
    ['a share on Windows', 'file=\\\\server\\share\\a.jsonl', 'win32'],
    ['a device on Windows', 'file=\\\\.\\pipe\\x', 'win32'],
    ['a share as a URI', 'file=file://server/share/a.jsonl'],
    ['a share as a URI on Windows', 'file=file://server/share/a.jsonl', 'win32'],
    ['a share hidden in a URI', 'file=file:////server/share/a.jsonl'],
    ['a path of another system', 'file=/home/ada/a.jsonl', 'win32'],
    ['a line break', 'file=/home/ada/a%0Ab.jsonl'],
    ['an end of text', 'file=/home/ada/a%00.jsonl'],
    ['half an escape', 'file=/home/ada/%E0%A4%A'],
    ['a very long path', `file=/${'a'.repeat(5000)}`],
    ['a second file', 'file=/home/ada/a.jsonl&file=/etc/passwd'],
    ['a negative request', 'file=/a.jsonl&request=-1'],
    ['half a request', 'file=/a.jsonl&request=1.5'],
    ['no number', 'file=/a.jsonl&request='],
    ['a formula', 'file=/a.jsonl&block=1e3'],
    ['a huge number', 'file=/a.jsonl&block=99999999999999999999'],
    ['markup', 'file=/a.jsonl&conversation=[x](command:y)'],
  ];
  for (const [what, query, platform] of refused) {
    it(`is refused with ${what}`, () => {
      const answer = parsed(query, platform);
      assert.ok(!answer.ok);
      assert.match(answer.sentence, /^This link .*\.$/);
      // Foreign text is not repeated.
      assert.doesNotMatch(answer.sentence, /server|passwd|command:/);
    });
  }

  it('has one path', () => {
    for (const path of ['', '/', '/opens', '/open/', '//open', '/Open']) {
      assert.equal(parseLink(path, 'file=/a.jsonl', 'linux').ok, false, path);
    }
  });
});
