import type { SessionColumns } from '../model/columns';
import { type Source, sources } from '../model/source';
import type { RequestView } from './requestView';
import { sourceSums } from './sourceSums';

/** Tokens that a request has more than an earlier one from a source; negative if it has fewer. */
export interface SourceChange {
  readonly source: Source;
  readonly tokens: number;
}

type Side = Pick<RequestView, 'request' | 'offsets' | 'notRecorded' | 'blocks'>;

/**
 * The difference of two requests by source, the largest first. Only blocks that came or went count, so a source whose
 * blocks are the same does not differ, even if the provider's total gives them another share. What came has the tokens
 * of the later request, and what went those of the earlier one. What is not recorded counts beyond its own error.
 */
export function changeBySource(columns: SessionColumns, earlier: Side, later: Side): readonly SourceChange[] {
  const sums = sourceSums(columns);
  const changes = sources.map((source, index): SourceChange => {
    if (source === 'notRecorded') {
      return { source, tokens: hiddenChange(earlier.notRecorded, later.notRecorded) };
    }
    const own = (sums[index]?.[later.request] ?? 0) - (sums[index]?.[earlier.request] ?? 0);
    return { source, tokens: Math.round(own * factorOf(sums, own > 0 ? later : earlier)) };
  });
  return changes
    .filter(({ tokens }) => tokens !== 0)
    .sort((one, other) => Math.abs(other.tokens) - Math.abs(one.tokens));
}

/** Tokens of a request for each token of its blocks, counted alone. */
function factorOf(sums: readonly Float64Array[], { request, offsets, notRecorded, blocks }: Side): number {
  const counted = sums.reduce((sum, column) => sum + (column[request] ?? 0), 0);
  return counted === 0 ? 0 : ((offsets[blocks.length] ?? 0) - notRecorded.value) / counted;
}

function hiddenChange(earlier: Side['notRecorded'], later: Side['notRecorded']): number {
  const change = later.value - earlier.value;
  const error = Math.max(earlier.value * (earlier.error ?? 0), later.value * (later.error ?? 0));
  return Math.abs(change) > error ? change : 0;
}
