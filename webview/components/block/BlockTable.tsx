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
import { formatNumber } from '../../../src/core/base/format';
import { at, clamp } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { partitionWords, sourceWords } from '../../../src/core/drawing/drawingWords';
import { blockName, blockWords } from '../../../src/core/drawing/laneContent';
import { notRecordedPosition } from '../../../src/core/drawing/laneLayout';
import { sources } from '../../../src/core/model/source';
import { blockSources } from '../../../src/core/view/sourceSums';
import { requestNumber } from '../../state/cacheReport';
import { blockAt } from '../../state/derived';
import type { FindResult, FoundBlock } from '../../state/findState';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import { contentFocus } from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { tableRows } from '../../state/tableRows';
import { type SortKey, sortKeys } from '../../state/viewState';
import { findWords } from '../../words/details';
import { pageWords } from '../../words/page';
import { columnWords, tableWords as words } from '../../words/views';
import { Sign } from '../common/Sign';
import { Segments } from './TextRows';

type Column = SortKey | 'found';

/** During a search, a column shows the hits. */
const columnsOf = (result: FindResult | undefined): readonly Column[] =>
  result === undefined ? sortKeys : ['wire', 'label', 'found', ...sortKeys.slice(2)];

const rowHeight = 24;
const headHeight = 25;
const numericKeys: readonly SortKey[] = ['wire', 'tokens', 'firstRequest', 'line'];

interface Listed extends Pick<RequestParts, 'columns' | 'view' | 'prune'> {
  /** 1 for positions that are listed; absent without a filter. */
  readonly shown: Uint8Array | undefined;
  /** The result of a search; absent without one. */
  readonly result: FindResult | undefined;
}

/**
 * The blocks of the drawing as rows, with places, sizes and the meaning of colours in words. The rows are rendered
 * separately, so that scrubbing does not wait for sorting.
 */
export function BlockTable({ columns, view, prune, shown, isFiltered }: RequestParts) {
  const result = useAppState(state => state.find.result);
  const filtered = isFiltered ? shown : undefined;
  const listed = useMemo(
    () => ({ columns, view, prune, shown: filtered, result }),
    [columns, view, prune, filtered, result],
  );
  const settled = useDeferredValue(listed);
  return (
    <div className="block-table__area filled" aria-busy={settled !== listed}>
      <Grid listed={settled} />
    </div>
  );
}

const Grid = memo(function Grid({ listed }: { readonly listed: Listed }) {
  const { columns, view, prune, shown, result } = listed;
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
      className={`block-table${result === undefined ? '' : ' block-table--found'}`}
      role="grid"
      tabIndex={0}
      aria-label={words.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columnsOf(result).length}
      aria-activedescendant={selectedRow < 0 ? undefined : `block-row-${selectedRow}`}
      data-testid="block-table"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => changeView({ tableScroll: currentTarget.scrollTop })}
    >
      <div className="block-table__head" role="rowgroup">
        <div className="block-table__row small" role="row" aria-rowindex={1}>
          {columnsOf(result).map(key =>
            key === 'found' ? (
              <div key={key} role="columnheader" className="block-table__heading block-table__cell muted">
                {findWords.column}
              </div>
            ) : (
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
            ),
          )}
        </div>
      </div>
      <div className="block-table__rows" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keyboard for its rows
          <div
            key={index}
            id={`block-row-${index}`}
            className={`block-table__row small list-line block-table__row--body${index === selectedRow ? ' block-table__row--selected' : ''}`}
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

function Cells({ columns, view, prune, result, position }: Listed & { readonly position: number }) {
  const cell = (key: Column, content: ReactNode) => (
    <div
      key={key}
      role="gridcell"
      className={`block-table__cell ellipsis${key !== 'found' && numericKeys.includes(key) ? ' numeric' : ''}`}
    >
      {content}
    </div>
  );
  if (position === notRecordedPosition) {
    const known: Partial<Record<Column, string>> = {
      label: pageWords.notRecordedName,
      source: sourceWords.notRecorded,
      tokens: formatNumber(view.notRecorded.value),
      partition: partitionWords.system,
    };
    return columnsOf(result).map(key => cell(key, known[key]));
  }
  const { blocks, strings: texts } = columns;
  const block = at(view.blocks, position);
  const own = blockWords(columns, block);
  const first = at(blocks.firstRequest, block);
  const found = result?.found.get(block);
  const contents: Readonly<Record<Column, ReactNode>> = {
    wire: formatNumber(position + 1),
    label: (
      <>
        <Sign sensitivity={at(blocks.sensitivity, block)} />
        {blockName(columns, block)}
      </>
    ),
    found: found === undefined ? '' : <Found found={found} />,
    source: sourceWords[sources[at(blockSources(columns), block)] ?? 'tools'],
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
  return columnsOf(result).map(key => cell(key, contents[key]));
}

/** The number of hits, and the first of them with the text around it, masked like the text. */
function Found({ found: { hits, around } }: { readonly found: FoundBlock }) {
  return (
    <>
      <span className="block-table__hits numeric">{hits === 0 ? findWords.inName : formatNumber(hits)}</span>
      {around !== undefined && (
        <span className="block-table__around muted unbroken">
          <Segments segments={around.before} />
          <mark className="mark hit">
            <Segments segments={around.hit} />
          </mark>
          <Segments segments={around.after} />
        </span>
      )}
    </>
  );
}
