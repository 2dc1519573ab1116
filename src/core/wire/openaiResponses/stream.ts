import { arrayAt, type JsonObject, numberAt, objectAt, stringAt } from '../../base/json';

const lastEvents = new Set(['response.completed', 'response.incomplete', 'response.failed']);

export function isResponsesEvent(event: unknown): boolean {
  return (stringAt(event, 'type') ?? '').startsWith('response.');
}

/**
 * The response that the events of one stream of the Responses API add up to; `undefined` if they contain none. The last
 * event has the whole response. For an interrupted stream, the response has the finished items and the texts received
 * so far.
 */
export function responseOf(events: readonly unknown[]): JsonObject | undefined {
  const last = events.findLast(event => lastEvents.has(stringAt(event, 'type') ?? ''));
  const done = objectAt(last, 'response');
  if (done !== undefined && arrayAt(done, 'output').length > 0) {
    return done;
  }
  const start =
    done ??
    objectAt(
      events.find(event => objectAt(event, 'response') !== undefined),
      'response',
    );
  const output = mergeItems(events);
  return start === undefined && output.length === 0 ? undefined : { object: 'response', ...start, output };
}

function mergeItems(events: readonly unknown[]): readonly JsonObject[] {
  const items = new Map<number, JsonObject>();
  for (const event of events) {
    const index = numberAt(event, 'output_index');
    if (index === undefined) {
      continue;
    }
    const item = items.get(index);
    switch (stringAt(event, 'type') ?? '') {
      case 'response.output_item.added':
      case 'response.output_item.done':
        items.set(index, objectAt(event, 'item') ?? {});
        break;
      case 'response.output_text.delta':
        items.set(
          index,
          withText(item ?? { type: 'message', role: 'assistant' }, 'content', 'output_text', event),
        );
        break;
      case 'response.reasoning_summary_text.delta':
        items.set(index, withText(item ?? { type: 'reasoning' }, 'summary', 'summary_text', event));
        break;
      case 'response.reasoning_text.delta':
        items.set(index, withText(item ?? { type: 'reasoning' }, 'content', 'reasoning_text', event));
        break;
      case 'response.function_call_arguments.delta':
        items.set(index, appended(item ?? { type: 'function_call' }, 'arguments', event));
        break;
      case 'response.custom_tool_call_input.delta':
        items.set(index, appended(item ?? { type: 'custom_tool_call' }, 'input', event));
        break;
      default:
    }
  }
  return [...items.entries()].sort(([left], [right]) => left - right).map(([, item]) => item);
}

function appended(item: JsonObject, key: string, event: unknown): JsonObject {
  return { ...item, [key]: (stringAt(item, key) ?? '') + (stringAt(event, 'delta') ?? '') };
}

/** Adds a piece to the part that the event names, in the item's list `key`. */
function withText(item: JsonObject, key: string, type: string, event: unknown): JsonObject {
  const at = numberAt(event, 'content_index') ?? numberAt(event, 'summary_index') ?? 0;
  const parts = [...arrayAt(item, key)];
  while (parts.length <= Math.min(at, 1000)) {
    parts.push({ type, text: '' });
  }
  const part = parts[at];
  if (part !== undefined) {
    parts[at] = { type, text: (stringAt(part, 'text') ?? '') + (stringAt(event, 'delta') ?? '') };
  }
  return { ...item, [key]: parts };
}
