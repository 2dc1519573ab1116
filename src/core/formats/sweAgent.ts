import { arrayAt, isArray, isObject, member, stringAt } from '../base/json';
import type { TextClass } from '../content/classification';
import { type ReadMessage, callBlock, contentBlocks, readChatMessage } from '../content/dialects/generic';
import { type Place, below } from '../content/place';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';

const demonstration: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'developer' };
const observation: TextClass = { kind: 'toolResult', partition: 'history', provenance: 'tool' };

/**
 * A SWE-agent trajectory. `history` is what was said; where the steps hold their `query`, that is what the model saw
 * after the history processors had shortened it, and each step is a request with that very context.
 */
export const sweAgent: DocumentFormat = {
  kind: 'document',
  id: 'swe-agent',
  name: 'SWE-agent trajectory',
  matches: document => {
    const steps = arrayAt(document, 'trajectory');
    return (
      isArray(member(document, 'trajectory')) &&
      (isMessages(arrayAt(document, 'history')) ||
        (steps.length > 0 &&
          steps.every(
            step =>
              isObject(step) &&
              stringAt(step, 'action') !== undefined &&
              stringAt(step, 'observation') !== undefined,
          )))
    );
  },
  read(record, locate, builder) {
    const document = record.value;
    const root: Place = { record: record.range, path: [], locate };
    const timeline = new Thread(builder, 0);
    const steps = arrayAt(document, 'trajectory');
    const history = arrayAt(document, 'history');
    const reader = new MessageReader(
      timeline,
      history.some(message => arrayAt(message, 'tool_calls').length > 0),
    );
    builder.agentName = 'SWE-agent';
    if (steps.some(step => isArray(member(step, 'query')))) {
      steps.forEach((step, index) => {
        const place = below(root, 'trajectory', index);
        reader.restart();
        const query = arrayAt(step, 'query').map((message, at) =>
          reader.read(message, below(place, 'query', at)),
        );
        const reply = readReply(step, place, timeline);
        timeline.addRequest(query, [reply], { complete: reader.complete, line: locate(place.path).line });
      });
      history.forEach((_, index) => {
        builder.leaveOut('history, which the queries repeat', locate(['history', index]));
      });
      return builder.build(this.id);
    }
    history.forEach((message, index) => {
      const place = below(root, 'history', index);
      const { complete } = reader;
      const read = reader.read(message, place);
      if (read.role === 'assistant' && member(message, 'is_demo') !== true) {
        timeline.addReply(read, { complete, line: locate(place.path).line });
      } else {
        const prompt = timeline.add(read).find(number => builder.blocks.at(number)?.kind === 'prompt');
        builder.title ??= prompt === undefined ? undefined : builder.blocks.at(prompt)?.label;
      }
    });
    steps.forEach((step, index) => {
      const place = below(root, 'trajectory', index);
      if (history.length > 0) {
        builder.leaveOut('step, which the history repeats', locate(place.path));
        return;
      }
      timeline.addReply(readReply(step, place, timeline), { complete: false, line: locate(place.path).line });
      const seen = below(place, 'observation');
      const blocks = contentBlocks(member(step, 'observation'), seen, 'user', timeline.calls, observation);
      timeline.add({ role: 'user', blocks });
    });
    return builder.build(this.id);
  },
};

function isMessages(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every(item => isObject(item) && stringAt(item, 'role') !== undefined);
}

/** Reads messages one after the other: what a user message is depends on whether the model has spoken. */
class MessageReader {
  private hasSystem = false;
  private hasSpoken = false;

  constructor(
    private readonly timeline: Thread,
    private readonly usesTools: boolean,
  ) {}

  /** The commands stand in the system prompt; only schemas for function calling are missing. */
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
    const textClass = isDemo ? demonstration : role === 'user' && this.hasSpoken ? observation : undefined;
    return readChatMessage(message, place, this.timeline.calls, { textClass });
  }
}

/** The reply as the step holds it. */
function readReply(step: unknown, place: Place, { calls }: Thread): ReadMessage {
  const said = contentBlocks(member(step, 'response'), below(place, 'response'), 'assistant', calls);
  const called = arrayAt(step, 'tool_calls').map((call, index) =>
    callBlock(call, below(place, 'tool_calls', index), calls),
  );
  return { role: 'assistant', blocks: [...said, ...called] };
}
