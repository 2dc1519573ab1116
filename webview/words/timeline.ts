import { formatMoney, formatNumber, formatShortChange, nameInSentence } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { sourceWords } from '../../src/core/drawing/drawingWords';
import type { TokenFigure } from '../../src/core/tokens/quality';
import { figureNumber, qualityText } from '../../src/core/tokens/qualityWords';
import type { SourceChange } from '../../src/core/view/changeBySource';
import { requestNumber } from '../../src/core/view/requestNames';

const lost = (money: number | undefined): string =>
  money === undefined ? translate('cache lost') : translate('cache lost · {0}', formatMoney(money));

/** The requests over time, and the choice of a conversation. */
export const timelineWords = {
  label: translate('Request'),
  section: translate('Requests over time'),
  cacheReadOf: (tokens: number): string => translate('{0} from the cache', formatNumber(tokens)),
  lost,
  lostWord: translate('cache lost'),
  /** Begins with the visible text, because voice control finds an element by its visible text. */
  lostBy: (money: number | undefined, causes: string): string => `${lost(money)} · ${causes}`,
  cameIn: (label: string): string => translate('new {0} data', label),
  questions: translate('Your questions'),
  question: (slot: number, text: string): string =>
    translate('Question in request {0}: {1}', requestNumber(slot), text),
  earlier: translate('Previous request'),
  later: translate('Next request'),
  unit: translate('tokens'),
  ofWindow: (window: string): string => translate('of {0}', window),
  cached: (share: string): string => translate('{0} cached', share),
  thread: translate('Conversation'),
  mainThread: translate('Main conversation'),
  subagentThread: (number: number): string => translate('Subagent {0}', number),
  conversation: (number: number, title: string): string =>
    title === '' ? translate('Conversation {0}', formatNumber(number)) : `${formatNumber(number)} · ${title}`,
  moreConversations: (count: number): string =>
    translate('{0} more. Type to narrow the list.', formatNumber(count)),
  noConversation: translate('No matching conversations'),
  toCall: translate('Go to parent call'),
  output: (recorded: number, estimate: TokenFigure | undefined): string =>
    estimate === undefined
      ? translate('output: {0} recorded (too low)', formatNumber(recorded))
      : translate(
          'output: {0} recorded, about {1} ({2})',
          formatNumber(recorded),
          figureNumber(estimate),
          qualityText(estimate.quality, estimate.error),
        ),
  outputHint: translate(
    'This version of the agent records too few output tokens. The estimate is based on the length of the reply.',
  ),
  sinceRequest: (changes: readonly SourceChange[], request: string): string =>
    changes.length === 0
      ? translate('nothing new since request {0}', request)
      : translate(
          '{0} since request {1}',
          changes
            .map(
              ({ source, tokens }) => `${formatShortChange(tokens)} ${nameInSentence(sourceWords[source])}`,
            )
            .join(', '),
          request,
        ),
  firstRequest: translate('first request of the conversation'),
  caption: (index: number, count: number): string =>
    translate('Request {0} of {1}', requestNumber(index), formatNumber(count)),
} as const;
