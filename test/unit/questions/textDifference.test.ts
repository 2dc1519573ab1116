import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TextDifference, textDifferenceOf } from '../../../src/core/questions/textDifference';
import { jsonLines } from '../../fixtures/jsonLines';
import { openCounted } from '../../fixtures/prunedCopies';

const key = (end: string): string => ['sk-ant-api03-', 'Zq8Lr2Vn'.repeat(11), 'Xy', '-', end].join('');

async function difference(before: string | null, after: string | null): Promise<TextDifference> {
  const texts = [before, after].map(text => text ?? 'unused');
  const session = await openCounted(
    jsonLines(texts.map(content => ({ messages: [{ role: 'user', content }] }))),
  );
  return textDifferenceOf(session, before === null ? undefined : 0, after === null ? undefined : 1);
}

const plain = ({ lines }: TextDifference): readonly string[] =>
  lines.map(
    ({ sign, number, segments }) =>
      `${number}${{ same: ' ', removed: '-', added: '+' }[sign]}${segments
        .map(segment =>
          'masked' in segment ? `<${segment.rule}>` : segment.isChanged ? `[${segment.text}]` : segment.text,
        )
        .join('')}`,
  );

const numbered = (count: number, name: (line: number) => string): string =>
  Array.from({ length: count }, (_, line) => name(line + 1)).join('\n');

describe('the difference of two texts', () => {
  it('is marked in its line, with a few lines around it', async () => {
    const found = await difference(
      numbered(48, line => (line === 4 ? 'Deployed: build 1841, 14:02' : `Line ${line}`)),
      numbered(48, line => (line === 4 ? 'Deployed: build 1846, 14:02' : `Line ${line}`)),
    );
    assert.deepEqual(plain(found), [
      '1 Line 1',
      '2 Line 2',
      '3 Line 3',
      '4-Deployed: build [1841], 14:02',
      '4+Deployed: build [1846], 14:02',
      '5 Line 5',
      '6 Line 6',
      '7 Line 7',
    ]);
    assert.deepEqual([found.changed, found.before, found.after, found.left], [1, 48, 48, 41]);
  });

  it('masks secrets on both sides, also where they differ', async () => {
    const found = await difference(`Use ${key('Ab3dEf9A')} today`, `Use ${key('Gh4jKm2A')} today`);
    const text = JSON.stringify(found);
    assert.ok(!text.includes('Zq8Lr2Vn'), text);
    assert.ok(!text.includes('Ab3dEf9A') && !text.includes('Gh4jKm2A'), text);
    assert.equal(found.changed, 1, 'the line has changed');
    assert.equal(
      found.lines.filter(({ segments }) => segments.some(segment => 'masked' in segment)).length,
      2,
    );
  });

  it('is the whole text where the other side has none, and nothing between equal texts', async () => {
    assert.deepEqual(plain(await difference(null, 'one\ntwo')), ['1+one', '2+two']);
    assert.deepEqual(plain(await difference('one\ntwo', null)), ['1-one', '2-two']);
    assert.deepEqual((await difference('same', 'same')).lines, []);
  });

  it('shows a long line around its difference', async () => {
    const long = (word: string): string => `${'so '.repeat(5_000)}${word}${' on'.repeat(5_000)}`;
    const { lines } = await difference(long('left'), long('right'));
    for (const { segments } of lines) {
      const text = segments.map(segment => ('text' in segment ? segment.text : '')).join('');
      assert.ok(text.length < 500 && /left|right/u.test(text), text);
    }
  });

  it('takes its time in proportion to the texts', async () => {
    const found = await difference(
      numbered(60_000, line => `Line ${line}`),
      numbered(60_000, line => (line === 50_000 ? 'Other' : `Line ${line}`)),
    );
    assert.deepEqual(plain(found).slice(3, 5), ['50000-[Line 50000]', '50000+[Other]']);
  });
});
