import { memo, useDeferredValue, useMemo } from 'react';
import { notableBlocks } from '../../../src/core/view/notableBlocks';
import type { RequestInView } from '../../state/requestParts';
import { overviewWords as words } from '../../words/block';
import { BlockList } from '../common/BlockList';

const longestList = 10;

/**
 * Notable blocks, while no block is selected. The lists are rendered separately, so that scrubbing does not wait for
 * them; until then they are marked as busy.
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
  const notable = notableBlocks(columns, view, longestList);
  return (['sensitive', 'repeated', 'unusedTools', 'largest'] as const).map(
    name =>
      notable[name].length > 0 && (
        <BlockList key={name} title={words[name]} columns={columns} view={view} entries={notable[name]} />
      ),
  );
});
