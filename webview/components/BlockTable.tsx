import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  memo,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { formatNumber } from '../../src/core/base/format';
import { at, clamp } from '../../src/core/base/numbers';
import { visibleLabel } from '../../src/core/base/visibleText';
import { partitionWords } from '../../src/core/drawing/drawingWords';
import { blockName, blockWords } from '../../src/core/drawing/laneContent';
import { notRecordedPosition } from '../../src/core/drawing/laneLayout';
import { requestNumber } from '../state/cacheReport';
import { blockAt, isFiltering } from '../state/derived';
import { useInspector, useViewState } from '../state/inspector';
import { keyIn } from '../state/keys';
import { contentFocus } from '../state/panes';
import type { RequestParts } from '../state/requestParts';
import { tableRows } from '../state/tableRows';
import { type SortKey, sortKeys } from '../state/viewState';
import { pageWords } from '../words/page';
import { columnWords, tableWords as words } from '../words/views';
import { Sign } from './Sign';

const rowHeight = 24;
const headHeight = 25;
const numericKeys: readonly SortKey[] = ['wire', 'tokens', 'firstRequest', 'line'];

interface Listed extends Pick<RequestParts, 'columns' | 'view' | 'prune'> {
  /** 1 for positions that are listed; absent while nothing is filtered. */
  readonly shown: Uint8Array | undefined;
}

/**
 * The blocks of the drawing as rows, with its places, sizes and colours in words. The rows are rendered in a turn of their
 * own, so that scrubbing does not wait for sorting.
 */
export function BlockTable({ columns, view, prune, shown }: RequestParts) {
  const filter = useViewState('filter');
  const filtered = isFiltering(filter) ? shown : undefined;
  const listed = useMemo(() => ({ columns, view, prune, shown: filtered }), [columns, view, prune, filtered]);
  const settled = useDeferredValue(listed);
  return (
    <div className="block-table__area" aria-busy={settled !== listed}>
      <Grid listed={settled} />
    </div>
  );
}

const Grid = memo(function Grid({ listed }: { readonly listed: Listed }) {
  const { columns, view, prune, shown } = listed;
  const { changeView, store } = useInspector();
  const sort = useViewState('sort');
  const block = useViewState('block');
  const grid = useRef<HTMLDivElement>(null);
  const rows = tableRows(columns, view, shown, sort.key, sort.descending, prune.isCandidate);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing memoised gets its functions
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: () => store.get().view.tableScroll,
  });
  const blockOf = (row: number): number => blockAt(view, at(rows, row));
  const selectedRow = block === undefined ? -1 : rows.findIndex((_, row) => blockOf(row) === block);

  useEffect(() => {
    if (selectedRow >= 0) {
      virtualizer.scrollToIndex(selectedRow, { align: 'auto' });
    }
  }, [selectedRow, virtualizer]);

  const select = (row: number): void => {
    if (rows.length > 0) {
      changeView({ block: blockOf(clamp(row, 0, rows.length - 1)) });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) {
      return;
    }
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: selectedRow - 1,
      ArrowDown: selectedRow + 1,
      PageUp: selectedRow - page,
      PageDown: selectedRow + page,
      Home: 0,
      End: rows.length - 1,
    };
    const name = keyIn('table', event);
    const target = name === 'moveRow' ? targets[event.key] : undefined;
    if (target !== undefined) {
      event.preventDefault();
      select(target);
    } else if (name === 'openRow') {
      event.preventDefault();
      changeView({ panel: 'block' });
    }
  };
  return (
    <div
      ref={grid}
      {...contentFocus}
      className="block-table"
      role="grid"
      tabIndex={0}
      aria-label={words.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={sortKeys.length}
      aria-activedescendant={selectedRow < 0 ? undefined : `block-row-${selectedRow}`}
      data-testid="block-table"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => changeView({ tableScroll: currentTarget.scrollTop })}
    >
      <div className="block-table__head" role="rowgroup">
        <div className="block-table__row small" role="row" aria-rowindex={1}>
          {sortKeys.map(key => (
            <div
              key={key}
              role="columnheader"
              className={`block-table__heading${numericKeys.includes(key) ? ' numeric' : ''}`}
              aria-sort={sort.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending'}
            >
              <button
                type="button"
                className="block-table__sort bare fine"
                title={words.sort(columnWords[key])}
                onClick={() =>
                  changeView({
                    sort: { key, descending: sort.key === key ? !sort.descending : key === 'tokens' },
                  })
                }
              >
                {columnWords[key]}
                <span className="block-table__arrow" aria-hidden="true">
                  {sort.key !== key ? '' : sort.descending ? '▾' : '▴'}
                </span>
              </button>
            </div>
          ))}
        </div>
      </div>
      <div className="block-table__rows" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keyboard for its rows
          <div
            key={index}
            id={`block-row-${index}`}
            className={`block-table__row small block-table__row--body${index === selectedRow ? ' block-table__row--selected' : ''}`}
            role="row"
            tabIndex={-1}
            aria-rowindex={index + 2}
            aria-selected={index === selectedRow}
            style={{ transform: `translateY(${start - headHeight}px)` }}
            onClick={() => {
              select(index);
              changeView({ panel: 'block' });
              grid.current?.focus({ preventScroll: true });
            }}
          >
            <Cells {...listed} position={at(rows, index)} />
          </div>
        ))}
      </div>
      {rows.length === 0 && (
        <p className="block-table__empty muted" role="status">
          {words.noMatch}
        </p>
      )}
    </div>
  );
});

function Cells({ columns, view, prune, position }: Listed & { readonly position: number }) {
  const cell = (key: SortKey, content: ReactNode) => (
    <div
      key={key}
      role="gridcell"
      className={`block-table__cell ellipsis${numericKeys.includes(key) ? ' numeric' : ''}`}
    >
      {content}
    </div>
  );
  if (position === notRecordedPosition) {
    const known: Partial<Record<SortKey, string>> = {
      label: pageWords.notRecordedName,
      tokens: formatNumber(view.notRecorded.value),
      partition: partitionWords.system,
    };
    return sortKeys.map(key => cell(key, known[key]));
  }
  const { blocks, strings: texts } = columns;
  const block = at(view.blocks, position);
  const own = blockWords(columns, block);
  const first = at(blocks.firstRequest, block);
  const contents: Readonly<Record<SortKey, ReactNode>> = {
    wire: formatNumber(position + 1),
    label: blockName(columns, block),
    kind: own.kind,
    tool: visibleLabel(texts.at(at(blocks.tool, block)) ?? ''),
    tokens: formatNumber(at(view.tokens, position)),
    sensitivity: (
      <>
        <Sign sensitivity={at(blocks.sensitivity, block)} /> {own.sensitivity}
      </>
    ),
    partition: own.slot,
    firstRequest: first < 0 ? '' : `#${requestNumber(columns, first)}`,
    line: formatNumber(at(blocks.line, block)),
    verdict:
      prune.isCandidate[block] === 1
        ? words.candidate
        : prune.decisionOf(block) !== undefined
          ? words.kept
          : '',
  };
  return sortKeys.map(key => cell(key, contents[key]));
}
