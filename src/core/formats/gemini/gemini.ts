import { isArray, isObject, member, objectAt, stringAt } from '../../base/json';
import { eachAt } from '../../content/place';
import type { DocumentFormat, LineFormat, SourceRecord } from '../../reading/format';
import { GeminiHistory } from './geminiHistory';

/** Gemini CLI's chats since early 2026, `~/.gemini/tmp/<project>/chats/session-….jsonl`: a log of changes. */
export const geminiLog: LineFormat = {
  kind: 'lines',
  id: 'gemini-cli-log',
  name: 'Gemini CLI chat log',
  matches: records =>
    records.some(
      record =>
        isObject(record) &&
        (isHeader(record) ||
          isReply(record) ||
          isObject(record['$set']) ||
          typeof record['$rewindTo'] === 'string'),
    ),
  open: builder => {
    const history = new GeminiHistory(builder, true);
    return {
      push: record => readLine(record, history),
      end: () => history.finish(),
      resume: () => {
        history.resume();
        return true;
      },
    };
  },
};

/** Gemini CLI's chats until early 2026: one document. */
export const geminiChat: DocumentFormat = {
  kind: 'document',
  id: 'gemini-cli-chat',
  name: 'Gemini CLI chat',
  matches: document =>
    isArray(member(document, 'messages')) &&
    stringAt(document, 'sessionId') !== undefined &&
    (stringAt(document, 'projectHash') !== undefined ||
      ['startTime', 'lastUpdated'].every(key => stringAt(document, key) !== undefined)),
  read({ value, range }, locate, builder) {
    const history = new GeminiHistory(builder, false);
    history.readHeader(value);
    eachAt(value, { record: range, path: [], locate }, 'messages', (message, place) => {
      history.readMessage(message, place);
    });
    history.finish();
  },
};

function isHeader(record: unknown): boolean {
  return (
    stringAt(record, 'sessionId') !== undefined &&
    stringAt(record, 'projectHash') !== undefined &&
    member(record, 'messages') === undefined
  );
}

function isReply(record: unknown): boolean {
  return (
    stringAt(record, 'type') === 'gemini' &&
    ['id', 'timestamp'].every(key => stringAt(record, key) !== undefined)
  );
}

function readLine({ value, range }: SourceRecord, history: GeminiHistory): void {
  const place = { record: range, path: [] };
  const rewindTo = stringAt(value, '$rewindTo');
  if (objectAt(value, '$set') !== undefined) {
    history.readChange(member(value, '$set'), { ...place, path: ['$set'] });
  } else if (rewindTo !== undefined) {
    history.rewindTo(rewindTo, place);
  } else if (isHeader(value)) {
    history.readHeader(value);
    history.leaveOut('header record', place);
  } else {
    history.readMessage(value, place);
  }
}
