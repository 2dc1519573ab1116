import { formatNumber } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { blockName } from '../../../src/core/drawing/laneContent';
import { positionOf } from '../../state/derived';
import { useViewState } from '../../state/inspector';
import type { RequestInView } from '../../state/requestParts';
import { ChoiceList } from './ChoiceList';
import { Sign } from './Sign';

export interface BlockEntry {
  readonly block: number;
  /** Negative for removed tokens. */
  readonly tokens: number;
}

/** Selectable blocks of a request, with their place on the wire. */
export function BlockRows({
  columns,
  view,
  entries,
  pageLength,
  onChoose,
}: RequestInView & {
  readonly entries: readonly BlockEntry[];
  readonly pageLength?: number;
  readonly onChoose: (block: number) => void;
}) {
  const selected = useViewState('block');
  return (
    <ChoiceList
      entries={entries}
      pageLength={pageLength}
      choiceOf={({ block, tokens }) => ({
        key: block,
        place: formatNumber((positionOf(columns, view, block) ?? -1) + 1),
        name: (
          <>
            <Sign sensitivity={at(columns.blocks.sensitivity, block)} /> {blockName(columns, block)}
          </>
        ),
        figure: formatNumber(tokens).replace('-', '−'),
        isChosen: selected === block,
        choose: () => onChoose(block),
      })}
    />
  );
}
