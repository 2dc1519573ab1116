import { type ReactNode, useState } from 'react';
import { formatNumber } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { kindWords, sourceWords } from '../../../src/core/drawing/drawingWords';
import { iconOfBlock, sourceIcons } from '../../../src/core/drawing/icons';
import { blockName } from '../../../src/core/drawing/laneContent';
import { kindOf } from '../../../src/core/model/blockWords';
import type { SessionColumns } from '../../../src/core/model/columns';
import { sources } from '../../../src/core/model/source';
import type { BandName, BandSide } from '../../../src/core/view/requestBands';
import type { RequestView } from '../../../src/core/view/requestView';
import { blockSources } from '../../../src/core/view/sourceSums';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { comparisonWords as words } from '../../words/comparison';
import { timelineWords } from '../../words/timeline';
import { Icon } from '../common/Icon';
import { Sign } from '../common/Sign';

/** Blocks of a band at first, and after a press. */
const fewRows = 4;
const mostRows = 200;

/** The blocks of one request in a band: the largest in wire order, the number of the others, and the sum. */
export function BandRows({
  columns,
  view,
  other,
  name,
  side: { positions, notRecorded: hidden, tokens },
  sign,
  head,
}: {
  readonly columns: SessionColumns;
  readonly view: RequestView;
  /** Before the sum. */
  readonly head: ReactNode;
  /** The request that it is compared with. */
  readonly other: number;
  readonly name: BandName;
  readonly side: BandSide;
  /** Before the blocks that only this request has. */
  readonly sign: '−' | '+';
}) {
  const [isOpen, setOpen] = useState(false);
  const isSame = name === 'start' || name === 'rest';
  const shown = largest(view, positions, isOpen ? mostRows : fewRows);
  const left = positions.length - shown.length;
  const shownTokens = shown.reduce((sum, position) => sum + at(view.tokens, position), 0);
  return (
    <ul
      className={`band__side band__side--${sign === '−' ? 'before' : 'after'}${isSame ? '' : ' band__side--own'} tabular`}
    >
      <li className="band__sum row small">
        {head}
        <span className="band__figure numeric strong end">
          {positions.length === 0 && hidden === 0 ? words.nothing : formatNumber(tokens)}
        </span>
      </li>
      {hidden > 0 && (
        <li className="band__row row gap-6 small">
          <Icon icon={sourceIcons.notRecorded} size={13} />
          <span className="ellipsis grows">{sourceWords.notRecorded}</span>
          <span className="numeric">{formatNumber(hidden)}</span>
        </li>
      )}
      {shown.map(position => (
        <BlockRow
          key={position}
          columns={columns}
          view={view}
          other={other}
          position={position}
          sign={isSame ? '' : sign}
        />
      ))}
      {(left > 0 || isOpen) && positions.length > fewRows && (
        <li>
          <button
            type="button"
            className="band__row list-line bare row gap-6 small muted"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="ellipsis grows">{isOpen ? words.fewerBlocks : words.moreBlocks(left)}</span>
            {left > 0 && <span className="numeric">{formatNumber(tokens - hidden - shownTokens)}</span>}
          </button>
        </li>
      )}
    </ul>
  );
}

/** The largest of some positions, in wire order. */
function largest({ tokens }: RequestView, positions: readonly number[], count: number): readonly number[] {
  return positions.length <= count
    ? positions
    : positions
        .toSorted((one, other) => at(tokens, other) - at(tokens, one))
        .slice(0, count)
        .sort((one, other) => one - other);
}

function BlockRow({
  columns,
  view,
  other,
  position,
  sign,
}: {
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly other: number;
  readonly position: number;
  readonly sign: '' | '−' | '+';
}) {
  const inspector = useInspector();
  const block = at(view.blocks, position);
  const { blocks } = columns;
  const source = sources[at(blockSources(columns), block)] ?? 'tools';
  const since = at(blocks.firstRequest, block);
  return (
    <li>
      <button
        type="button"
        className="band__row list-line bare row gap-6 small"
        title={kindWords[kindOf(blocks, block)]}
        onClick={() => {
          // The comparison stays the same if its other request becomes the one in view.
          inspector.changeView({ compared: other });
          goToRequest(inspector, columns, view.request, block);
        }}
      >
        {sign !== '' && <span className="band__sign">{sign}</span>}
        <Icon icon={iconOfBlock(kindOf(blocks, block), source)} size={13} />
        <Sign sensitivity={at(blocks.sensitivity, block)} />
        <span className="ellipsis">{blockName(columns, block)}</span>
        {since < view.request && (
          <span className="muted fine rigid">{words.from(requestNumber(columns, since))}</span>
        )}
        <span className="numeric end">
          {formatNumber(at(view.tokens, position))}
          <span className="visually-hidden"> {timelineWords.unit}</span>
        </span>
      </button>
    </li>
  );
}
