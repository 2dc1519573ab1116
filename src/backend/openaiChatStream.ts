import { nativeList, recordMember, stringMember, type NativeJson } from './backendDefaults';

interface OpenCall {
  readonly id: string | undefined;
  readonly type: string;
  readonly name: string;
  readonly arguments: string;
}

/** The texts of a delta that are appended to what came before. */
const textMembers = ['content', 'reasoning_content', 'refusal'] as const;

/**
 * The assistant message that the deltas of one stream add up to; `undefined` when they carry no text and no call. A text
 * that was there, but empty, is there in the message too.
 */
export function mergeChatChunks(deltas: readonly NativeJson[]): NativeJson | undefined {
  const texts = new Map<string, string>();
  const calls = new Map<number, OpenCall>();
  for (const delta of deltas) {
    for (const name of textMembers) {
      const text = stringMember(delta, name);
      if (text !== undefined) {
        texts.set(name, (texts.get(name) ?? '') + text);
      }
    }
    for (const call of nativeList(delta['tool_calls'])) {
      addCall(calls, call);
    }
  }
  if (texts.size === 0 && calls.size === 0) {
    return undefined;
  }
  return {
    role: 'assistant',
    content: null,
    ...Object.fromEntries(texts),
    ...(calls.size > 0 && { tool_calls: [...calls.entries()].sort(([a], [b]) => a - b).map(closedCall) }),
  };
}

/** Some servers leave out the index: there a new id begins a new call, and what has none continues the last one. */
function addCall(calls: Map<number, OpenCall>, delta: NativeJson): void {
  const id = stringMember(delta, 'id');
  const index =
    typeof delta['index'] === 'number'
      ? delta['index']
      : id === undefined
        ? Math.max(0, calls.size - 1)
        : calls.size;
  const known = calls.get(index);
  const added = recordMember(delta, 'function') ?? {};
  calls.set(index, {
    id: known?.id ?? id,
    type: known?.type ?? stringMember(delta, 'type') ?? 'function',
    name: (known?.name ?? '') + (stringMember(added, 'name') ?? ''),
    arguments: (known?.arguments ?? '') + (stringMember(added, 'arguments') ?? ''),
  });
}

function closedCall([, call]: readonly [index: number, call: OpenCall]): NativeJson {
  return {
    ...(call.id !== undefined && { id: call.id }),
    type: call.type,
    function: { name: call.name, arguments: call.arguments },
  };
}
