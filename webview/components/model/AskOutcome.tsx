import { tokens } from '../../../src/core/base/countWords';
import { formatMoney } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import { diagnosisText } from '../../../src/core/cache/causeWords';
import type { AskCount, AskPlan, AskResult } from '../../../src/protocol/askMessages';
import { Button } from '../../controls/Button';
import { ProgressRing } from '../../controls/ProgressRing';
import { actionTally, type AskRun, type Tally } from '../../state/asks';
import { requestNumber } from '../../state/cacheReport';
import { useAppState, useInspector } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { askWords as words } from '../../words/ask';
import { cacheWords } from '../../words/cache';
import { pageWords } from '../../words/page';
import { BlockList } from '../common/BlockList';
import { Fact, Facts } from '../common/Facts';
import { ReplyComparison } from './ReplyComparison';

/** The answer of a model, while it arrives and when it is complete. */
export function AskOutcome({ plan, ...parts }: RequestParts & { readonly plan: AskPlan }) {
  const { askModel } = useInspector();
  const { phase, runs, count, file, isCancelled } = useAppState(state => state.asks);
  const { order } = plan;
  const title = words.resultTitle(words.forms[order.form], requestNumber(parts.columns, order.request));
  return (
    <section className="stack gap-10" aria-label={title} data-testid="ask-outcome">
      <h2 className="panel-title">{title}</h2>
      {phase === 'running' && (
        <p className="row wraps" role="status">
          <ProgressRing />{' '}
          {order.form === 'count' ? words.counting : words.running(runs.length, runs[0]?.of ?? 1)}{' '}
          <Button onPress={() => askModel({ kind: 'cancel' })}>{pageWords.cancel}</Button>
        </p>
      )}
      {isCancelled && <p role="status">{words.cancelled}</p>}
      {order.form === 'compare' && runs.some(({ result }) => result !== undefined) && <Tallies runs={runs} />}
      {count !== undefined && <Counted {...parts} count={count} isOver={phase === 'ended'} />}
      {runs.map((run, index) => (
        <Run key={`${plan.plan}/${index}`} run={run} />
      ))}
      {file !== undefined && <p className="breaks muted">{words.saved(visibleText(file))}</p>}
    </section>
  );
}

function Run({ run }: { readonly run: AskRun }) {
  const { side, thinking, content, result } = run;
  return (
    <section className="box stack gap-10" aria-label={words.sides[side]}>
      <h3 className="panel-title">{words.sides[side]}</h3>
      {thinking !== '' && (
        <details open={result === undefined}>
          <summary>{words.thinking}</summary>
          <pre className="text-box ask-text ask-text--thinking" data-testid="ask-thinking">
            {visibleText(thinking)}
          </pre>
        </details>
      )}
      {content !== '' && result?.comparison === undefined && (
        <pre className="text-box ask-text" aria-label={words.answer} data-testid="ask-content">
          {visibleText(content)}
        </pre>
      )}
      {result !== undefined && <Result result={result} />}
    </section>
  );
}

function Result({ result }: { readonly result: AskResult }) {
  const { usage, cost, predictedRead, diagnosis, firstPieceAfter, duration, sentence, comparison } = result;
  return (
    <>
      {sentence !== undefined && (
        <p className="ask-fault box row wraps breaks" role="alert">
          {visibleText(sentence)}
        </p>
      )}
      <Facts>
        {usage === undefined ? (
          <Fact name={words.input}>{words.noUsage}</Fact>
        ) : (
          <>
            <Fact name={words.input}>
              {words.inputTokens(usage.input + usage.cacheRead + usage.cacheWrite)}
            </Fact>
            <Fact name={pageWords.cacheRead}>{words.readTokens(usage.cacheRead, predictedRead)}</Fact>
            {diagnosis !== undefined && (
              <Fact name={cacheWords.diagnosis} term={cacheWords.terms.diagnosis}>
                {diagnosisText(diagnosis)}
              </Fact>
            )}
            <Fact name={pageWords.cacheWrite}>{tokens(usage.cacheWrite)}</Fact>
            <Fact name={words.output}>{tokens(usage.output)}</Fact>
            <Fact name={pageWords.cost}>
              {cost === undefined ? pageWords.priceUnknown : formatMoney(cost)}
            </Fact>
          </>
        )}
        <Fact name={words.time}>{words.seconds(firstPieceAfter, duration)}</Fact>
      </Facts>
      {comparison !== undefined && <ReplyComparison comparison={comparison} />}
    </>
  );
}

function Tallies({ runs }: { readonly runs: readonly AskRun[] }) {
  const { recorded, pruned, alike } = actionTally(runs);
  const text = ({ count, of }: Tally): string => words.tally(count, of);
  return (
    <section aria-label={words.tallyTitle} data-testid="ask-tally">
      <h3 className="panel-title">{words.tallyTitle}</h3>
      <Facts>
        <Fact name={words.tallyRecorded}>{text(recorded)}</Fact>
        <Fact name={words.tallyPruned}>{text(pruned)}</Fact>
        <Fact name={words.tallyAlike}>{text(alike)}</Fact>
      </Facts>
    </section>
  );
}

function Counted({
  columns,
  view,
  count,
  isOver,
}: RequestParts & { readonly count: AskCount; readonly isOver: boolean }) {
  return (
    <>
      <p data-testid="ask-count">
        <strong>{words.countedTotal(count.tokens)}</strong> ({words.countedCalls(count.calls)})
      </p>
      {isOver && <p className="muted">{count.isTaken ? words.taken : words.notTaken}</p>}
      {count.parts.length > 0 && (
        <BlockList title={words.blocks} columns={columns} view={view} entries={count.parts} />
      )}
    </>
  );
}
