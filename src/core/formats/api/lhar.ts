import {
  arrayAt,
  isArray,
  member,
  objectAt,
  stringAt,
  timeAt,
  valueAt,
  type ValuePath,
} from '../../base/json';
import type { Locate } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat, LineFormat, SourceRecord } from '../../reading/format';
import { readUsage } from '../../wire/usage';
import { CaptureTimeline } from './captureTimeline';
import { type OpenBody, openBody, readRequest, readResponse } from '../../wire/bodies';

/** LHAR, context-lens's archive of model calls, one session or entry per line. */
export const lhar: LineFormat = {
  kind: 'lines',
  id: 'lhar',
  name: 'LHAR (context-lens), one entry per line',
  matches: records => records.some(record => isSession(record) || isEntry(record)),
  open(builder) {
    const reader = new LharReader(builder);
    const push = (record: SourceRecord): void => reader.read(record, [], () => record.range);
    return { push, end: () => reader.finish(), resume: () => false };
  },
};

/** The same archive as one document. */
export const lharDocument: DocumentFormat = {
  kind: 'document',
  id: 'lhar-document',
  name: 'LHAR (context-lens)',
  matches: document => {
    const entries = member(objectAt(document, 'lhar'), 'entries');
    return isArray(entries) && entries.every(entry => objectAt(entry, 'gen_ai') !== undefined);
  },
  read(record, locate, builder) {
    const reader = new LharReader(builder);
    for (const key of ['sessions', 'entries']) {
      arrayAt(objectAt(record.value, 'lhar'), key).forEach((_, index) => {
        reader.read(record, ['lhar', key, index], locate);
      });
    }
    reader.finish();
  },
};

function isSession(value: unknown): boolean {
  return stringAt(value, 'type') === 'session' && stringAt(value, 'trace_id') !== undefined;
}

function isEntry(value: unknown): boolean {
  return stringAt(value, 'type') === 'entry' && objectAt(value, 'gen_ai') !== undefined;
}

/** Bodies are present only if the archive was made with full privacy; otherwise there are only sizes and usage. */
class LharReader {
  private readonly timeline: CaptureTimeline;

  constructor(private readonly builder: TranscriptBuilder) {
    this.timeline = new CaptureTimeline(builder);
  }

  read(record: SourceRecord, path: ValuePath, locate: Locate): void {
    const value = valueAt(record.value, path);
    const source = locate(path);
    if (objectAt(value, 'gen_ai') === undefined) {
      if (isSession(value)) {
        this.builder.sessionId ??= stringAt(value, 'trace_id');
        this.builder.leaveOut('session record', source);
      } else {
        this.builder.addProblem('unknownRecord', source.line);
      }
      return;
    }
    this.builder.agentName ||= stringAt(objectAt(value, 'source'), 'tool') ?? '';
    this.builder.addVersion(stringAt(objectAt(value, 'source'), 'tool_version'));
    const bodyAt = (key: string): OpenBody => {
      const inner = [...path, 'raw', key];
      return openBody(valueAt(record.value, inner), { record: record.range, path: inner, locate });
    };
    const read = readRequest(bodyAt('request_body'), this.timeline.calls);
    const genAi = objectAt(value, 'gen_ai');
    const model =
      stringAt(objectAt(genAi, 'request'), 'model') ?? stringAt(objectAt(genAi, 'response'), 'model');
    if (read === undefined) {
      this.builder.addProblem('missingRequestContent', source.line);
    }
    const request = read ?? { api: stringAt(genAi, 'system') ?? '', messages: [], complete: false };
    this.timeline.add({
      request: request.model === undefined && model !== undefined ? { ...request, model } : request,
      response: readResponse(bodyAt('response_body'), this.timeline.calls),
      line: source.line,
      timestamp: timeAt(value, 'timestamp'),
      usage: readUsage(
        { usage: member(genAi, 'usage'), more: member(value, 'usage_ext') },
        stringAt(genAi, 'system') === 'anthropic' ? 'lharAnthropic' : 'lhar',
      ),
      id: stringAt(value, 'id'),
    });
  }

  finish(): void {
    this.timeline.finish();
  }
}
