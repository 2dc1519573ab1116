import * as v from 'valibot';
import { maybeNumber, numbers, texts } from '../core/base/schema';
import { translate } from '../core/base/translate';
import type { AddedFolder } from '../core/finder/pathMapping';
import { sessionDescription, sessionUsage } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import type { ReadForList } from '../core/index/listedSession';
import type { SessionMarks } from '../core/index/sessionMarks';
import { usageLosses } from '../core/index/usageLosses';
import { usageParts, usagePeriods, usageStacks } from '../core/index/usagePeriod';
import { usageFigures } from '../core/index/usageTypes';
import { blockKinds } from '../core/model/block';
import { promptRoles } from '../core/model/labels';
import { sources } from '../core/model/source';
import type { UserModels } from '../core/tokens/userModels';
import type { Answer, ParamsOf, QuestionMessage, QuestionTable, ResultOf } from './rpc';
import { fromHost } from './page';
import { count, type Described } from './schema';

/** More hits at once than anybody reads. */
const mostHits = 500;
/** UTF-16 units of what is looked for. */
const longestQuery = 1000;

/** Forms of a table that is saved. */
export const tableForms = ['csv', 'json'] as const;

const usageSum = v.strictObject({ ...numbers(...usageFigures), losses: v.exactOptional(usageLosses) });
const stack = v.picklist(usageStacks);
const periodWish = v.strictObject({
  period: v.picklist(usagePeriods),
  stack,
  subagents: v.picklist(['together', 'apart']),
});
const periodParts = v.strictObject(numbers(...usageParts));
/** An address of a row in an answer: for the host the path of a session's file, for the page a number. */
const barResult = <File extends v.GenericSchema>(file: File) =>
  v.strictObject({
    /** Those with the most money first. A session without a file cannot be opened. */
    sessions: v.array(
      v.strictObject({
        file: v.exactOptional(file),
        ...texts('key', 'title', 'agent', 'project'),
        ...numbers('conversation'),
        ...usageSum.entries,
      }),
    ),
  });

const foundBlock = {
  /** Texts of the session have passed the gate; empty where not recorded. `project` is a folder. */
  ...texts('id', 'title', 'agent', 'project'),
  /** `request`: the first one that carried the block, 0-based in its conversation; absent where none did. */
  ...numbers('conversation', 'block', 'line'),
  request: maybeNumber,
  kind: v.picklist(blockKinds),
  role: v.picklist(promptRoles),
  source: v.picklist(sources),
  tool: v.exactOptional(v.string()),
  /** The file that the block is about. */
  path: v.exactOptional(v.string()),
  /** See `lastUsed`; milliseconds since 1970. */
  lastUsed: v.number(),
  /** The newest request does not carry the block any more: a compaction or a cleared result took it out. */
  removed: v.boolean(),
  /** The first request that no longer carried it, 0-based; absent where it is carried, or none followed. */
  left: maybeNumber,
  isError: v.boolean(),
  /** Other sessions with the same text, as copies and forks have it; at least these where `isLeast`. */
  also: count,
  /** Without credentials; absent where the file cannot be read any more. */
  context: v.exactOptional(v.strictObject(texts('before', 'hit', 'after'))),
};
/** Names the file of a hit: for the host its path, for the page a number. */
const searchResult = <File extends v.GenericSchema>(file: File) =>
  v.strictObject({
    hits: v.array(v.strictObject({ file, ...foundBlock })),
    /** There are more. */
    hasMore: v.boolean(),
    /** Of every source, whatever source was asked for; `isLeast` where it was not counted to the end. */
    counts: v.strictObject({
      sources: v.array(v.strictObject({ source: v.picklist(sources), count })),
      sessions: count,
      isLeast: v.boolean(),
    }),
    milliseconds: v.number(),
  });

/** Why a search fails that a newer one ends. */
export const searchReplaced = (): string => translate('Replaced by a newer search.');

/** Why a question fails after the user has deleted the index. */
export const indexDeleted = (): string => translate('The session index was deleted.');

/** What all sessions used in the period `week`, which ends today: its first and last day, and sums as of `usage`. */
const weekUsage = v.strictObject({
  ...texts('first', 'last'),
  /** When the first day began, in milliseconds since 1970. */
  since: v.number(),
  ...numbers(
    'sessions',
    'requests',
    'money',
    'unpriced',
    'lowOutput',
    'withoutInput',
    'recordedMoney',
    'recordedCosts',
  ),
});
export type WeekUsage = Described<typeof weekUsage>;

/** See SessionMarks. */
const sessionMarks = numbers('secrets', 'personal', 'breaks') satisfies Record<
  keyof SessionMarks,
  v.GenericSchema
>;

