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
import { radarReport } from '../core/radar/radarReport';
import { blockKinds } from '../core/model/block';
import { promptRoles } from '../core/model/labels';
import { quotaWindow } from '../core/model/quota';
import { sources } from '../core/model/source';
import type { UserModels } from '../core/tokens/userModels';
import { readSettings } from '../core/whatIf/settings';
import type { Answer, ParamsOf, QuestionMessage, QuestionTable, ResultOf } from './rpc';
import { fromHost } from './page';
import { count, type Described } from './schema';

/** More hits at once than anybody reads. */
const mostHits = 500;
/** Maximum length of a query, in UTF-16 units. */
const longestQuery = 1000;

/** Forms for saving a table. */
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
    /** Sorted by money, the most first. A session without a file cannot be opened. */
    sessions: v.array(
      v.strictObject({
        file: v.exactOptional(file),
        ...texts('key', 'title', 'agent', 'project'),
        ...numbers('conversation'),
        ...usageSum.entries,
      }),
    ),
  });
/** See QuotaUse. */
const quotasResult = <File extends v.GenericSchema>(file: File) =>
  v.strictObject({
    windows: v.array(
      v.strictObject({
        agent: v.string(),
        ...quotaWindow.entries,
        total: usageSum,
        ...barResult(file).entries,
      }),
    ),
  });

const difference = v.strictObject(numbers('value', 'low', 'high'));
const whatIfFigures = v.strictObject(
  numbers('requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'money'),
);
/** See WhatIfSum. */
const whatIfSum = {
  recorded: whatIfFigures,
  changed: whatIfFigures,
  money: difference,
  tokens: difference,
  unpriced: v.number(),
  lost: v.optional(v.number()),
};
/** See WhatIfAnswer. A row's file is identified by its path for the host, by a number for the page. */
const whatIfResult = <File extends v.GenericSchema>(file: File) =>
  v.strictObject({
    settings: v.array(v.string()),
    assumptions: v.array(v.string()),
    ...numbers('coverage', 'failed'),
    rows: v.array(
      v.strictObject({
        file,
        ...texts('id', 'title', 'agent', 'project'),
        ...numbers('conversation'),
        ...whatIfSum,
        reasons: v.array(
          v.variant('kind', [
            v.strictObject({ kind: v.literal('noUsage') }),
            v.strictObject({ kind: v.literal('setting'), sentence: v.string() }),
          ]),
        ),
        isTold: v.boolean(),
      }),
    ),
    total: v.strictObject({ ...whatIfSum, ...numbers('sessions', 'untold') }),
    best: v.optional(
      v.array(
        v.strictObject({
          settings: v.array(v.string()),
          money: difference,
          tokens: difference,
          lost: v.optional(v.number()),
        }),
      ),
    ),
  });

const foundBlock = {
  /** Texts of the session have passed the gate; empty if not recorded. `project` is a folder. */
  ...texts('id', 'title', 'agent', 'project'),
  /** `request`: the first one that carried the block, 0-based in its conversation; absent if none did. */
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
  /** True if the newest request does not carry the block any more, because of a compaction or a cleared result. */
  removed: v.boolean(),
  /** The first request that no longer carried it, 0-based; absent if it is still carried or no request followed. */
  left: maybeNumber,
  isError: v.boolean(),
  /** Number of other sessions with the same text, such as copies and forks. A minimum if `isLeast`. */
  also: count,
  /** Without credentials; absent if the file can no longer be read. */
  context: v.exactOptional(v.strictObject(texts('before', 'hit', 'after'))),
};
/** A search result. A hit's file is identified by its path for the host, by a number for the page. */
const searchResult = <File extends v.GenericSchema>(file: File) =>
  v.strictObject({
    hits: v.array(v.strictObject({ file, ...foundBlock })),
    /** There are more. */
    hasMore: v.boolean(),
    /** Counts for every source, whatever source was chosen; `isLeast` if counting was stopped. */
    counts: v.strictObject({
      sources: v.array(v.strictObject({ source: v.picklist(sources), count })),
      sessions: count,
      isLeast: v.boolean(),
    }),
    milliseconds: v.number(),
  });

/** The error of a search that a newer one ends. */
export const searchReplaced = (): string => translate('Replaced by a newer search.');

/** The error of what-if that the user stopped, or that a newer one replaces. */
export const whatIfStopped = (): string => translate('Stopped.');

/** The error of a question after the user has deleted the index. */
export const indexDeleted = (): string => translate('The session index was deleted.');

/** The usage of all sessions in the period `week`, which ends today: its first and last day, and sums as in `usage`. */
const weekUsage = v.strictObject({
  ...texts('first', 'last'),
  /** The beginning of the first day, in milliseconds since 1970. */
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
    'unpricedTerms',
    'unpricedExtras',
    'doubtedInput',
  ),
});
export type WeekUsage = Described<typeof weekUsage>;

