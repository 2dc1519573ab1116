import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectAt, parseJson } from '../../../src/core/base/json';
import { maskText } from '../../../src/core/sensitivity/maskText';
import type { BlockText } from '../../../src/core/session/blockText';
import { rowsOf } from '../../../src/core/view/textRows';
import { linesOfTree } from '../../../webview/highlighting/lines';
import { diffOf, editsIn } from '../../../webview/state/editLines';
import { languageOf } from '../../../webview/state/highlightingContract';
import { type MarkdownPart, knownParts, markdownOf, withoutEntities } from '../../../webview/state/markdown';
import { beginningOf, masksIn, shownText } from '../../../webview/state/shownText';
import { assertLinear } from '../../fixtures/linearWork';

function textOf(text: string, ...secrets: readonly string[]): BlockText {
  const findings = secrets.map(secret => {
    const start = text.indexOf(secret);
    return {
      start,
      end: start + secret.length,
      rule: 'urlPassword',
      label: 'restricted',
      message: 'A password',
    } as const;
  });
  const { form, rows } = rowsOf(text);
  return {
    segments: [...maskText(text, findings)],
    start: 0,
    end: text.length,
    characters: text.length,
    page: 0,
    pages: 1,
    form,
    rows: [...rows],
    findings,
    irHash: '',
  };
}

describe('a text in a form that can be parsed', () => {
  it('has no masked text in it, and gives back what stands for it', () => {
    const text = shownText(textOf('{"a": "hunter2", "b": ["hunter3"]}', 'hunter2', 'hunter3'));
    assert.ok(!text.text.includes('hunter'));
    assert.deepEqual(Object.keys(objectAt({ value: parseJson(text.text) }, 'value') ?? {}), ['a', 'b']);
    const parts = masksIn(text.text, text.masks);
    assert.deepEqual(
      parts.map(part => (typeof part === 'string' ? part : part.masked)),
      ['{"a": "', 7, '", "b": ["', 7, '"]}'],
    );
  });

  it('does not let a text forge a masked part', () => {
    const text = shownText(textOf('x \u{F0000} secret', 'secret'));
    assert.deepEqual(
      masksIn(text.text, text.masks).map(part => (typeof part === 'string' ? part : part.masked)),
      ['x \uFFFD ', 6],
    );
  });

  it('is cut at lines and at units, but not inside a character', () => {
    assert.equal(beginningOf('a\nb\nc', 2, 100), 'a\nb');
    assert.equal(beginningOf('abc', 5, 2), 'ab');
    assert.equal(beginningOf('a😀b', 5, 2), 'a');
  });
});

describe('Markdown', () => {
  const typesIn = (parts: readonly MarkdownPart[]): readonly string[] =>
    parts.flatMap(part => [part.type, ...('tokens' in part ? typesIn(knownParts(part.tokens ?? [])) : [])]);

  it('is read into parts', () => {
    assert.deepEqual(
      typesIn(markdownOf('# A\n\nb **c** `d`\n')).filter(type => type !== 'space'),
      ['heading', 'text', 'paragraph', 'text', 'strong', 'text', 'text', 'codespan'],
    );
    assert.equal(withoutEntities('a &lt;b&gt; &amp;amp; &bogus;'), 'a <b> &amp; &bogus;');
  });

  it('keeps a fence whole when a long text is read in parts', () => {
    const code = `\`\`\`ts\n${'const a = 1;\n\n'.repeat(800)}\`\`\`\n`;
    const parts = markdownOf(`${'Some words.\n\n'.repeat(600)}${code}\nEnd.\n`);
    assert.equal(parts.filter(({ type }) => type === 'code').length, 1);
  });

  it('takes time in proportion to hostile texts', async () => {
    const hostile: readonly string[] = [
      ...['`', '`a``b', '>', '> ', '- ', '[', '[a](', '![', '*a **b ', '**a* ', '_', '<', '<a ', '&amp;'],
      ...['~a', '|a|b|\n|-|-|\n', '|', '\\', '<!--', '[a]: b\n', '1. ', '\t>', '# a\n', '```\n', 'a\n\n'],
    ];
    for (const part of hostile) {
      const long = (size: number): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
      await assertLinear(1 << 18, long, markdownOf, part);
    }
  });
});

describe('an edit', () => {
  it('is the lines that it changes', () => {
    const input = JSON.stringify({
      file_path: 'a.ts',
      old_string: 'one\ntwo',
      new_string: 'one\nthree\nfour',
    });
    const [edit] = editsIn('Edit', input);
    assert.deepEqual(
      diffOf(edit?.parts ?? []).map(({ sign, text }) => `${sign}${text}`),
      ['one', '−two', '+three', '+four'],
    );
    assert.deepEqual(
      editsIn('Write', JSON.stringify({ file_path: 'a.ts', content: 'a\nb\n' })).flatMap(({ parts }) =>
        diffOf(parts).map(({ sign, text }) => `${sign}${text}`),
      ),
      ['+a', '+b'],
    );
    assert.deepEqual(editsIn('Bash', '{"command":"ls"}'), []);
    // A text that was cut is shown as it is.
    assert.deepEqual(editsIn('Edit', input.slice(0, 40)), []);
  });
});

describe('code', () => {
  it('has a language by its file or its fence', () => {
    assert.equal(languageOf('/work/src/zone.ts'), 'typescript');
    assert.equal(languageOf('C:\\work\\main.PY'), 'python');
    assert.equal(languageOf('js {1,3}'), 'javascript');
    assert.equal(languageOf('Dockerfile'), 'dockerfile');
    assert.equal(languageOf(''), undefined);
    assert.equal(languageOf('notes.unknown'), undefined);
  });

  it('is coloured line by line', () => {
    assert.deepEqual(
      linesOfTree([
        { type: 'text', value: 'a = ' },
        {
          type: 'element',
          properties: { className: ['hljs-string'] },
          children: [{ type: 'text', value: '"b\nc"' }],
        },
        { type: 'text', value: '\n' },
      ]),
      [
        [
          { text: 'a = ', kind: '' },
          { text: '"b', kind: 'string' },
        ],
        [{ text: 'c"', kind: 'string' }],
        [],
      ],
    );
  });
});