/** What can be asked of the index over all sessions. The results are those for the host. */
export const indexQuestions = {
  /** What all sessions used in a period that ends today. */
  usage: {
    params: periodWish,
    result: v.strictObject({
      days: v.array(v.string()),
      groups: v.array(
        v.strictObject({
          key: v.string(),
          subagents: v.exactOptional(v.boolean()),
          ...usageSum.entries,
          moneyByDay: v.array(v.number()),
          tokensByDay: v.array(v.number()),
        }),
      ),
      total: usageSum,
      before: usageSum,
      parts: v.strictObject({ money: periodParts, tokens: periodParts }),
      lostByDay: v.strictObject({ money: v.array(v.number()), tokens: v.array(v.number()) }),
      known: v.strictObject(numbers('projects', 'agents', 'sessions')),
    }),
  },
  /** The groups of a period as the text of a file. */
  table: {
    params: v.strictObject({ ...periodWish.entries, form: v.picklist(tableForms) }),
    result: v.string(),
  },
  /** The sessions that used something on a day, as `2026-01-31`. */
  bar: {
    params: v.strictObject({ day: v.string(), stack, group: v.exactOptional(v.string()) }),
    result: barResult(v.string()),
  },
  /** Words in the texts of all sessions, those of the newest session first. A newer search ends an older one, which fails. */
  search: {
    params: v.strictObject({
      /** As the command line takes it: words, and phrases in quotes; the last word may be the beginning of one. */
      text: v.pipe(v.string(), v.maxLength(longestQuery)),
      agent: v.exactOptional(v.string()),
      project: v.exactOptional(v.string()),
      role: v.exactOptional(v.picklist(promptRoles)),
      source: v.exactOptional(v.picklist(sources)),
      tool: v.exactOptional(v.string()),
      model: v.exactOptional(v.string()),
      file: v.exactOptional(v.string()),
      isError: v.exactOptional(v.boolean()),
      /** Milliseconds since 1970; `until` itself is left out. */
      since: v.exactOptional(v.number()),
      until: v.exactOptional(v.number()),
      most: v.pipe(count, v.maxValue(mostHits)),
    }),
    result: searchResult(v.string()),
  },
  /** What is known of all sessions, without looking for anything new: asked of an index that may not be up to date. */
  sessions: {
    params: v.strictObject({}),
    result: v.strictObject({
      week: weekUsage,
      files: v.array(
        v.strictObject({
          /** Its path, and its state when it was read: see `stateOf`. */
          ...texts('path', 'state'),
          ...sessionMarks,
        }),
      ),
    }),
  },
  /** What is known of some files, as they were when they were read: without those of which nothing is known. */
  listed: {
    params: v.strictObject({ files: fromHost<readonly SessionFile[]>() }),
    result: v.array(
      v.strictObject({
        ...texts('path', 'state'),
        description: sessionDescription,
        usage: sessionUsage,
      }),
    ),
  },
  /** Keeps what was read of files for the list. */
  keep: { params: v.strictObject({ read: fromHost<readonly ReadForList[]>() }), result: v.null() },
  /** Deletes the index. */
  delete: { params: v.strictObject({}), result: v.null() },
} as const satisfies QuestionTable;

export type IndexQuestionName = keyof typeof indexQuestions;
export type IndexParams<Name extends IndexQuestionName> = ParamsOf<typeof indexQuestions, Name>;
export type IndexResult<Name extends IndexQuestionName> = Described<(typeof indexQuestions)[Name]['result']>;

/** The same as the page asks it: a session's file has a number in the results. */
export const usageQuestions = {
  usage: indexQuestions.usage,
  bar: { params: indexQuestions.bar.params, result: barResult(count) },
  search: { params: indexQuestions.search.params, result: searchResult(count) },
} as const satisfies QuestionTable;
export type UsageQuestionName = keyof typeof usageQuestions;
export type UsageResult<Name extends UsageQuestionName> = ResultOf<typeof usageQuestions, Name>;

/** What is known at a time: `revision` grows when usage may be another, `madeAnew` after damage or with another version. */
const known = { revision: count, madeAnew: v.boolean() };

/** What the index over all sessions is doing. */
export const indexState = v.variant('kind', [
  /** Turned off by the setting, or by the variable of the environment that names the folder. */
  v.strictObject({ kind: v.literal('off'), by: v.picklist(['setting', 'variable']) }),
  /** Looks for the files of sessions. */
  v.strictObject({ kind: v.literal('looking'), ...known }),
  /** Reads what is new: at first the usage of all files, then their words. Bytes. */
  v.strictObject({
    kind: v.literal('reading'),
    what: v.picklist(['usage', 'words']),
    ...numbers('done', 'total'),
    ...known,
  }),
  /** The user has stopped reading. */
  v.strictObject({ kind: v.literal('stopped'), what: v.picklist(['usage', 'words']), ...known }),
  /** Everything was read, but for the files that could not be. */
  v.strictObject({ kind: v.literal('current'), ...numbers('files', 'failed'), ...known }),
  v.strictObject({ kind: v.literal('deleted') }),
  v.strictObject({ kind: v.literal('failed'), sentence: v.string() }),
]);
export type IndexState = Described<typeof indexState>;

/** Where sessions are looked for, besides the folders of the agents. */
export interface IndexPlaces {
  readonly workspaceFolders: readonly string[];
  /** Folders that the user added. */
  readonly sessionFolders: readonly AddedFolder[];
}

/** What the thread with the index is told. */
export type ToIndexService =
  /** Applies to every update and question that follows. */
  | { readonly type: 'settings'; readonly places: IndexPlaces; readonly models: UserModels }
  /** Brings the index up to date. What it says of that are states. */
  | { readonly type: 'update' }
  /** Stops reading. */
  | { readonly type: 'stop' }
  | QuestionMessage<typeof indexQuestions>
  /** Ends the thread when it has written what it is writing. */
  | { readonly type: 'end' };

export type FromIndexService = Answer | { readonly type: 'state'; readonly state: IndexState };
