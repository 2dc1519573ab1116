import { at } from '../../src/core/base/numbers';
import { notRecordedPosition } from '../../src/core/drawing/laneLayout';
import type { SessionColumns } from '../../src/core/model/columns';
import type { TextList } from '../../src/core/model/textTable';
import { blockSources } from '../../src/core/view/sourceSums';
import type { RequestView } from '../../src/core/view/requestView';
import { memoise } from './store';
import type { SortKey } from './viewState';

/** The alphabetical rank of each string, computed once. */
const alphabetRanks = memoise((strings: TextList): Uint32Array => {
  const order = Uint32Array.from({ length: strings.length }, (_, index) => index);
  const collator = new Intl.Collator('en', { numeric: true });
  order.sort((first, second) =>
    collator.compare(strings.at(first)?.slice(0, 80) ?? '', strings.at(second)?.slice(0, 80) ?? ''),
  );
  const ranks = new Uint32Array(strings.length);
  order.forEach((string, rank) => {
    ranks[string] = rank;
  });
  return ranks;
});

function sortValues(
  columns: SessionColumns,
  view: RequestView,
  key: SortKey,
  isCandidate: Uint8Array,
): (position: number) => number {
  const { blocks } = columns;
  const byBlock = (column: ArrayLike<number>) => (position: number) => at(column, at(view.blocks, position));
  switch (key) {
    case 'wire':
      return position => position;
    case 'tokens':
      return position =>
        position === notRecordedPosition ? view.notRecorded.value : at(view.tokens, position);
    case 'label':
    case 'tool': {
      const ranks = alphabetRanks(columns.strings);
      const text = byBlock(blocks[key]);
      return position => at(ranks, text(position));
    }
    case 'source':
      return byBlock(blockSources(columns));
    case 'kind':
    case 'sensitivity':
    case 'partition':
    case 'firstRequest':
    case 'line':
      return byBlock(blocks[key]);
    case 'verdict':
      return byBlock(isCandidate);
  }
}

/**
 * The positions in the table, in its order. They include the unrecorded part unless a filter is on. Equal rows stay in
 * wire order.
 */
export const tableRows = memoise(
  (
    columns: SessionColumns,
    view: RequestView,
    shown: Uint8Array | undefined,
    key: SortKey,
    descending: boolean,
    isCandidate: Uint8Array,
  ): Int32Array => {
    const first = view.notRecorded.value > 0 && shown === undefined ? notRecordedPosition : 0;
    const count = view.blocks.length;
    const rows = new Int32Array(count - first);
    let listed = 0;
    for (let position = first; position < count; position += 1) {
      if (shown === undefined || shown[position] === 1) {
        rows[listed] = position;
        listed += 1;
      }
    }
    const found = rows.subarray(0, listed);
    if (key === 'wire') {
      return descending ? found.reverse() : found;
    }
    // Value and position share one number, which sorts many times faster than by a comparison function; 52 bits are
    // exact.
    const valueAt = sortValues(columns, view, key, isCandidate);
    const span = count + 1;
    const keys = new Float64Array(listed);
    for (let row = 0; row < listed; row += 1) {
      const position = at(found, row);
      const value = valueAt(position);
      keys[row] = (descending ? -value : value) * span + position;
    }
    keys.sort();
    for (let row = 0; row < listed; row += 1) {
      const position = ((at(keys, row) % span) + span) % span;
      found[row] = position === count ? notRecordedPosition : position;
    }
    return found;
  },
  2,
);
