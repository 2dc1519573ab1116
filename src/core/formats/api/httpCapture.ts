import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import type { DocumentFormat, LineFormat, SourceRecord } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { CaptureTimeline } from './captureTimeline';
import { addExchange, exchangeShapeOf } from './exchangeRecord';

/**
 * JSON lines of captured calls to models: pairs of HTTP request and response (claude-trace), batch files and their
 * results, logs of requests or of responses. Headers are never read.
 */
export const httpCapture: LineFormat = {
  kind: 'lines',
  id: 'api-capture',
  name: 'captured API calls, one per line',
  matches: records => mostAre(records, record => exchangeShapeOf(record) !== undefined),
  open(builder) {
    const timeline = new CaptureTimeline(builder);
    const push = (record: SourceRecord): void => addExchange(record, [], () => record.range, timeline);
    return { push, end: () => timeline.finish(), resume: () => false };
  },
};

/** An HTTP archive (HAR 1.2). Calls to models become a timeline; everything else is left out. */
export const har: DocumentFormat = {
  kind: 'document',
  id: 'har',
  name: 'HTTP archive (HAR)',
  matches: document => {
    const entries = member(objectAt(document, 'log'), 'entries');
    return isArray(entries) && entries.every(entry => objectAt(entry, 'request') !== undefined);
  },
  read(record, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    arrayAt(objectAt(record.value, 'log'), 'entries').forEach((entry, index) => {
      const content = objectAt(objectAt(entry, 'response'), 'content');
      addExchange(record, ['log', 'entries', index], locate, timeline, {
        request: ['request', 'postData', 'text'],
        response: [['response', 'content', 'text']],
        isBase64: stringAt(content, 'encoding') === 'base64',
      });
    });
    builder.agentName ||= 'HTTP archive';
    builder.addVersion(stringAt(objectAt(objectAt(record.value, 'log'), 'creator'), 'version'));
    timeline.finish();
  },
};
