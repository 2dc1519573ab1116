import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { clamp } from '../../src/core/base/numbers';
import type { ShownPlace } from '../../src/protocol/shownPlace';
import type { IndexState } from '../../src/protocol/indexService';
import { Button } from '../controls/Button';
import { SearchField } from '../controls/SearchField';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { searchWords as words } from '../words/search';
import { SearchChips } from './SearchChips';
import { type FoundHit, type FoundHits, hasFilters, questionOf } from './searchFilters';
import { SearchFields } from './SearchFields';
import { hitId, SearchHits } from './SearchHits';
import type { Usage } from './usageState';

/** Number of hits requested at first, added with each further step, and at most. */
const step = 50;
const mostHits = 500;
/** The search begins after this pause in typing, in milliseconds. */
const typingPause = 120;
/** While sessions are read, the search is repeated after each of this many parts. */
const readingParts = 10;
/** Number of hits that Page Up and Page Down skip. */
const pageStep = 8;

/** The search in all sessions. The field keeps the focus while keys walk through the hits, as in a combo box (ARIA 1.2). */
export function SearchColumn({ usage }: { readonly usage: Usage }) {
  const index = useSelected(usage.store, state => state.index);
  const searches = useSelected(usage.store, state => state.searches);
  const isPage = useSelected(usage.store, state => state.view.part === 'search');
  const query = useSelected(usage.store, state => state.view.query);
  const filters = useSelected(usage.store, state => state.view.filters);
  const [most, setMost] = useState(step);
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const isWanted = query.trim() !== '' || hasFilters(filters);
  const { answer, last, isPending } = useAnswerOf(
    usage.ask,
    isWanted ? { name: 'search', params: questionOf(query, filters, most) } : undefined,
    { since: stateKey(index), pause: typingPause },
  );
  const found = isWanted ? last : undefined;
  // oxlint-disable-next-line react/purity -- the moment of the answer, for the ages of its hits
  const time = useMemo(() => (found === undefined ? 0 : Date.now()), [found]);
  const hits = found?.hits ?? [];
  useEffect(() => {
    if (searches > 0) {
      field.current?.focus({ preventScroll: true });
      field.current?.select();
    }
  }, [searches]);
  const change = (next: Parameters<Usage['changeView']>[0]): void => {
    setActive(-1);
    setMost(step);
    usage.changeView(next);
  };
  const open = (hit: FoundHit | undefined): void => {
    if (hit !== undefined) {
      usage.open(hit.file, placeOfHit(hit));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = hits.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + pageStep,
      PageUp: active - pageStep,
    };
    const target = targets[event.key];
    if (target !== undefined && last >= 0) {
      event.preventDefault();
      const next = clamp(target, 0, last);
      setActive(next);
      document.getElementById(hitId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(hits[Math.max(0, active)]);
    } else if (event.key === 'Escape' && query !== '') {
      event.stopPropagation();
      change({ query: '' });
    }
  };
  return (
    <aside className="usage__search" aria-label={words.title}>
      <div className="all-search__head stack">
        {!isPage && <h2 className="all-search__title">{words.title}</h2>}
        <SearchField
          field={field}
          name={words.title}
          placeholder={words.field}
          longest={1000}
          clearName={words.clear}
          value={query}
          combobox={{
            'aria-expanded': hits.length > 0,
            'aria-controls': 'all-search-results',
            'aria-autocomplete': 'list',
            ...(active >= 0 && active < hits.length ? { 'aria-activedescendant': hitId(active) } : {}),
          }}
          onChange={text => change({ query: text })}
          onKeyDown={onKeyDown}
        />
        <SearchChips counts={found?.counts} filters={filters} onChange={next => change({ filters: next })} />
        <SearchFields filters={filters} onChange={next => change({ filters: next })} />
      </div>
      <IndexNotice index={index} usage={usage} />
      <div className="all-search__results" aria-busy={isWanted && isPending}>
        {!isWanted && <p className="muted all-search__text">{words.hint}</p>}
        {answer.kind === 'failed' && <p className="all-search__text">{answer.sentence}</p>}
        {found !== undefined && hits.length === 0 && (
          <p className="muted all-search__text">{words.nothing}</p>
        )}
        <SearchHits
          hits={hits}
          isLeast={found?.counts.isLeast === true}
          active={active}
          now={time}
          onOpen={open}
        />
        {found?.hasMore === true && most < mostHits && (
          <div className="all-search__text">
            <Button appearance="secondary" onPress={() => setMost(Math.min(mostHits, most + 2 * step))}>
              {words.more}
            </Button>
          </div>
        )}
      </div>
      <p className="all-search__foot row apart muted fine">
        <span className="row gap-6 tabular">
          <span role="status">{found === undefined || hits.length === 0 ? '' : countText(found)}</span>
          {found !== undefined && <span>{words.took(Math.round(found.milliseconds))}</span>}
        </span>
        {hits.length > 0 && (
          <span>
            <kbd>↵</kbd> {words.opens}
          </span>
        )}
      </p>
    </aside>
  );
}

function countText({ counts }: FoundHits): string {
  const places = counts.sources.reduce((sum, { count }) => sum + count, 0);
  return counts.isLeast ? words.placesAtLeast(places) : words.places(places, counts.sessions);
}

/** The place of a hit: a block of a request, or of the newest request if none carried it. */
function placeOfHit({ conversation, request, block }: FoundHit): ShownPlace {
  return { conversation, blockNumber: block, ...(request === undefined ? {} : { request }) };
}

/** Says why a search may be incomplete. */
function IndexNotice({ index, usage }: { readonly index: IndexState | undefined; readonly usage: Usage }) {
  const notice = noticeOf(index);
  return (
    <div className="all-search__notice fine" role="status" hidden={notice === ''}>
      {notice}{' '}
      {index?.kind === 'stopped' && (
        <Button appearance="secondary" onPress={() => usage.act('update')}>
          {words.goOn}
        </Button>
      )}
    </div>
  );
}

/** Changes whenever the same search may find more. */
function stateKey(index: IndexState | undefined): string {
  if (index?.kind === 'reading') {
    return `${index.what} ${Math.floor((index.done / Math.max(1, index.total)) * readingParts)}`;
  }
  return index?.kind === 'current' ? `current ${index.revision}` : (index?.kind ?? '');
}

function noticeOf(index: IndexState | undefined): string {
  switch (index?.kind) {
    case 'looking':
      return words.waiting;
    case 'reading':
      return index.what === 'usage' ? words.waiting : words.partial(index.done / Math.max(1, index.total));
    case 'stopped':
      return words.stopped;
    case 'current':
    case 'deleted':
    case 'failed':
    case 'off':
    case undefined:
      return '';
  }
}
