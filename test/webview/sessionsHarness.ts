/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ToSessionsPage } from '../../src/protocol/sessionsPage';
import { openPage } from './pages';

/** The page with the list of sessions, for measurements with more sessions than a disk should have. */
export interface OpenSessions {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** The time in the page: today, so that hours ago are on the same day. */
const noon = new Date().setHours(12, 0, 0, 0);

export async function openSessions(): Promise<OpenSessions> {
  const { page, errors } = await openPage('sessions', { width: 320, height: 700 }, opened =>
    opened.clock.setFixedTime(noon),
  );
  return {
    page,
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

/** The index's facts about some sessions, and about their week. */
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
