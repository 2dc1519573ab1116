import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Marked } from 'marked';
import { answerMarkdown, markdownText } from '../../../src/host/chat/answerMarkdown';

// VS Code draws Markdown with this library too.
const draw = (source: string): string =>
  new Marked({ async: false, gfm: true }).parse(source, { async: false });

const hostile = [
  '[click](command:workbench.action.quit)',
  '![](https://evil.example/?q=1)',
  '<img src=x onerror=alert(1)>',
  'https://evil.example/ www.evil.example a@evil.example',
  '# heading | table | `code` *bold* _it_ ~~no~~ \\',
  '$(alert) &lt;b&gt; ```',
  '1. list\n- list\n> quote\n    code',
  'a\u202etxt.exe',
];

describe('answers as Markdown', () => {
  it('show foreign text as it is: no link, picture or markup', () => {
    for (const text of hostile) {
      const html = draw(markdownText(text));
      assert.doesNotMatch(html, /<(?!\/?p>)/, text);
      assert.doesNotMatch(html, /\u202e/);
    }
    assert.equal(draw(markdownText('a@b.c *x* <y>')), '<p>a@b.c *x* &lt;y&gt;</p>\n');
  });

  it('link lines about places, with nothing but the own command', () => {
    const lines = hostile.flatMap(text => [
      { text: `block 7: ${text}`, place: { conversation: 1, request: 2, block: 7 } },
      { text: `${text}: x`, place: { conversation: 0, path: '/home/ada/a (1)/"s".jsonl' } },
      { text: `  ${text}` },
    ]);
    const html = draw(
      answerMarkdown(
        { lines, more: 3 },
        { uri: 'file:///home/ada/s.jsonl', ofPath: path => `file://${path}` },
      ),
    );
    const addresses = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => address);
    assert.equal(addresses.length, 2 * hostile.length);
    for (const address of addresses) {
      assert.match(address, /^command:contextInspector\.showPlace\?[\w%.~!*'-]+$/);
    }
    const [first = '', second = ''] = addresses.map(address =>
      decodeURIComponent(address.replace(/^[^?]*\?/, '')),
    );
    assert.deepEqual(JSON.parse(first), [
      { uri: 'file:///home/ada/s.jsonl', place: { conversation: 1, request: 2, blockNumber: 7 } },
    ]);
    assert.match(second, /a \(1\)/);
    assert.match(html, /<a href="[^"]*">block 7<\/a>: /);
    assert.match(html, /3 more lines/);
    assert.doesNotMatch(html, /<(?!\/?(?:p|ul|li|a)\b)/);
  });

  it('nest lines as deep as they are indented', () => {
    const lines = ['All', '  Files', '    a.ts', '  Shell'].map(text => ({ text }));
    const html = draw(answerMarkdown({ lines, more: 0 }, { uri: undefined, ofPath: path => path }));
    assert.equal(
      html.replace(/\s*\n\s*/g, ''),
      '<p>All</p><ul><li>Files<ul><li>a.ts</li></ul></li><li>Shell</li></ul>',
    );
  });
});
