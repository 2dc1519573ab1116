import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PrefixedLines } from '../../../src/core/sight/prefixedLines';
import { assertLinear } from '../../fixtures/linearWork';

const diff = [
  'diff --git a/src/till.ts b/src/till.ts',
  '--- a/src/till.ts',
  '+++ b/src/till.ts',
  '@@ -9,3 +9,3 @@ class Till',
  '   open() {',
  '-    this.drawer = 1;',
  '+    this.drawer = 2;',
  '   }',
  'diff --git a/src/shop.ts b/src/shop.ts',
  '--- a/src/shop.ts',
  '+++ b/src/shop.ts',
  '@@ -1 +1 @@',
  '-shop',
  '+Shop',
].join('\n');

/** A shown text, the texts of `till.ts` in it, and the line numbers of the last one. */
const cases: readonly (readonly [string, string, readonly string[], (readonly number[])?])[] = [
  [
    'a diff, before and after',
    diff,
    ['  open() {\n    this.drawer = 1;\n  }', '  open() {\n    this.drawer = 2;\n  }'],
    [9, 10, 11],
  ],
  [
    'a patch',
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/till.ts\n@@\n a\n-b\n+c\n*** End Patch",
    ["apply_patch <<'EOF'\na\nb", "apply_patch <<'EOF'\na\nc"],
  ],
  [
    'a search in several files',
    'src/shop.ts:3:no\nsrc/till.ts:7:  yes\nsrc/till.ts-8-  no:1',
    ['  yes\n  no:1'],
    [7, 8],
  ],
  ['a search without numbers', 'src/till.ts:  yes\nsrc/shop.ts:  no', ['  yes']],
  [
    'numbers behind a heading',
    'Found 2 lines\n12:  yes\n13-  no',
    ['Found 2 lines\n  yes\n  no'],
    [0, 12, 13],
  ],
  ['numbers with tabs and arrows', '  12\t  a\n  13→  b', ['  a\n  b'], [12, 13]],
  ['a quote', '> if (a) {\n>   b();\n> }', ['if (a) {\n  b();\n}']],
  ['a quoted listing', '> 12: a\n> 13: b', ['a\nb'], [12, 13]],
  ['plain text', 'if (a) {\n  b();\n}', []],
];

describe('lines with prefixes', () => {
  for (const [name, shown, texts, numbers] of cases) {
    it(`are read in ${name}`, () => {
      const found = new PrefixedLines(shown).textsOf('till.ts');
      assert.deepEqual(
        found.map(({ text }) => text),
        texts,
      );
      if (numbers !== undefined) {
        assert.deepEqual([...(found.at(-1)?.numbers ?? [])], numbers);
      }
    });
  }

  for (const unit of ['> ', 'a', 'a/', 'a.b', ' ', '\n', '12:', '@@ ', ' to ']) {
    it(`are found in a text of nothing but ${JSON.stringify(unit)} in linear time`, () =>
      assertLinear(
        400_000,
        size => unit.repeat(size),
        text => new PrefixedLines(text),
      ));
  }
});
