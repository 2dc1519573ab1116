/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { UsageResult } from '../../src/protocol/indexService';
import type { FromUsagePage, ToUsagePage } from '../../src/protocol/usagePage';
import { openPage } from './pages';

type Question = Extract<FromUsagePage, { type: 'question' }>;

/** The Usage page, and the test's access to the host's side. */
export interface OpenUsage {
  readonly page: Page;
  readonly send: (message: ToUsagePage) => Promise<void>;
  /** The page's messages so far. */
  readonly sent: () => Promise<readonly FromUsagePage[]>;
  /** Waits for a question with this text in its JSON, and returns the newest. */
  readonly asked: (part: string) => Promise<Question>;
  readonly answer: (question: Question, value: unknown) => Promise<void>;
  readonly close: () => Promise<void>;
}

const noUsage = {
  ...{ sessions: 0, requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, money: 0, unpriced: 0 },
  ...{ lowOutput: 0, withoutInput: 0, recordedMoney: 0, recordedCosts: 0, unpricedTerms: 0 },
  ...{ unpricedExtras: 0, doubtedInput: 0 },
};
const noParts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, lost: 0, tools: 0 };

/** A period without a request, of a machine with sessions. */
export const usageOfNothing: UsageResult<'usage'> = {
  days: ['2026-03-05'],
  groups: [],
  total: noUsage,
  before: noUsage,
  parts: { money: noParts, tokens: noParts },
  lostByDay: { money: [0], tokens: [0] },
  known: { projects: 1, agents: 1, sessions: 1 },
};

/** Shows the figures of `period` and the sessions of a day. */
export async function openUsage(period: UsageResult<'usage'>, day: UsageResult<'bar'>): Promise<OpenUsage> {
  const { page, errors } = await openPage('usage', { width: 1280, height: 900 });
  const sent = (): Promise<readonly FromUsagePage[]> => page.evaluate(() => window.fakeHost.sentByUsage);
  const send = (message: ToUsagePage): Promise<void> =>
    page.evaluate(data => window.postMessage(data, '*'), message);
  const isAsked = (message: FromUsagePage, part: string): message is Question =>
    message.type === 'question' && JSON.stringify(message.question).includes(part);
  const asked = async (part: string): Promise<Question> => {
    await page.waitForFunction(
      wanted =>
        window.fakeHost.sentByUsage.some(
          message => message.type === 'question' && JSON.stringify(message.question).includes(wanted),
        ),
      part,
    );
    return (await sent()).findLast(message => isAsked(message, part)) ?? assert.fail();
  };
  const answer = (question: Question, value: unknown): Promise<void> =>
    send({ type: 'answer', id: question.id, ok: true, value });
  await page.waitForFunction(() => window.fakeHost.sentByUsage.length > 0);
  await send({
    type: 'state',
    state: { kind: 'current', files: 3, failed: 0, revision: 1 },
  });
  await answer(await asked('"usage"'), period);
  if (period.total.requests > 0) {
    await answer(await asked('"bar"'), day);
    await page.getByRole('table').waitFor();
  }
  return {
    page,
    send,
    sent,
    asked,
    answer,
    close: async () => {
      const { refused, violations } = await page.evaluate(() => ({
        refused: window.fakeHost.refused,
        violations: window.fakeHost.violations,
      }));
      assert.deepEqual({ refused, violations, errors }, { refused: [], violations: [], errors: [] });
    },
  };
}
