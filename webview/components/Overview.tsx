import type { SessionColumns } from '../../src/core/model/columns';
import type { RequestView } from '../../src/core/session/requestView';
import { at } from '../../src/core/drawing/numbers';
import { memoise } from '../state/store';
import { strings } from '../strings';
import { BlockList } from './BlockList';
import type { RequestParts } from './SessionBody';

const words = strings.overview;
const longestList = 10;

/** The first positions by an order, of those that have a place in it; equal ones stay in wire order. */
function firstBy(
  count: number,
  has: (position: number) => boolean,
  compare: (first: number, second: number) => number,
): readonly number[] {
  const found: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const last = found.at(-1);
    if (
      !has(position) ||
      (found.length === longestList && last !== undefined && compare(position, last) >= 0)
    ) {
      continue;
    }
    const after = found.findIndex(other => compare(position, other) < 0);
    found.splice(after < 0 ? found.length : after, 0, position);
    found.length = Math.min(found.length, longestList);
  }
  return found;
}

/** Blocks worth a look: the largest, and those that should not travel on, the worst first. */
const notable = memoise((columns: SessionColumns, view: RequestView) => {
  const sensitivityOf = (position: number): number =>
    at(columns.blocks.sensitivity, at(view.blocks, position));
  const byTokens = (first: number, second: number): number =>
    at(view.tokens, second) - at(view.tokens, first);
  const count = view.blocks.length;
  return {
    largest: firstBy(count, () => true, byTokens),
    sensitive: firstBy(
      count,
      position => sensitivityOf(position) > 0,
      (first, second) => sensitivityOf(second) - sensitivityOf(first) || byTokens(first, second),
    ),
  };
}, 2);

/** Where to begin, while no block is selected. */
export function Overview({ columns, view }: RequestParts) {
  const { largest, sensitive } = notable(columns, view);
  const entry = (position: number) => ({
    block: at(view.blocks, position),
    tokens: at(view.tokens, position),
  });
  return (
    <>
      {sensitive.length > 0 && (
        <BlockList title={words.sensitive} columns={columns} view={view} entries={sensitive.map(entry)} />
      )}
      <BlockList title={words.largest} columns={columns} view={view} entries={largest.map(entry)} />
    </>
  );
}
