import { arrayAt, isArray, isObject, member, stringAt } from '../base/json';
import { memoryFile, resultText } from '../content/classification';
import { callBlocks, contentBlocks, readChatMessage, type ReadMessage } from '../wire/generic/blocks';
import { below, eachAt, flatMapAt, type Place, sourceOf } from '../content/place';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';

/**
 * A SWE-agent trajectory. `history` has all messages. If the steps have a `query`, the query is the content that the
 * model saw, shortened by the history processors; then each step is a request with exactly that context.
 */
export const sweAgent: DocumentFormat = {
  kind: 'document',
  id: 'swe-agent',
  name: 'SWE-agent trajectory',
  matches: document => {
    const steps = arrayAt(document, 'trajectory');
    const history = arrayAt(document, 'history');
    return (
      (isArray(member(document, 'trajectory')) ||
        isObject(member(document, 'info')) ||
        // Demonstrations contain only their history, whose messages have marks of their own.
        history.some(message => stringAt(message, 'message_type') !== undefined)) &&
      (isMessages(history) ||
        (steps.length > 0 &&
          steps.every(
            step =>
              isObject(step) &&
              stringAt(step, 'action') !== undefined &&
              stringAt(step, 'observation') !== undefined,
          )))
    );
  },
  read({ value: document, range }, locate, builder) {
    const root: Place = { record: range, path: [], locate };
    const timeline = new Thread(builder);
    const steps = arrayAt(document, 'trajectory');
    const history = arrayAt(document, 'history');
    const reader = new MessageReader(
      timeline,
      history.some(message => arrayAt(message, 'tool_calls').length > 0),
    );
    builder.agentName = 'SWE-agent';
    if (steps.some(step => isArray(member(step, 'query')))) {
      eachAt(document, root, 'trajectory', (step, place) => {
        reader.restart();
        const query = flatMapAt(step, place, 'query', (message, at) => reader.read(message, at));
        const reply = readReply(step, place, timeline);
        timeline.addRequest(query, [reply], { complete: reader.complete, line: sourceOf(place).line });
      });
      eachAt(document, root, 'history', (_, place) => {
        builder.leaveOut('history message, repeated in the queries', sourceOf(place));
      });
      return;
    }
    eachAt(document, root, 'history', (message, place) => {
      const { complete } = reader;
      const read = reader.read(message, place);
      if (read.role === 'assistant' && member(message, 'is_demo') !== true) {
        timeline.addReply(read, { complete, line: sourceOf(place).line });
      } else {
        timeline.add(read);
      }
    });
    eachAt(document, root, 'trajectory', (step, place) => {
      if (history.length > 0) {
        builder.leaveOut('step, repeated in the history', sourceOf(place));
        return;
      }
      timeline.addReply(readReply(step, place, timeline), { line: sourceOf(place).line });
      const seen = below(place, 'observation');
      const blocks = contentBlocks(member(step, 'observation'), seen, 'user', timeline.calls, resultText);
      timeline.add({ role: 'user', blocks });
    });
    builder.title = builder.firstPrompt;
  },
};

function isMessages(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every(item => isObject(item) && stringAt(item, 'role') !== undefined);
}

/** Reads messages in order, because the class of a user message depends on whether the model has already replied. */
class MessageReader {
  private hasSystem = false;
  private hasSpoken = false;

  constructor(
    private readonly timeline: Thread,
    private readonly usesTools: boolean,
  ) {}

  /** The commands are in the system prompt; only the schemas of function calls are missing. */
  get complete(): boolean {
    return this.hasSystem && !this.usesTools;
  }

  restart(): void {
    this.hasSpoken = false;
  }

  read(message: unknown, place: Place): ReadMessage {
    const isDemo = member(message, 'is_demo') === true;
    const role = stringAt(message, 'role');
    this.hasSystem ||= role === 'system';
    this.hasSpoken ||= role === 'assistant' && !isDemo;
    const textClass = isDemo ? memoryFile : role === 'user' && this.hasSpoken ? resultText : undefined;
    return readChatMessage(message, place, this.timeline.calls, { textClass });
  }
}

/** The reply as recorded in the step. */
function readReply(step: unknown, place: Place, { calls }: Thread): ReadMessage {
  const blocks = [
    ...contentBlocks(member(step, 'response'), below(place, 'response'), 'assistant', calls),
    ...callBlocks(member(step, 'tool_calls'), below(place, 'tool_calls'), calls),
  ];
  return { role: 'assistant', blocks };
}
