import { useEffect, useState } from 'react';
import type { RenderedSummary } from '../../src/protocol/messages';
import { visibleText } from '../format';
import { useInspector } from '../state/inspector';
import { strings } from '../strings';
import { Segments } from './BlockTextView';
import { Fact, Facts } from './Facts';

const words = strings.rendered;
/** While the user scrubs, only the request where the scrubbing ends is asked for. */
const settleMilliseconds = 150;

type Answer =
  | { readonly request: number; readonly summary: RenderedSummary }
  | { readonly request: number; readonly problem: string };

/** The request in the four slots of the upstream's renderer. */
export function RenderedPanel({ request }: { readonly request: number }) {
  const { askRendered } = useInspector();
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    let isCurrent = true;
    const timer = window.setTimeout(() => {
      askRendered(request).then(
        summary => {
          if (isCurrent) {
            setAnswer({ request, summary });
          }
        },
        (error: unknown) => {
          if (isCurrent) {
            setAnswer({ request, problem: error instanceof Error ? error.message : String(error) });
          }
        },
      );
    }, settleMilliseconds);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [askRendered, request]);
  return (
    <div className="panel" data-testid="rendered-panel">
      <h2 className="panel-title">{words.title}</h2>
      {answer?.request !== request ? (
        <p className="muted">{words.reading}</p>
      ) : 'problem' in answer ? (
        <p className="prose" role="alert">
          {visibleText(answer.problem)}
        </p>
      ) : (
        <Summary summary={answer.summary} />
      )}
    </div>
  );
}

function Summary({ summary }: { readonly summary: RenderedSummary }) {
  const { extendsPrevious, commonTurnPrefix, frozenPrefixLen, stateTurn } = summary;
  return (
    <>
      <Facts>
        <Fact name={words.stable}>{words.tokens(summary.systemStableTokens)}</Fact>
        <Fact name={words.knowledge}>{words.tokens(summary.systemKnowledgeTokens)}</Fact>
        <Fact name={words.history}>{words.tokens(summary.historyTokens)}</Fact>
        <Fact name={words.total}>
          <strong>{words.tokens(summary.totalTokens)}</strong>
        </Fact>
      </Facts>
      <p className="muted prose">{words.own}</p>
      <Facts>
        <Fact name={words.turns}>{summary.turns}</Fact>
        <Fact name={words.frozenPrefixLen}>{frozenPrefixLen ?? words.absent}</Fact>
        <Fact name={words.extends}>
          {extendsPrevious === undefined ? words.extendsFirst : extendsPrevious ? words.yes : words.no}
          {commonTurnPrefix !== undefined && (
            <span className="muted"> · {words.common(commonTurnPrefix)}</span>
          )}
        </Fact>
        <Fact name={words.irBlocks}>{summary.irBlocks}</Fact>
      </Facts>
      <h3 className="panel-title">{words.fingerprints}</h3>
      <Facts>
        <Fact name={words.stable}>
          <code className="code">{summary.systemStableHash}</code>
        </Fact>
        <Fact name={words.knowledge}>
          <code className="code">{summary.systemKnowledgeHash}</code>
        </Fact>
        <Fact name={words.source}>
          <code className="code">{summary.sourceRequestHash}</code>
        </Fact>
      </Facts>
      <h3 className="panel-title">{words.stateTurn}</h3>
      {stateTurn === undefined ? (
        <p className="muted">{words.noStateTurn}</p>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard as well
        <pre className="block-text__text" tabIndex={0}>
          <Segments segments={stateTurn} />
        </pre>
      )}
    </>
  );
}
