import type { KnownCall } from '../../content/knownCalls';
import { CaptureTimeline } from './captureTimeline';
import { addExchange, exchangeShapeOf } from './exchangeRecord';
import type { LineFormat } from '../../reading/format';

/**
 * JSON lines of captured calls to models: pairs of HTTP request and response (claude-trace), batch files and their
 * results, logs of requests or of responses. Headers are never read.
 */
export const httpCapture: LineFormat = {
  kind: 'lines',
  id: 'api-capture',
  name: 'captured API calls, one per line',
  matches: records =>
    records.filter(record => exchangeShapeOf(record) !== undefined).length * 2 > records.length,
  open(builder) {
    const timeline = new CaptureTimeline(builder);
    const reading = { builder, timeline, calls: new Map<string, KnownCall>() };
    return {
      push: record => {
        addExchange(record, [], () => record.range, reading);
      },
      finish: () => {
        timeline.finish();
        return builder.build(this.id);
      },
    };
  },
};
