import * as v from 'valibot';
import { cacheReportSchema } from '../core/cache/cacheFinding';
import { sensitiveItems } from '../core/exposure/sensitiveItem';
import { insightsSchema } from '../core/insights/insight';
import { replaySummary } from '../core/prune/replaySummary';
import { renderedSummarySchema, stabilityAnswer } from '../core/questions/answers';
import { blockHits, findQuery, foundPart } from '../core/questions/findQuery';
import { textDifference } from '../core/questions/textDifference';
import { blockImage } from '../core/session/blockImage';
import { blockText } from '../core/session/blockText';
import { sightReportSchema } from '../core/sight/sightReport';
import { planners } from '../core/stability/planWords';
import { wasteKinds } from '../core/waste/wasteKinds';
import { wasteReportSchema } from '../core/waste/wasteReport';
import { foundMoments, foundOptions } from './answers';
import { askOffer } from './askMessages';
import type { QuestionOf, QuestionTable, ResultOf } from './rpc';
import { count, pruneOptions } from './schema';

const atRequest = v.strictObject({ request: count });
/** A prune just before a request. */
const pruneAtRequest = v.strictObject({ request: count, options: pruneOptions });
const nothing = v.strictObject({});

/** Questions of the page that the worker answers. A new one is an entry here, and its answer in src/worker/answers.ts. */
export const sessionQuestions = {
  blockText: {
    params: v.strictObject({ block: count, offset: count, reveal: v.boolean() }),
    result: blockText,
  },
  /** The whole text, to be copied. */
  wholeText: {
    params: v.strictObject({ block: count, reveal: v.boolean() }),
    result: v.object({ text: v.string() }),
  },
  /** The difference of two blocks' texts, masked; absent for a block that one side lacks. */
  textDifference: {
    params: v.strictObject({ before: v.exactOptional(count), after: v.exactOptional(count) }),
    result: textDifference,
  },
  blockImage: { params: v.strictObject({ block: count }), result: blockImage },
  /** A part of a search. It continues where the last part stopped. */
  find: {
    params: v.strictObject({ query: findQuery, request: count, from: count }),
    result: foundPart,
  },
  findInBlock: { params: v.strictObject({ query: findQuery, block: count }), result: blockHits },
  rendered: { params: atRequest, result: renderedSummarySchema },
  stability: {
    params: v.strictObject({ request: count, planner: v.picklist(planners) }),
    result: stabilityAnswer,
  },
  /** The ranked findings of all analyses; if `isQuick`, only those that need little work. */
  insights: {
    params: v.strictObject({ isQuick: v.boolean(), options: pruneOptions }),
    result: insightsSchema,
  },
  cacheReport: { params: nothing, result: cacheReportSchema },
  /** The secrets of the session, by rule and place. The columns show where they were sent. */
  sensitiveItems: { params: nothing, result: sensitiveItems },
  sight: { params: nothing, result: sightReportSchema },
  waste: { params: nothing, result: wasteReportSchema },
  /** The findings as Markdown for copying, without the hidden kinds. */
  wasteText: {
    params: v.strictObject({ hidden: v.array(v.picklist(wasteKinds)) }),
    result: v.object({ text: v.string() }),
  },
  pruneReplay: { params: pruneAtRequest, result: replaySummary },
  bestMoment: { params: pruneAtRequest, result: foundMoments },
  bestOptions: { params: pruneAtRequest, result: foundOptions },
} as const satisfies QuestionTable;

/** Questions of the page that the app answers. A new one is an entry here, and its answer in src/app/transcript/transcriptEditor.ts. */
export const hostQuestions = {
  askOffer: { params: nothing, result: askOffer },
} as const satisfies QuestionTable;

/** All questions of the page. */
export const pageQuestions = { ...sessionQuestions, ...hostQuestions } as const;

export type QuestionName = keyof typeof pageQuestions;
export type Result<Name extends QuestionName> = ResultOf<typeof pageQuestions, Name>;
export type Question = QuestionOf<typeof pageQuestions>;
