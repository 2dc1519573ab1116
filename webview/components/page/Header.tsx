import { type ReactNode, useRef } from 'react';
import { requests as requestCount, tokens } from '../../../src/core/base/countWords';
import { formatExactShare, formatMinutes, formatMoney } from '../../../src/core/base/format';
import { visibleLabel } from '../../../src/core/base/visibleText';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { lostBy } from '../../../src/core/cache/cacheReport';
import { driftSentence } from '../../../src/core/model/driftWords';
import { costNotes, missingCost } from '../../../src/core/tokens/costNotes';
import { figureNumber, figureShare, figureTokens } from '../../../src/core/tokens/qualityWords';
import {
  cacheShare,
  costText,
  knownCost,
  mainCostText,
  recordedText,
} from '../../../src/core/tokens/usageFigures';
import { windowOrigin, windowText } from '../../../src/core/tokens/windowWords';
import { afterSentences } from '../../../src/core/view/contextAfter';
import type { RequestView } from '../../../src/core/view/requestView';
import { Button } from '../../controls/Button';
import { FoldButton } from '../../controls/FoldButton';
import { useSize } from '../../drawing/canvasHooks';
import { lossesByWorth } from '../../state/cacheReport';
import { afterOf, requestsByThread, requestView, wholeCostOf } from '../../state/derived';
import { type SessionInView, useAppState, useInspector, useViewState } from '../../state/inspector';
import { headerWords as words } from '../../words/header';
import { pageWords } from '../../words/page';
import { SessionDetails } from './SessionDetails';
import { SessionPills } from './SessionPills';
import { WindowBar } from './WindowBar';

/** From this width on, the key figures are shown until the user folds them. CSS pixels. */
const wide = 1200;
/** Above these shares of the window, it counts as nearly full. */
const nearlyFull = 0.8;
const almostFull = 0.9;

/** The session's facts and findings, and how full its window is, by source. */
export function Header({
  session,
  request,
}: {
  readonly session: SessionInView;
  readonly request: number | undefined;
}) {
  const { summary, columns, fileName } = session;
  const { act, changeView } = useInspector();
  const parent = useAppState(state => state.parent);
  const folded = useViewState('isHeaderFolded');
  const area = useRef<HTMLElement>(null);
  const { width } = useSize(area);
  const isOpen = folded === undefined ? width >= wide : !folded;
  const view = request === undefined ? undefined : requestView(columns, request);
  const after = afterOf(columns, summary);
  const isNewest = request === columns.requests.thread.lastIndexOf(0);
  const facts = factsOf(session).join(' · ');
  return (
    <header className={`header${isOpen ? ' header--open' : ''}`} ref={area}>
      <div className="header__line row shrinks">
        <FoldButton
          name={words.figures}
          isOpen={isOpen}
          controls="session-figures"
          onToggle={() => changeView({ isHeaderFolded: isOpen })}
        />
        <div className="header__identity row baseline grows">
          <h1 className="title ellipsis" title={fileName}>
            {visibleLabel(summary.title) || fileName || pageWords.untitled}
          </h1>
          <p className="header__facts small grows muted ellipsis" title={facts}>
            {facts}
          </p>
        </div>
        {parent !== undefined && (
          <Button
            name={words.openParentHint(visibleLabel(parent))}
            onPress={() => act({ kind: 'openParent' })}
          >
            {words.openParent}
          </Button>
        )}
        <SessionPills session={session} request={request} />
        {!isOpen && <Cost session={session} />}
        <SessionDetails session={session} />
      </div>
      {summary.drift !== undefined && (
        <p className="header__drift warning small breaks" data-testid="drift">
          {driftSentence(summary.agent.name, summary.drift)}
        </p>
      )}
      {after !== undefined && isNewest && (
        <p className="header__after small breaks" data-testid="after">
          {afterSentences(after)
            .map(sentence => `${visibleLabel(sentence)}.`)
            .join(' ')}
        </p>
      )}
      <div id="session-figures" className="key-figures" hidden={!isOpen}>
        {isOpen && <KeyFigures session={session} />}
      </div>
      {view !== undefined && (
        <div className="header__window">
          <Fill view={view} />
          <WindowBar session={session} view={view} />
        </div>
      )}
    </header>
  );
}

