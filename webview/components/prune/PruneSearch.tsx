import { type ReactNode, useState } from 'react';
import type { Worth } from '../../../src/core/prune/requestCost';
import type { Found } from '../../../src/core/prune/search';
import { Button } from '../../controls/Button';
import type { AnswerState } from '../../state/answerState';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { gainText } from '../../state/pruneNet';
import type { PruneOfRequest } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { pageWords } from '../../words/page';
import { ruleSetWords, worthWords as words } from '../../words/prune';
import { Answered } from '../common/Answered';
import { type Choice, ChoiceList } from '../common/ChoiceList';

/** The searches over this session for the best moment and the best rules to prune. */
export function PruneSearch(props: PruneOfRequest) {
  return (
    <section className="stack" aria-label={words.best} data-testid="prune-search">
      <h2 className="panel-title">{words.best}</h2>
      <BestMoment {...props} />
      <BestOptions {...props} />
    </section>
  );
}

function BestMoment({ columns, request, options }: PruneOfRequest) {
  const inspector = useInspector();
  const [asked, setAsked] = useState<Omit<PruneOfRequest, 'columns'>>();
  const { answer } = useAnswer(asked && { name: 'bestMoment', params: asked }, {
    since: asked,
    pause: 0,
  });
  return (
    <Search
      name={words.bestMoment}
      hint={words.bestMomentHint}
      answer={asked && answer}
      search={() => setAsked({ request, options })}
      choiceOf={choice => ({
        key: String(choice.request),
        name: pageWords.request(requestNumber(columns, choice.request)),
        choose: () => goToRequest(inspector, columns, choice.request),
      })}
    />
  );
}

function BestOptions({ request, options }: PruneOfRequest) {
  const { changeView } = useInspector();
  const [asked, setAsked] = useState<Omit<PruneOfRequest, 'columns'>>();
  const { answer } = useAnswer(asked && { name: 'bestOptions', params: asked }, {
    since: asked,
    pause: 0,
  });
  return (
    <Search
      name={words.bestOptions}
      hint={words.bestOptionsHint}
      answer={asked && answer}
      search={() => setAsked({ request, options })}
      choiceOf={({ options: found }) => ({
        key: JSON.stringify(found),
        name: words.settings(ruleSetWords[found.ruleSet], found.protectTokens, found.minimumTokens),
        choose: () => changeView({ prune: found }),
      })}
    >
      <p className="muted">{words.contentWarning}</p>
    </Search>
  );
}

function Search<Item extends { readonly gained: Worth }>({
  name,
  hint,
  answer,
  search,
  choiceOf,
  children,
}: {
  readonly name: string;
  readonly hint: string;
  /** Undefined before the first search. */
  readonly answer: AnswerState<Found<Item>> | undefined;
  readonly search: () => void;
  readonly choiceOf: (found: Item) => Omit<Choice, 'figure'>;
  readonly children?: ReactNode;
}) {
  return (
    <div className="search stack gap-6">
      <div className="search__head row apart gap-12">
        <span className="muted">{hint}</span>
        <Button disabled={answer?.kind === 'waiting'} onPress={search}>
          {name}
        </Button>
      </div>
      <div role="status">
        {answer !== undefined && (
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
                  choiceOf={choice => ({ ...choiceOf(choice), figure: gainText(choice.gained.money) })}
                />
                {ranked.length > 0 && children}
              </>
            )}
          </Answered>
        )}
      </div>
    </div>
  );
}
