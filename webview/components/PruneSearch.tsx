import { useState, type ReactNode } from 'react';
import type { SessionColumns } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { Found } from '../../src/core/prune/search';
import type { Worth } from '../../src/core/prune/requestCost';
import { formatMoney } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import { Button } from '../controls/Button';
import { pruneStrings as words } from '../pruneStrings';
import { goToRequest, requestNumber } from '../state/cacheReport';
import { useInspector } from '../state/inspector';
import type { Settled } from '../state/settledAnswer';
import { ruleSetWords } from '../strings';

/** A choice as it is listed. */
interface Choice {
  readonly key: string;
  readonly name: string;
  readonly gained: number;
  readonly take: () => void;
}

interface Result {
  readonly choices: readonly Choice[];
  readonly isGain: boolean;
  readonly considered: number;
  readonly unpriced: number;
}

/** When to prune, and by which rules: the searches over this session. */
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
    <section className="worth" aria-label={words.best} data-testid="prune-search">
      <h2 className="panel-title">{words.best}</h2>
      <Searching
        name={words.bestMoment}
        hint={words.bestMomentHint}
        run={async () =>
          resultOf(await askBestMoment({ request, options }), choice => ({
            key: String(choice.request),
            name: words.moment(requestNumber(columns, choice.request)),
            take: () => goToRequest(inspector, columns, choice.request),
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
            take: () => changeView({ prune: choice.options }),
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
  choiceOf: (item: Item) => Omit<Choice, 'gained'>,
): Result {
  return {
    choices: ranked.map(item => ({ ...choiceOf(item), gained: item.gained.money })),
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
    <div className="search">
      <div className="search__head">
        <span className="muted">{hint}</span>
        <Button disabled={answer?.kind === 'waiting'} onPress={search}>
          {name}
        </Button>
      </div>
      <div role="status">
        {answer?.kind === 'waiting' && <p className="muted">{words.searching}</p>}
        {answer?.kind === 'failed' && <p className="prose">{visibleText(answer.sentence)}</p>}
        {answer?.kind === 'known' && <Ranking result={answer.value} />}
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
      <ul className="block-list">
        {choices.map(({ key, name, gained, take }) => (
          <li key={key}>
            <button type="button" className="block-list__entry block-list__entry--wide" onClick={take}>
              <span className="block-list__name">{name}</span>
              <span className="block-list__tokens">
                {gained < 0 ? words.loses(formatMoney(-gained)) : words.gains(formatMoney(gained))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
