import * as v from 'valibot';
import { isJsonValue, type JsonValue } from '../../src/core/base/jsonValue';
import type { ContentPart, Message } from '../../src/core/model/contextPartitions';
import { promptRoles } from '../../src/core/model/labels';
import type { TaskState } from '../../src/core/model/taskState';

/** Reads messages and task states of golden cases. Members that upstream does not know are ignored. */

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const texts = v.array(v.string());

const partSchema = v.pipe(
  v.variant('type', [
    v.object({ type: v.literal('text'), text: v.string() }),
    v.object({
      type: v.literal('image'),
      url: v.nullish(v.string()),
      data: v.nullish(v.string()),
      media_type: v.nullish(v.string()),
      detail: v.nullish(v.string()),
    }),
    v.object({ type: v.literal('audio'), data: v.string(), media_type: v.string() }),
    v.object({
      type: v.literal('tool_result'),
      call_id: v.string(),
      output: v.string(),
      is_error: v.optional(v.boolean(), false),
    }),
  ]),
  v.transform((part): ContentPart => {
    switch (part.type) {
      case 'text':
        return part;
      case 'image':
        return {
          type: part.type,
          ...(typeof part.url === 'string' && { url: part.url }),
          ...(typeof part.data === 'string' && { data: part.data }),
          ...(typeof part.media_type === 'string' && { mediaType: part.media_type }),
          ...(typeof part.detail === 'string' && { detail: part.detail }),
        };
      case 'audio':
        return { type: part.type, data: part.data, mediaType: part.media_type };
      case 'tool_result':
        return { type: part.type, callId: part.call_id, output: part.output, isError: part.is_error };
    }
  }),
);

const callSchema = v.object({
  id: v.string(),
  name: v.string(),
  arguments: v.custom<JsonValue>(isJsonValue),
});

/** Reads one message. */
export const messageSchema = v.pipe(
  v.object({
    role: v.picklist(promptRoles),
    content: v.union([v.string(), v.array(partSchema)]),
    tool_calls: v.optional(v.array(callSchema), []),
    token_count: v.nullish(count),
  }),
  v.transform((message): Message => ({
    role: message.role,
    content: message.content,
    toolCalls: message.tool_calls,
    ...(typeof message.token_count === 'number' && { tokenCount: message.token_count }),
  })),
);

/** Reads a task state; every member may be missing. */
export const taskStateSchema = v.pipe(
  v.object({
    goal: v.optional(v.string(), ''),
    criteria: v.optional(texts, []),
    plan: v.optional(v.array(v.object({ label: v.string(), done: v.boolean() })), []),
    current_step: v.nullish(count),
    progress: v.optional(v.string(), ''),
    scratchpad: v.optional(v.string(), ''),
    blocked_on: v.optional(texts, []),
    directives: v.optional(texts, []),
    preserved_refs: v.optional(texts, []),
    recent_actions: v.optional(texts, []),
    compression_log: v.optional(v.array(v.object({ action: v.string(), summary: v.string() })), []),
  }),
  v.transform((state): TaskState => ({
    goal: state.goal,
    criteria: state.criteria,
    plan: state.plan,
    ...(typeof state.current_step === 'number' && { currentStep: state.current_step }),
    progress: state.progress,
    scratchpad: state.scratchpad,
    blockedOn: state.blocked_on,
    directives: state.directives,
    preservedRefs: state.preserved_refs,
    recentActions: state.recent_actions,
    compressionLog: state.compression_log,
  })),
);
