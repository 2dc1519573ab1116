import { turns } from '../../../src/core/base/countWords';
import { partitionWords } from '../../../src/core/drawing/drawingWords';
import type { RenderedSummary } from '../../../src/core/questions/answers';
import { figureTokens } from '../../../src/core/tokens/qualityWords';
import type { RequestInView } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { renderedWords as words } from '../../words/block';
import { Answered } from '../common/Answered';
import { Fact, Facts } from '../common/Facts';
import { Quality } from '../common/Quality';
import { Segments } from '../block/TextRows';

/** The request in the renderer's four slots. */
export function RenderedPanel({ columns, view }: RequestInView) {
  const { answer } = useAnswer({ name: 'rendered', params: { request: view.request } }, { since: columns });
  return (
    <div className="panel stack gap-12" data-testid="rendered-panel">
      <h2 className="panel-title" title={words.titleTerm}>
        {words.title}
      </h2>
      <Answered answer={answer} waiting={words.loading}>
        {summary => <Summary summary={summary} view={view} />}
      </Answered>
    </div>
  );
}

function Summary({
  summary,
  view,
}: {
  readonly summary: RenderedSummary;
  readonly view: RequestInView['view'];
}) {
  const { extendsPrevious, commonTurnPrefix, frozenPrefixLen, stateTurn } = summary;
  const { partitions, quality, error, notRecorded } = view;
  // As the lanes of the drawing, so that both say the same.
  const sized = (value: number) => (
    <>
      {figureTokens({ value, quality, error })} <Quality quality={quality} error={error} />
    </>
  );
  const stable = partitions.system - notRecorded.value;
  return (
    <>
      <Facts>
        {stable > 0 && (
          <Fact name={words.stable} term="systemStable">
            {sized(stable)}
          </Fact>
        )}
        <Fact name={partitionWords.knowledge} term="systemKnowledge">
          {sized(partitions.knowledge)}
        </Fact>
        <Fact name={partitionWords.history} term="turns">
          {sized(partitions.history)}
        </Fact>
        <Fact name={words.turnCount}>{summary.turns}</Fact>
        <Fact name={words.pinned} term="frozenPrefixLen">
          {frozenPrefixLen === undefined ? words.absent : turns(frozenPrefixLen)}
        </Fact>
        <Fact name={words.extends}>
          {extendsPrevious === undefined ? words.extendsFirst : extendsPrevious ? words.yes : words.no}
          {commonTurnPrefix !== undefined && (
            <span className="muted"> · {words.common(commonTurnPrefix)}</span>
          )}
        </Fact>
        <Fact name={words.irBlocks} term="PromptIR">
          {summary.irBlocks}
        </Fact>
      </Facts>
      <h3 className="panel-title">{words.technical}</h3>
      <Facts>
        <Fact name={words.stable} term="systemStable">
          <code className="code">{summary.systemStableHash}</code>
        </Fact>
        <Fact name={partitionWords.knowledge} term="systemKnowledge">
          <code className="code">{summary.systemKnowledgeHash}</code>
        </Fact>
        <Fact name={words.source} term="sourceRequestHash">
          {summary.sourceRequestHash === undefined ? (
            words.notOnRecord
          ) : (
            <code className="code">{summary.sourceRequestHash}</code>
          )}
        </Fact>
      </Facts>
      <h3 className="panel-title" title={words.stateTurnTerm}>
        {words.stateTurn}
      </h3>
      {stateTurn === undefined ? (
        <p className="muted">{words.noStateTurn}</p>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard as well
        <pre className="text-box" tabIndex={0}>
          <Segments segments={stateTurn} />
        </pre>
      )}
    </>
  );
}
