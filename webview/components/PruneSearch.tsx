import { useState, type ReactNode } from 'react';
import type { SessionColumns } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { Found } from '../../src/core/prune/search';
import type { Worth } from '../../src/core/prune/requestCost';
import { Button } from '../controls/Button';
import { pruneStrings as words } from '../pruneStrings';
import { goToRequest, requestNumber } from '../state/cacheReport';
import { useInspector } from '../state/inspector';
import { gainText } from '../state/pruneNet';
import type { Settled } from '../state/settledAnswer';
import { ruleSetWords } from '../strings';
import { Answered } from './Answered';
import { ChoiceList, type Choice } from './ChoiceList';

interface Result {
  readonly choices: readonly Choice[];
  readonly isGain: boolean;
  readonly considered: number;
  readonly unpriced: number;
}

/** Searches for the best moment and the best settings for a prune of this session. */
export function PruneSearch({
  columns,
  request,
  options,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly options: PruneOptions;
}) {
  const inspector = useInspector();
  const { askBestMoment, askBestOptions, changeView } = inspector;
  return (
    <section className="stack" aria-label={words.best} data-testid="prune-search">
      <h2 className="panel-title">{words.best}</h2>
      <Searching
        name={words.bestMoment}
        hint={words.bestMomentHint}
        run={async () =>
          resultOf(await askBestMoment({ request, options }), choice => ({
            key: String(choice.request),
            name: words.moment(requestNumber(columns, choice.request)),
            choose: () => goToRequest(inspector, columns, choice.request),
          }))
        }
      />
      <Searching
        name={words.bestOptions}
        hint={words.bestOptionsHint}
        run={async () =>
          resultOf(await askBestOptions({ request, options }), choice => ({
            key: JSON.stringify(choice.options),
            name: words.settings(
              ruleSetWords[choice.options.ruleSet],
              choice.options.protectTokens,
              choice.options.minimumTokens,
            ),
            choose: () => changeView({ prune: choice.options }),
          }))
        }
      >
        <p className="muted">{words.contentWarning}</p>
      </Searching>
    </section>
  );
}

function resultOf<Item extends { readonly gained: Worth }>(
  { best, ranked, considered, unpriced }: Found<Item>,
  choiceOf: (item: Item) => Omit<Choice, 'figure'>,
): Result {
  return {
    choices: ranked.map(item => ({ ...choiceOf(item), figure: gainText(item.gained.money) })),
    isGain: best !== undefined,
    considered,
    unpriced,
  };
}

function Searching({
  name,
  hint,
  run,
  children,
}: {
  readonly name: string;
  readonly hint: string;
  readonly run: () => Promise<Result>;
  readonly children?: ReactNode;
}) {
  const [answer, setAnswer] = useState<Settled<Result>>();
  const search = (): void => {
    setAnswer({ kind: 'waiting' });
    run().then(
      value => setAnswer({ kind: 'known', value }),
      (error: unknown) =>
        setAnswer({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <div className="search stack">
      <div className="search__head">
        <span className="muted">{hint}</span>
        <Button disabled={answer?.kind === 'waiting'} onPress={search}>
          {name}
        </Button>
      </div>
      <div role="status">
        {answer !== undefined && (
          <Answered answer={answer} waiting={words.searching}>
            {result => <Ranking result={result} />}
          </Answered>
        )}
      </div>
      {answer?.kind === 'known' && answer.value.choices.length > 0 && children}
    </div>
  );
}

function Ranking({ result: { choices, isGain, considered, unpriced } }: { readonly result: Result }) {
  return (
    <>
      {!isGain && (
        <p className="prose">
          {considered === 0 ? words.noChoice : unpriced === considered ? words.notPriced : words.noGain}
        </p>
      )}
      <ChoiceList entries={choices} choiceOf={choice => choice} />
    </>
  );
}
