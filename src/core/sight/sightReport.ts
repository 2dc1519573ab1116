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
 * Whether the agent had in its context what an edit replaced.
 * - `seen`: the lines stand in `block`, and nothing that is known has changed them since. `isLoose`: but for white space.
 *   `isPieced`: not in one piece; `block` is the newest of the pieces
 * - `stale`: the lines stand in `block` of the context, and a later change made them untrue: an edit (`by`), another
 *   agent's edit, a newer reading, or something outside of the record, as the answer to the edit says
 * - `absent`: the context did not hold them. `block` is where they had been seen, `compaction` what removed it; `partly`:
 *   it held a part of them alone
 * - `new`: the edit made a file
 * - `unknown`: the record does not say what was replaced, whether there was a file, or what was sent
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
  /** US dollars at list prices; absent where no price is known. */
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
