import { useEffect, useState } from 'react';
import { formatNumber } from '../../../src/core/base/format';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { type Insight, isSensitive } from '../../../src/core/insights/insight';
import { closeLook, openLook, shownInsights } from '../../state/insights';
import { useAppState, useInspector } from '../../state/inspector';
import { keyRows, writtenKeysOf } from '../../state/keyTable';
import { lookWords as words } from '../../words/look';
import { Failure } from '../common/Answered';
import { Sign } from '../common/Sign';
import { InsightIcon } from './InsightIcon';

export const lookListId = 'look-list';

/** Findings in the strip; those without room are left out. */
const mostNamed = 4;
/** A shorter wait shows nothing. In milliseconds. */
const noticedWait = 300;

/** The most important findings on one line under the timeline. A press opens the list of all. */
export function LookStrip({ isPending }: { readonly isPending: boolean }) {
  const inspector = useInspector();
  const insights = useAppState(state => state.insights);
  const found = useAppState(shownInsights);
  const isOpen = useAppState(state => state.look.isOpen);
  if (insights.kind === 'failed') {
    return (
      <div className="look look--failed row wraps small">
        <Failure {...insights} />
      </div>
    );
  }
  if (found.length === 0) {
    return insights.kind === 'waiting' && <Looking isPending={isPending} />;
  }
  return (
    <button
      type="button"
      className={`look bare row small tabular${isOpen ? ' look--open' : ''}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? lookListId : undefined}
      data-testid="look"
      onClick={() => (isOpen ? closeLook(inspector) : openLook(inspector))}
    >
      <strong className="look__title rigid">{words.title}</strong>
      <Named found={found} isOpen={isOpen} />
      <span className="look__end row rigid gap-6 end">
        <span className="look__link">{isOpen ? words.close : words.all(found.length)}</span>
        <kbd className="keys__key" aria-hidden="true">
          {writtenKeysOf(isOpen ? keyRows.close : keyRows.look)[0]}
        </kbd>
      </span>
    </button>
  );
}

/** The number of secrets, and the findings that cost most; if the list is open, their number. */
function Named({ found, isOpen }: { readonly found: readonly Insight[]; readonly isOpen: boolean }) {
  const secrets = found.filter(({ kind }) => kind === 'secret').length;
  const hasPrivate = found.some(({ kind }) => kind === 'privateData');
  const ranked = found.filter(insight => !isSensitive(insight));
  const isPriced = ranked.some(({ money }) => money !== null);
  return (
    <span className="look__named row grows unbroken">
      {secrets > 0 && (
        <span className="row rigid gap-4">
          <Sign sensitivity={2} /> {words.secrets(secrets)}
        </span>
      )}
      {hasPrivate && (isOpen || secrets === 0) && (
        <span className="row rigid gap-4">
          <Sign sensitivity={1} /> {words.privateData}
        </span>
      )}
      {isOpen
        ? ranked.length > 0 && (
            <span className="rigid">
              {isPriced ? words.ranked(ranked.length) : words.rankedByTokens(ranked.length)}
            </span>
          )
        : ranked.slice(0, mostNamed).map((insight, place) => (
            <span key={place} className="look__item row gap-4">
              <InsightIcon insight={insight} size={12} />
              <span className="ellipsis">{visibleLabel(insight.what)}</span>
              {insight.figure !== '' && <strong className="rigid">{insight.figure}</strong>}
            </span>
          ))}
      <span className="look__chip">{formatNumber(found.length)}</span>
    </span>
  );
}

/** Keeps the place of the strip, so that nothing moves, and says that findings are looked for, once that takes a while. */
function Looking({ isPending }: { readonly isPending: boolean }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLong(true), noticedWait);
    return () => window.clearTimeout(timer);
  }, []);
  return <p className="look look--waiting row small muted">{isLong && !isPending && words.looking}</p>;
}
