import type { SessionColumns } from '../../../src/core/model/columns';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import { foreseenOf, type Found, type PruneMomentChoice } from '../../../src/core/prune/search';
import { hindsightParts } from '../../../src/core/prune/hindsight';
import { Link } from '../../controls/Link';
import type { AnswerState } from '../../state/answerState';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { requestsByThread } from '../../state/derived';
import { useInspector } from '../../state/inspector';
import { gainText } from '../../state/pruneNet';
import { useAnswer } from '../../state/useAnswer';
import { worthWords as words } from '../../words/prune';
import { Answered } from '../common/Answered';
import { Hindsight } from './PruneVerdict';

export type MomentsAnswer = AnswerState<Found<PruneMomentChoice>>;

/** The best moments of the conversation for the options, searched without being asked. */
export function useBestMoments(
  columns: SessionColumns,
  request: number,
  options: PruneOptions,
): MomentsAnswer {
  const thread = columns.requests.thread[request] ?? 0;
  // The first request, so that the question stays the same while the user scrubs.
  const first = requestsByThread(columns).get(thread)?.[0] ?? request;
  const { answer } = useAnswer(
    { name: 'bestMoment', params: { request: first, options } },
    { since: columns },
  );
  return answer;
}

/** The best moment to prune, one click away, and the best one without hindsight. */
export function BestMoment({
  columns,
  request,
  answer,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly answer: MomentsAnswer;
}) {
  return (
    <section className="moment stack gap-2" aria-label={words.bestMoment} data-testid="best-moment">
      <Answered answer={answer} waiting={words.searching}>
        {found => <Best columns={columns} request={request} found={found} />}
      </Answered>
    </section>
  );
}

function Best({
  columns,
  request,
  found,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly found: Found<PruneMomentChoice>;
}) {
  const label = (other: number): string => requestNumber(columns, other);
  const { best, foreseen } = found;
  if (best === undefined) {
    return <p>{noMoment(found)}</p>;
  }
  const parts = hindsightParts(best, undefined, label);
  const number = label(best.request);
  return (
    <>
      <Moment
        columns={columns}
        request={request}
        choice={best}
        text={
          best.request === request
            ? words.bestHere(gainText(best.gained.money))
            : words.bestAt(number, gainText(best.gained.money))
        }
      />
      <Hindsight parts={parts} />
      {foreseen !== undefined && parts.length > 0 && (
        <Moment
          columns={columns}
          request={request}
          choice={foreseen}
          text={words.bestForeseen(label(foreseen.request), gainText(foreseenOf(foreseen)))}
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

/** Says why there is no best moment. */
export function noMoment({ considered, unpriced }: Found<PruneMomentChoice>): string {
  return considered === 0
    ? words.noMoment
    : unpriced === considered
      ? words.notPriced
      : words.noGainingMoment;
}
