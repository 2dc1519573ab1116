import { partitionNames } from '../model/labels';
import type { Compaction, Transcript } from '../model/transcript';

const historyPartition = partitionNames.indexOf('history');

/**
 * For each request the upstream's `frozenPrefixLen`: the number of leading history turns that stay as they are until the
 * next compaction (deepstrike-core 0.2.34, context/renderer.rs). Absent before the first compaction and if nothing has
 * been added since.
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
  const { compactions, contexts } = transcript;
  const ascending = [...compactions.entries()].sort(
    ([, first], [, second]) => first.request - second.request,
  );
  /** By thread, the last in the transcript's order of the compactions so far. */
  const latest = new Map<number, LatestCompaction>();
  let next = 0;
  return transcript.requests.map((request, index) => {
    for (; (ascending[next]?.[1].request ?? Number.POSITIVE_INFINITY) <= index; next += 1) {
      const [place, compaction] = ascending[next] ?? [];
      if (
        compaction !== undefined &&
        place !== undefined &&
        place > (latest.get(compaction.thread)?.place ?? -1)
      ) {
        latest.set(compaction.thread, { place, compaction, turns: new Map() });
      }
    }
    const last = latest.get(request.thread);
    if (last === undefined) {
      return undefined;
    }
    const known = last.turns.get(request.context);
    const turns = known ?? frozenTurns(transcript, contexts[request.context] ?? [], last.compaction);
    if (known === undefined) {
      last.turns.set(request.context, turns);
    }
    return turns;
  });
}

interface LatestCompaction {
  /** Its number among the transcript's compactions. */
  readonly place: number;
  readonly compaction: Compaction;
  /** The turns that it left, by context. */
  readonly turns: Map<number, FrozenTurns>;
}

interface FrozenTurns {
  /** History turns that the compaction itself left. */
  readonly turns: number;
  /** The position in the context of the first history block of a further turn. */
  readonly until: number;
}

/** The compaction left the summary and the kept blocks, or a whole context in which it cleared results. */
function frozenTurns(
  transcript: Transcript,
  context: readonly number[],
  { contextLength }: Compaction,
): FrozenTurns {
  const { messages } = transcript;
  const { message, partition } = transcript.blocks.rows;
  let newestSummary = -1;
  for (const block of context) {
    const number = message[block] ?? -1;
    if (number > newestSummary && messages[number]?.summary === true) {
      newestSummary = number;
    }
  }
  const turns = new Set<number>();
  let until = Number.POSITIVE_INFINITY;
  context.forEach((block, position) => {
    const number = message[block] ?? -1;
    if (partition[block] !== historyPartition || turns.has(number)) {
      return;
    }
    if (contextLength === undefined ? number <= newestSummary : position < contextLength) {
      turns.add(number);
    } else {
      until = Math.min(until, position);
    }
  });
  return { turns: turns.size, until };
}
