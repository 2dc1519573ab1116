import { nativeList, recordMember, stringMember, type NativeJson } from './backendDefaults';

interface OpenBlock {
  block: NativeJson;
  /** Pieces of the call's input, as JSON text. */
  input: string;
}

/**
 * The content blocks that the events of one stream add up to (Anthropic streaming guide, 2026-10), in their order.
 * Events of other kinds (ping, usage, stop reason) carry no content.
 */
export function mergeAnthropicEvents(events: readonly NativeJson[]): readonly NativeJson[] {
  const open = new Map<number, OpenBlock>();
  for (const event of events) {
    const { index, type } = event;
    if (typeof index !== 'number') {
      continue;
    }
    if (type === 'content_block_start') {
      open.set(index, { block: recordMember(event, 'content_block') ?? {}, input: '' });
    } else if (type === 'content_block_delta') {
      const block = open.get(index);
      const delta = recordMember(event, 'delta');
      if (block && delta) {
        applyDelta(block, delta);
      }
    }
  }
  return [...open.entries()].sort(([left], [right]) => left - right).map(([, block]) => closed(block));
}

function applyDelta(open: OpenBlock, delta: NativeJson): void {
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
        citations: [...nativeList(open.block['citations']), delta['citation']],
      };
      break;
    case 'input_json_delta':
      open.input += stringMember(delta, 'partial_json') ?? '';
      break;
    default:
  }
}

function appended(block: NativeJson, name: 'text' | 'thinking', delta: NativeJson): NativeJson {
  return { ...block, [name]: (stringMember(block, name) ?? '') + (stringMember(delta, name) ?? '') };
}

/** Input that a broken stream cut off is kept as text, in the form that the fine-grained streaming guide gives. */
function closed({ block, input }: OpenBlock): NativeJson {
  if (input === '') {
    return block;
  }
  try {
    const parsed: unknown = JSON.parse(input);
    return { ...block, input: parsed };
  } catch {
    return { ...block, input: { INVALID_JSON: input } };
  }
}
