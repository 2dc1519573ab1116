import type { SessionColumns } from '../../src/core/model/columns';
import type { RequestView } from '../../src/core/view/requestView';
import { at } from '../../src/core/base/numbers';
import { formatNumber } from '../../src/core/base/format';
import { positionOf } from '../state/derived';
import { useViewState } from '../state/inspector';
import { blockName } from '../../src/core/drawing/laneContent';
import { ShowMore, useShown } from './ShowMore';
import { Sign } from './Sign';

export interface BlockEntry {
  readonly block: number;
  /** Below 0: tokens that go away. */
  readonly tokens: number;
}

/** Blocks of a request to choose from, with their place on the wire; a long list comes by parts. */
export function BlockRows({
  columns,
  view,
  entries,
  pageLength,
  onChoose,
}: {
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly entries: readonly BlockEntry[];
  readonly pageLength?: number;
  readonly onChoose: (block: number) => void;
}) {
  const selected = useViewState('block');
  const { shown, left, showMore } = useShown(entries, pageLength);
  return (
    <>
      <ul className="block-list">
        {shown.map(({ block, tokens }) => (
          <li key={block}>
            <button
              type="button"
              className="block-list__entry"
              aria-pressed={selected === block}
              onClick={() => onChoose(block)}
            >
              <span className="block-list__place">
                {formatNumber((positionOf(columns, view, block) ?? -1) + 1)}
              </span>
              <span className="block-list__name">
                <Sign sensitivity={at(columns.blocks.sensitivity, block)} /> {blockName(columns, block)}
              </span>
              <span className="block-list__tokens">{formatNumber(tokens).replace('-', '−')}</span>
            </button>
          </li>
        ))}
      </ul>
      <ShowMore left={left} onPress={showMore} />
    </>
  );
}
