import { memo, type MouseEvent, useState } from 'react';
import { formatShare } from '../../src/core/base/format';
import { agentSign } from '../../src/core/finder/agentLocations';
import { listedCost } from '../../src/core/finder/sessionDescription';
import { describeAge } from '../../src/core/finder/sessionText';
import { insightsTitle } from '../../src/core/insights/insightWords';
import { isLive as isLiveAt } from '../../src/core/model/sessionTimes';
import { costText } from '../../src/core/tokens/usageFigures';
import {
  type Grouping,
  type PageDetails,
  type PageMarks,
  type PageSession,
  sessionIdMember,
} from '../../src/protocol/sessionsPage';
import { sessionDeedWords, sessionsWords as words } from '../words/sessions';
import { dragSession } from './dragging';
import { Marks } from './Marks';
import type { Sessions } from './sessionsState';
import { Spoken } from './Spoken';
import type { SessionItem, SessionList, TreeItem } from './treeItems';

export interface RowProps {
  readonly id: string;
  readonly item: SessionItem;
  readonly list: SessionList;
  readonly details: PageDetails | undefined;
  readonly marks: PageMarks | undefined;
  readonly grouping: Grouping;
  readonly isActive: boolean;
  readonly now: number;
  /** CSS pixels from the top of the tree. */
  readonly start: number;
  readonly sessions: Sessions;
  readonly onSelect: (item: TreeItem) => void;
}

export const SessionRow = memo(function SessionRow(props: RowProps) {
  const { id, item, details, marks, isActive, start, sessions, onSelect } = props;
  const { session, position, size, level } = item;
  const row = rowWords(props);
  const [isOver, setOver] = useState(false);
  const open = ({ ctrlKey, metaKey, altKey, button }: MouseEvent): void => {
    onSelect(item);
    sessions.act(session.id, ctrlKey || metaKey || altKey || button === 1 ? 'openToSide' : 'open');
  };
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the keyboard for its rows
    <div
      id={id}
      className={`line list-line session${isActive ? ' line--active' : ''}${isOver ? ' session--over' : ''}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={isActive}
      title={tooltipOf(details, marks)}
      style={{ transform: `translateY(${start}px)` }}
      draggable={details?.drag !== undefined}
      data-vscode-context={JSON.stringify({ webviewSection: 'session', [sessionIdMember]: session.id })}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onClick={open}
      onAuxClick={event => {
        if (event.button === 1) {
          open(event);
        }
      }}
      onContextMenu={() => onSelect(item)}
      onDragStart={({ dataTransfer }) => {
        if (details !== undefined) {
          dragSession(dataTransfer, details);
        }
      }}
    >
      <span className="session__sign agent-sign" data-sign={row.sign} />
      <span className={`session__title ellipsis${row.hasTitle ? '' : ' muted'}`}>{row.title}</span>
      {row.hasTitle && <Spoken>{row.agent}</Spoken>}
      {row.isLive && <Spoken>{words.live}</Spoken>}
      <span className={`session__age row gap-6 small tabular${row.isLive ? ' session__age--live' : ''}`}>
        <Spoken>{words.written}</Spoken>
        {row.age}
      </span>
      {isOver && <Actions session={session} sessions={sessions} />}
      <span className="session__figures row shrinks fine tabular">
        <Fill share={details?.usage?.fill} />
        <span className="session__project grows ellipsis muted">{row.project}</span>
        <Marks marks={marks} />
        {row.cost !== '' && <Spoken>{words.cost}</Spoken>}
        <span className="session__cost unbroken">{row.cost}</span>
      </span>
    </div>
  );
});

/** The findings that the index knows, then the facts and the machine of the session. */
function tooltipOf(
  { description, origin }: PageDetails = { id: 0 },
  marks: PageMarks | undefined,
): string | undefined {
  const lines = [markLine(marks), description?.tooltip ?? '', origin ?? ''].filter(line => line !== '');
  return lines.length === 0 ? undefined : lines.join('\n');
}

function markLine(marks: PageMarks | undefined): string {
  if (marks === undefined) {
    return '';
  }
  const found = [
    ...(marks.secrets === 0 ? [] : [words.secrets(marks.secrets)]),
    ...(marks.personal === 0 ? [] : [words.personal(marks.personal)]),
    ...(marks.breaks === 0 ? [] : [words.breaks(marks.breaks)]),
  ];
  return found.length === 0 ? '' : `${insightsTitle}: ${found.join(', ')}`;
}

function rowWords({ item: { session }, list, details, grouping, now }: RowProps) {
  const { description, usage } = details ?? {};
  const agent = description?.agent ?? list.agents[session.agent] ?? '';
  const project = list.projects[session.project];
  const isLive = isLiveAt(now, session.written, session.time);
  // For a session that is being written, the facts read are older than its file.
  const age = describeAge(now, isLive ? session.written : (description?.lastUsed ?? session.time));
  const title = description?.title ?? agent;
  const isNamed = project?.isFolder === true && !session.isHere && grouping !== 'project';
  const shownProject = [isNamed ? project.name : '', session.worktree ?? '']
    .filter(name => name !== '')
    .join(' / ');
  return {
    sign: agentSign(agent),
    title,
    hasTitle: description !== undefined,
    isLive,
    age,
    project: shownProject,
    cost: costText(listedCost(usage)),
    agent,
  };
}

/** The fill of the window at the newest request, as a bar and in percent. */
function Fill({ share }: { readonly share: number | undefined }) {
  if (share === undefined) {
    return undefined;
  }
  const level = share > 0.9 ? ' fill__bar--high' : share > 0.8 ? ' fill__bar--raised' : '';
  return (
    <span className="fill row">
      <span className={`fill__bar${level}`}>
        <span className="fill__done" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <Spoken>{words.window}</Spoken>
      <span className="fill__share rigid muted">{formatShare(Math.round(share * 100) / 100)}</span>
    </span>
  );
}

/** For the mouse, so only the row under it has them. The menu and the keyboard offer the same actions. */
function Actions({ session, sessions }: { readonly session: PageSession; readonly sessions: Sessions }) {
  return (
    <span className="session__actions row gap-2" aria-hidden="true">
      <Action
        name={sessionDeedWords.openToSide}
        path="M2.5 3.5h11v9h-11zM8 3.5v9"
        onPress={() => sessions.act(session.id, 'openToSide')}
      />
      <Action
        name={sessionDeedWords.openAsText}
        path="M4 2.5h5l3 3v8H4zM6 7h4M6 9h4M6 11h3"
        onPress={() => sessions.act(session.id, 'openAsText')}
      />
      <Action name={words.more} path="M3 8h.6M7.7 8h.6M12.4 8h.6" onPress={openMenu} />
    </span>
  );
}

interface ActionProps {
  readonly name: string;
  readonly path: string;
  readonly onPress: (event: MouseEvent<HTMLElement>) => void;
}

function Action({ name, path, onPress }: ActionProps) {
  return (
    <button
      type="button"
      className="session__action bare pressable"
      tabIndex={-1}
      title={name}
      onClick={event => {
        event.stopPropagation();
        onPress(event);
      }}
    >
      <svg viewBox="0 0 16 16">
        <path d={path} />
      </svg>
    </button>
  );
}

/** Opens VS Code's menu for a right click. */
function openMenu({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void {
  menuAt(currentTarget, clientX, clientY);
}

/** Asks VS Code for the menu of an element, in page coordinates. */
export function menuAt(element: HTMLElement, clientX: number, clientY: number): void {
  element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
}
