import { useState } from 'react';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { NetWorth, PruneNet } from '../../src/core/prune/net';
import { formatMoney } from '../../src/core/tokens/formatMoney';
import { Button } from '../controls/Button';
import { Link } from '../controls/Link';
import { formatNumber } from '../format';
import { pruneStrings as words } from '../pruneStrings';
import { requestNumber } from '../state/cacheReport';
import { useInspector } from '../state/inspector';
import { comparedPrunes, netOf } from '../state/pruneWorth';
import { ruleSetWords } from '../strings';
import { Fact, Facts } from './Facts';
import { PruneReplay } from './PruneReplay';
import { PruneSearch } from './PruneSearch';
import type { RequestParts } from './SessionBody';

/** What the prune is worth net of the cache it destroys. */
export function PruneWorth(parts: RequestParts & { readonly options: PruneOptions }) {
  const { columns, summary, view, prune, options } = parts;
  const net = netOf(columns, summary, view, prune, options);
  return (
    <section className="worth" aria-label={words.worth} data-testid="prune-worth">
      <h2 className="panel-title">{words.worth}</h2>
      {words.states[net.state] !== '' && <p className="prose">{words.states[net.state]}</p>}
      {net.worth === undefined ? (
        <p className="muted">{words.pricesUnknown}</p>
      ) : (
        net.tokensFreed > 0 && <Worth {...parts} net={net} worth={net.worth} />
      )}
    </section>
  );
}

/** What the rest of the session would have been with the plan, with better settings, and with other rule sets. */
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
      <Fact name={words.breakEven}>
        {breakEven === undefined ? words.never : <strong>{words.breakEvenText(breakEven)}</strong>}
      </Fact>
      <Fact name={words.here}>
        <strong className={gained.money < 0 ? 'worth__loss' : 'worth__gain'}>{gainText(gained.money)}</strong>
        <span className="muted">
          {' · '}
          {paidBackAt === undefined ? words.notPaidBack : words.paidBack(requestNumber(columns, paidBackAt))}
          {' · '}
          {words.hereText(later.requests, words.ends[later.end])}
        </span>
      </Fact>
      {boundary !== undefined && <Fact name={words.boundary}>{words.boundaryText(boundary.readable)}</Fact>}
    </Facts>
  );
}

/** A gain or a loss in words: the sign alone is easily overlooked. */
function gainText(money: number): string {
  return money < 0 ? words.loses(formatMoney(-money)) : words.gains(formatMoney(money));
}

/** Counting every rule set takes a moment in a long request, so that it is done when it is asked for. */
function RuleSets({ columns, summary, view, options }: RequestParts & { readonly options: PruneOptions }) {
  const { changeView } = useInspector();
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <div className="panel-actions">
        <Button onPress={() => setOpen(true)}>{words.compare}</Button>
      </div>
    );
  }
  return (
    <table className="figures figures--choices" aria-label={words.compare}>
      <thead>
        <tr>
          <th scope="col">{words.compare}</th>
          <th scope="col">{words.candidates}</th>
          <th scope="col">{words.freed}</th>
          <th scope="col">{words.net}</th>
        </tr>
      </thead>
      <tbody>
        {comparedPrunes(columns, summary, view, options).map(({ ruleSet, options: own, preview, net }) => (
          <tr key={ruleSet}>
            <th scope="row">
              <Link isPressed={ruleSet === options.ruleSet} onPress={() => changeView({ prune: own })}>
                {ruleSetWords[ruleSet]}
              </Link>
            </th>
            <td>{formatNumber(preview.plan.executes ? preview.positions.length : 0)}</td>
            <td>{formatNumber(net.tokensFreed)}</td>
            <td>{net.worth === undefined ? words.unknown : signedMoney(net.worth.gained.money)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const signedMoney = (money: number): string =>
  money < 0 ? `−${formatMoney(-money)}` : money === 0 ? formatMoney(0) : `+${formatMoney(money)}`;
