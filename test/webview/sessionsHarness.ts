/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageDetails, PageSession, SessionsAct, ToSessionsPage } from '../../src/protocol/sessionsPage';
import { openPage, type PageOptions } from './pages';

/** The page with the list of sessions, and the test's access to the host's side. */
export interface OpenSessions {
  readonly page: Page;
  readonly send: (...messages: readonly ToSessionsPage[]) => Promise<void>;
  /** The user's actions so far, except reports of the visible sessions. */
  readonly sent: () => Promise<readonly SessionsAct[]>;
  /** The numbers of the sessions requested last. */
  readonly looked: () => Promise<Extract<SessionsAct, { kind: 'look' }> | undefined>;
  /** Waits until the page requests all sessions, or one with a number. */
  readonly wants: (session: number | 'all') => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The time in the page: today, so that hours ago are on the same day. */
export const noon = new Date().setHours(12, 0, 0, 0);

export async function openSessions(options: PageOptions = {}): Promise<OpenSessions> {
  const { page, errors } = await openPage('sessions', { width: 320, height: 700, ...options }, opened =>
    opened.clock.setFixedTime(noon),
  );
  const all = (): Promise<readonly SessionsAct[]> =>
    page.evaluate(() =>
      window.fakeHost.sentBySessions.flatMap(message => (message.type === 'act' ? [message.act] : [])),
    );
  return {
    page,
    send: async (...messages) => {
      for (const message of messages) {
        await page.evaluate(data => window.postMessage(data, '*'), message);
      }
    },
    sent: async () => (await all()).filter(({ kind }) => kind !== 'look'),
    wants: session =>
      page.waitForFunction(
        wanted =>
          window.fakeHost.sentBySessions.some(
            message =>
              message.type === 'act' &&
              message.act.kind === 'look' &&
              (wanted === 'all' ? message.act.all : message.act.ids.includes(wanted)),
          ),
        session,
      ),
    looked: async () => (await all()).findLast(act => act.kind === 'look'),
    close: async () => {
      const { refused, violations } = await page.evaluate(() => ({
        refused: window.fakeHost.refused,
        violations: window.fakeHost.violations,
      }));
      assert.deepEqual({ refused, violations, errors }, { refused: [], violations: [], errors: [] });
    },
  };
}

export const minute = 60_000;
export const hour = 60 * minute;

/** A few sessions of two agents, two of them in the workspace, and the facts read from them. */
export function sampleSessions(now: number): readonly [ToSessionsPage, ToSessionsPage] {
  const rows: readonly (readonly [
    title: string,
    age: number,
    fill?: number | undefined,
    cost?: number | undefined,
  ])[] = [
    ['Checkout totals off by a cent', 0, 0.83, 9.45],
    ['Review of the refund service', 4 * minute, 0.31, 1.12],
    ['Dark theme for the e-mails', 7 * hour, 0.94, 0.64],
    // A whole day ago is yesterday at every time of the day.
    ['Upgrade to Node 24', 24 * hour - 5000, undefined, undefined],
    ['<b>Sum up</b> the incident', 4 * 24 * hour, 0.08, 0.03],
  ];
  const sessions = rows.map(([, age], id): PageSession => ({
    id,
    agent: id % 2,
    project: id < 2 ? 0 : id === 4 ? 2 : 1,
    isHere: id < 2,
    // Not quite a whole unit ago, however long the page takes to start.
    time: now - age - 5000,
    written: now - age - 5000,
  }));
  const details = rows.map(([title, age, fill, cost], id): PageDetails => {
    const description = {
      title,
      agent: id % 2 === 0 ? 'Claude Code' : 'Codex',
      facts: '3 requests · 2 KB',
      tooltip: `${title}\n3 requests`,
      lastUsed: now - age - 5000,
      ...(id === 3 ? { branch: 'deps/node-24' } : {}),
    };
    return {
      id,
      description,
      usage: {
        ...(fill === undefined ? {} : { fill }),
        ...(cost === undefined ? {} : { cost }),
        ...(id === 1 ? { isLeast: true as const } : {}),
      },
      drag: { uri: `file:///home/ada/${id}.jsonl`, editors: '[]' },
    };
  });
  return [
    {
      type: 'list',
      sessions,
      agents: ['Claude Code', 'Codex'],
      projects: [
        { key: '/w', name: 'shop', isFolder: true },
        { key: '/m', name: 'mail-kit', isFolder: true },
        { key: 'Claude Code', name: 'Claude Code: folder not recorded', isFolder: false },
      ],
      grouping: 'recent',
    },
    { type: 'details', details, left: 0 },
  ];
}

/** The index's facts about the sessions of `sampleSessions`, and about their week. */
export const sampleMarks = {
  type: 'marks',
  marks: [
    { id: 0, secrets: 2, personal: 1, breaks: 3 },
    { id: 2, secrets: 0, personal: 0, breaks: 1 },
    { id: 4, secrets: 1, personal: 0, breaks: 0 },
  ],
  week: {
    first: '2026-03-02',
    last: '2026-03-08',
    sessions: 41,
    requests: 2906,
    money: 71.92,
    unpriced: 0,
    lowOutput: 0,
    withoutInput: 0,
    recordedMoney: 0,
    recordedCosts: 0,
    unpricedTerms: 0,
    unpricedExtras: 0,
    doubtedInput: 0,
    unread: 0,
  },
} as const satisfies ToSessionsPage;
