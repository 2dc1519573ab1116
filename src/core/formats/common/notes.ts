import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { Compaction, Subagent } from '../../model/transcript';

/** What is known of a compaction; it belongs to thread 0 unless another is named. */
export type CompactionFacts = {
  readonly [Name in Exclude<keyof Compaction, 'request' | 'line'>]?: Compaction[Name] | undefined;
} & Pick<Compaction, 'line'>;

export type CompactionDraft = { -readonly [Name in keyof Compaction]: Compaction[Name] };

/** Adds a compaction that comes before the next request, and returns it, because it may still gain details. */
export function addCompaction(builder: TranscriptBuilder, facts: CompactionFacts): CompactionDraft {
  const { kind = 'compaction', thread = 0, line, trigger, tokensBefore, tokensAfter, contextLength } = facts;
  const compaction: CompactionDraft = {
    kind,
    request: builder.requests.length,
    thread,
    line,
    ...(trigger === undefined ? {} : { trigger }),
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    ...(tokensAfter === undefined ? {} : { tokensAfter }),
    ...(contextLength === undefined ? {} : { contextLength }),
  };
  builder.compactions.push(compaction);
  return compaction;
}

type SubagentFacts = { readonly [Name in keyof Subagent]?: Subagent[Name] | undefined } & Pick<
  Subagent,
  'id'
>;

/** Adds a subagent, or new details of one; an empty description counts as missing. */
export function addSubagent(builder: TranscriptBuilder, facts: SubagentFacts): void {
  const known = builder.subagents.get(facts.id);
  const { id } = facts;
  const thread = facts.thread ?? known?.thread;
  const callId = facts.callId ?? known?.callId;
  const description =
    facts.description === '' ? known?.description : (facts.description ?? known?.description);
  const totalTokens = facts.totalTokens ?? known?.totalTokens;
  builder.subagents.set(id, {
    id,
    ...(thread === undefined ? {} : { thread }),
    ...(callId === undefined ? {} : { callId }),
    ...(description === undefined ? {} : { description }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  });
}
