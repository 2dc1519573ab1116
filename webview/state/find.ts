import { useEffect, useState } from 'react';
import type { SessionColumns } from '../../src/core/model/columns';
import type { FindQuery } from '../../src/core/questions/findQuery';
import type { RequestView } from '../../src/core/view/requestView';
import { goToRequest } from './cacheReport';
import { type FindResult, type FindState, type FoundBlock, type HitPlace, noFind } from './findState';
import { type Inspector, useInspector } from './inspector';
import { memoise } from './store';

/** The search begins after this pause in typing. */
const typingMilliseconds = 150;

/** The query; undefined if it is empty. */
export function queryOf({
  isOpen,
  text,
  isRegex,
  matchesCase,
}: FindQuery & { readonly isOpen: boolean }): FindQuery | undefined {
  return isOpen && text.trim() !== '' ? { text, isRegex, matchesCase } : undefined;
}

/** Searches the session whenever the query changes or blocks are added, part by part, the request in view first. */
export function useSearch(query: FindQuery | undefined, columns: SessionColumns, view: RequestView): void {
  const { ask, store } = useInspector();
  const { length } = columns.blocks.role;
  const written = JSON.stringify(query);
  const { request } = view;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const show = (find: Partial<FindState>): void =>
      store.update(state => ({ ...state, find: { ...state.find, ...find } }));
    if (query === undefined) {
      show(noFind);
      return undefined;
    }
    let isCurrent = true;
    const search = async (): Promise<void> => {
      const found = new Map<number, FoundBlock>();
      for (let from = 0, isDone = false; !isDone;) {
        const { blocks, done, total, sentence } = await ask({
          name: 'find',
          params: { query, request, from },
        });
        if (!isCurrent) {
          return;
        }
        for (const entry of blocks) {
          found.set(entry.block, entry);
        }
        isDone = done >= total || sentence !== undefined;
        from = done;
        if (JSON.stringify(store.get().find.result?.query) !== written) {
          show({ current: undefined });
        }
        show({ result: { query, found, isDone, sentence, retry: undefined } });
      }
    };
    const timer = window.setTimeout(() => {
      search().catch((error: unknown) => {
        if (isCurrent) {
          const sentence = error instanceof Error ? error.message : String(error);
          const retry = (): void => setAttempt(number => number + 1);
          show({ result: { query, found: new Map(), isDone: true, sentence, retry } });
        }
      });
    }, typingMilliseconds);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
    // The whole session is searched, so selecting another request needs no new search.
  }, [ask, store, written, length, attempt]);
}

/** The found blocks in the order of stepping, and the number of hits before each. */
export interface HitOrder {
  readonly blocks: readonly FoundBlock[];
  /** One element longer than blocks. */
  readonly before: readonly number[];
  readonly count: number;
}

const hitsOf = ({ hits }: FoundBlock): number => Math.max(1, hits);

/** The blocks of the request in wire order, or the blocks of the session in file order. */
export const hitOrder = memoise(
  (result: FindResult, view: RequestView, isWholeSession: boolean): HitOrder => {
    const blocks: FoundBlock[] = [];
    for (const block of isWholeSession
      ? [...result.found.keys()].sort((one, other) => one - other)
      : view.blocks) {
      const found = result.found.get(block);
      if (found !== undefined) {
        blocks.push(found);
      }
    }
    const before = [0];
    for (const found of blocks) {
      before.push((before.at(-1) ?? 0) + hitsOf(found));
    }
    return { blocks, before, count: before.at(-1) ?? 0 };
  },
  2,
);

/** All hits of the session. */
export const hitCount = memoise((result: FindResult): number => {
  let count = 0;
  for (const found of result.found.values()) {
    count += hitsOf(found);
  }
  return count;
});

/** The number of the current hit, from 0; undefined if it is not in the list. */
export function placeOf({ blocks, before }: HitOrder, current: HitPlace | undefined): number | undefined {
  const index = current === undefined ? -1 : blocks.findIndex(({ block }) => block === current.block);
  return current === undefined || index < 0 ? undefined : (before[index] ?? 0) + current.hit;
}

/** The next hit after the current one. Without a current hit, after the selected block. */
export function hitBeside(
  order: HitOrder,
  current: HitPlace | undefined,
  selected: number | undefined,
  step: 1 | -1,
): HitPlace | undefined {
  const { blocks, count } = order;
  if (count === 0) {
    return undefined;
  }
  const place = current?.block === selected ? placeOf(order, current) : undefined;
  const own = blocks.findIndex(({ block }) => block === selected);
  const next =
    place !== undefined ? place + step : own >= 0 ? (order.before[own] ?? 0) : step === 1 ? 0 : count - 1;
  return hitAt(order, (next + count) % count);
}

function hitAt({ blocks, before }: HitOrder, place: number): HitPlace | undefined {
  const index = before.findLastIndex((first, entry) => first <= place && entry < blocks.length);
  const block = blocks[index]?.block;
  return block === undefined ? undefined : { block, hit: place - (before[index] ?? 0) };
}

/** Shows a hit: its block, in a request that contains it, scrolled to the hit. */
export function goToHit(
  inspector: Inspector,
  columns: SessionColumns,
  view: RequestView,
  place: HitPlace,
): void {
  const { store, changeView } = inspector;
  store.update(state => ({ ...state, find: { ...state.find, current: place } }));
  const first = columns.blocks.firstRequest[place.block] ?? -1;
  if (view.blocks.includes(place.block) || first < 0) {
    changeView({ block: place.block, panel: 'block' });
  } else {
    goToRequest(inspector, columns, first, place.block);
  }
}
