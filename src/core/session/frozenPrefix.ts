import type { Compaction, Transcript } from '../model/transcript';

/**
 * For each request the upstream's `frozenPrefixLen`: the number of leading history turns that stay as they are until
 * the next compaction (deepstrike-core 0.2.34, context/renderer.rs). Absent before the first compaction and where
 * nothing has been added since.
 */
export function frozenPrefixLengths(transcript: Transcript): readonly (number | undefined)[] {
  return frozenByRequest(transcript).map((frozen, index) =>
    frozen !== undefined && frozen.turns > 0 && (transcript.requests[index]?.length ?? 0) > frozen.until
      ? frozen.turns
      : undefined,
  );
}

/** For each request the length of the history right after the last compaction; absent before the first. */
export function frozenHistoryLengths(transcript: Transcript): readonly (number | undefined)[] {
  return frozenByRequest(transcript).map(frozen => frozen?.turns);
}

function frozenByRequest(transcript: Transcript): readonly (FrozenTurns | undefined)[] {
  const known = new Map<string, FrozenTurns>();
  return transcript.requests.map((request, index) => {
    const last = transcript.compactions.findLast(
      compaction => compaction.thread === request.thread && compaction.request <= index,
    );
    if (last === undefined) {
      return undefined;
    }
    const key = `${last.line}:${request.context}`;
    const frozen =
      known.get(key) ?? frozenTurns(transcript, transcript.contexts[request.context] ?? [], last);
    known.set(key, frozen);
    return frozen;
  });
}

interface FrozenTurns {
  /** History turns that the compaction itself left. */
  readonly turns: number;
  /** The position in the context of the first history block of a further turn. */
  readonly until: number;
}

/** The compaction left the summary and what it kept, or all of a context in which it cleared results. */
function frozenTurns(
  transcript: Transcript,
  context: readonly number[],
  { contextLength }: Compaction,
): FrozenTurns {
  const isSummary = (message: number): boolean => transcript.messages[message]?.summary === true;
  const newestSummary = context.reduce((newest, block) => {
    const message = transcript.blocks.at(block)?.message ?? -1;
    return isSummary(message) ? Math.max(newest, message) : newest;
  }, -1);
  const turns = new Set<number>();
  let until = Number.POSITIVE_INFINITY;
  context.forEach((number, position) => {
    const block = transcript.blocks.at(number);
    if (block?.partition !== 'history' || turns.has(block.message)) {
      return;
    }
    if (contextLength === undefined ? block.message <= newestSummary : position < contextLength) {
      turns.add(block.message);
    } else {
      until = Math.min(until, position);
    }
  });
  return { turns: turns.size, until };
}
