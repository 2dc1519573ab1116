import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlockText } from '../../../src/core/session/blockText';
import { diffOf, editsIn } from '../../../webview/state/editLines';
import { markdownOf, withoutEntities } from '../../../webview/state/markdown';
import { beginningOf, masksIn, shownText } from '../../../webview/state/shownText';
import { piecesOf, ruleGroups } from '../../../webview/state/textPieces';

const finding = (
  start: number,
  end: number,
  rule = 'token',
  label: 'private' | 'restricted' = 'restricted',
) => ({
  rule,
  label,
  start,
  end,
  message: '',
});

/** `ab cd`, `ef gh` and `ij` in three rows, from the tenth unit of a text on. */
const page: BlockText = {
  segments: [{ text: 'ab cd\nef gh\nij' }],
  start: 10,
  end: 24,
  characters: 30,
  page: 1,
  pages: 2,
  form: 'lines',
  rows: [
    { start: 10, indent: 0, number: 4 },
    { start: 16, indent: 2, number: 5 },
    { start: 22, indent: 0, number: 6 },
  ],
  findings: [],
  irHash: '',
};

/** Each run as its place and text, with `!` for the first hit, `!!` for the second, and `?` for a finding. */
function told(text: BlockText, hits: readonly (readonly [number, number])[] = []): readonly string[] {
  return piecesOf(
    text,
    hits.map(([start, end]) => ({ start, end })),
  ).map(row =>
    row
      .map(({ start, segment, hit, finding: found }) => {
        const shown = 'text' in segment ? segment.text.replace('\n', '/') : `<${segment.masked}>`;
        return `${start}:${shown}${'!'.repeat(hit + 1)}${found === undefined ? '' : '?'}`;
      })
      .join(' '),
  );
}

describe('the runs of a page of text', () => {
  it('end at rows, hits and findings', () => {
    assert.deepEqual(told(page), ['10:ab cd/', '16:ef gh/', '22:ij']);
    assert.deepEqual(told(page, [[13, 18]]), ['10:ab  13:cd/!', '16:ef! 18: gh/', '22:ij']);
    assert.deepEqual(
      told(page, [
        [10, 12],
        [22, 24],
      ]),
      ['10:ab! 12: cd/', '16:ef gh/', '22:ij!!'],
    );
    assert.deepEqual(told({ ...page, findings: [finding(19, 21)] }), [
      '10:ab cd/',
      '16:ef  19:gh? 21:/',
      '22:ij',
    ]);
  });

  it('leave out hits and findings of other pages', () => {
    assert.deepEqual(
      told(page, [
        [4, 10],
        [24, 30],
      ]),
      told(page),
    );
    assert.deepEqual(told({ ...page, findings: [finding(2, 10), finding(24, 26)] }), told(page));
    // One that begins on the page before is shown to its end.
    assert.deepEqual(told(page, [[4, 12]])[0], '10:ab! 12: cd/');
  });

  it('show the first of findings that overlap', () => {
    const overlapping = { ...page, findings: [finding(10, 13, 'first'), finding(11, 15, 'second')] };
    const rules = piecesOf(overlapping, [])[0]?.map(({ start, finding: found }) => [start, found?.rule]);
    assert.deepEqual(rules, [
      [10, 'first'],
      [11, 'first'],
      [13, 'second'],
      [15, undefined],
    ]);
  });

  it('keep masked text whole, in the row in which it begins', () => {
    const masked: BlockText = {
      ...page,
      segments: [{ text: 'ab ' }, { masked: 8, rule: 'token', label: 'restricted' }, { text: 'h\nij' }],
      start: 10,
      end: 25,
      rows: [
        { start: 10, indent: 0, number: 4 },
        { start: 21, indent: 0 },
        { start: 23, indent: 0, number: 6 },
      ],
    };
    assert.deepEqual(told(masked), ['10:ab  13:<8>', '21:h/', '23:ij']);
    assert.deepEqual(told(masked, [[14, 16]]), ['10:ab  13:<8>!', '21:h/', '23:ij']);
  });

  it('group findings by rule, secrets first and then the most frequent', () => {
    const found = [
      finding(0, 1, 'email', 'private'),
      finding(1, 2, 'aws'),
      finding(2, 3, 'email', 'private'),
      finding(3, 4, 'github'),
      finding(4, 5, 'github'),
      finding(5, 6, 'email', 'private'),
    ];
    assert.deepEqual(
      ruleGroups(found).map(({ rule, places }) => [rule, ...places]),
      [
        ['github', 3, 4],
        ['aws', 1],
        ['email', 0, 2, 5],
      ],
    );
  });
});

