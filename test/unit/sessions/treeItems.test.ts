import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agePeriod } from '../../../src/core/finder/sessionText';
import type { PageDetails, PageSession } from '../../../src/protocol/sessionsPage';
import { type SessionList, type TreeChoice, treeItems } from '../../../webview/sessions/treeItems';

const session = (id: number, agent: number, project: number, isHere = false): PageSession => ({
  id,
  agent,
  project,
  isHere,
  time: 1000 - id,
  written: 1000 - id,
});

const day = 86_400_000;
const now = new Date(2026, 5, 15, 12).getTime();

const list: SessionList = {
  type: 'list',
  sessions: [session(1, 0, 0), session(2, 1, 1, true), session(3, 0, 2), session(4, 1, 0)],
  agents: ['Claude Code', 'Codex'],
  projects: [
    { key: '/v1/harbor-api', name: 'v1 / harbor-api', isFolder: true },
    { key: '/w', name: 'w', isFolder: true },
    { key: 'Codex', name: 'Claude Code: folder not recorded', isFolder: false },
  ],
  grouping: 'recent',
};

const details = new Map<number, PageDetails>(
  ['Sort the shelves', 'Mend the door', 'Sort the books'].map((title, index) => [
    index + 1,
    {
      id: index + 1,
      description: {
        title,
        agent: '',
        facts: '',
        tooltip: '',
        lastUsed: 0,
        ...(index === 1 ? { branch: 'fix/door' } : {}),
      },
    },
  ]),
);

/** Groups as `+name` or `-name` with the number of their sessions, sessions by number. */
function linesOf(choice: Partial<TreeChoice>, of = list): readonly string[] {
  const { items } = treeItems(of, details, { grouping: 'recent', query: '', opened: {}, now, ...choice });
  return items.map(item =>
    item.kind === 'group'
      ? `${item.isOpen ? '+' : '-'}${item.name} (${item.count})`
      : String(item.session.id),
  );
}

describe('the lines of the list of sessions', () => {
  it('are flat and newest first, those of the workspace before the others', () => {
    assert.deepStrictEqual(linesOf({}), [
      '+This workspace (1)',
      '2',
      '+Elsewhere on this machine (3)',
      '1',
      '3',
      '4',
    ]);
  });

  it('are grouped by the day when they were last used, whenever their files were written, if there are several periods', () => {
    const ages = [0, 1, 3, 400];
    const sessions = ages.map((age, id) => ({ ...session(id, 0, 0), time: now - age * day, written: now }));
    const lines = ['+Today (1)', '0', '+Yesterday (1)', '1', '+Last 7 days (1)', '2', '+Older (1)', '3'];
    assert.deepStrictEqual(linesOf({}, { ...list, sessions }), lines);
    const here = { ...list, sessions: sessions.map(each => ({ ...each, isHere: true })) };
    assert.deepStrictEqual(linesOf({ opened: { 'here today': false } }, here), [
      '+This workspace (4)',
      '-Today (1)',
      ...lines.slice(2),
    ]);
    const { items } = treeItems(here, details, { grouping: 'recent', query: '', opened: {}, now });
    assert.deepStrictEqual(
      items.slice(0, 3).map(({ level, group }) => [level, group]),
      [
        [1, undefined],
        [2, 'here'],
        [3, 'here today'],
      ],
    );
    assert.equal(agePeriod(now, now - 30 * day), 'lastMonth');
  });

  it('have no heading where all sessions are elsewhere', () => {
    const elsewhere = { ...list, sessions: list.sessions.filter(({ isHere }) => !isHere) };
    assert.deepStrictEqual(linesOf({}, elsewhere), ['1', '3', '4']);
  });

  it('are grouped by project, that of the workspace first and open, or by agent', () => {
    assert.deepStrictEqual(linesOf({ grouping: 'project' }), [
      '+w (1)',
      '2',
      '-v1 / harbor-api (2)',
      '-Claude Code: folder not recorded (1)',
    ]);
    assert.deepStrictEqual(linesOf({ grouping: 'agent', opened: { 'agent Claude Code': false } }), [
      '-Claude Code (2)',
      '+Codex (2)',
      '2',
      '4',
    ]);
  });

  it('are those that have every word in title, branch, agent or project, in open groups', () => {
    assert.deepStrictEqual(linesOf({ query: 'SORT the' }), ['1', '3']);
    assert.deepStrictEqual(linesOf({ query: 'sort harbor' }), ['1']);
    assert.deepStrictEqual(linesOf({ query: 'fix/ codex' }), ['+This workspace (1)', '2']);
    assert.deepStrictEqual(linesOf({ query: 'recorded' }), []);
    assert.deepStrictEqual(linesOf({ query: 'harbor', grouping: 'project', opened: {} }), [
      '+v1 / harbor-api (2)',
      '1',
      '4',
    ]);
  });

  it('know their places among those of their level', () => {
    const { items } = treeItems(list, details, { grouping: 'recent', query: '', opened: {}, now });
    assert.deepStrictEqual(
      items.map(({ position, size }) => `${position}/${size}`),
      ['1/2', '1/1', '2/2', '1/3', '2/3', '3/3'],
    );
  });
});
