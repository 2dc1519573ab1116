import { arrayAt, isObject, type JsonObject, numberAt, objectAt, parseJson, stringAt } from '../../base/json';

interface OpenBlock {
  block: JsonObject;
  /** Pieces of the call's input, as JSON text. */
  input: string;
}

export function isAnthropicEvent(event: unknown): boolean {
  return /^(message|content_block)_/.test(stringAt(event, 'type') ?? '');
}

/**
 * The message that the events of one stream add up to, in the form of a response without streaming; `undefined` if they
 * contain none. The usage is that of the start event, updated with the members of the last `message_delta`, whose
 * output count is cumulative (Anthropic streaming guide, 2026-10).
 */
export function anthropicMessageOf(events: readonly unknown[]): JsonObject | undefined {
  const start = events.find(event => stringAt(event, 'type') === 'message_start');
  const content = mergeAnthropicEvents(events);
  if (start === undefined && content.length === 0) {
    return undefined;
  }
  const message = objectAt(start, 'message') ?? {};
  const last = events.findLast(event => stringAt(event, 'type') === 'message_delta');
  const usage = { ...objectAt(message, 'usage'), ...withoutNull(objectAt(last, 'usage')) };
  return {
    type: 'message',
    role: 'assistant',
    ...message,
    ...objectAt(last, 'delta'),
    content,
    ...(Object.keys(usage).length === 0 ? {} : { usage }),
  };
}

function withoutNull(object: JsonObject | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => value !== null));
}

/**
 * The content blocks that the events of one stream add up to (Anthropic streaming guide, 2026-10), in their order.
 * Events of other kinds (ping, usage, stop reason) carry no content.
 */
export function mergeAnthropicEvents(events: readonly unknown[]): readonly JsonObject[] {
  const open = new Map<number, OpenBlock>();
  for (const event of events) {
    const index = numberAt(event, 'index');
    if (index === undefined) {
      continue;
    }
    const type = stringAt(event, 'type');
    if (type === 'content_block_start') {
      open.set(index, { block: objectAt(event, 'content_block') ?? {}, input: '' });
    } else if (type === 'content_block_delta') {
      const block = open.get(index);
      const delta = objectAt(event, 'delta');
      if (block && delta) {
        applyDelta(block, delta);
      }
    }
  }
  return [...open.entries()].sort(([left], [right]) => left - right).map(([, block]) => closed(block));
}

function applyDelta(open: OpenBlock, delta: JsonObject): void {
  switch (delta['type']) {
    case 'text_delta':
      open.block = appended(open.block, 'text', delta);
      break;
    case 'thinking_delta':
      open.block = appended(open.block, 'thinking', delta);
      break;
    case 'signature_delta':
      open.block = { ...open.block, signature: delta['signature'] };
      break;
    case 'citations_delta':
      open.block = {
        ...open.block,
        citations: [...arrayAt(open.block, 'citations').filter(isObject), delta['citation']],
      };
      break;
    case 'input_json_delta':
      open.input += stringAt(delta, 'partial_json') ?? '';
      break;
    default:
  }
}

function appended(block: JsonObject, name: 'text' | 'thinking', delta: JsonObject): JsonObject {
  return { ...block, [name]: (stringAt(block, name) ?? '') + (stringAt(delta, name) ?? '') };
}

/**
 * Closes a block. Input truncated by a broken stream is kept as text, in the form of the fine-grained streaming guide.
 */
function closed({ block, input }: OpenBlock): JsonObject {
  if (input === '') {
    return block;
  }
  const parsed = parseJson(input);
  return { ...block, input: parsed === undefined ? { INVALID_JSON: input } : parsed };
}
