import { eachAt, sourceOf } from '../content/place';
import { arrayAt, isArray, isObject, member, stringAt } from '../base/json';
import type { DocumentFormat } from '../reading/format';
import { readChatMessage } from '../wire/generic/blocks';
import { Thread } from './common/thread';

/** A session of nanocoder, `<data folder>/nanocoder/sessions/<id>.json` (nanocoder 1.30.0, session-manager.js). */
export const nanocoder: DocumentFormat = {
  kind: 'document',
  id: 'nanocoder',
  name: 'nanocoder session',
  matches: document =>
    isArray(member(document, 'messages')) &&
    ['id', 'createdAt', 'lastAccessedAt', 'provider', 'model', 'workingDirectory'].every(
      key => stringAt(document, key) !== undefined,
    ),
  read({ value, range }, locate, builder) {
    builder.agentName = 'nanocoder';
    builder.sessionId = stringAt(value, 'id');
    builder.workingDirectory = stringAt(value, 'workingDirectory');
    const model = stringAt(value, 'model');
    const thread = new Thread(builder);
    eachAt(value, { record: range, locate, path: [] }, 'messages', (message, place) => {
      const { line } = sourceOf(place);
      if (isObject(message)) {
        thread.addRecorded(readChatMessage(message, place, thread.calls), { line, model });
      } else {
        builder.addProblem('malformedRecord', line);
      }
    });
    builder.title = stringAt(value, 'title') ?? builder.firstPrompt;
    if (arrayAt(value, 'messages').length === 0) {
      builder.leaveOut('session without messages', range);
    }
  },
};
