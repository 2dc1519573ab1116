import * as v from 'valibot';
import { cacheReportSchema } from '../core/cache/cacheFinding';
import { sensitiveItems } from '../core/exposure/sensitiveItem';
import { replaySummary } from '../core/prune/replaySummary';
import { renderedSummarySchema, stabilityAnswer } from '../core/questions/answers';
import { blockHits, findQuery, foundPart } from '../core/questions/findQuery';
import { blockImage } from '../core/session/blockImage';
import { blockText } from '../core/session/blockText';
import { sightReportSchema } from '../core/sight/sightReport';
import { planners } from '../core/stability/planWords';
import { wasteKinds } from '../core/waste/wasteKinds';
import { wasteReportSchema } from '../core/waste/wasteReport';
import { foundMoments, foundOptions } from './answers';
import { askOffer } from './askMessages';
import { type Described, count, pruneOptions } from './schema';

/** Questions by name, each with the schemas of its parameters and its answer. */
export type QuestionTable = Readonly<
  Record<string, { readonly params: v.GenericSchema; readonly result: v.GenericSchema }>
>;

export type ParamsOf<Table extends QuestionTable, Name extends keyof Table> = Described<
  Table[Name]['params']
>;
export type ResultOf<Table extends QuestionTable, Name extends keyof Table> = v.InferOutput<
  Table[Name]['result']
>;

/** A question of a table, as it is sent. */
export type QuestionOf<Table extends QuestionTable, Name extends keyof Table = keyof Table> = {
  [Each in Name]: { readonly name: Each; readonly params: ParamsOf<Table, Each> };
}[Name];

/** A question of a table whose name is known, and so the type of its answer. */
export type Asked<Table extends QuestionTable, Name extends keyof Table> = QuestionOf<Table, Name> &
  QuestionOf<Table>;

/** An answer for every question of a table; rejects with one sentence that can be shown. */
export type AnswersOf<Table extends QuestionTable, Context> = {
  readonly [Name in keyof Table]: (
    context: Context,
    params: ParamsOf<Table, Name>,
  ) => Described<Table[Name]['result']> | Promise<Described<Table[Name]['result']>>;
};

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
  blockImage: { params: v.strictObject({ block: count }), result: blockImage },
  /** A part of a search; it goes on from where the last part was done. */
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
  cacheReport: { params: nothing, result: cacheReportSchema },
  /** The secrets of the session, by rule and place. Where they were sent follows from the columns. */
  sensitiveItems: { params: nothing, result: sensitiveItems },
  sight: { params: nothing, result: sightReportSchema },
  waste: { params: nothing, result: wasteReportSchema },
  /** The findings as Markdown, to be copied; without those of the hidden kinds. */
  wasteText: {
    params: v.strictObject({ hidden: v.array(v.picklist(wasteKinds)) }),
    result: v.object({ text: v.string() }),
  },
  pruneReplay: { params: pruneAtRequest, result: replaySummary },
  bestMoment: { params: pruneAtRequest, result: foundMoments },
  bestOptions: { params: pruneAtRequest, result: foundOptions },
} as const satisfies QuestionTable;

/** Questions of the page that the host answers. A new one is an entry here, and its answer in src/host/transcriptEditor.ts. */
export const hostQuestions = {
  askOffer: { params: nothing, result: askOffer },
} as const satisfies QuestionTable;

/** All questions of the page. */
export const pageQuestions = { ...sessionQuestions, ...hostQuestions } as const;

export type QuestionName = keyof typeof pageQuestions;
export type Result<Name extends QuestionName> = ResultOf<typeof pageQuestions, Name>;
export type Question = QuestionOf<typeof pageQuestions>;
export type HostQuestion = QuestionOf<typeof hostQuestions>;

/** Answers a question of a table. */
export function answerTo<Table extends QuestionTable, Name extends keyof Table, Context>(
  answers: AnswersOf<Table, Context>,
  context: Context,
  { name, params }: QuestionOf<Table, Name>,
): unknown {
  return answers[name](context, params);
}
