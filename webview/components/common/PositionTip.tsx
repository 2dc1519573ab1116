import { tokens } from '../../../src/core/base/countWords';
import { at } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { laneWords, legendWords } from '../../../src/core/drawing/drawingWords';
import { blockName, blockWords, isDisplaced, isFrozen } from '../../../src/core/drawing/laneContent';
import { notRecordedPosition } from '../../../src/core/drawing/laneLayout';
import { figureText } from '../../../src/core/tokens/qualityWords';
import { jumpSentence, notRecordedParts, ownWords } from '../../../src/core/view/notRecordedParts';
import type { RequestParts } from '../../state/requestParts';
import { detailWords } from '../../words/block';
import { pageWords } from '../../words/page';
import { layoutWords as words } from '../../words/views';

type PositionParts = Pick<RequestParts, 'columns' | 'view' | 'prune'>;

/** A block in one sentence, for screen readers. */
export function describePosition({ columns, view, prune }: PositionParts, position: number): string {
  if (position === notRecordedPosition) {
    return `${pageWords.notRecordedName}, ${figureText(view.notRecorded)}`;
  }
  const block = at(view.blocks, position);
  const own = blockWords(columns, block);
  return [
    `${detailWords.title(position + 1)}: ${blockName(columns, block)}`,
    own.kind,
    own.slot,
    tokens(at(view.tokens, position)),
    own.sensitivity,
    ...(isFrozen(view, position) ? [detailWords.frozenYes] : []),
    ...(prune.isCandidate[block] === 1 ? [legendWords.candidate] : []),
  ].join(', ');
}

/** The known facts about a position, for the tooltip. */
export function PositionTip({
  columns,
  summary,
  view,
  prune,
  position,
}: Pick<RequestParts, 'summary'> & PositionParts & { readonly position: number }) {
  if (position === notRecordedPosition) {
    const { value, low, high } = view.notRecorded;
    const parts = notRecordedParts(columns, summary, view);
    const finding = jumpSentence(parts);
    return (
      <>
        <strong className="ellipsis">{pageWords.notRecordedName}</strong>
        <span>{laneWords.notRecordedLabel(value, low, high)}</span>
        {[...ownWords(parts), ...(finding === undefined ? [] : [finding])].map(line => (
          <span key={line}>{line}</span>
        ))}
      </>
    );
  }
  const { blocks, strings: texts } = columns;
  const block = at(view.blocks, position);
  const path = texts.at(at(blocks.path, block)) ?? '';
  const own = blockWords(columns, block);
  return (
    <>
      <strong className="ellipsis">{blockName(columns, block)}</strong>
      <span>
        {own.kind} ·{' '}
        {figureText({ value: at(view.tokens, position), quality: view.quality, error: view.error }, ' · ')}
      </span>
      <span>
        {own.origin} · {own.sensitivity} ·{' '}
        {isFrozen(view, position) ? detailWords.frozenYes : detailWords.frozenNo}
        {prune.isCandidate[block] === 1 ? ` · ${legendWords.candidate}` : ''}
      </span>
      <span>
        {isDisplaced(columns, view, position)
          ? words.displaced(position + 1)
          : detailWords.wirePlaceOf(position + 1, view.blocks.length)}
      </span>
      {path !== '' && <span className="muted ellipsis">{visibleLabel(path)}</span>}
    </>
  );
}
