import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { at, clamp } from '../../../src/core/base/numbers';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import type { AuditedEdit, SightReport } from '../../../src/core/sight/sightReport';
import { useSize } from '../../drawing/canvasHooks';
import { type ConversationRow, conversationRows, isEdit } from '../../state/conversationRows';
import type { FindResult } from '../../state/findState';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import { contentFocus } from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { useSight } from '../../state/sight';
import { memoise } from '../../state/store';
import { conversationWords as words } from '../../words/conversation';
import { ConversationRowView } from './ConversationRowView';
import { RowMemory } from './rowMemory';

const rowHeight = 25;
const headHeight = 25;
/** After this time, texts that arrive no longer move the place that was gone to. */
const goalMilliseconds = 2000;
const noFindings: readonly CacheFinding[] = [];
const noEdits: ReadonlyMap<number, AuditedEdit> = new Map();

/** The edits whose lines the agent did not have in view, by their call. */
const staleEdits = memoise(
  ({ edits }: SightReport): ReadonlyMap<number, AuditedEdit> =>
    new Map(edits.filter(({ verdict }) => verdict.kind === 'stale').map(edit => [edit.block, edit])),
);

interface Shown {
  readonly parts: RequestParts;
  readonly findings: readonly CacheFinding[];
  readonly edits: ReadonlyMap<number, AuditedEdit>;
  readonly result: FindResult | undefined;
}

/**
 * The session as a person reads it: a row for each message in wire order. The rows are rendered separately, so that
 * scrubbing does not wait for them.
 */
export function ConversationView(parts: RequestParts) {
  const { summary, columns, view, prune, shown, shownCount, isFiltered, lit } = parts;
  const cache = useAppState(state => state.cache);
  const result = useAppState(state => state.find.result);
  const findings = cache.kind === 'known' ? cache.value.findings : noFindings;
  const hasEdits = useMemo(() => columns.blocks.kind.some((_, block) => isEdit(columns, block)), [columns]);
  const sight = useSight(hasEdits);
  const edits = sight.kind === 'known' ? staleEdits(sight.value) : noEdits;
  const all = useMemo(
    () => ({
      parts: { summary, columns, view, prune, shown, shownCount, isFiltered, lit },
      findings,
      edits,
      result,
    }),
    [summary, columns, view, prune, shown, shownCount, isFiltered, lit, findings, edits, result],
  );
  const settled = useDeferredValue(all);
  return (
    <div className="conversation__area filled" aria-busy={settled !== all}>
      <Grid shown={settled} />
    </div>
  );
}

