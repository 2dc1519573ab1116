import { formatExactShare, formatMoney, formatNumber, formatTime } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { crackIcon, iconOfBlock } from '../../../src/core/drawing/icons';
import { figureNumber } from '../../../src/core/tokens/qualityWords';
import { windowOrigin } from '../../../src/core/tokens/windowWords';
import { lowOutput } from '../../../src/core/view/requestOutput';
import { Button } from '../../controls/Button';
import { FoldButton } from '../../controls/FoldButton';
import { lossOf } from '../../state/cacheReport';
import { compactionAt } from '../../state/compaction';
import { requestCostText, requestView } from '../../state/derived';
import { type RequestOfSession, useAppState, useInspector, useViewState } from '../../state/inspector';
import { namedThreads, subagentOf, viewOfCall } from '../../state/threads';
import { compactionWords } from '../../words/compaction';
import { timelineWords as words } from '../../words/timeline';
import { namesOf } from '../cache/BreakList';
import { ConversationPicker } from '../page/ConversationPicker';
import { Icon } from '../common/Icon';
import { Quality } from '../common/Quality';

/** The selected request in figures, its events, and the choice of a conversation. */
export function TimelineCaption({
  session,
  request,
  slot,
  count,
  choose,
}: RequestOfSession & {
  /** The index of the request in its conversation, and the number of requests in it. */
  readonly slot: number;
  readonly count: number;
  readonly choose: (slot: number) => void;
}) {
  const { columns, summary } = session;
  const inspector = useInspector();
  const isFolded = useViewState('isTimelineFolded');
  const cache = useAppState(state => state.cache);
  const thread = at(columns.requests.thread, request);
  const time = formatTime(at(columns.requests.timestamp, request));
  const model = columns.strings.at(at(columns.requests.model, request)) ?? '';
  const threads = namedThreads(columns, summary);
  const subagent = subagentOf(summary, thread);
  const finding = lossOf(cache, request);
  const compacted = compactionAt(columns, summary, request);
  const output = lowOutput(columns, request);
  const call = subagent === undefined ? undefined : viewOfCall(columns, subagent);
  return (
    <div className="timeline__caption row shrinks unbroken small tabular">
      <FoldButton
        name={words.section}
        isOpen={!isFolded}
        controls="timeline-chart"
        onToggle={() => inspector.changeView({ isTimelineFolded: !isFolded })}
      />
      <strong className="timeline__request ellipsis">{words.caption(slot, count)}</strong>
      {time !== '' && <span className="timeline__time muted">{time}</span>}
      {model !== '' && model !== summary.model && (
        <span className="muted ellipsis">{visibleLabel(model)}</span>
      )}
      {output !== undefined && (
        <span className="timeline__doubt ellipsis" title={words.outputHint} data-testid="doubtful-output">
          <span aria-hidden="true">⚠ </span>
          <span className="timeline__doubt-text">{words.output(output.recorded, output.estimate)}</span>
        </span>
      )}
      {threads.length > 1 && (
        <ConversationPicker
          threads={threads}
          chosen={thread}
          onChoose={number => inspector.changeView({ thread: number, request: undefined })}
        />
      )}
      {finding !== undefined && (
        <Chip
          icon={crackIcon}
          isLoss
          text={words.lostWord}
          figure={finding.moneyLost === undefined ? undefined : formatMoney(finding.moneyLost)}
          name={words.lostBy(finding.moneyLost, namesOf(finding))}
          onPress={() => inspector.changeView({ panel: 'cache' })}
        />
      )}
      {compacted !== undefined && (
        <Chip
          icon={iconOfBlock('summary', 'model')}
          text={compactionWords.here[compacted.kind]}
          onPress={() => inspector.changeView({ mainView: 'compaction', compaction: compacted.place })}
        />
      )}
      {call !== undefined && (
        <Chip
          icon={iconOfBlock('toolCall', 'model')}
          text={words.toCall}
          onPress={() => inspector.changeView(call)}
        />
      )}
      <RequestFigures session={session} request={request} />
      <span className="timeline__steps row gap-2">
        <Button appearance="icon" name={words.earlier} disabled={slot === 0} onPress={() => choose(slot - 1)}>
          <span className="chevron chevron--left" aria-hidden="true" />
        </Button>
        <Button
          appearance="icon"
          name={words.later}
          disabled={slot >= count - 1}
          onPress={() => choose(slot + 1)}
        >
          <span className="chevron chevron--right" aria-hidden="true" />
        </Button>
      </span>
    </div>
  );
}

/** An event of the request. Its text gives way to the figures; its icon and its name stay. */
function Chip({
  icon,
  isLoss = false,
  text,
  figure,
  name = text,
  onPress,
}: {
  readonly icon: string;
  readonly isLoss?: boolean;
  readonly text: string;
  /** After the text, and never cut. */
  readonly figure?: string | undefined;
  readonly name?: string;
  readonly onPress: () => void;
}) {
  return (
    <span className="timeline__chip">
      <Button name={name} onPress={onPress}>
        <span className={`timeline__event row gap-4${isLoss ? ' timeline__event--loss' : ''}`}>
          <Icon icon={icon} size={12} />
          <span className="timeline__event-text">{text}</span>
          {figure !== undefined && (
            <span className="timeline__event-figure tabular">
              <span className="timeline__event-dot">· </span>
              {figure}
            </span>
          )}
        </span>
      </Button>
    </span>
  );
}

/** Tokens, the cached part, and the cost. */
function RequestFigures({ session: { columns, summary }, request }: RequestOfSession) {
  const view = requestView(columns, request);
  const { total, window, recorded } = view;
  const cost = requestCostText(columns, summary, request);
  return (
    <span className="timeline__figures row baseline end">
      <span className="timeline__figure">
        <span data-testid="total">{figureNumber(total)}</span>{' '}
        {window !== undefined && (
          <span className="timeline__window muted" title={windowOrigin(view)}>
            {words.ofWindow(formatNumber(window))}{' '}
          </span>
        )}
        <span className="muted">{words.unit}</span> <Quality {...total} />
      </span>
      {recorded !== undefined && total.value > 0 && (
        <span
          className="timeline__figure timeline__cached underlined underlined--ice"
          title={words.cacheReadOf(recorded.tokens)}
        >
          {words.cached(formatExactShare(recorded.tokens / total.value))}
        </span>
      )}
      {cost !== '' && (
        <span className="timeline__figure" data-testid="request-cost">
          {cost}
        </span>
      )}
    </span>
  );
}
