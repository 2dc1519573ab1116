import type { SessionColumns } from '../../src/core/model/columns';
import { notableBlocks, type NotableBlock } from '../../src/core/session/notableBlocks';
import type { RequestView } from '../../src/core/session/requestView';
import { memoise } from '../state/store';
import { strings } from '../strings';
import { BlockList } from './BlockList';
import type { RequestParts } from './SessionBody';

const words = strings.overview;
const longestList = 10;

const notableOf = memoise(
  (columns: SessionColumns, view: RequestView) => notableBlocks(columns, view, longestList),
  2,
);

/** Where to begin, while no block is selected. */
export function Overview({ columns, view }: RequestParts) {
  const { sensitive, repeated, unusedTools, largest } = notableOf(columns, view);
  const lists: readonly { readonly title: string; readonly entries: readonly NotableBlock[] }[] = [
    { title: words.sensitive, entries: sensitive },
    { title: words.repeated, entries: repeated },
    { title: words.unusedTools, entries: unusedTools },
    { title: words.largest, entries: largest },
  ];
  return lists.map(
    ({ title, entries }) =>
      entries.length > 0 && (
        <BlockList key={title} title={title} columns={columns} view={view} entries={entries} />
      ),
  );
}
