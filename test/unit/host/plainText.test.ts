import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { visibleText } from '../../../src/core/base/visibleText';
import { plainText } from '../../../src/host/messages/plainText';

/**
 * The markup that VS Code reads in a text, by its documented grammar: links `[label](address)` and `[label](address
 * "title")` with the schemes http, https, command and file, icons `$(name)` and `$(name~modifier)`, and bare addresses
 * in the output. It cuts a notification at 1000 units and first puts it on one line.
 */
function markupIn(text: string): readonly string[] {
  const found: string[] = [];
  const line = (text.length > 1000 ? `${text.slice(0, 1000)}...` : text).replace(/[\r\n]+/g, ' ').trim();
  const lower = line.toLowerCase();
  for (let at = lower.indexOf(']('); at >= 0; at = lower.indexOf('](', at + 1)) {
    const address = lower.slice(at + 2);
    const scheme = ['http://', 'https://', 'command:', 'file:'].find(start => address.startsWith(start));
    const label = line.lastIndexOf('[', at);
    if (scheme !== undefined && label >= 0 && !line.slice(label, at).includes(']')) {
      found.push(`link ${line.slice(label)}`);
    }
  }
  for (const part of line.split('$(').slice(1)) {
    if (/^[a-z0-9-]+(~[a-z]+)?\)/i.test(part)) {
      found.push(`icon ${part}`);
    }
  }
  for (const scheme of ['http://', 'https://', 'file://']) {
    if (lower.includes(scheme)) {
      found.push(`address ${scheme}`);
    }
  }
  return found;
}

/** The visible text: the joiner has no width. */
const asRead = (text: string): string => text.replaceAll('\u2060', '');

const pieces = fc.constantFrom(
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    '[x](',
    '[[x]',
    ' ',
    '\n',
    '\r\n',
    '\u2028',
    '\t',
    '\\',
    '!',
    '"',
    "'",
    '"title"',
    '~spin',
    '$',
    '$(',
    '$$(',
    '\\$(',
  ],
  ...[
    'command:workbench.action.quit',
    'COMMAND:a',
    'https://a.example',
    'file:///etc',
    'http:',
    '//',
    ':',
    'zap',
    'trash)',
  ],
  ...[
    '\u2060',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\u0000',
    '\u001b[2J',
    '😀',
    '\ud83d',
    'å',
    '{0}',
    '<a href="command:a">',
    '**b**',
  ],
);
const hostile = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 40 })
  .map(all => all.join(''));

describe('texts that VS Code shows', () => {
  for (const text of [
    '[Restore](command:workbench.action.terminal.sendSequence?%7B%7D) was not found.',
    '[a](https://evil.example "Microsoft") and [b](FILE:///etc/passwd)',
    '[[x](command:a)](command:b)',
    '[\nx\n](command:a)',
    // The control character is written out in brackets of our own.
    'x\u202e(command:a)',
    '[x]\u2060(command:a)',
    '[$](https://a.example)(trash) Delete everything?',
    '$(error~spin) \\$(trash) $$(zap)',
    'see https://evil.example/a and file:///etc/passwd',
  ]) {
    it(`keep ${JSON.stringify(text)} readable, and nothing in it is a link or an icon`, () => {
      const plain = plainText(text);
      assert.notDeepEqual(markupIn(visibleText(text)), [], 'the example is harmless');
      assert.deepEqual(markupIn(plain), []);
      assert.equal(asRead(plain), visibleText(text).replace(/\s+/g, ' '));
    });
  }

  it('have no link, icon, line break or hidden character, whatever foreign texts are put together', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (first, second, third) => {
        const plain = plainText(`${first}${second} was not found (${third})`);
        assert.deepEqual(markupIn(plain), []);
        assert.doesNotMatch(asRead(plain), /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
      { numRuns: 3000 },
    );
  });

  it('stay the same without markup', () => {
    for (const text of ['Reading a [1].jsonl', 'f(x)[0] costs $5 (about)', 'C:\\a\\b', 'a: //b']) {
      assert.equal(plainText(text), text);
    }
  });

  it('are cut where they are too long, so that a foreign text cannot hold up the editor', () => {
    const plain = plainText('[x](command:a)'.repeat(1_000_000));
    assert.ok(plain.length < 1200, String(plain.length));
    assert.ok(asRead(plain).endsWith('…'));
    assert.deepEqual(markupIn(plain), []);
  });
});
