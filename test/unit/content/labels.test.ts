import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { labelOfCall, labelOfText, objectOfCall } from '../../../src/core/content/blockLabels';

/** The rule as regular expressions, which are short but slow. */
function cutLabel(line: string): string {
  return line.length <= 60 ? line : `${line.slice(0, 59).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const pieces = fc.array(
  fc.constantFrom(
    ' ',
    '\n\t',
    '\u00a0\u3000\ufeff',
    '\u200b',
    'word',
    '<b>',
    '</tool_name>',
    '<A-b_c>',
    '</>',
    '<<i>',
    '<i',
    '< i>',
    '<i1>',
    '😀',
    '\ud83d',
    '漢字',
    'x'.repeat(29),
    ' '.repeat(200),
  ),
  { maxLength: 40 },
);

describe('labels', () => {
  it('of texts are their first words on one line without tags, as the regular expressions have it', () => {
    fc.assert(
      fc.property(pieces, list => {
        const text = list.join('');
        const line = text.slice(0, 400).replace(/<\/?[a-z_-]+>/gi, ' ');
        assert.equal(labelOfText(text), cutLabel(collapsed(line)));
        assert.equal(objectOfCall(text), cutLabel(collapsed(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of calls name the tool and what it is about', () => {
    assert.equal(objectOfCall({ file_path: '/home/dev/a  b/notes\\of may.md' }), 'of may.md');
    assert.equal(objectOfCall({ path: `src/${'n'.repeat(70)}.ts` }), `${'n'.repeat(59)}…`);
    assert.equal(objectOfCall({ command: ['git', 'log\n', '--oneline'] }), 'git log --oneline');
    // The name has the text that is searched for, and not the folder of all searches.
    const folder = '/home/dev/shop';
    assert.equal(objectOfCall({ pattern: '**/*hook*', path: folder }), '**/*hook*');
    assert.equal(objectOfCall({ command: 'view', path: `${folder}/notes.md` }), 'notes.md');
    assert.equal(objectOfCall({ other: 1 }), '');
    assert.equal(labelOfCall('Bash', 'ls'), 'Bash ls');
    assert.equal(labelOfCall('TodoWrite', ''), 'TodoWrite');
  });
});
