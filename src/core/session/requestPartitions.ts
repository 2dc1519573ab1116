import { groupBy } from '../base/groupBy';
import type { Block } from '../model/block';
import { charTokenEngine } from '../context/charTokenEngine';
import { arrayAt, stringAt } from '../base/json';
import {
  createContextPartitions,
  type ContextPartitions,
  type Message,
  type ToolCall,
} from '../model/contextPartitions';
import { isJsonValue, type JsonValue } from '../base/jsonValue';
import { emptyTaskState, type TaskState } from '../model/taskState';

/** A block of a request with its text. */
export interface TextBlock {
  readonly block: Block;
  readonly text: string;
}

/** How much of a prompt is used as the goal, in UTF-16 units. */
const goalLength = 200;

/**
 * Sorts a request's blocks into the four partitions of the upstream. The task state is what can be read off the
 * transcript: the newest prompt as goal, the newest todo list as plan, the newest calls as actions; signals are the
 * client's notes since the last reply. Everything else of the state partition has served its request and is dropped, as
 * upstream drops signals that were delivered.
 */
export function requestPartitions(blocks: readonly TextBlock[]): ContextPartitions {
  const lastReply = blocks.findLastIndex(({ block }) => block.role === 'assistant');
  const signals = blocks
    .slice(lastReply + 1)
    .flatMap(({ block, text }) => (block.partition === 'state' && block.kind === 'injected' ? [text] : []));
  const partitions = createContextPartitions(taskStateOf(blocks), signals);
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

function parseArguments(text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonValue(value) ? value : text;
  } catch {
    return text;
  }
}

function taskStateOf(blocks: readonly TextBlock[]): TaskState {
  const prompt = blocks.findLast(({ block }) => block.kind === 'prompt');
  const todos = blocks.findLast(({ block }) => block.kind === 'toolCall' && block.partition === 'state');
  const items = todos === undefined ? [] : todoItems(parseArguments(todos.text));
  const active = items.findIndex(({ status }) => status === 'in_progress');
  const calls = blocks
    .filter(({ block }) => block.kind === 'toolCall' && block.partition !== 'state')
    .slice(-3);
  return {
    ...emptyTaskState,
    goal: prompt?.text.trim().slice(0, goalLength) ?? '',
    plan: items.map(({ label, status }) => ({ label, done: status === 'completed' })),
    ...(active < 0 ? {} : { currentStep: active }),
    recentActions: calls.map(({ block, text }) => `${block.toolName ?? ''}(${text.slice(0, 48)})`),
  };
}

function todoItems(input: unknown): readonly { readonly label: string; readonly status: string }[] {
  return [...arrayAt(input, 'todos'), ...arrayAt(input, 'plan')].flatMap(item => {
    const label = stringAt(item, 'content') ?? stringAt(item, 'step');
    return label === undefined ? [] : [{ label, status: stringAt(item, 'status') ?? '' }];
  });
}
