import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../src/core/base/format';
import { clamp } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { type Insight, isSensitive } from '../../../src/core/insights/insight';
import { Link } from '../../controls/Link';
import { useSize } from '../../drawing/canvasHooks';
import {
  closeLook,
  goToInsight,
  hideKind,
  insightKey,
  pointAt,
  showKinds,
  shownInsights,
} from '../../state/insights';
import { type SessionInView, useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyRows, writtenKeysOf } from '../../state/keyTable';
import { goesIntoField, keyIn } from '../../state/keys';
import { lookWords as words } from '../../words/look';
import { InsightIcon } from './InsightIcon';
import { lookListId } from './LookStrip';

/** Findings with a figure that are shown at first, and their least number. */
const mostShown = 6;
const leastShown = 3;
/** Heights in CSS pixels: of a finding, and of everything else in the list. */
const rowHeight = 45;
const otherHeight = 84;

/** The list of findings over the drawing, while it is open. */
export function LookList({ session }: { readonly session: SessionInView }) {
  const isOpen = useAppState(state => state.look.isOpen);
  const found = useAppState(shownInsights);
  const area = useRef<HTMLDivElement>(null);
  const { height } = useSize(area);
  const room = clamp(Math.floor((height - otherHeight) / rowHeight), leastShown, mostShown);
  return (
    <div className="look-area" ref={area}>
      {isOpen && found.length > 0 && <List session={session} found={found} room={room} />}
    </div>
  );
}

function List({
  session,
  found,
  room,
}: {
  readonly session: SessionInView;
  readonly found: readonly Insight[];
  readonly room: number;
}) {
  const inspector = useInspector();
  const { current, takesFocus } = useAppState(state => state.look);
  const { unpriced, below } = useAppState(({ insights }) =>
    insights.kind === 'known' ? insights.value : noInsights,
  );
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const sensitive = found.filter(isSensitive);
  const ranked = found.filter(insight => !isSensitive(insight));
  const place = ranked.findIndex(insight => insightKey(insight) === current);
  const shown = isWhole || place >= room ? ranked : ranked.slice(0, room);
  const active = found.find(insight => insightKey(insight) === current);
  useFocusInside(list, takesFocus);
  useClosing();

  const point = (next: Insight | undefined): void => {
    if (next !== undefined) {
      pointAt(inspector, next);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = active === undefined ? -1 : found.indexOf(active);
    switch (keyIn('look', event)) {
      case 'nextInList':
        point(found[Math.min(index + 1, found.length - 1)]);
        break;
      case 'previousInList':
        point(found[Math.max(index - 1, 0)]);
        break;
      case 'firstInList':
        point(found[0]);
        break;
      case 'lastInList':
        point(found.at(-1));
        break;
      case 'goThere':
        if (active !== undefined) {
          goToInsight(inspector, session, active);
        }
        break;
      case 'hideKind':
        if (active !== undefined && !isSensitive(active)) {
          point(found.find((insight, other) => other > index && insight.kind !== active.kind) ?? found[0]);
          hideKind(inspector, active);
        }
        break;
      case undefined:
        return;
    }
    event.preventDefault();
  };
  const option = (insight: Insight, number?: number) => (
    <Finding
      key={insightKey(insight)}
      insight={insight}
      number={number}
      isActive={insight === active}
      onPoint={() => point(insight)}
      onGo={() => goToInsight(inspector, session, insight)}
    />
  );
  return (
    <section className="look-list popup" id={lookListId} aria-label={words.title} data-testid="look-list">
      <div
        ref={list}
        className="look-list__options"
        role="listbox"
        tabIndex={0}
        aria-label={words.title}
        aria-activedescendant={active === undefined ? undefined : idOf(active)}
        onKeyDown={onKeyDown}
      >
        {sensitive.length > 0 && (
          <div className="look-list__sensitive row wraps" role="group" aria-label={words.sensitive}>
            {sensitive.map(insight => option(insight))}
          </div>
        )}
        {unpriced !== '' && (
          <p className="look-list__note small muted breaks" role="presentation">
            {words.byTokens(visibleLabel(unpriced))}
          </p>
        )}
        {shown.map((insight, index) => option(insight, index + 1))}
      </div>
      <div className="look-list__foot row wraps fine muted">
        {shown.length < ranked.length && (
          <Link onPress={() => setWhole(true)}>{words.more(ranked.length - shown.length)}</Link>
        )}
        <Keys />
        <HiddenKinds />
        {below > 0 && <span>{words.below(below)}</span>}
        <span className="end">{words.overlap}</span>
      </div>
    </section>
  );
}

const noInsights = { unpriced: '', below: 0 };

const idOf = (insight: Insight): string => `look ${insightKey(insight)}`.replace(/[^\w-]+/gu, '-');

function Finding({
  insight,
  number,
  isActive,
  onPoint,
  onGo,
}: {
  readonly insight: Insight;
  /** Its place; absent for sensitive data. */
  readonly number: number | undefined;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onGo: () => void;
}) {
  const { kind, what, why, figure, mark } = insight;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) {
      element.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isActive]);
  const worth = mark === '' ? words.worth[kind] : `${words.worth[kind]} ${mark}`;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keyboard for its options
    <div
      ref={element}
      id={idOf(insight)}
      className={`look-list__finding tabular${number === undefined ? ' look-list__finding--short' : ''}`}
      role="option"
      aria-selected={isActive}
      data-testid={`look-${kind}`}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onGo}
    >
      {number !== undefined && (
        <span className="look-list__number fine muted" aria-hidden="true">
          {formatNumber(number)}
        </span>
      )}
      <InsightIcon insight={insight} />
      <span className="look-list__what strong ellipsis" title={visibleLabel(what)}>
        {visibleLabel(what)}
      </span>
      {number !== undefined && figure !== '' && (
        <span className={`look-list__figure numeric${figure.includes('–') ? '' : ' strong'}`}>{figure}</span>
      )}
      <span className="look-list__why small muted ellipsis" title={visibleLabel(why)}>
        {visibleLabel(why)}
      </span>
      {number !== undefined && <span className="look-list__worth numeric fine muted">{worth}</span>}
    </div>
  );
}

