import type { SessionColumns } from '../../src/core/model/columns';
import type { RequestView } from '../../src/core/session/requestView';
import { at } from '../drawing/numbers';
import { memoise } from '../state/store';
import { strings } from '../strings';
import { BlockList } from './BlockList';
import type { RequestParts } from './SessionBody';

const words = strings.overview;
const longestList = 10;

/** Blocks worth a look: the largest, and those that should not travel on, the worst first. */
const notable = memoise((columns: SessionColumns, view: RequestView) => {
  const positions = [...view.blocks.keys()];
  const sensitivityOf = (position: number): number =>
    at(columns.blocks.sensitivity, at(view.blocks, position));
  const byTokens = (first: number, second: number): number =>
    at(view.tokens, second) - at(view.tokens, first);
  return {
    largest: positions.toSorted(byTokens).slice(0, longestList),
    sensitive: positions
      .filter(position => sensitivityOf(position) > 0)
      .sort((first, second) => sensitivityOf(second) - sensitivityOf(first) || byTokens(first, second))
      .slice(0, longestList),
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
