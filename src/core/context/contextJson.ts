import type { JsonValueObject } from '../base/jsonValue';
import { snakeMembers } from '../base/snakeMembers';
import type { ContentPart, ContextPartitions, Message, ToolCall } from '../model/contextPartitions';
import type { RenderedContext } from '../model/renderedContext';
import type { TaskState } from '../model/taskState';
import { structJson, valueJson } from './serdeJson';

/**
 * The JSON form of messages, task states and rendered contexts: upstream's snake_case, members without a value left out
 * (deepstrike-core 0.2.34).
 */

export function renderedToJson(rendered: RenderedContext): JsonValueObject {
  return snakeMembers({
    ...rendered,
    turns: rendered.turns.map(messageToJson),
    stateTurn: rendered.stateTurn && messageToJson(rendered.stateTurn),
  });
}

export function partitionsToJson({ taskState, signals, ...partitions }: ContextPartitions): JsonValueObject {
  return {
    system: partitions.system.messages.map(messageToJson),
    knowledge: partitions.knowledge.messages.map(messageToJson),
    task_state: taskStateToJson(taskState),
    signals,
    history: partitions.history.messages.map(messageToJson),
  };
}

function taskStateToJson(state: TaskState): JsonValueObject {
  return snakeMembers({
    ...state,
    plan: state.plan.map(step => ({ ...step })),
    compressionLog: state.compressionLog.map(entry => ({ ...entry })),
  });
}

function messageToJson({ role, content, toolCalls, tokenCount }: Message): JsonValueObject {
  return snakeMembers({
    role,
    content: typeof content === 'string' ? content : content.map(partToJson),
    toolCalls: toolCalls.length > 0 ? toolCalls.map(callToJson) : undefined,
    tokenCount,
  });
}

/**
 * The content that a turn's hash covers: role, content and calls, as one list (deepstrike-core 0.2.34, `hash_turn`).
 */
export function turnJson({ role, content, toolCalls }: Message): string {
  const written = typeof content === 'string' ? valueJson(content) : listJson(content.map(partToJson));
  return `["${role}",${written},${listJson(toolCalls.map(callToJson))}]`;
}

function listJson(structs: readonly JsonValueObject[]): string {
  return `[${structs.map(struct => structJson(Object.entries(struct))).join(',')}]`;
}

/** Members in the order of upstream's declaration, which hashes depend on. */
function callToJson({ id, name, arguments: input }: ToolCall): JsonValueObject {
  return { id, name, arguments: input };
}

/** Members in the order of upstream's declaration, which hashes depend on. */
function partToJson(part: ContentPart): JsonValueObject {
  switch (part.type) {
    case 'text':
      return { type: part.type, text: part.text };
    case 'image': {
      const { type, url, data, mediaType, detail } = part;
      return snakeMembers({ type, url, data, mediaType, detail });
    }
    case 'audio':
      return { type: part.type, data: part.data, media_type: part.mediaType };
    case 'tool_result':
      return { type: part.type, call_id: part.callId, output: part.output, is_error: part.isError };
  }
}
