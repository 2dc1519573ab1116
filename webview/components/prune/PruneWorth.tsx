import { useState } from 'react';
import { tokens } from '../../../src/core/base/countWords';
import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { NetWorth, PruneNet } from '../../../src/core/prune/net';
import { gainText } from '../../../src/core/prune/momentWords';
import { endWords } from '../../../src/core/prune/verdict';
import { Button } from '../../controls/Button';
import { Link } from '../../controls/Link';
import { requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { comparedPrunes, signedMoney } from '../../state/pruneNet';
import type { RequestParts } from '../../state/requestParts';
import { pageWords } from '../../words/page';
import { pruneWords, ruleSetWords, worthWords as words } from '../../words/prune';
import { columnWords } from '../../words/views';
import { Fact, Facts } from '../common/Facts';
import { FigureTable } from '../common/FigureTable';
import type { WorthProps } from './PruneVerdict';

/** The figures behind the verdict. */
export function PruneWorth(parts: WorthProps) {
  const { view, prune, options, net } = parts;
  const { plan, prefix } = prune;
  return (
    <section className="stack" data-testid="prune-worth">
      <p className="muted" data-testid="prune-reason">
        {pruneWords.enough[options.measure](plan.candidateTokens, options.minimumTokens)}
      </p>
      {net.state === 'cold' && <p className="prose">{words.cold}</p>}
      {net.worth === undefined ? (
        <p className="muted">{words.pricesUnknown}</p>
      ) : (
        <Worth columns={parts.columns} net={net} worth={net.worth} />
      )}
      <p className="muted">{pruneWords.prefix(prefix.blocks, Math.min(prefix.tokens, view.total.value))}</p>
    </section>
  );
}

function Worth({
  columns,
  net,
  worth,
}: {
  readonly columns: SessionColumns;
  readonly net: PruneNet;
  readonly worth: NetWorth;
}) {
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
      <Fact name={words.breakEven} term={words.terms.breakEven}>
        {breakEven === undefined ? words.never : <strong>{words.breakEvenText(breakEven)}</strong>}
      </Fact>
      <Fact name={words.here}>
        <strong className={gained.money < 0 ? 'strong underlined' : 'strong'}>
          {gainText(gained.money)}
        </strong>
        <span className="muted">
          {' · '}
          {paidBackAt === undefined ? words.notPaidBack : words.paidBack(requestNumber(columns, paidBackAt))}
          {' · '}
          {words.hereText(later.requests, endWords[later.end])}
        </span>
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
export function RuleSets({
  columns,
  summary,
  view,
  options,
}: RequestParts & { readonly options: PruneOptions }) {
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
