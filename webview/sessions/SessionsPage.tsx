import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { groupings, mostDropped } from '../../src/protocol/sessionsPage';
import { Choices } from '../controls/Choices';
import { useSelected } from '../state/store';
import { groupingWords, sessionsWords as words } from '../words/sessions';
import { droppedAddresses, isFileDrag } from './dragging';
import { Foot } from './Foot';
import { Search } from './Search';
import { SessionTree } from './SessionTree';
import type { Sessions, SessionsState } from './sessionsState';
import { treeItems } from './treeItems';
import { Welcome } from './Welcome';

/** Interval for updating the page, because ages grow. */
const ageMilliseconds = 30_000;

const nothingRead: SessionsState['details'] = new Map();

/** The list of the sessions on this machine, with search and grouping. */
export function SessionsPage({ sessions }: { readonly sessions: Sessions }) {
  const { store } = sessions;
  const list = useSelected(store, state => state.list);
  const grouping = useSelected(store, state => state.grouping);
  const details = useSelected(store, state => state.details);
  const marks = useSelected(store, state => state.marks);
  const week = useSelected(store, state => state.week);
  const left = useSelected(store, state => state.left);
  const query = useSelected(store, state => state.view.query);
  const opened = useSelected(store, state => state.view.opened);
  const now = useNow();
  // The lines change with the day only.
  const today = new Date(now).setHours(0, 0, 0, 0);
  const [notice, setNotice] = useState<string>();
  const tree = useRef<HTMLDivElement>(null);
  const wanted = query.trim();
  // New titles change the lines only during a search.
  const searched = wanted === '' ? nothingRead : details;
  const shown = useMemo(
    () =>
      list === undefined
        ? undefined
        : treeItems(list, searched, { grouping, query: wanted, opened, now: today }),
    [list, searched, grouping, wanted, opened, today],
  );
  useFocusOn(tree);

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const addresses = droppedAddresses(event.dataTransfer);
    if (addresses.length > 0) {
      setNotice(undefined);
      sessions.drop(addresses.slice(0, mostDropped));
    } else if (isFileDrag(event.dataTransfer)) {
      setNotice(words.unknownAddress);
    }
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- files that can be dropped can be opened by buttons and commands too
    <main
      className="sessions"
      aria-busy={list === undefined}
      data-vscode-context='{"preventDefaultContextMenuItems":true}'
      onDragEnter={event => event.preventDefault()}
      onDragOver={event => event.preventDefault()}
      onDrop={drop}
    >
      <h1 className="visually-hidden">{words.label}</h1>
      {list !== undefined && shown !== undefined && (
        <>
          {list.sessions.length === 0 ? (
            <Welcome onPress={sessions.welcome} />
          ) : (
            <>
              <div className="sessions__head">
                <Search
                  count={list.sessions.length}
                  query={query}
                  onChange={text => sessions.changeView({ query: text, scroll: 0 })}
                  onLeave={() => tree.current?.focus()}
                />
                <Choices
                  isRow
                  name={words.grouping}
                  value={grouping}
                  options={groupings.map(value => ({ value, label: groupingWords[value] }))}
                  onChange={sessions.group}
                />
              </div>
              <SessionTree
                element={tree}
                sessions={sessions}
                list={list}
                items={shown.items}
                details={details}
                marks={marks}
                grouping={grouping}
                now={now}
              />
            </>
          )}
          <p className="sessions__status fine muted" role="status">
            {notice ?? statusText(wanted, shown.count, left)}
          </p>
          {list.sessions.length > 0 && <Foot week={week} onUsage={sessions.showUsage} />}
        </>
      )}
    </main>
  );
}

function statusText(query: string, count: number, left: number): string {
  if (query === '') {
    return '';
  }
  const result = count === 0 && left === 0 ? words.nothingFound : words.found(count);
  return left > 0 ? `${result} · ${words.reading(left)}` : result;
}

/** The current time in milliseconds since 1970. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), ageMilliseconds);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** When the view gets the focus, passes it on to an element, unless another element in the view already has it. */
function useFocusOn(element: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const pass = (): void => {
      if (document.activeElement === document.body) {
        element.current?.focus({ preventScroll: true });
      }
    };
    window.addEventListener('focus', pass);
    return () => window.removeEventListener('focus', pass);
  }, [element]);
}
