import { useState, type ReactNode } from 'react';
import type { SessionColumns } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { Worth } from '../../src/core/prune/requestCost';
import type { Found } from '../../src/core/prune/search';
import { formatMoney } from '../../src/core/tokens/formatMoney';
import { Button } from '../controls/Button';
import { pruneStrings as words } from '../pruneStrings';
import type { AnswerState } from '../state/answerState';
import { goToRequest, requestNumber } from '../state/cacheReport';
import { useInspector } from '../state/inspector';
import { useAnswer } from '../state/useAnswer';
import { ruleSetWords } from '../strings';
import { Answered } from './Answered';

interface SearchProps {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly options: PruneOptions;
}

/** When to prune, and by which rules: the searches over this session. */
export function PruneSearch(props: SearchProps) {
  return (
    <section className="worth" aria-label={words.best} data-testid="prune-search">
      <h2 className="panel-title">{words.best}</h2>
      <BestMoment {...props} />
      <BestOptions {...props} />
    </section>
  );
}

function BestMoment({ columns, request, options }: SearchProps) {
  const inspector = useInspector();
  const [asked, setAsked] = useState<Omit<SearchProps, 'columns'>>();
  const { answer } = useAnswer(asked && { name: 'bestMoment', params: asked }, {
    since: asked,
    isUrgent: true,
  });
  return (
    <Search
      name={words.bestMoment}
      hint={words.bestMomentHint}
      answer={asked && answer}
      search={() => setAsked({ request, options })}
      choiceOf={choice => ({
        key: String(choice.request),
        name: words.moment(requestNumber(columns, choice.request)),
        take: () => goToRequest(inspector, columns, choice.request),
      })}
    />
  );
}

function BestOptions({ request, options }: SearchProps) {
  const { changeView } = useInspector();
  const [asked, setAsked] = useState<Omit<SearchProps, 'columns'>>();
  const { answer } = useAnswer(asked && { name: 'bestOptions', params: asked }, {
    since: asked,
    isUrgent: true,
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
        take: () => changeView({ prune: found }),
      })}
    >
      <p className="muted">{words.contentWarning}</p>
    </Search>
  );
}

function Search<Choice extends { readonly gained: Worth }>({
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
  readonly answer: AnswerState<Found<Choice>> | undefined;
  readonly search: () => void;
  readonly choiceOf: (choice: Choice) => {
    readonly key: string;
    readonly name: string;
    readonly take: () => void;
  };
  readonly children?: ReactNode;
}) {
  return (
    <div className="search">
      <div className="search__head">
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
                <ul className="block-list">
                  {ranked.map(choice => {
                    const { key, name: label, take } = choiceOf(choice);
                    const { money } = choice.gained;
                    return (
                      <li key={key}>
                        <button
                          type="button"
                          className="block-list__entry block-list__entry--wide"
                          onClick={take}
                        >
                          <span className="block-list__name">{label}</span>
                          <span className="block-list__tokens">
                            {money < 0 ? words.loses(formatMoney(-money)) : words.gains(formatMoney(money))}
                          </span>
                        </button>
                      </li>
                    );
                  })}
                </ul>
                {ranked.length > 0 && children}
              </>
            )}
          </Answered>
        )}
      </div>
    </div>
  );
}
