import { memo, useDeferredValue, useMemo } from 'react';
import { type NotableBlock, notableBlocks } from '../../src/core/view/notableBlocks';
import type { RequestInView } from '../state/requestParts';
import { overviewWords as words } from '../words/block';
import { BlockList } from './BlockList';

const longestList = 10;

/**
 * Blocks worth a look, while no block is selected. The lists are rendered in a turn of their own, so that scrubbing does not
 * wait for them; until then they are marked as busy.
 */
export function Overview({ columns, view }: RequestInView) {
  const request = useMemo(() => ({ columns, view }), [columns, view]);
  const settled = useDeferredValue(request);
  return (
    <div className="settling stack gap-12" aria-busy={settled !== request}>
      <Lists request={settled} />
    </div>
  );
}

const Lists = memo(function Lists({ request: { columns, view } }: { readonly request: RequestInView }) {
  const { sensitive, repeated, unusedTools, largest } = notableBlocks(columns, view, longestList);
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
});
