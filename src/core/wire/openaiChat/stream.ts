import { arrayAt, isArray, type JsonObject, member, numberAt, objectAt, stringAt } from '../../base/json';

interface OpenCall {
  readonly id: string | undefined;
  readonly type: string;
  readonly name: string;
  readonly arguments: string;
}

/** The texts of a delta that are appended to the text so far. */
const textMembers = ['content', 'reasoning_content', 'reasoning', 'refusal'] as const;

export function isChatEvent(event: unknown): boolean {
  return isArray(member(event, 'choices'));
}

/**
 * The chat completion that the chunks of one stream add up to, in the form of a response without streaming; `undefined`
 * if they contain none. Only the first choice is read. Usage comes from the last chunk that has it.
 */
export function chatCompletionOf(chunks: readonly unknown[]): JsonObject | undefined {
  const choices = chunks.flatMap(
    chunk => arrayAt(chunk, 'choices').find(choice => (numberAt(choice, 'index') ?? 0) === 0) ?? [],
  );
  const message = mergeChatChunks(choices.map(choice => member(choice, 'delta')));
  const first = chunks.find(chunk => isArray(member(chunk, 'choices')));
  if (first === undefined) {
    return undefined;
  }
  const usage = chunks.findLast(chunk => objectAt(chunk, 'usage') !== undefined);
  const tier = chunks.findLast(chunk => stringAt(chunk, 'service_tier') !== undefined);
  const finish = choices.findLast(choice => stringAt(choice, 'finish_reason') !== undefined);
  return {
    ...Object.fromEntries(
      ['id', 'created', 'model', 'system_fingerprint'].flatMap(key =>
        member(first, key) === undefined ? [] : [[key, member(first, key)]],
      ),
    ),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: message ?? { role: 'assistant', content: null },
        finish_reason: stringAt(finish, 'finish_reason') ?? null,
      },
    ],
    ...(usage === undefined ? {} : { usage: member(usage, 'usage') }),
    ...(tier === undefined ? {} : { service_tier: member(tier, 'service_tier') }),
  };
}

/**
 * The assistant message that the deltas of one stream add up to; `undefined` if they contain no text and no call. A
 * text that is present but empty is also present in the message.
 */
export function mergeChatChunks(deltas: readonly unknown[]): JsonObject | undefined {
  const texts = new Map<string, string>();
  const calls = new Map<number, OpenCall>();
  for (const delta of deltas) {
    for (const name of textMembers) {
      const text = stringAt(delta, name);
      if (text !== undefined) {
        texts.set(name, (texts.get(name) ?? '') + text);
      }
    }
    for (const call of arrayAt(delta, 'tool_calls')) {
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

/**
 * Adds a piece of a call. Some servers leave out the index; then a new id begins a new call, and a piece without an id
 * continues the last one.
 */
function addCall(calls: Map<number, OpenCall>, delta: unknown): void {
  const id = stringAt(delta, 'id');
  const index = numberAt(delta, 'index') ?? (id === undefined ? Math.max(0, calls.size - 1) : calls.size);
  const known = calls.get(index);
  const added = objectAt(delta, 'function');
  calls.set(index, {
    id: known?.id ?? id,
    type: known?.type ?? stringAt(delta, 'type') ?? 'function',
    name: (known?.name ?? '') + (stringAt(added, 'name') ?? ''),
    arguments: (known?.arguments ?? '') + (stringAt(added, 'arguments') ?? ''),
  });
}

function closedCall([, call]: readonly [index: number, call: OpenCall]): JsonObject {
  return {
    ...(call.id !== undefined && { id: call.id }),
    type: call.type,
    function: { name: call.name, arguments: call.arguments },
  };
}
