import { formatNumber } from '../../src/core/base/format';
import { sourceWords } from '../../src/core/drawing/drawingWords';
import { type Source, sources } from '../../src/core/model/source';
import { moveFocus } from '../controls/moveFocus';
import { searchWords as words } from '../words/search';
import { type SearchFilters, setFilters } from './searchFilters';
import type { FoundHits } from './searchFilters';

interface ChipsProps {
  readonly counts: FoundHits['counts'] | undefined;
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
}

/** The number of hits from each source. The user can choose one source. */
export function SearchChips({ counts, filters, onChange }: ChipsProps) {
  if (counts === undefined) {
    return undefined;
  }
  const found = new Map(counts.sources.map(({ source, count }) => [source, count]));
  const total = counts.sources.reduce((sum, { count }) => sum + count, 0);
  const more = counts.isLeast ? '+' : '';
  const shown = sources.filter(source => found.has(source) || source === filters.source);
  const chip = (source: Source | undefined, name: string, count: number) => (
    <button
      key={name}
      type="button"
      className="all-search__chip bare switch small"
      aria-pressed={filters.source === source}
      onClick={() => onChange(setFilters({ ...filters, source }))}
    >
      {name} <span className="tabular">{`${formatNumber(count)}${more}`}</span>
    </button>
  );
  return (
    <div className="row wraps gap-6" role="toolbar" aria-label={words.origin} onKeyDown={moveFocus}>
      {chip(undefined, words.all, total)}
      {shown.map(source => chip(source, sourceWords[source], found.get(source) ?? 0))}
    </div>
  );
}
