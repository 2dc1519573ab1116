import { groupBy } from '../../src/core/base/groupBy';
import { type AgePeriod, agePeriod, agePeriods } from '../../src/core/finder/sessionText';
import type { Grouping, PageDetails, PageSession, ToSessionsPage } from '../../src/protocol/sessionsPage';
import { ageWords, sessionsWords } from '../words/sessions';

export type SessionList = Extract<ToSessionsPage, { type: 'list' }>;

/** A line of the tree. */
export type TreeItem = GroupItem | SessionItem;

interface Line {
  readonly key: string;
  /** Its level in the tree, from 1, and the key of its group; undefined at the first level. */
  readonly level: number;
  readonly group: string | undefined;
  /** Its position at its level, from 1, and the number of items at this level. */
  readonly position: number;
  readonly size: number;
}

export interface GroupItem extends Line {
  readonly kind: 'group';
  readonly name: string;
  /** Number of sessions in the group, including hidden ones. */
  readonly count: number;
  readonly isOpen: boolean;
}

export interface SessionItem extends Line {
  readonly kind: 'session';
  readonly session: PageSession;
}

export interface TreeChoice {
  readonly grouping: Grouping;
  /** The search text; empty shows all. */
  readonly query: string;
  /** Groups that the user has opened (`true`) or closed, by key. */
  readonly opened: Readonly<Record<string, boolean>>;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

interface Group {
  readonly key: string;
  readonly name: string;
  readonly sessions: readonly PageSession[];
}

/** The lines of the tree from top to bottom, and how many sessions match. */
export function treeItems(
  list: SessionList,
  details: ReadonlyMap<number, PageDetails>,
  { grouping, query, opened, now }: TreeChoice,
): { readonly items: readonly TreeItem[]; readonly count: number } {
  const sessions = matching(list, details, query);
  const groups = groupsOf(list, sessions, grouping);
  const items: TreeItem[] = [];
  const addSessions = (members: readonly PageSession[], level: number, group: string | undefined): void =>
    members.forEach((session, index) =>
      items.push({
        kind: 'session',
        key: `session ${session.id}`,
        session,
        level,
        group,
        position: index + 1,
        size: members.length,
      }),
    );
  const addGroups = (
    parts: readonly Group[],
    level: number,
    group: string | undefined,
    addMembers: typeof addSessions,
  ): void =>
    parts.forEach(({ key, name, sessions: members }, index) => {
      const isFirst = index === 0 || members[0]?.isHere === true;
      const isOpen = query !== '' || (opened[key] ?? (grouping === 'recent' || isFirst));
      const [position, size] = [index + 1, parts.length];
      items.push({ kind: 'group', key, name, count: members.length, isOpen, level, group, position, size });
      if (isOpen) {
        addMembers(members, level + 1, key);
      }
    });
  /** Sessions of a single period need no heading. */
  const addPeriods: typeof addSessions = (members, level, group) => {
    const periods = periodsOf(members, now, group);
    if (periods.length > 1) {
      addGroups(periods, level, group, addSessions);
    } else {
      addSessions(members, level, group);
    }
  };
  // A single part of the recent sessions needs no heading.
  if (grouping === 'recent' && groups.length === 1 && sessions[0]?.isHere !== true) {
    addPeriods(sessions, 1, undefined);
  } else {
    addGroups(groups, 1, undefined, grouping === 'recent' ? addPeriods : addSessions);
  }
  return { items, count: sessions.length };
}

/** Parts by the time when the sessions were last used. The list is sorted by it. */
function periodsOf(sessions: readonly PageSession[], now: number, group = ''): readonly Group[] {
  const members = groupBy(sessions, ({ time }): AgePeriod => agePeriod(now, time));
  return agePeriods.flatMap(period => {
    const found = members.get(period);
    return found === undefined
      ? []
      : [{ key: `${group} ${period}`.trim(), name: ageWords[period], sessions: found }];
  });
}

function groupsOf(
  { agents, projects }: SessionList,
  sessions: readonly PageSession[],
  grouping: Grouping,
): readonly Group[] {
  switch (grouping) {
    case 'recent': {
      const here = sessions.filter(({ isHere }) => isHere);
      const elsewhere = sessions.filter(({ isHere }) => !isHere);
      return [
        { key: 'here', name: sessionsWords.here, sessions: here },
        { key: 'elsewhere', name: sessionsWords.elsewhere, sessions: elsewhere },
      ].filter(group => group.sessions.length > 0);
    }
    case 'project': {
      const groups = [...groupBy(sessions, ({ project }) => project)].map(([index, members]) => ({
        key: `project ${projects[index]?.key ?? ''}`,
        name: projects[index]?.name ?? '',
        sessions: members,
      }));
      const isHere = (group: Group): boolean => group.sessions[0]?.isHere === true;
      return [...groups.filter(isHere), ...groups.filter(group => !isHere(group))];
    }
    case 'agent':
      return [...groupBy(sessions, ({ agent }) => agent)].map(([index, members]) => ({
        key: `agent ${agents[index] ?? ''}`,
        name: agents[index] ?? '',
        sessions: members,
      }));
  }
}

/** Titles and branches in lower case, cached so that a search does not create them for each key. */
const searchable = new WeakMap<PageDetails, string>();

/** The sessions with every word of the query in the title, the branch, or the name of the agent or the project. */
function matching(
  { sessions, agents, projects }: SessionList,
  details: ReadonlyMap<number, PageDetails>,
  query: string,
): readonly PageSession[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  if (words.length === 0) {
    return sessions;
  }
  const agentNames = agents.map(name => name.toLowerCase());
  const projectNames = projects.map(({ name, isFolder }) => (isFolder ? name.toLowerCase() : ''));
  return sessions.filter(({ id, agent, project }) => {
    const text = textOf(details.get(id));
    return words.every(
      word =>
        text.includes(word) ||
        agentNames[agent]?.includes(word) === true ||
        projectNames[project]?.includes(word) === true,
    );
  });
}

function textOf(details: PageDetails | undefined): string {
  if (details?.description === undefined) {
    return '';
  }
  const known = searchable.get(details);
  if (known !== undefined) {
    return known;
  }
  const { title, branch = '' } = details.description;
  const text = `${title}\n${branch}`.toLowerCase();
  searchable.set(details, text);
  return text;
}