function factsOf({ summary, columns }: SessionInView): readonly string[] {
  const several = summary.conversations.length > 1;
  const own = requestsByThread(columns).get(0);
  const all = columns.requests.thread.length;
  const requests = several ? all : (own?.length ?? 0);
  // The cost and its notes count these too.
  const others = all - requests + (summary.subagentFiles?.figures.requests ?? 0);
  const compactions = summary.compactions.filter(({ kind }) => kind === 'compaction').length;
  const subagents = summary.subagents.length;
  return [
    visibleLabel([summary.agent.name, summary.agent.versions.at(-1) ?? ''].join(' ').trim()),
    visibleLabel(summary.model),
    ...(several ? [words.conversations(summary.conversations.length)] : []),
    requestCount(requests),
    ...(compactions > 0 ? [words.compactions(compactions)] : []),
    ...(subagents > 0
      ? [others > 0 ? words.subagentsWith(subagents, others) : words.subagentCount(subagents)]
      : []),
    summary.began === undefined || summary.ended === undefined
      ? ''
      : formatMinutes(summary.began, summary.ended),
  ].filter(fact => fact !== '');
}

/** The fill of the window in figures. On wide pages, next to the bar. */
function Fill({ view }: { readonly view: RequestView }) {
  const { total, window } = view;
  const share = window === undefined ? undefined : total.value / window;
  return (
    <p className="header__fill tabular" title={windowOrigin(view)} data-testid="fill">
      {share !== undefined && window !== undefined && (
        <strong
          className={
            share > almostFull
              ? 'underlined'
              : share > nearlyFull
                ? 'underlined underlined--yellow'
                : undefined
          }
        >
          {words.full(figureShare(total, window))}
        </strong>
      )}
      <span className="muted fine">
        {window === undefined ? figureTokens(total) : words.ofWindow(figureNumber(total), windowText(view))}
      </span>
    </p>
  );
}

function Figure({
  name,
  value,
  children,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="figure row wraps baseline unbroken tabular">
      <span className="figure__value strong">{value}</span>
      <span className="muted fine">{name}</span>
      {children}
    </div>
  );
}

function KeyFigures({ session }: { readonly session: SessionInView }) {
  const cache = useAppState(state => state.cache);
  const share = cacheShare(wholeCostOf(session.columns, session.summary).total);
  const losses = cache.kind === 'known' ? lossesByWorth(cache.value) : [];
  return (
    <>
      <Cost session={session} name={words.cost} />
      {share !== undefined && <Figure name={words.cache} value={formatExactShare(share)} />}
      {losses.length > 0 && <Figure name={words.lost(losses.length)} value={lostText(losses)} />}
    </>
  );
}

/** The cost of losses: money, or tokens if a price is unknown. */
function lostText(losses: readonly CacheFinding[]): string {
  const { tokens: count, money } = lostBy(losses);
  return money === undefined ? tokens(count) : formatMoney(money);
}

/** The cost of the whole session. With a name, it is a key figure; without one, a figure in the line. */
function Cost({ session, name }: { readonly session: SessionInView; readonly name?: string }) {
  const cost = wholeCostOf(session.columns, session.summary);
  const { total, estimated, byThread } = cost;
  const known = knownCost(total);
  const shown = costText(known);
  const value = shown === '' ? missingCost(cost, session.columns.requests.thread.length) : shown;
  if (value === undefined) {
    return null;
  }
  const recorded = recordedText(known, session.summary.agent.name);
  const main = byThread.find(({ thread }) => thread === 0);
  const mainText = mainCostText(main && knownCost(main), known.money);
  const notes = [
    ...costNotes(total),
    ...(mainText === undefined ? [] : [`${mainText}.`]),
    ...(recorded === undefined ? [] : [`${recorded}.`]),
    ...(estimated === undefined ? [] : [words.costWithReplies(formatMoney(estimated.money))]),
  ].join(' ');
  return (
    <div className="header__cost unbroken" title={notes === '' ? words.cost : notes} data-testid="cost">
      {name === undefined ? (
        <strong className="tabular">{value}</strong>
      ) : (
        <Figure name={name} value={value}>
          {estimated !== undefined && (
            <span className="muted fine">{words.costAbout(formatMoney(estimated.money))}</span>
          )}
        </Figure>
      )}
      {notes !== '' && <span className="visually-hidden">{notes}</span>}
    </div>
  );
}
