import { useEffect } from 'react';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import { bestForeseenText, bestText, gainText, noBestText } from '../../../src/core/prune/momentWords';
import type { Found, PruneMomentChoice } from '../../../src/core/prune/search';
import { hindsightParts } from '../../../src/core/prune/hindsight';
import { Link } from '../../controls/Link';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { requestsByThread } from '../../state/derived';
import { useAppState, useInspector } from '../../state/inspector';
import { isGrowing } from '../../state/pruneOpening';
import { type AnswerInView, useAnswer } from '../../state/useAnswer';
import { worthWords as words } from '../../words/prune';
import { LatestAnswer } from '../common/Answered';
import { Hindsight } from './PruneVerdict';

export type MomentsInView = AnswerInView<Found<PruneMomentChoice>>;

/** The best moments of the conversation for the options, searched without being asked. */
export function useBestMoments(
  columns: SessionColumns,
  request: number,
  options: PruneOptions,
): MomentsInView {
  const thread = columns.requests.thread[request] ?? 0;
  // The first request, so that the question stays the same while the user scrubs.
  const first = requestsByThread(columns).get(thread)?.[0] ?? request;
  return useAnswer({ name: 'bestMoment', params: { request: first, options } }, { since: columns });
}

/**
 * Goes to the best request if the user has opened the panel without choosing anything, and does nothing until it is found.
 * Returns the request that was in view.
 */
function useOpeningAtBest(
  columns: SessionColumns,
  request: number,
  { answer, isPending }: MomentsInView,
): number | undefined {
  const inspector = useInspector();
  const { store, stayAtRequest } = inspector;
  const leftRequest = useAppState(({ leftForBest }) => leftForBest);
  const isWanted = useAppState(({ pruneOpening }) => pruneOpening === 'wanted');
  const isMeasured = useAppState(({ page }) => page.kind === 'session' && page.session.pending === undefined);
  const best = isMeasured && !isPending && answer.kind === 'known' ? answer.value.best?.request : undefined;
  useEffect(() => {
    if (!isWanted) {
      return undefined;
    }
    if (best === undefined || best === request || isGrowing(columns, request, Date.now())) {
      const deeds = ['pointerdown', 'keydown', 'wheel'] as const;
      deeds.forEach(deed => window.addEventListener(deed, stayAtRequest, { passive: true }));
      return () => deeds.forEach(deed => window.removeEventListener(deed, stayAtRequest));
    }
    store.update(state => ({ ...state, leftForBest: request }));
    goToRequest(inspector, columns, best);
    return undefined;
  }, [isWanted, best, request, columns, inspector, store, stayAtRequest]);
  return leftRequest;
}

/** The best moment to prune, one click away, and the best one without hindsight. */
export function BestMoment({
  columns,
  request,
  moments,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly moments: MomentsInView;
}) {
  const leftRequest = useOpeningAtBest(columns, request, moments);
  return (
    <section className="moment stack gap-2" aria-label={words.bestMoment} data-testid="best-moment">
      <LatestAnswer inView={moments} waiting={words.searching}>
        {found => <Best columns={columns} request={request} found={found} leftRequest={leftRequest} />}
      </LatestAnswer>
    </section>
  );
}

function Best({
  columns,
  request,
  found,
  leftRequest,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly found: Found<PruneMomentChoice>;
  /** The request that the panel left by itself for the best one. */
  readonly leftRequest: number | undefined;
}) {
  const inspector = useInspector();
  const label = (other: number): string => requestNumber(columns, other);
  const { best, foreseen } = found;
  if (best === undefined) {
    return <p>{noBestText(found)}</p>;
  }
  const parts = hindsightParts(best, undefined, label);
  return (
    <>
      <Moment
        columns={columns}
        request={request}
        choice={best}
        text={
          best.request === request
            ? words.bestHere(gainText(best.gained.money))
            : bestText(best, label(best.request))
        }
      />
      {best.request === request && leftRequest !== undefined && leftRequest !== request && (
        <Link onPress={() => goToRequest(inspector, columns, leftRequest)}>
          {words.backTo(label(leftRequest))}
        </Link>
      )}
      <Hindsight parts={parts} />
      {foreseen !== undefined && parts.length > 0 && (
        <Moment
          columns={columns}
          request={request}
          choice={foreseen}
          text={bestForeseenText(foreseen, label(foreseen.request))}
        />
      )}
    </>
  );
}

function Moment({
  columns,
  request,
  choice,
  text,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly choice: PruneMomentChoice;
  readonly text: string;
}) {
  const inspector = useInspector();
  return (
    <p className="moment__line">
      <span aria-hidden="true">★</span>
      {choice.request === request ? (
        text
      ) : (
        <Link onPress={() => goToRequest(inspector, columns, choice.request)}>{text}</Link>
      )}
    </p>
  );
}
