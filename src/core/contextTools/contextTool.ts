import * as v from 'valibot';
import type { Gate } from '../sensitivity/gate';
import type { TranscriptSession } from '../session/transcriptSession';
import type { ContextPicture } from './contextPicture';

/** A session that a tool answers about. */
export interface OpenedSession {
  /** The beginning of its id, with which later questions name it. */
  readonly id: string;
  /** Counted and scanned. */
  readonly session: TranscriptSession;
  /** Knows the secrets of the session, so that it recognises them wherever they stand. */
  readonly gate: Gate;
  /** The conversation in its file: not the main one if the file holds several sessions. */
  readonly conversation: number;
  /** Its file; undefined if it is not on this disk. */
  readonly path?: string | undefined;
}

/** The functions that the tools need from the program around them. */
export interface ToolSources {
  /**
   * Opens the caller's session, or the one whose id begins like this. Rejects with a ToolError if none fits, or if several
   * do.
   */
  readonly open: (id: string | undefined) => Promise<OpenedSession>;
  /** Lines about blocks of all sessions with these words. Rejects with a ToolError. */
  readonly find: (words: string, most: number) => Promise<readonly AnswerLine[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A place that a line of an answer is about. Numbers count from 0. */
export interface AnswerPlace {
  readonly conversation: number;
  /** In the conversation; absent if no request carries the block. */
  readonly request?: number | undefined;
  /** The number of the block in the file. */
  readonly block?: number;
  /** The file of another session than the one that was asked about. */
  readonly path?: string;
}

/**
 * A line of an answer, with the place that it is about if it is about one. In a line of the program, text of the transcript
 * stands between the marks of `recorded`; a line with any other text of it `isRecorded`.
 */
export type AnswerLine =
  | string
  | {
      readonly text: string;
      readonly place?: AnswerPlace | undefined;
      readonly isRecorded?: boolean;
    };

export const lineText = (line: AnswerLine): string => (typeof line === 'string' ? line : line.text);

/** An error that one sentence explains to the caller. */
export class ToolError extends Error {}

/** Maximum length of an id or a name, in UTF-16 units. */
export const longestName = 100;

/** Members that most tools take. */
export const commonParams = {
  session: v.optional(
    v.pipe(v.string(), v.maxLength(longestName), v.description('Session id; default: yours')),
  ),
  page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))),
};

/** A request as people count it, from 1. */
export const requestParam = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.description('1-based; default: newest')),
);

export type ToolParams = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** A question about a context that a model can ask. */
export interface ContextTool {
  readonly name: string;
  readonly title: string;
  /** For the model: when to use it. Every request carries it, so it is short. */
  readonly description: string;
  readonly params: ToolParams;
  /**
   * The lines of the answer, the most important first. They hold names and texts of the transcript: whoever prints them
   * redacts and marks them. Rejects with a ToolError.
   */
  answer(params: unknown, sources: ToolSources): Promise<readonly AnswerLine[]>;
  /** A picture of the answer, if the tool has one; undefined if there is nothing to draw. Rejects with a ToolError. */
  readonly picture?: (params: unknown, sources: ToolSources) => Promise<ContextPicture | undefined>;
}

type Params<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

/** Describes a tool. The parameters are checked before `answer` gets them. */
export function contextTool<const Entries extends v.ObjectEntries>({
  name,
  title,
  description,
  params,
  answer,
  picture,
}: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly params: Entries;
  readonly answer: (params: Params<Entries>, sources: ToolSources) => Promise<readonly AnswerLine[]>;
  readonly picture?: (params: Params<Entries>, sources: ToolSources) => Promise<ContextPicture | undefined>;
}): ContextTool {
  const schema = v.strictObject(params);
  const checked =
    <Result>(work: (params: Params<Entries>, sources: ToolSources) => Promise<Result>) =>
    (given: unknown, sources: ToolSources): Promise<Result> => {
      const read = v.safeParse(schema, given);
      return read.success
        ? work(read.output, sources)
        : Promise.reject(new ToolError(v.summarize(read.issues)));
    };
  return {
    name,
    title,
    description,
    params: schema,
    answer: checked(answer),
    ...(picture === undefined ? {} : { picture: checked(picture) }),
  };
}
