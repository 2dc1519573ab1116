import * as v from 'valibot';
import { type Described, maybeNumber, numbers } from '../base/schema';
import { editOutcomes } from './editOutcome';

/** Kinds of blocks that can show the replaced lines. */
export const evidenceKinds = [
  'reading',
  'ownEdit',
  'editResult',
  'search',
  'shell',
  'note',
  'user',
  'summary',
  'result',
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const staleReasons = ['ownEdit', 'otherAgent', 'outside', 'newerReading'] as const;
export const absenceReasons = ['compaction', 'clearing', 'left', 'otherAgent', 'partly', 'never'] as const;
export const unknownReasons = ['unsaid', 'mayBeNew', 'notSent', 'notRecorded'] as const;

const block = v.number();
/** 1-based numbers of the first and the last line. */
const lines = v.exactOptional(v.tuple([v.number(), v.number()]));

/**
 * The verdict on an edit: was the replaced text in the agent's context?
 * - `seen`: the lines are in `block`, and no known change was made since. `isLoose`: equal except for white space.
 *   `isPieced`: not in one piece; `block` is the newest of the pieces
 * - `stale`: the lines are in `block` of the context, but a later change made them outdated: an edit (`by`), another
 *   agent's edit, a newer reading, or something outside of the record, as the answer to the edit says
 * - `absent`: the context did not contain them. `block` is where they were seen before, `compaction` removed it; `partly`:
 *   the context contained only a part of them
 * - `new`: the edit created a file
 * - `unknown`: the record does not show the replaced text, or if the file existed, or the sent content
 */
const verdict = v.variant('kind', [
  v.object({
    kind: v.literal('seen'),
    from: v.picklist(evidenceKinds),
    block,
    lines,
    isLoose: v.boolean(),
    isPieced: v.boolean(),
  }),
  v.object({
    kind: v.literal('stale'),
    by: v.picklist(staleReasons),
    from: v.picklist(evidenceKinds),
    block,
    lines,
    /** The block that made it stale. */
    changedBy: maybeNumber,
  }),
  v.object({
    kind: v.literal('absent'),
    since: v.picklist(absenceReasons),
    block: maybeNumber,
    compaction: maybeNumber,
  }),
  v.object({ kind: v.literal('new') }),
  v.object({ kind: v.literal('unknown'), why: v.picklist(unknownReasons) }),
]);
export type SightVerdict = Described<typeof verdict>;
export const verdictKinds = ['stale', 'absent', 'unknown', 'seen', 'new'] as const;

/** The edits of one file by one call. Numbers of blocks and requests are those of the session's columns. */
const auditedEdit = v.object({
  block,
  /** The request whose reply made the edit, -1 where it is not recorded. */
  request: v.number(),
  path: v.string(),
  /** The outcome, from the tool's answer. */
  outcome: v.picklist(editOutcomes),
  /** Of several replacements, the worst. */
  verdict,
});
export type AuditedEdit = Described<typeof auditedEdit>;

export const fetchKinds = ['file', 'command', 'search', 'web', 'other'] as const;

/** Something that was fetched again after a compaction or clearing had removed it. */
const fetchedAgain = v.object({
  kind: v.picklist(fetchKinds),
  /** The result, and the one that had been removed. */
  block,
  earlier: block,
  /** Tokens of the call and its result. */
  tokens: v.number(),
  /** Tokens summed over the requests that carried them, read from the cache and not. */
  ...numbers('cached', 'fresh'),
  /** US dollars at list prices; absent if no price is known. */
  money: maybeNumber,
});
export type FetchedAgain = Described<typeof fetchedAgain>;

const afterCompaction = v.object({
  /** Its place in `SessionSummary.compactions`. */
  compaction: v.number(),
  /** In the order in which they were fetched. */
  fetched: v.array(fetchedAgain),
  ...numbers('tokens', 'cached', 'fresh'),
  money: maybeNumber,
});
export type AfterCompaction = Described<typeof afterCompaction>;

export const sightReportSchema = v.object({
  /** In file order. */
  edits: v.array(auditedEdit),
  /** One for each compaction and clearing, in their order. */
  compactions: v.array(afterCompaction),
});
export type SightReport = Described<typeof sightReportSchema>;