const Grid = memo(function Grid({ shown }: { readonly shown: Shown }) {
  const { parts, findings, edits, result } = shown;
  const { columns, summary, view } = parts;
  const { changeView, store } = useInspector();
  const selected = useViewState('block');
  const toggled = useViewState('toggledRows');
  const show = useViewState('conversationPart');
  const grid = useRef<HTMLDivElement>(null);
  const { height } = useSize(grid);
  const [memory] = useState(() => new Map<string, number>());
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () =>
      conversationRows({
        columns,
        summary,
        view,
        findings,
        toggled: new Set(toggled),
        isWanted: block => block === selected || result?.found.has(block) === true,
        isMarked: block => edits.has(block),
        show,
      }),
    [columns, summary, view, findings, toggled, selected, result, edits, show],
  );
  const current = useRef(rows);
  useLayoutEffect(() => {
    current.current = rows;
  }, [rows]);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing memoised gets its functions
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: index => estimatedHeight(parts, rows[index]),
    getItemKey: index => rows[index]?.key ?? index,
    overscan: 4,
    // Rows are rendered with the next frame, not within each event of scrolling.
    useFlushSync: false,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  const selectedRow = useMemo(
    () => (selected === undefined ? -1 : rowOfBlock(rows, selected)),
    [rows, selected],
  );

  // Another request or part: the end of the request is shown. Another block, or another height: the block stays in view.
  const shownRequest = useRef<number>(undefined);
  const shownPart = useRef(show);
  const shownBlock = useRef<number>(undefined);
  const goal = useRef<{ readonly index: number; readonly align: 'auto' | 'center' | 'end' }>(undefined);
  useEffect(() => {
    const isOther = shownRequest.current !== view.request;
    const isOtherPart = shownPart.current !== show;
    const isOtherBlock = shownBlock.current !== selected;
    shownRequest.current = view.request;
    shownPart.current = show;
    shownBlock.current = selected;
    const place = current.current.findIndex(({ kind }) => kind === 'boundary');
    const end = current.current.findIndex(({ kind }) => kind === 'end');
    if (selectedRow >= 0 && (!isOther || isOtherBlock)) {
      goal.current = { index: selectedRow, align: isOther ? 'center' : 'auto' };
    } else if ((isOther || isOtherPart) && current.current.length > 0) {
      const last = end >= 0 ? end : current.current.length - 1;
      goal.current = place >= 0 ? { index: place, align: 'center' } : { index: last, align: 'end' };
    }
    if (goal.current === undefined) {
      return undefined;
    }
    virtualizer.scrollToIndex(goal.current.index, { align: goal.current.align });
    const timer = window.setTimeout(() => {
      goal.current = undefined;
    }, goalMilliseconds);
    return () => window.clearTimeout(timer);
  }, [view.request, show, selected, selectedRow, height, virtualizer]);
  // Texts arrive after their rows and change their heights; the goal stays in its place until the user moves on.
  const total = virtualizer.getTotalSize();
  useEffect(() => {
    if (goal.current !== undefined) {
      virtualizer.scrollToIndex(goal.current.index, { align: goal.current.align });
    }
  }, [total, virtualizer]);
  const moveOn = (): void => {
    goal.current = undefined;
  };

  const select = useCallback(
    (block: number, opensDetails: boolean): void =>
      changeView({ block, ...(opensDetails ? { panel: 'block' as const } : {}) }),
    [changeView],
  );
  const toggle = useCallback(
    (key: string): void => {
      const known = store.get().view.toggledRows;
      changeView({
        toggledRows: known.includes(key) ? known.filter(other => other !== key) : [...known, key],
      });
    },
    [changeView, store],
  );
  const reveal = useCallback(
    (key: string): void =>
      setRevealed(known => {
        const next = new Set(known);
        if (!next.delete(key)) {
          next.add(key);
        }
        return next;
      }),
    [],
  );

  const selectRow = (from: number, step: number): void => {
    for (
      let index = clamp(from, 0, rows.length - 1);
      index >= 0 && index < rows.length;
      index += step < 0 ? -1 : 1
    ) {
      const block = blockOfRow(rows[index]);
      if (block !== undefined) {
        changeView({ block });
        return;
      }
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) {
      return;
    }
    const row = rows[selectedRow];
    const visible = virtualizer.getVirtualItems().length;
    const from = selectedRow < 0 ? Math.max(0, virtualizer.range?.startIndex ?? 0) - 1 : selectedRow;
    const page = Math.max(1, visible - 14);
    const targets: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [from - 1, -1],
      ArrowDown: [from + 1, 1],
      PageUp: [from - page, -1],
      PageDown: [from + page, 1],
      Home: [0, 1],
      End: [rows.length - 1, -1],
    };
    const name = keyIn('conversation', event);
    switch (name) {
      case 'moveMessage': {
        const [target, step] = targets[event.key] ?? [from, 1];
        event.preventDefault();
        selectRow(target, step);
        break;
      }
      case 'openMessage':
      case 'closeMessage':
        event.preventDefault();
        if ((row?.kind === 'message' || row?.kind === 'folded') && row.isOpen === (name === 'closeMessage')) {
          toggle(row.key);
        }
        break;
      case 'messageDetails':
        event.preventDefault();
        if (row?.kind === 'folded') {
          toggle(row.key);
        } else {
          changeView({ panel: 'block' });
        }
        break;
      case undefined:
    }
  };
  return (
    <RowMemory.Provider value={memory}>
      <div
        ref={grid}
        {...contentFocus}
        className="conversation"
        role="treegrid"
        tabIndex={0}
        aria-label={words.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={4}
        aria-activedescendant={selectedRow < 0 ? undefined : `message-row-${selectedRow}`}
        data-testid="conversation"
        onKeyDown={onKeyDown}
        onWheel={moveOn}
        onPointerDown={moveOn}
        onTouchStart={moveOn}
      >
        <div className="conversation__head" role="rowgroup">
          <div className="conversation__row conversation__row--head fine muted" role="row" aria-rowindex={1}>
            <div role="columnheader" className="numeric">
              <span className="visually-hidden">{words.request}</span>#
            </div>
            <div role="columnheader">
              <span className="visually-hidden">{words.message}</span>
            </div>
            <div role="columnheader" className="numeric">
              {words.tokens}
            </div>
            <div role="columnheader" className="numeric conversation__cost" title={words.costHint}>
              {words.cost}
            </div>
          </div>
        </div>
        {!rows.some(({ kind }) => kind === 'message' || kind === 'folded') && (
          <p className="notice small muted" role="status">
            {words.nothing}
          </p>
        )}
        <div className="conversation__rows" role="rowgroup" style={{ height: total }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <ConversationRowView
                  key={key}
                  ref={virtualizer.measureElement}
                  index={index}
                  top={start - headHeight}
                  row={row}
                  parts={parts}
                  edit={row.kind === 'message' ? edits.get(row.message.blocks[0]) : undefined}
                  result={result}
                  isSelected={index === selectedRow}
                  isRevealed={revealed.has(row.key)}
                  onSelect={select}
                  onToggle={toggle}
                  onReveal={reveal}
                />
              )
            );
          })}
        </div>
      </div>
    </RowMemory.Provider>
  );
});

/** The block that a row selects; undefined for a row without one. */
function blockOfRow(row: ConversationRow | undefined): number | undefined {
  switch (row?.kind) {
    case 'message':
      return row.message.blocks[0];
    case 'folded':
      return undefined;
    case 'notRecorded':
      return -1;
    case 'compaction':
    case 'loss':
    case 'boundary':
    case 'end':
    case undefined:
      return undefined;
  }
}

function rowOfBlock(rows: readonly ConversationRow[], block: number): number {
  return rows.findIndex(row =>
    row.kind === 'message' ? row.message.blocks.includes(block) : row.kind === 'notRecorded' && block === -1,
  );
}

/** A first guess, until the row is measured. In CSS pixels. */
function estimatedHeight({ columns }: RequestParts, row: ConversationRow | undefined): number {
  if (row?.kind !== 'message' || !row.isOpen) {
    return rowHeight;
  }
  const { kind, blocks } = row.message;
  const characters = at(columns.blocks.characters, blocks[0]);
  switch (kind) {
    case 'prompt':
    case 'reply':
    case 'summary':
    case 'thinking':
      return 10 + 19 * clamp(Math.ceil(characters / 100), 1, 12);
    case 'call':
      return rowHeight + 120;
    case 'head':
    case 'notes':
    case 'result':
    case 'image':
      return rowHeight + 80;
  }
}
