import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatMoney, formatNumber, formatShare } from '../../../src/core/base/format';
import { at, clamp } from '../../../src/core/base/numbers';
import type { BreakdownTree } from '../../../src/core/breakdown/breakdownTree';
import type { PartValue } from '../../../src/core/breakdown/requestValues';
import { nodesTo, pathTo, stepTo } from '../../../src/core/breakdown/parts';
import { fullName, iconOf, looksOf, nameOf, shownChildren } from '../../state/breakdown';
import type { BreakdownParts } from '../../state/breakdownParts';
import { keyIn } from '../../state/keys';
import { contentFocus } from '../../state/panes';
import { breakdownWords as words } from '../../words/breakdown';
import { Icon } from '../common/Icon';
import { Sign } from '../common/Sign';

const rowHeight = 24;
const headHeight = 25;
/** Maximum indent steps. Deeper ones would leave no space for the name. */
const mostSteps = 8;
const columnNames = ['name', 'share', 'tokens', 'carried', 'cached', 'money', 'blocks'] as const;
type ColumnName = (typeof columnNames)[number];

interface Row {
  readonly node: number;
  /** The path as one text. */
  readonly key: string;
  readonly level: number;
  readonly place: number;
  readonly siblings: number;
  /** Undefined for a row without parts. */
  readonly isOpen: boolean | undefined;
}

