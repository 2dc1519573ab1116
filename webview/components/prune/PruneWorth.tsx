import { useState } from 'react';
import { tokens } from '../../../src/core/base/countWords';
import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import type { NetWorth, PruneNet } from '../../../src/core/prune/net';
import { Button } from '../../controls/Button';
import { Link } from '../../controls/Link';
import { requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { comparedPrunes, gainText, netOf } from '../../state/pruneNet';
import type { RequestParts } from '../../state/requestParts';
import { pageWords } from '../../words/page';
import { pruneWords, ruleSetWords, worthWords as words } from '../../words/prune';
import { columnWords } from '../../words/views';
import { Fact, Facts } from '../common/Facts';
import { FigureTable } from '../common/FigureTable';
import { PruneReplay } from './PruneReplay';
import { PruneSearch } from './PruneSearch';

/** The savings of the prune minus the cost of rewriting the cache. */
export function PruneWorth(parts: RequestParts & { readonly options: PruneOptions }) {
  const { columns, summary, view, prune, options } = parts;
  const net = netOf(columns, summary, view, prune, options);
  return (
    <section className="stack" aria-label={words.title} data-testid="prune-worth">
      <h2 className="panel-title">{words.title}</h2>
      {words.states[net.state] !== '' && <p className="prose">{words.states[net.state]}</p>}
      {net.worth === undefined ? (
        <p className="muted">{words.pricesUnknown}</p>
      ) : (
        net.tokensFreed > 0 && <Worth {...parts} net={net} worth={net.worth} />
      )}
    </section>
  );
}

/** The effect of the plan, better settings and other rule sets on the rest of the session. */
export function PruneOutlook(parts: RequestParts & { readonly options: PruneOptions }) {
  const { columns, view, options } = parts;
  return (
    <>
      <PruneReplay columns={columns} request={view.request} options={options} />
      <PruneSearch columns={columns} request={view.request} options={options} />
      <RuleSets {...parts} />
    </>
  );
}

function Worth({ columns, net, worth }: RequestParts & { readonly net: PruneNet; readonly worth: NetWorth }) {
  const { rewrite, savedWarm, savedCold, breakEven, gained, paidBackAt } = worth;
  const { boundary, later, tokensRewritten } = net;
  const isLast = later.requests === 0 && later.end === 'sessionEnd' && gained.money < 0;
  return (
    <Facts>
      {tokensRewritten > 0 && (
        <Fact name={words.once}>
          <strong>{formatMoney(rewrite.money)}</strong>{' '}
          <span className="muted">{words.onceText(tokensRewritten)}</span>
        </Fact>
      )}
      <Fact name={words.later}>
        <strong>{formatMoney(savedWarm.money)}</strong>{' '}
        <span className="muted">· {words.laterCold(formatMoney(savedCold.money))}</span>
      </Fact>
      <Fact name={words.breakEven} term={words.terms.breakEven}>
        {breakEven === undefined ? words.never : <strong>{words.breakEvenText(breakEven)}</strong>}
      </Fact>
      <Fact name={words.here}>
        {isLast ? (
          words.lastRequest(formatMoney(rewrite.money))
        ) : (
          <>
            <strong className={gained.money < 0 ? 'strong underlined' : 'strong'}>
              {gainText(gained.money)}
            </strong>
            <span className="muted">
              {' · '}
              {paidBackAt === undefined
                ? words.notPaidBack
                : words.paidBack(requestNumber(columns, paidBackAt))}
              {' · '}
              {words.hereText(later.requests, words.ends[later.end])}
            </span>
          </>
        )}
      </Fact>
      {boundary !== undefined && (
        <Fact name={words.boundary} term={words.terms.boundary}>
          {tokens(boundary.readable)}
        </Fact>
      )}
    </Facts>
  );
}

/** Evaluated on demand, because evaluating all rule sets takes a moment in a long request. */
function RuleSets({ columns, summary, view, options }: RequestParts & { readonly options: PruneOptions }) {
  const { changeView } = useInspector();
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <div className="row wraps gap-6">
        <Button onPress={() => setOpen(true)}>{words.compare}</Button>
      </div>
    );
  }
  return (
    <FigureTable
      label={words.compare}
      heads={[pruneWords.ruleSet, words.results, columnWords.tokens, words.net]}
      rows={comparedPrunes(columns, summary, view, options).map(
        ({ ruleSet, options: own, preview, net }) => ({
          key: ruleSet,
          ...(ruleSet === options.ruleSet && { role: 'chosen' as const }),
          cells: [
            <Link
              key={ruleSet}
              isPressed={ruleSet === options.ruleSet}
              onPress={() => changeView({ prune: own })}
            >
              {ruleSetWords[ruleSet]}
            </Link>,
            formatNumber(preview.plan.executes ? preview.positions.length : 0),
            formatNumber(net.tokensFreed),
            net.worth === undefined ? pageWords.unknown : signedMoney(net.worth.gained.money),
          ],
        }),
      )}
    />
  );
}

const signedMoney = (money: number): string =>
  money < 0 ? `−${formatMoney(-money)}` : money === 0 ? formatMoney(0) : `+${formatMoney(money)}`;
