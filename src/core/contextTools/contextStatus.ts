import { requests as requestCount } from '../base/countWords';
import { formatDuration, formatMoney, formatNumber } from '../base/format';
import { breakdown } from '../breakdown/breakdown';
import { sourceWords } from '../drawing/drawingWords';
import { type SessionStatus, sessionStatus } from '../session/sessionStatus';
import { costText, mainCostText } from '../tokens/usageFigures';
import { afterSentences } from '../view/contextAfter';
import { contextPicture } from './contextPicture';
import { commonParams, contextTool } from './contextTool';
import { recorded } from './recordedText';
import { requestAt } from './requestAt';
import { cacheText, fillText, roomText } from './statusWords';

/** Maximum number of sources that are listed. */
const mostSources = 8;

export const contextStatus = contextTool({
  name: 'context_status',
  title: 'Context status',
  description:
    'How full your context is and of what, cached share, time until the cache is cold, room until compaction, cost.',
  params: { session: commonParams.session },
  answer: async ({ session: wanted }, { open, now }) => {
    const { id, session, conversation } = await open(wanted);
    const status = sessionStatus(session.toSession(), conversation);
    const { agent, model, title, requests, newest, after } = status;
    const named = [agent, model].filter(part => part !== '').map(recorded);
    const titled = title === '' ? [] : [recorded(title)];
    const head = [`Session ${recorded(id)}`, ...named, requestCount(requests), ...titled].join(' · ');
    if (newest === undefined) {
      return [head, 'No request yet.'];
    }
    const { cache, sources, cost } = newest;
    const room = after === undefined ? roomText(newest) : undefined;
    const seconds = cache?.coldAt === undefined ? undefined : (cache.coldAt - now()) / 1000;
    const whole = costText({ money: status.cost, isLeast: status.isLeast, recorded: status.recordedCost });
    const main = mainCostText(status.conversationCost, status.cost);
    return [
      head,
      ...(after === undefined ? [] : afterSentences(after).map(sentence => `${sentence}.`)),
      fillLine(newest, after),
      ...sources
        .slice(0, mostSources)
        .map(({ source, tokens }) => `  ${sourceWords[source]}: ${formatNumber(tokens)}`),
      ...(cache === undefined ? ['The use of the cache is not recorded.'] : [cacheText(cache, now())]),
      ...(seconds === undefined || seconds <= 0 ? [] : [`Cold in about ${formatDuration(seconds)}.`]),
      ...(room === undefined ? [] : [room]),
      ...(whole === ''
        ? []
        : [`Cost: ${whole}${cost === undefined ? '' : `, newest request ${formatMoney(cost)}`}`]),
      ...(main === undefined ? [] : [`${main}.`]),
    ];
  },
  picture: async ({ session: wanted }, { open, now }) => {
    const { session, conversation } = await open(wanted);
    const { newest, after } = sessionStatus(session.toSession(), conversation);
    if (newest === undefined) {
      return undefined;
    }
    const { root } = breakdown(session.toSession(), requestAt(session, conversation, undefined));
    return contextPicture(root, 'tokens', [
      fillLine(newest, after),
      ...(newest.cache === undefined ? [] : [cacheText(newest.cache, now())]),
    ]);
  },
});

const fillLine = (newest: NonNullable<SessionStatus['newest']>, after: SessionStatus['after']): string =>
  `${after === undefined ? 'Context' : 'Newest request'}: ${fillText(newest)}`;
