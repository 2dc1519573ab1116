import { defined } from '../../base/defined';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { Compaction, Subagent } from '../../model/transcript';

/** The known facts of a compaction. It belongs to thread 0 unless another thread is named. */
export type CompactionFacts = {
  readonly [Name in Exclude<keyof Compaction, 'request' | 'line'>]?: Compaction[Name] | undefined;
} & Pick<Compaction, 'line'>;

export type CompactionDraft = { -readonly [Name in keyof Compaction]: Compaction[Name] };

/**
 * Adds a compaction that comes before the next request, and returns it, because it may still gain details. A fork does
 * not list the compactions of the session that it continues.
 */
export function addCompaction(builder: TranscriptBuilder, facts: CompactionFacts): CompactionDraft {
  const { kind = 'compaction', thread = 0, ...rest } = facts;
  const compaction: CompactionDraft = { kind, request: builder.requests.length, thread, ...defined(rest) };
  if (builder.hasOwnRequests) {
    builder.compactions.push(compaction);
  }
  return compaction;
}

type SubagentFacts = { readonly [Name in keyof Subagent]?: Subagent[Name] | undefined } & Pick<
  Subagent,
  'id'
>;

/**
 * Adds a subagent, or new details of one; an empty description counts as missing. The agents of the session that a fork
 * continues are that session's.
 */
export function addSubagent(builder: TranscriptBuilder, facts: SubagentFacts): void {
  if (!builder.hasOwnRequests) {
    return;
  }
  builder.subagents.set(facts.id, {
    ...builder.subagents.get(facts.id),
    ...defined({ ...facts, description: facts.description === '' ? undefined : facts.description }),
  });
}
