import { useMemo, useState } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import type { TextSegment } from '../../../src/core/sensitivity/maskText';
import type { BlockText } from '../../../src/core/session/blockText';
import { piecesOf, rowEnd, type TextPiece, type TextRange } from '../../state/textPieces';
import { textWords as words } from '../../words/details';
import { Sign } from '../common/Sign';
import { ruleName } from '../../../src/core/sensitivity/ruleWords';

/** The rows of a page of text, with numbers, folds and marks. The text itself is never changed and never markup. */
export function TextRows({
  page,
  hits,
  currentHit,
  target,
}: {
  readonly page: BlockText;
  readonly hits: readonly TextRange[];
  /** The number of the hit that the user went to. */
  readonly currentHit: number | undefined;
  /** An offset that is shown even if it was folded. */
  readonly target: number | undefined;
}) {
  /** The beginnings of the rows that the user has folded. */
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const pieces = useMemo(() => piecesOf(page, hits), [page, hits]);
  const isNumbered = useMemo(() => bringsNumbers(page), [page]);
  return visibleRows(page, folded, target).map(({ row, index, isFolded }) => {
    const { foldEnd } = row;
    const toggle = (): void => {
      const next = new Set(folded);
      if (!next.delete(row.start)) {
        next.add(row.start);
      }
      setFolded(next);
    };
    return (
      <div
        key={row.start}
        className={`text-row${row.sign === undefined ? '' : ` text-row--${row.sign}`}`}
        data-number={isNumbered ? undefined : row.number}
        data-at={row.start}
      >
        {foldEnd !== undefined && (
          <button
            type="button"
            className="text-row__fold bare"
            aria-expanded={!isFolded}
            aria-label={isFolded ? words.unfold(row.number ?? 0) : words.fold(row.number ?? 0)}
            onClick={toggle}
          />
        )}
        <span
          className="text-row__text"
          style={row.indent === 0 ? undefined : { paddingLeft: `${row.indent * 2}ch` }}
        >
          {(pieces[index] ?? []).map(piece => (
            <Piece key={piece.start} piece={piece} isCurrent={piece.hit >= 0 && piece.hit === currentHit} />
          ))}
        </span>
        {isFolded && <span className="text-row__folded" aria-hidden="true" />}
      </div>
    );
  });
}

/** True for a text that brings the numbers of its lines, such as a file that a tool read. Two numbers would be one too many. */
function bringsNumbers({ form, rows, segments, start }: BlockText): boolean {
  const [first] = segments;
  if (form !== 'lines' || first === undefined || !('text' in first)) {
    return false;
  }
  const lines = rows
    .filter(({ number }) => number !== undefined)
    .slice(0, 20)
    .map(row => first.text.slice(row.start - start, row.start - start + 12))
    .filter(line => line !== '');
  return lines.length > 1 && lines.filter(line => /^ *\d+(?:→|\t|\|)/.test(line)).length * 2 > lines.length;
}

interface VisibleRow {
  readonly row: BlockText['rows'][number];
  readonly index: number;
  readonly isFolded: boolean;
}

/** The rows outside folds. A fold around the target is open. */
function visibleRows(
  page: BlockText,
  folded: ReadonlySet<number>,
  target: number | undefined,
): readonly VisibleRow[] {
  const visible: VisibleRow[] = [];
  let hiddenTo = 0;
  page.rows.forEach((row, index) => {
    if (row.start >= hiddenTo) {
      const { start, foldEnd = 0 } = row;
      const holdsTarget = target !== undefined && target >= rowEnd(page, index) && target < foldEnd;
      const isFolded = folded.has(start) && !holdsTarget;
      hiddenTo = isFolded ? foldEnd : hiddenTo;
      visible.push({ row, index, isFolded });
    }
  });
  return visible;
}

function Piece({ piece, isCurrent }: { readonly piece: TextPiece; readonly isCurrent: boolean }) {
  const { segment, finding, hit, start } = piece;
  const hitClass = hit < 0 ? '' : isCurrent ? ' hit hit--current' : ' hit';
  if ('masked' in segment) {
    return <Masked segment={segment} start={start} hitClass={hitClass} />;
  }
  if (hit < 0 && finding === undefined) {
    return visibleText(segment.text);
  }
  return (
    <mark
      className={`mark${hitClass}${finding === undefined ? '' : ` revealed revealed--${finding.label}`}`}
      title={finding === undefined ? undefined : visibleText(ruleName(finding.rule))}
      data-at={start}
    >
      {finding?.start === start && <Sign sensitivity={finding.label === 'restricted' ? 2 : 1} />}
      {visibleText(segment.text)}
    </mark>
  );
}

export function Masked({
  segment: { rule, label, masked },
  start,
  hitClass = '',
}: {
  readonly segment: Extract<TextSegment, { readonly masked: number }>;
  readonly start?: number;
  readonly hitClass?: string;
}) {
  const name = visibleText(ruleName(rule));
  const sentence = words.masked(name, masked);
  return (
    <span className={`masked ellipsis masked--${label}${hitClass}`} title={sentence} data-at={start}>
      <Sign sensitivity={label === 'restricted' ? 2 : 1} />
      {name}
      <span className="visually-hidden">{sentence}</span>
    </span>
  );
}

/** Text with masked runs as chips. Its content is never markup. */
export function Segments({ segments }: { readonly segments: readonly TextSegment[] }) {
  return segments.map((segment, index) =>
    'masked' in segment ? (
      <Masked key={index} segment={segment} />
    ) : (
      <span key={index}>{visibleText(segment.text)}</span>
    ),
  );
}