/** The keys of the list. */
function Keys() {
  const rows = [
    [['nextLook', 'previousLook'], words.next],
    [['goThere'], words.go],
    [['hideKind'], words.hide],
  ] as const;
  return (
    <span className="look-list__keys row gap-12" aria-hidden="true">
      {rows.map(([names, does]) => (
        <span key={does} className="row gap-4">
          {names.map(name => (
            <kbd key={name} className="keys__key">
              {writtenKeysOf(keyRows[name])[0]}
            </kbd>
          ))}
          {does}
        </span>
      ))}
    </span>
  );
}

function HiddenKinds() {
  const inspector = useInspector();
  const hidden = useViewState('hiddenInsights').length + useAppState(state => state.hiddenWaste.length);
  return (
    hidden > 0 && (
      <span className="row gap-4">
        {words.hidden(hidden)} <Link onPress={() => showKinds(inspector)}>{words.showHidden}</Link>
      </span>
    )
  );
}

/** Puts the focus into the list, and gives it back when the list closes. */
function useFocusInside(list: { readonly current: HTMLElement | null }, takesFocus: boolean): void {
  useEffect(() => {
    const before = document.activeElement;
    const own = list.current;
    if (!takesFocus || own === null) {
      return undefined;
    }
    own.focus();
    return () => {
      // The list has lost its focus to the page when it is removed.
      if (
        before instanceof HTMLElement &&
        (document.activeElement === null || document.activeElement === document.body)
      ) {
        before.focus();
      }
    };
  }, [list, takesFocus]);
}

/** Escape closes the list wherever the focus is; so does a press on what it covers. */
function useClosing(): void {
  const inspector = useInspector();
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (keyIn('page', event) === 'close' && !goesIntoField(event)) {
        event.preventDefault();
        closeLook(inspector);
      }
    };
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Element && target.closest('.body') !== null) {
        closeLook(inspector);
      }
    };
    // Before the parts of the page, which would close themselves.
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [inspector]);
}