/** The parts of the treemap as a tree of rows, with all measures. Keys work as in a treegrid (ARIA 1.2). */
export function BreakdownTable(parts: BreakdownParts) {
  const { tree, valueAt, root, selected, select, open, goOut } = parts;
  const grid = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        selected === undefined
          ? []
          : nodesTo(tree, at(tree.parent, selected)).map(node => keyOf(pathTo(tree, node))),
      ),
  );
  const rows = useMemo(() => rowsOf(tree, valueAt, root, opened), [tree, valueAt, root, opened]);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing memoised gets its functions
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  const selectedRow = rows.findIndex(({ node }) => node === selected);
  useEffect(() => {
    if (selectedRow >= 0) {
      virtualizer.scrollToIndex(selectedRow, { align: 'auto' });
    }
  }, [selectedRow, virtualizer]);

  const setOpen = ({ key }: Row, isOpen: boolean): void =>
    setOpened(known => new Set(isOpen ? [...known, key] : [...known].filter(other => other !== key)));
  const selectRow = (row: number): void => {
    const node = rows[clamp(row, 0, rows.length - 1)]?.node;
    if (node !== undefined) {
      select(node);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[selectedRow];
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: selectedRow - 1,
      ArrowDown: selectedRow + 1,
      PageUp: selectedRow - page,
      PageDown: selectedRow + page,
      Home: 0,
      End: rows.length - 1,
    };
    const name = keyIn('parts', event);
    switch (name) {
      case 'movePartRow':
        event.preventDefault();
        selectRow(targets[event.key] ?? 0);
        break;
      case 'openPart':
        event.preventDefault();
        if (row?.isOpen === false) {
          setOpen(row, true);
        } else if (row?.isOpen === true) {
          selectRow(selectedRow + 1);
        }
        break;
      case 'closePart':
        event.preventDefault();
        if (row?.isOpen === true) {
          setOpen(row, false);
        } else if (row !== undefined && at(tree.parent, row.node) !== root) {
          select(at(tree.parent, row.node));
        }
        break;
      case 'intoPartRow':
        event.preventDefault();
        if (row !== undefined) {
          open(row.node);
        }
        break;
      case 'outOfPartRow':
        goOut();
        break;
      case undefined:
        if (keyIn('page', event) === 'close' && goOut()) {
          event.preventDefault();
        }
    }
  };
  return (
    <div
      ref={grid}
      {...contentFocus}
      className="block-table parts-table"
      role="treegrid"
      tabIndex={0}
      aria-label={words.tableLabel}
      aria-rowcount={rows.length + 1}
      aria-colcount={columnNames.length}
      aria-activedescendant={selectedRow < 0 ? undefined : `part-row-${selectedRow}`}
      data-testid="breakdown-table"
      onKeyDown={onKeyDown}
    >
      <div className="block-table__head" role="rowgroup">
        <div className="block-table__row parts-table__row small" role="row" aria-rowindex={1}>
          {columnNames.map(name => (
            <div
              key={name}
              role="columnheader"
              className={`block-table__cell muted${name === 'name' ? '' : ' numeric'}`}
            >
              {words.columns[name]}
            </div>
          ))}
        </div>
      </div>
      <div className="block-table__rows" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keyboard for its rows
              <div
                key={row.node}
                id={`part-row-${index}`}
                className={`block-table__row parts-table__row small list-line block-table__row--body${index === selectedRow ? ' block-table__row--selected' : ''}`}
                role="row"
                tabIndex={-1}
                aria-rowindex={index + 2}
                aria-level={row.level}
                aria-posinset={row.place}
                aria-setsize={row.siblings}
                aria-selected={index === selectedRow}
                {...(row.isOpen === undefined ? {} : { 'aria-expanded': row.isOpen })}
                style={{ transform: `translateY(${start - headHeight}px)` }}
                onClick={() => {
                  select(row.node);
                  if (at(tree.block, row.node) >= 0) {
                    open(row.node);
                  }
                  grid.current?.focus({ preventScroll: true });
                }}
                onDoubleClick={() => open(row.node)}
              >
                <Cells {...parts} row={row} onToggle={() => setOpen(row, row.isOpen === false)} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

const keyOf = (path: readonly string[]): string => path.join('\n');

function rowsOf(
  tree: BreakdownTree,
  valueAt: PartValue,
  root: number,
  opened: ReadonlySet<string>,
): readonly Row[] {
  const rows: Row[] = [];
  const add = (node: number, path: readonly string[]): void => {
    const children = shownChildren(tree, valueAt, node);
    children.forEach((child, index) => {
      const way = [...path, stepTo(tree, child)];
      const key = keyOf(way);
      const isOpen = tree.childrenOf(child).length > 0 ? opened.has(key) : undefined;
      rows.push({
        node: child,
        key,
        level: way.length - above,
        place: index + 1,
        siblings: children.length,
        isOpen,
      });
      if (isOpen === true) {
        add(child, way);
      }
    });
  };
  const start = pathTo(tree, root);
  const above = start.length;
  add(root, start);
  return rows;
}

function Cells({
  tree,
  columns,
  figures,
  valueAt,
  row: { node, level, isOpen },
  onToggle,
}: BreakdownParts & { readonly row: Row; readonly onToggle: () => void }) {
  const { tokens, carried, cached, money } = figures;
  const whole = valueAt(0);
  const contents: Readonly<Record<ColumnName, ReactNode>> = {
    name: (
      <span className="row gap-6 shrinks" style={{ paddingLeft: Math.min(level - 1, mostSteps) * 14 }}>
        {/* For the mouse only: keys open and close the row itself. */}
        <span
          aria-hidden="true"
          className="parts-table__fold rigid"
          onClick={event => {
            if (isOpen !== undefined) {
              event.stopPropagation();
              onToggle();
            }
          }}
        >
          {isOpen !== undefined && <span className={`chevron chevron--${isOpen ? 'down' : 'right'}`} />}
        </span>
        <Icon icon={iconOf(tree, columns, node)} size={12} />
        <Sign sensitivity={at(looksOf(tree, columns).sensitivity, node)} />
        <span className="ellipsis" title={fullName(tree, columns, node)}>
          {nameOf(tree, columns, node)}
        </span>
      </span>
    ),
    share: formatShare(whole === 0 ? 0 : valueAt(node) / whole),
    tokens: formatNumber(tokens(node)),
    carried: formatNumber(carried(node)),
    cached: formatNumber(Math.round(cached(node))),
    money: money(node) > 0 ? formatMoney(money(node)) : '',
    blocks: formatNumber(at(tree.blocks, node)),
  };
  return columnNames.map(name => (
    <div
      key={name}
      role="gridcell"
      className={`block-table__cell${name === 'name' ? '' : ' numeric ellipsis'}`}
    >
      {contents[name]}
    </div>
  ));
}
