import * as v from 'valibot';
import { maybeNumber } from '../core/base/schema';
import { count, type Described } from './schema';

/** A question of a person or a model: the name of a tool in src/core/contextTools, and parameters that it checks. */
export const toolQuestion = {
  name: v.string(),
  params: v.unknown(),
  /** The folders of the workspace, absolute, and the time when the window was opened: they tell which session is meant. */
  folders: v.array(v.string()),
  started: v.number(),
};

/** The answer of a tool, without secrets and control characters. */
export const toolAnswer = v.strictObject({
  /** The page that the parameters ask for, as a model gets it: at most 500 tokens. */
  text: v.string(),
  /** True for a sentence about what the caller can do better, for example name the session. */
  isError: v.boolean(),
  /** The beginning of the answer, as people get it. */
  lines: v.array(
    v.strictObject({
      text: v.string(),
      /** See AnswerPlace. */
      place: v.exactOptional(
        v.strictObject({
          conversation: count,
          request: maybeNumber,
          block: maybeNumber,
          path: v.exactOptional(v.string()),
        }),
      ),
    }),
  ),
  /** Number of further lines. */
  more: count,
  /** The file of the session; absent if none was opened, or if it is not on this disk. */
  path: v.exactOptional(v.string()),
});
export type ToolAnswer = Described<typeof toolAnswer>;
export type AnswerLine = ToolAnswer['lines'][number];
