import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { formatNumber } from '../../src/core/base/format';
import { clamp } from '../../src/core/base/numbers';
import type { Grouping } from '../../src/protocol/sessionsPage';
import { useSelected } from '../state/store';
import { sessionsWords as words } from '../words/sessions';
import { menuAt, SessionRow } from './SessionRow';
import type { Sessions, SessionsState } from './sessionsState';
import type { GroupItem, SessionList, TreeItem } from './treeItems';
import { useTypeAhead } from './useTypeAhead';

/** In CSS pixels, as in sessions.css. */
const heights = { group: 26, session: 48 } as const;
/** Titles are read when a row has been visible for this long, in milliseconds. */
const lookMilliseconds = 40;

interface TreeProps {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly sessions: Sessions;
  readonly list: SessionList;
  readonly items: readonly TreeItem[];
  readonly details: SessionsState['details'];
  readonly marks: SessionsState['marks'];
  readonly grouping: Grouping;
  readonly now: number;
}

/** The sessions as a tree. Only the visible part is in the document. The tree itself keeps the focus. */
export function SessionTree({ element, sessions, list, items, details, marks, grouping, now }: TreeProps) {
  const { store, changeView, act, look } = sessions;
  const active = useSelected(store, state => state.view.active);
  const activeIndex = items.findIndex(({ key }) => key === active);
  // A new function would make the list measure all lines again.
  const keyOf = useCallback((index: number) => items[index]?.key ?? index, [items]);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing memoised gets its functions
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => element.current,
    estimateSize: index => heights[items[index]?.kind ?? 'session'],
    getItemKey: keyOf,
    // While the scrollbar is dragged, drawing them is wasted.
    overscan: 3,
    initialOffset: () => store.get().view.scroll,
  });
  const rows = virtualizer.getVirtualItems();
  useAnchor(element, items);

  const inView = rows.flatMap(({ index }) => {
    const item = items[index];
    return item?.kind === 'session' ? [item.session.id] : [];
  });
  const wanted = inView.join(' ');
  const query = useSelected(store, state => state.view.query);
  useEffect(() => {
    const timer = window.setTimeout(
      () => look(wanted === '' ? [] : wanted.split(' ').map(Number)),
      lookMilliseconds,
    );
    return () => window.clearTimeout(timer);
  }, [wanted, list, query, look]);

  const onSelect = useCallback((item: TreeItem) => changeView({ active: item.key }), [changeView]);
  const select = (index: number): void => {
    const item = items[clamp(index, 0, items.length - 1)];
    if (item !== undefined) {
      onSelect(item);
      virtualizer.scrollToIndex(items.indexOf(item), { align: 'auto' });
    }
  };
  const toggle = (item: GroupItem): void =>
    changeView({
      active: item.key,
      opened: { ...store.get().view.opened, [item.key]: !item.isOpen },
    });
  const nameOf = (item: TreeItem): string =>
    item.kind === 'group' ? item.name : (details.get(item.session.id)?.description?.title ?? '');
  const typeAhead = useTypeAhead(items, nameOf);

  const onKeyDown = (event: KeyboardEvent): void => {
    const item = items[activeIndex];
    const page = Math.max(1, Math.floor((element.current?.clientHeight ?? 0) / heights.session) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: activeIndex - 1,
      ArrowDown: activeIndex + 1,
      PageUp: activeIndex - page,
      PageDown: activeIndex + page,
      Home: 0,
      End: items.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      select(target);
    } else if (item !== undefined && actOn(item, event)) {
      event.preventDefault();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      const found = typeAhead(event.key, activeIndex);
      if (found !== undefined) {
        event.preventDefault();
        select(found);
      }
    }
  };
  /** Returns true if the key has a function. */
  const actOn = (
    item: TreeItem,
    { key, ctrlKey, metaKey, shiftKey, altKey, code }: KeyboardEvent,
  ): boolean => {
    if (key === 'ContextMenu' || (shiftKey && key === 'F10')) {
      const row = document.getElementById(rowId(item));
      if (row !== null) {
        const { left, bottom } = row.getBoundingClientRect();
        menuAt(row, left + 42, bottom - 8);
      }
      return true;
    }
    if (item.kind === 'group') {
      const wants = { ArrowRight: true, ArrowLeft: false, Enter: !item.isOpen, ' ': !item.isOpen }[key];
      if (wants !== undefined && wants !== item.isOpen) {
        toggle(item);
      } else if (key === 'ArrowLeft' && item.group !== undefined) {
        select(items.findIndex(each => each.key === item.group));
      } else if (key === 'ArrowRight') {
        select(activeIndex + 1);
      }
      return wants !== undefined;
    }
    const { id } = item.session;
    if (key === 'Enter') {
      act(id, ctrlKey || metaKey ? 'openToSide' : 'open');
      return true;
    }
    if (shiftKey && altKey && (code === 'KeyC' || code === 'KeyR')) {
      act(id, code === 'KeyC' ? 'copyPath' : 'reveal');
      return true;
    }
    if (key === 'ArrowLeft') {
      select(items.findIndex(each => each.key === item.group));
      return true;
    }
    return key === 'ArrowRight';
  };
  const isRendered = rows.some(({ index }) => index === activeIndex);
  const activeItem = items[activeIndex];
  return (
    <div
      ref={element}
      className="tree"
      role="tree"
      tabIndex={0}
      aria-label={words.label}
      aria-activedescendant={isRendered && activeItem !== undefined ? rowId(activeItem) : undefined}
      onKeyDown={onKeyDown}
      // The menu key also triggers its own event here, without a row.
      onContextMenu={event => {
        if (event.target === event.currentTarget) {
          event.preventDefault();
        }
      }}
      onFocus={({ currentTarget: { scrollTop } }) => {
        if (activeIndex < 0) {
          // The list stays in place, because a mouse press also sets the focus.
          const first = rows.find(
            ({ index, start }) => start >= scrollTop && items[index]?.kind === 'session',
          );
          select(first?.index ?? items.findIndex(({ kind }) => kind === 'session'));
        }
      }}
      onScroll={({ currentTarget }) => changeView({ scroll: currentTarget.scrollTop })}
    >
      <div className="tree__rows" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {/* Elements follow their items, so that a press on a row that moves never reaches another session. */}
        {rows.map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) {
            return undefined;
          }
          const common = {
            id: rowId(item),
            isActive: index === activeIndex,
            start,
          };
          return item.kind === 'group' ? (
            <GroupRow key={item.key} {...common} item={item} onToggle={toggle} />
          ) : (
            <SessionRow
              key={item.key}
              {...common}
              item={item}
              list={list}
              details={details.get(item.session.id)}
              marks={marks.get(item.session.id)}
              grouping={grouping}
              now={now}
              sessions={sessions}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

interface GroupRowProps {
  readonly id: string;
  readonly item: GroupItem;
  readonly isActive: boolean;
  /** CSS pixels from the top of the tree. */
  readonly start: number;
  readonly onToggle: (item: GroupItem) => void;
}

function GroupRow({ id, item, isActive, start, onToggle }: GroupRowProps) {
  const { name, count, isOpen, level, position, size } = item;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the keyboard for its rows
    <div
      id={id}
      className={`line list-line group row gap-4 small ${level > 1 ? 'group--inner muted' : 'strong'}${isActive ? ' line--active' : ''}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={isOpen}
      aria-selected={isActive}
      title={name}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onToggle(item)}
    >
      <svg className="group__arrow" viewBox="0 0 16 16" aria-hidden="true">
        <path d="m6 4 4 4-4 4" />
      </svg>
      <span className="ellipsis">{name}</span>
      <span className="group__count end fine muted tabular">{formatNumber(count)}</span>
    </div>
  );
}

function rowId({ key }: TreeItem): string {
  return `row-${key.replaceAll(/\s+/g, '-')}`;
}

/** Keeps the first visible line in place when lines above it are added or removed. */
function useAnchor(element: RefObject<HTMLDivElement | null>, items: readonly TreeItem[]): void {
  const last = useRef(items);
  useLayoutEffect(() => {
    const tree = element.current;
    const before = last.current;
    last.current = items;
    if (tree === null || before === items || tree.scrollTop === 0) {
      return;
    }
    const starts = startsOf(before);
    const first = starts.findLastIndex(start => start <= tree.scrollTop);
    const key = before[first]?.key;
    const now = items.findIndex(item => item.key === key);
    if (now >= 0) {
      tree.scrollBy(0, (startsOf(items)[now] ?? 0) - (starts[first] ?? 0));
    }
  }, [element, items]);
}

function startsOf(items: readonly TreeItem[]): readonly number[] {
  let next = 0;
  return items.map(({ kind }) => {
    const start = next;
    next += heights[kind];
    return start;
  });
}
