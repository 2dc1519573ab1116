import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import type { KnownCall } from '../../content/knownCalls';
import { CaptureTimeline } from './captureTimeline';
import { addExchange } from './exchangeRecord';
import type { DocumentFormat } from '../../reading/format';

/** An HTTP archive (HAR 1.2): calls to models become a timeline, everything else in it is left out. */
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
    const reading = { builder, timeline, calls: new Map<string, KnownCall>() };
    arrayAt(objectAt(record.value, 'log'), 'entries').forEach((entry, index) => {
      const content = objectAt(objectAt(entry, 'response'), 'content');
      addExchange(record, ['log', 'entries', index], locate, reading, {
        request: ['request', 'postData', 'text'],
        response: [['response', 'content', 'text']],
        isBase64: stringAt(content, 'encoding') === 'base64',
      });
    });
    builder.agentName ||= 'HTTP archive';
    const version = stringAt(objectAt(objectAt(record.value, 'log'), 'creator'), 'version');
    if (version !== undefined) {
      builder.versions.add(version);
    }
    timeline.finish();
    return builder.build(this.id);
  },
};
