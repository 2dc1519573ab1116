import { useState } from 'react';
import type { SessionColumns } from '../../../src/core/model/columns';
import { gainText, noBestText } from '../../../src/core/prune/momentWords';
import { Button } from '../../controls/Button';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import type { PruneOfRequest } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { pageWords } from '../../words/page';
import { ruleSetWords, worthWords as words } from '../../words/prune';
import { Answered } from '../common/Answered';
import { ChoiceList } from '../common/ChoiceList';
import type { MomentsInView } from './BestMoment';

/** The best moments of this session, and a search for the best rules to prune. */
export function PruneSearch({ moments, ...props }: PruneOfRequest & { readonly moments: MomentsInView }) {
  return (
    <section className="stack" aria-label={words.best} data-testid="prune-search">
      <h2 className="panel-title">{words.best}</h2>
      <BestMoments columns={props.columns} shown={props.request} answer={moments.answer} />
      <BestOptions {...props} />
    </section>
  );
}

function BestMoments({
  columns,
  shown,
  answer,
}: {
  readonly columns: SessionColumns;
  /** The request in view. */
  readonly shown: number;
  readonly answer: MomentsInView['answer'];
}) {
  const inspector = useInspector();
  if (answer.kind !== 'known') {
    return undefined;
  }
  const { value } = answer;
  return (
    <div className="search stack gap-6" data-testid="best-moments">
      <span className="muted">{words.bestMomentHint}</span>
      {value.ranked.length === 0 && <p className="prose">{noBestText(value)}</p>}
      <ChoiceList
        entries={value.ranked}
        choiceOf={({ request, gained }) => ({
          key: request,
          name: pageWords.request(requestNumber(columns, request)),
          figure: gainText(gained.money),
          isChosen: request === shown,
          choose: () => goToRequest(inspector, columns, request),
        })}
      />
    </div>
  );
}

function BestOptions({ request, options }: PruneOfRequest) {
  const { changeView } = useInspector();
  const [asked, setAsked] = useState<Omit<PruneOfRequest, 'columns'>>();
  const { answer } = useAnswer(asked && { name: 'bestOptions', params: asked }, {
    since: asked,
    pause: 0,
  });
  const isAsked = asked !== undefined;
  return (
    <div className="search stack gap-6">
      <div className="search__head row apart gap-12">
        <span className="muted">{words.bestOptionsHint}</span>
        <Button
          disabled={isAsked && answer.kind === 'waiting'}
          onPress={() => setAsked({ request, options })}
        >
          {words.bestOptions}
        </Button>
      </div>
      <div role="status">
        {isAsked && (
          <Answered answer={answer} waiting={words.searching}>
            {({ best, ranked, considered, unpriced }) => (
              <>
                {best === undefined && (
                  <p className="prose">
                    {considered === 0
                      ? words.noChoice
                      : unpriced === considered
                        ? words.notPriced
                        : words.noGain}
                  </p>
                )}
                <ChoiceList
                  entries={ranked}
                  choiceOf={({ options: found, gained }) => ({
                    key: JSON.stringify(found),
                    name: words.settings(
                      ruleSetWords[found.ruleSet],
                      found.protectTokens,
                      found.minimumTokens,
                    ),
                    figure: gainText(gained.money),
                    choose: () => changeView({ prune: found }),
                  })}
                />
                {ranked.length > 0 && <p className="muted">{words.contentWarning}</p>}
              </>
            )}
          </Answered>
        )}
      </div>
    </div>
  );
}
