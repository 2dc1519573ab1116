import { objectAt } from '../../base/json';
import type { KnownCall } from '../../content/knownCalls';
import type { DocumentFormat } from '../../reading/format';
import { readUsage } from '../common/usage';
import { CaptureTimeline } from './captureTimeline';
import { isAnthropicBody, readAnthropicRequest } from './wireAnthropic';

/** The body of a request to Anthropic's Messages API: one request whose whole context is on record. */
export const anthropicRequest: DocumentFormat = {
  kind: 'document',
  id: 'anthropic-request',
  name: 'Anthropic Messages request',
  matches: isAnthropicBody,
  read({ value, range }, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    const place = { record: range, path: [], locate };
    const usage = readUsage(objectAt(value, 'usage'), 'anthropic');
    timeline.add({
      request: readAnthropicRequest(value, place, new Map<string, KnownCall>()),
      line: range.line,
      usage,
    });
    timeline.finish();
    return builder.build(this.id);
  },
};