describe('a text that is laid out', () => {
  const mask = { masked: 8, rule: 'token', label: 'restricted' } as const;
  const secret: BlockText = {
    ...page,
    segments: [{ text: 'a \u{F0007} ' }, mask, { text: '\nz' }],
    start: 0,
    end: 15,
    page: 0,
    pages: 1,
    rows: [
      { start: 0, indent: 0, sign: 'added' },
      { start: 14, indent: 3 },
    ],
  };

  it('has a character for what is masked, and none of its own like it', () => {
    const { text, masks, isWhole, lines } = shownText(secret);
    assert.equal(text, 'a \uFFFD \u{F0000}\nz');
    assert.deepEqual([masks, isWhole], [[mask], true]);
    assert.deepEqual(
      lines.map(({ indent, sign }) => [indent, sign]),
      [
        [0, 'added'],
        [3, undefined],
      ],
    );
    assert.equal(shownText(page).isWhole, false);
  });

  it('is split again at what is masked', () => {
    assert.deepEqual(masksIn('a \u{F0000}\u{F0000} b', [mask]), ['a ', mask, mask, ' b']);
    assert.deepEqual(masksIn('\u{F0000}', [mask]), [mask]);
    assert.deepEqual(masksIn('a\u{F0001}b', [mask]), ['a', 'b']);
    assert.deepEqual(masksIn('a b', []), ['a b']);
  });

  it('is cut after lines or units, and not within a character', () => {
    assert.equal(beginningOf('a\nb\nc', 2, 99), 'a\nb');
    assert.equal(beginningOf('a\nb\nc', 3, 99), 'a\nb\nc');
    assert.equal(beginningOf('a\nb\nc', 1, 99), 'a');
    assert.equal(beginningOf('abcdef', 9, 4), 'abcd');
    assert.equal(beginningOf('a😀b', 9, 2), 'a');
    assert.equal(beginningOf('a😀b', 9, 3), 'a😀');
  });
});

describe('the lines of an edit', () => {
  const told = (old: string, text: string): readonly string[] =>
    diffOf([{ kind: 'text', old, text, isEverywhere: false }]).map(line => line.sign + line.text);

  it('have signs, and stay where they are equal', () => {
    assert.deepEqual(told('a\nb\nc', 'a\nB\nc\nd'), ['a', '−b', '+B', 'c', '+d']);
    assert.deepEqual(told('', 'a\n\n'), ['+a', '+']);
    assert.deepEqual(told('a', 'a'), ['a']);
  });

  it('of texts without anything in common are all of both', () => {
    const lines = (letter: string): string =>
      Array.from({ length: 300 }, (_, index) => `${letter}${index}`).join('\n');
    const shown = told(lines('a'), lines('b'));
    assert.deepEqual([shown.length, shown[0], shown[299], shown[300]], [600, '−a0', '−a299', '+b0']);
  });

  it('are read from the arguments of a call', () => {
    const input = JSON.stringify({ file_path: '/a.ts', old_string: 'a', new_string: 'b' });
    const [edit] = editsIn('Edit', input);
    assert.deepEqual(
      diffOf(edit?.parts ?? []).map(({ sign, text }) => sign + text),
      ['−a', '+b'],
    );
    assert.deepEqual(editsIn('Bash', '{"command":"ls"}'), []);
  });
});

describe('Markdown', () => {
  it('is read in parts that end between paragraphs, outside of fenced code', () => {
    const paragraph = `${'word '.repeat(900)}\n\n`;
    const kinds = (text: string): readonly string[] =>
      markdownOf(text).flatMap(({ type }) => (type === 'space' ? [] : [type]));
    assert.deepEqual(kinds('# A\n\nb'), ['heading', 'paragraph']);
    assert.deepEqual(kinds(paragraph + paragraph), ['paragraph', 'paragraph']);
    const code = `\`\`\`\n${'line of code\n\n'.repeat(500)}\`\`\`\n`;
    assert.deepEqual(kinds(code), ['code']);
    // A fence of other marks, or a shorter one, does not end it.
    assert.deepEqual(kinds(`~~~~\n\`\`\`\n${'a\n\n'.repeat(10)}~~~\n~~~~\n`), ['code']);
    // More than two parts without an end is no prose.
    assert.deepEqual(kinds(`# ${'a'.repeat(8000)}`), ['code']);
    assert.deepEqual(kinds(`# ${'a'.repeat(7998)}`), ['heading']);
  });

  it('has common character references as characters, and others as written', () => {
    assert.equal(withoutEntities('&lt;a&gt; &amp;&#39;&quot;&apos; &copy; &lt'), `<a> &'"' &copy; &lt`);
  });
});
