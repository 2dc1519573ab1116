import type { SessionColumns } from '../../src/core/model/columns';
import type { RequestView } from '../../src/core/session/requestView';
import { at } from '../../src/core/drawing/numbers';
import { formatNumber } from '../format';
import { positionsOf } from '../state/derived';
import { useInspector, useViewState } from '../state/inspector';
import { blockName } from '../state/laneContent';
import { Sign } from './Sign';

export interface BlockListProps {
  readonly title: string;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  /** `tokens` below 0 are tokens that go away. */
  readonly entries: readonly { readonly block: number; readonly tokens: number }[];
}

/** Blocks to choose from, with their place on the wire. */
export function BlockList({ title, columns, view, entries }: BlockListProps) {
  const { changeView } = useInspector();
  const selected = useViewState('block');
  const positions = positionsOf(columns, view);
  return (
    <section aria-label={title}>
      <h2 className="panel-title">{title}</h2>
      <ul className="block-list">
        {entries.map(({ block, tokens }) => (
          <li key={block}>
            <button
              type="button"
              className="block-list__entry"
              aria-pressed={selected === block}
              onClick={() => changeView({ block })}
            >
              <span className="block-list__place">{formatNumber(at(positions, block) + 1)}</span>
              <span className="block-list__name">
                <Sign sensitivity={at(columns.blocks.sensitivity, block)} /> {blockName(columns, block)}
              </span>
              <span className="block-list__tokens">{formatNumber(tokens).replace('-', '−')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
