import { groupBy } from '../base/groupBy';
import { charTokenEngine } from '../context/charTokenEngine';
import {
  type ContextPartitions,
  createContextPartitions,
  type Message,
  type ToolCall,
  withoutDeliveredSignals,
} from '../model/contextPartitions';
import { parseArguments, taskStateOf, type TextBlock } from './taskStateOf';

/**
 * Sorts a request's blocks into the four partitions of the upstream. Signals are the client's notes; those that an earlier
 * request delivered are dropped.
 * @param quoted the same blocks as the task state quotes them
 */
export function requestPartitions(
  blocks: readonly TextBlock[],
  quoted: readonly TextBlock[] = blocks,
): ContextPartitions {
  const lastReply = blocks.findLastIndex(({ block }) => block.role === 'assistant');
  const isSignal = ({ block }: TextBlock): boolean =>
    block.partition === 'state' && block.kind === 'injected';
  const signals = blocks.filter(isSignal).map(({ text }) => text);
  const delivered = blocks.slice(0, lastReply + 1).filter(isSignal).length;
  const partitions = withoutDeliveredSignals(
    createContextPartitions(taskStateOf(quoted), signals),
    delivered,
  );
  for (const { block, text } of blocks) {
    if (block.partition === 'system' || block.partition === 'knowledge') {
      partitions[block.partition].push(
        { role: 'system', content: text, toolCalls: [] },
        charTokenEngine.count(text),
      );
    }
  }
  for (const message of historyMessages(blocks)) {
    partitions.history.push(message, charTokenEngine.countMessage(message));
  }
  return partitions;
}

/** The history partition as messages: one for each message of the transcript that has blocks in it. */
function historyMessages(blocks: readonly TextBlock[]): readonly Message[] {
  const history = blocks.filter(({ block }) => block.partition === 'history' || block.kind === 'toolCall');
  return [...groupBy(history, ({ block }) => block.message).values()].map(messageOf);
}

function messageOf(group: readonly TextBlock[]): Message {
  const results = group.filter(({ block }) => block.kind === 'toolResult');
  const toolCalls = group.flatMap(({ block, text }): ToolCall[] =>
    block.kind === 'toolCall'
      ? [{ id: block.callId ?? '', name: block.toolName ?? '', arguments: parseArguments(text) }]
      : [],
  );
  if (results.length > 0) {
    return {
      role: 'tool',
      content: group.map(({ block, text }) =>
        block.kind === 'toolResult'
          ? { type: 'tool_result', callId: block.callId ?? '', output: text, isError: block.isError === true }
          : block.contentType === 'image'
            ? {
                type: 'image',
                data: text,
                ...(block.image?.mediaType === undefined ? {} : { mediaType: block.image.mediaType }),
              }
            : { type: 'text', text },
      ),
      toolCalls,
    };
  }
  const text = group
    .filter(
      ({ block }) => block.kind !== 'toolCall' && block.kind !== 'thinking' && block.contentType !== 'image',
    )
    .map(item => item.text)
    .join('\n');
  const role = group[0]?.block.role ?? 'user';
  return { role: role === 'system' ? 'user' : role, content: text, toolCalls };
}
