/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CacheReport } from '../../src/core/cache/cacheFinding';
import type { Session } from '../../src/core/model/columns';
import type { RenderedSummary, StabilityAnswer } from '../../src/core/questions/answers';
import type { BlockText } from '../../src/core/session/blockText';
import type { Planner } from '../../src/core/stability/planWords';
import { rowsOf } from '../../src/core/view/textRows';
import type { FromInspector, ToInspector } from '../../src/protocol/inspectorPage';
import { packColumns } from '../../src/protocol/packedColumns';
import type { pageQuestions, Result } from '../../src/protocol/questions';
import { type AnswersOf, answerTo, postAnswer } from '../../src/protocol/rpc';
import { openPage, type PageOptions } from './pages';

interface OpenOptions extends PageOptions {
  /** Answers that replace the empty ones. */
  readonly answers?: Partial<Answers>;
}

/** An answer for each question of the page. */
export type Answers = AnswersOf<typeof pageQuestions, undefined>;

/** A page with the webview in it, and the test's access to the host's side. */
export interface OpenInspector {
  readonly page: Page;
  readonly send: (message: ToInspector) => Promise<void>;
  readonly show: (session: Session, pending?: 'measuring') => Promise<void>;
  readonly sent: () => Promise<readonly FromInspector[]>;
  readonly violations: () => Promise<readonly string[]>;
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
}

export const plainText = (text: string): BlockText => ({
  segments: [{ text }],
  ...rowsOf(text),
  rows: [...rowsOf(text).rows],
  start: 0,
  end: text.length,
  characters: text.length,
  page: 0,
  pages: 1,
  findings: [],
  irHash: `sha256:${'0'.repeat(64)}`,
});

const emptyCacheReport: CacheReport = {
  findings: [],
  causes: [],
  diagnostics: {},
  boundaries: [],
  input: { read: 0, written: 0, fresh: 0 },
  lost: { tokens: 0 },
  conservation: { checked: 0, kept: 0 },
  agreement: { compared: 0, agreeing: 0 },
};

const emptyStability = (request: number, planner: Planner): StabilityAnswer => ({
  planner,
  report: {
    request,
    observed: [request],
    spans: [],
    stablePrefixBlocks: 0,
    stablePrefixTokens: 0,
    notRecordedTokens: 0,
    plan: { ok: false, reason: 'noReuse' },
  },
  layout: { request, early: [], frozen: 0, frozenStateLast: 0, frozenFourSlots: 0 },
});

const rendered: RenderedSummary = {
  turns: 131,
  stateTurn: [{ text: 'PLAN: repair the parser 6/7\nSIGNALS: lint after edit' }],
  frozenPrefixLen: 4,
  systemStableHash: 'cbf29ce484222325',
  systemKnowledgeHash: '9ae16a3b2f90404f',
  extendsPrevious: true,
  commonTurnPrefix: 129,
  irBlocks: 142,
  sourceRequestHash: `sha256:${'4b7e'.repeat(16)}`,
};

const oneFinding: Result<'waste'> = {
  findings: [
    {
      kind: 'noisyOutput',
      detail: 'vitest',
      tokens: 800,
      requests: 20,
      perRequest: 800,
      cached: 15_000,
      fresh: 1_000,
      money: 0.25,
      quality: 'calibrated',
      error: 0.1,
      sent: 0,
      called: 0,
      count: 1,
      blocks: [{ block: 3, evidence: -1, since: 1, tokens: 800, carried: 16_000 }],
    },
  ],
  saved: { cached: 15_000, fresh: 1_000, money: 0.25 },
  input: { cached: 150_000, fresh: 10_000, money: 2.5 },
  requests: 20,
  unpriced: 0,
};

const usualAnswers: Answers = {
  rendered: () => rendered,
  stability: (_, { request, planner }) => emptyStability(request, planner),
  cacheReport: () => emptyCacheReport,
  insights: () => ({ found: [], below: 0, unpriced: '', isComplete: true }),
  sensitiveItems: () => [],
  sight: () => ({ edits: [], compactions: [] }),
  waste: () => oneFinding,
  wasteText: () => ({ text: 'Waste' }),
  pruneReplay: () => ({ requests: 1, prunes: 0, unit: 'dollars', asSent: [0], pruned: [0] }),
  bestMoment: () => ({ ranked: [], considered: 0, unpriced: 0 }),
  bestOptions: () => ({ ranked: [], considered: 0, unpriced: 0 }),
  blockText: (_, { block }) => plainText(`text of block ${block}`),
  textDifference: () => ({ lines: [], changed: 0, before: 0, after: 0, left: 0 }),
  wholeText: (_, { block }) => ({ text: `text of block ${block}` }),
  blockImage: () => {
    throw new Error('There is no picture.');
  },
  // Every block has one hit.
  find: () => ({
    blocks: Array.from({ length: 200 }, (_, block) => ({ block, hits: 1, isNamed: false })),
    done: 200,
    total: 200,
  }),
  findInBlock: () => ({ hits: [{ start: 0, end: 4 }] }),
  askOffer: () => ({ providers: [] }),
};

/** Chooses the colour mode of the drawing. */
export async function chooseColours(page: Page, mode: string): Promise<void> {
  await page.getByRole('button', { name: /^Colour: / }).click();
  await page.getByRole('radio', { name: mode, exact: true }).check();
  await page.keyboard.press('Escape');
}

/** Takes what the open page sends. */
let take: (message: FromInspector) => void = () => undefined;

export async function openInspector({ answers: own, ...options }: OpenOptions = {}): Promise<OpenInspector> {
  const answers: Answers = { ...usualAnswers, ...own };
  const { page, errors, opening } = await openPage('', options, opened =>
    opened.exposeFunction('noteSent', (message: FromInspector) => take(message)),
  );
  const send = async (message: ToInspector): Promise<void> => {
    const hasColumns = message.type === 'session' || message.type === 'update';
    const buffer = hasColumns ? Buffer.from(message.columns.buffer).toString('base64') : undefined;
    const plain = hasColumns ? { ...message, columns: { ...message.columns, buffer: undefined } } : message;
    await page.evaluate(([data, bytes, known]) => window.fakeHost.send(data, bytes, known), [
      { ...plain },
      buffer,
      opening,
    ] as const);
  };
  // Answers questions like the host.
  take = message => {
    if (message.type === 'question') {
      const { id, question } = message;
      postAnswer(
        id,
        () => answerTo(answers, undefined, question),
        result => {
          send(result).catch(() => undefined);
        },
        error => (error instanceof Error ? error.message : String(error)),
      );
    }
  };

  return {
    page,
    send,
    show: async ({ summary, columns }, pending) => {
      await send({
        type: 'session',
        revision: 1,
        fileName: 'session.jsonl',
        summary,
        columns: packColumns(columns),
        ...(pending === undefined ? {} : { pending }),
      });
      await page.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
    },
    sent: () => page.evaluate(() => window.fakeHost.sent),
    violations: () => page.evaluate(() => window.fakeHost.violations),
    errors,
    close: async () => {
      const refused = await page.evaluate(() => window.fakeHost.refused);
      assert.deepEqual(refused, [], 'the host would refuse what the page sent');
    },
  };
}