/** See SessionMarks. */
const sessionMarks = numbers('secrets', 'personal', 'breaks') satisfies Record<
  keyof SessionMarks,
  v.GenericSchema
>;

/** The questions to the index over all sessions. The results are those for the host. */
export const indexQuestions = {
  /** The usage of all sessions in a period that ends today. */
  usage: {
    params: periodWish,
    result: v.strictObject({
      days: v.array(v.string()),
      groups: v.array(
        v.strictObject({
          key: v.string(),
          subagents: v.exactOptional(v.boolean()),
          worktrees: v.exactOptional(v.array(v.strictObject({ key: v.string(), ...usageSum.entries }))),
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
  /** The versions of agents, over all sessions of any time. */
  radar: { params: v.strictObject({}), result: radarReport },
  /** The windows of time with a limit that overlap a period, and the sessions that used them. */
  quotas: { params: v.strictObject({ period: v.picklist(usagePeriods) }), result: quotasResult(v.string()) },
  /** The groups of a period as the text of a file. */
  table: {
    params: v.strictObject({ ...periodWish.entries, form: v.picklist(tableForms) }),
    result: v.string(),
  },
  /** The sessions with usage on a day, as `2026-01-31`. */
  bar: {
    params: v.strictObject({ day: v.string(), stack, group: v.exactOptional(v.string()) }),
    result: barResult(v.string()),
  },
  /** All sessions of a period under other settings. A newer question ends an older one, which fails. */
  whatIf: {
    params: v.strictObject({
      period: v.picklist(usagePeriods),
      /** `NAME=VALUE` */
      settings: v.pipe(
        v.array(v.string()),
        v.check(given => readSettings(given) !== undefined),
      ),
      /** True to search the best settings too. */
      searches: v.boolean(),
    }),
    result: whatIfResult(v.string()),
  },
  /** Finds words in the texts of all sessions, newest session first. A newer search ends an older one, which fails. */
  search: {
    params: v.strictObject({
      /** As on the command line: words, and phrases in quotes. The last word may be the beginning of a word. */
      text: v.pipe(v.string(), v.maxLength(longestQuery)),
      agent: v.exactOptional(v.string()),
      project: v.exactOptional(v.string()),
      role: v.exactOptional(v.picklist(promptRoles)),
      source: v.exactOptional(v.picklist(sources)),
      tool: v.exactOptional(v.string()),
      model: v.exactOptional(v.string()),
      file: v.exactOptional(v.string()),
      isError: v.exactOptional(v.boolean()),
      /** Milliseconds since 1970; `until` is excluded. */
      since: v.exactOptional(v.number()),
      until: v.exactOptional(v.number()),
      most: v.pipe(count, v.maxValue(mostHits)),
    }),
    result: searchResult(v.string()),
  },
  /** The known facts about all sessions, without reading files. The index may be out of date. */
  sessions: {
    params: v.strictObject({}),
    result: v.strictObject({
      week: weekUsage,
      files: v.array(
        v.strictObject({
          /** The path of a file, and its state when it was read: see `stateOf`. */
          ...texts('path', 'state'),
          ...sessionMarks,
        }),
      ),
    }),
  },
  /** The known facts about some files at the time when they were read. Unknown files are left out. */
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
  /** Stores the facts that were read from files for the list. */
  keep: { params: v.strictObject({ read: fromHost<readonly ReadForList[]>() }), result: v.null() },
  /** Deletes the index. */
  delete: { params: v.strictObject({}), result: v.null() },
} as const satisfies QuestionTable;

export type IndexQuestionName = keyof typeof indexQuestions;
export type IndexParams<Name extends IndexQuestionName> = ParamsOf<typeof indexQuestions, Name>;
export type IndexResult<Name extends IndexQuestionName> = Described<(typeof indexQuestions)[Name]['result']>;

/** The same questions for the page: in the results, a session's file has a number. */
export const usageQuestions = {
  usage: indexQuestions.usage,
  radar: indexQuestions.radar,
  whatIf: { params: indexQuestions.whatIf.params, result: whatIfResult(count) },
  bar: { params: indexQuestions.bar.params, result: barResult(count) },
  quotas: { params: indexQuestions.quotas.params, result: quotasResult(count) },
  search: { params: indexQuestions.search.params, result: searchResult(count) },
} as const satisfies QuestionTable;
export type UsageQuestionName = keyof typeof usageQuestions;
export type UsageResult<Name extends UsageQuestionName> = ResultOf<typeof usageQuestions, Name>;

/**
 * The state of the index's data: `revision` grows when usage may have changed; `madeAnew` is the reason why the index
 * was made anew: damage or another version, or a disk that cannot be written, and then it is in memory.
 */
const known = { revision: count, madeAnew: v.optional(v.picklist(['damage', 'unwritable'])) };

/** The current activity of the index over all sessions. */
export const indexState = v.variant('kind', [
  /** Turned off by the setting, or by the environment variable for the folder. */
  v.strictObject({ kind: v.literal('off'), by: v.picklist(['setting', 'variable']) }),
  /** Looks for the files of sessions. */
  v.strictObject({ kind: v.literal('looking'), ...known }),
  /** Reading new files: first the usage of all files, then their words. Bytes. */
  v.strictObject({
    kind: v.literal('reading'),
    what: v.picklist(['usage', 'words']),
    ...numbers('done', 'total'),
    ...known,
  }),
  /** The user has stopped reading. */
  v.strictObject({ kind: v.literal('stopped'), what: v.picklist(['usage', 'words']), ...known }),
  /** Everything was read, except for unreadable files. */
  v.strictObject({ kind: v.literal('current'), ...numbers('files', 'failed'), ...known }),
  v.strictObject({ kind: v.literal('deleted') }),
  v.strictObject({ kind: v.literal('failed'), sentence: v.string() }),
]);
export type IndexState = Described<typeof indexState>;

/** The places to search for sessions, besides the folders of the agents. */
export interface IndexPlaces {
  readonly workspaceFolders: readonly string[];
  /** Folders that the user added. */
  readonly sessionFolders: readonly AddedFolder[];
}

/** The messages to the thread with the index. */
export type ToIndexService =
  /** Applies to every update and question that follows. */
  | { readonly type: 'settings'; readonly places: IndexPlaces; readonly models: UserModels }
  /** Brings the index up to date. It answers with states. */
  | { readonly type: 'update' }
  /** Stops reading. */
  | { readonly type: 'stop' }
  /** Stops what-if. */
  | { readonly type: 'stopPricing' }
  | QuestionMessage<typeof indexQuestions>
  /** Ends the thread after its current write. */
  | { readonly type: 'end' };

/** How many sessions of a what-if are done. */
export const pricingProgress = v.strictObject(numbers('done', 'total'));
export type PricingProgress = Described<typeof pricingProgress>;

export type FromIndexService =
  | Answer
  | { readonly type: 'state'; readonly state: IndexState }
  | { readonly type: 'pricing'; readonly progress: PricingProgress };
