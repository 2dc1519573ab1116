import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FirstOccurrences } from '../../../src/core/base/firstOccurrences';
import { type AddedBlock, BlockCollector, membersOf, withCallId } from '../../../src/core/model/blockList';

const source = { line: 3, offset: 5_000_000_000, length: 70 };

function block(values: Partial<AddedBlock> = {}): AddedBlock {
  return {
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: 'tool',
    partition: 'history',
    label: 'Read price.ts',
    source,
    text: { kind: 'string', record: source, path: ['message', 'content', 0] },
    ...values,
  };
}

const measured = (low: number) =>
  ({ characters: 4, bytes: 5, hash: { high: 0x0a, low }, cleared: false, textKind: 0 }) as const;

describe('the blocks of a transcript', () => {
  it('are given back as they were added', () => {
    const blocks = new BlockCollector();
    const image = { width: 4, height: 3 };
    blocks.add(
      block({
        toolName: 'Read',
        callId: 'call_1',
        path: '/a',
        isError: true,
        useless: true,
        inherited: true,
        image,
      }),
      2,
      {
        ...measured(-1),
        cleared: true,
      },
    );
    const found = blocks.list().at(0) ?? assert.fail();
    const { message, size, contentHash, cleared } = found;
    assert.deepEqual(
      { ...membersOf(found), message, size, contentHash, cleared },
      {
        ...block({
          toolName: 'Read',
          callId: 'call_1',
          path: '/a',
          isError: true,
          useless: true,
          inherited: true,
          image,
        }),
        message: 2,
        size: { characters: 4, bytes: 5 },
        contentHash: '0000000affffffff',
        cleared: true,
      },
    );
    assert.equal(withCallId(found, 'other').callId, 'other');
    assert.deepEqual([blocks.at(-1), blocks.at(1)], [undefined, undefined]);
  });

  it('keep references of every form, and tell an empty name from none', () => {
    const other = { line: 9, offset: 1, length: 2 };
    const references: readonly AddedBlock['text'][] = [
      { kind: 'string', record: source, path: ['a', 0] },
      { kind: 'string', record: source, path: ['a', '0'] },
      { kind: 'string', record: source, path: ['a', 0], start: 1, end: 4 },
      { kind: 'string', record: other, path: ['a', 0] },
      { kind: 'json', record: source, path: [] },
      { kind: 'parts', record: source, path: ['a', 0] },
      { kind: 'literal', text: 'gone' },
    ];
    const blocks = new BlockCollector();
    references.forEach((text, index) => blocks.add(block({ text }), 2, measured(index)));
    assert.deepEqual(
      Array.from(blocks, ({ text }) => text),
      references,
    );
    const number = blocks.add(block({ toolName: '' }), 2, measured(9));
    assert.deepEqual([blocks.at(number)?.toolName, blocks.at(0)?.toolName], ['', undefined]);
  });

  it('stay as they were given out while others take the place of the last ones', () => {
    const blocks = new BlockCollector();
    for (let number = 0; number < 300; number += 1) {
      blocks.add(block({ label: `block ${number}` }), 2, measured(number % 299));
    }
    assert.deepEqual([blocks.firstOccurrence(298), blocks.firstOccurrence(299)], [298, 0]);
    const before = blocks.list();
    blocks.truncate(298);
    blocks.add(block({ label: 'another' }), 2, measured(1_000));
    blocks.add(block({ label: 'block 298' }), 2, measured(298));
    blocks.add(block({ label: 'a copy' }), 2, measured(298));
    const after = blocks.list();
    assert.deepEqual(
      [before.length, before.at(298)?.label, before.at(299)?.label],
      [300, 'block 298', 'block 299'],
    );
    assert.deepEqual(
      [after.length, after.at(298)?.label, after.at(299)?.label],
      [301, 'another', 'block 298'],
    );
    assert.deepEqual(
      [after.sameAtStart(before), before.sameAtStart(after), after.sameAtStart(after)],
      [298, 298, 301],
    );
    assert.deepEqual(
      [298, 299, 300].map(number => blocks.firstOccurrence(number)),
      [298, 299, 299],
    );
    assert.equal(new BlockCollector().list().sameAtStart(before), 0);
  });
});

describe('the first row like a row', () => {
  it('is found among thousands', () => {
    const values = Array.from({ length: 6_000 }, (_, row) => row % 2_500);
    const first = new FirstOccurrences(
      row => values[row] ?? 0,
      (one, other) => values[one] === values[other],
    );
    assert.deepEqual(
      values.map((_, row) => first.find(row)),
      values,
    );
  });
});
