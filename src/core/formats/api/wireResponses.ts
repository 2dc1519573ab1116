import {
  arrayAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  toJson,
  epochAt,
  type ValuePath,
} from '../../base/json';
import type { KnownCall } from '../../content/anthropicContent';
import { labelOfText } from '../../content/blockLabels';
import { isModelItem, responsesItemBlocks, toolBlocks } from '../../content/responsesItems';
import type { NewBlock } from '../../content/transcriptBuilder';
import {
  placed,
  wireOwner,
  type BodyPlace,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from './wire';
import { readUsage } from '../common/usage';

const api = 'OpenAI Responses API';

/** Whether a body is a request to OpenAI's Responses API; those that embed, check or speak a text look alike. */
export function isResponsesBody(body: unknown): boolean {
  const input = member(body, 'input');
  return isArray(input)
    ? input.length > 0 && input.every(isItem)
    : typeof input === 'string' &&
        /^(?!.*(embed|moderation|tts|whisper|rerank))./i.test(stringAt(body, 'model') ?? '');
}

/** Whether a value is an item of the Responses API: a message, or something whose type is one of its own. */
export function isItem(value: unknown): boolean {
  const type = stringAt(value, 'type');
  return type === undefined || type === 'message'
    ? stringAt(value, 'role') !== undefined
    : /_(call|output|reference|message|tools)$|^reasoning$|compaction/.test(type);
}

/** Reads a request: tools, text format, instructions, items. What `previous_response_id` stands for is not in it. */
export function readResponsesRequest(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireRequest {
  const model = stringAt(body, 'model');
  const previousResponse = stringAt(body, 'previous_response_id');
  const input = member(body, 'input');
  const head = headOf(body, place, calls);
  return {
    api,
    complete:
      previousResponse === undefined &&
      ['conversation', 'prompt'].every(key => (member(body, key) ?? undefined) === undefined),
    messages: [
      ...(head.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: placed(head, place) } as const]),
      ...(typeof input === 'string'
        ? [readItem({ role: 'user', content: input }, ['input'], place, calls)]
        : arrayAt(body, 'input').map((item, index) => readItem(item, ['input', index], place, calls))),
    ],
    model,
    previousResponse,
  };
}

function headOf(body: unknown, place: BodyPlace, calls: Map<string, KnownCall>): readonly NewBlock[] {
  const owner = wireOwner(place, ['tools'], calls);
  const instructions = stringAt(body, 'instructions');
  const format = objectAt(objectAt(body, 'text'), 'format');
  const shared = {
    role: 'system',
    provenance: 'system',
    partition: 'system',
    message: owner.message,
  } as const;
  const blocks: NewBlock[] = toolBlocks(arrayAt(body, 'tools'), ['tools'], owner);
  if (format !== undefined && format['type'] !== 'text') {
    const path = ['text', 'format'];
    blocks.push({
      ...shared,
      contentType: 'structured_output',
      kind: 'structuredOutput',
      label: stringAt(format, 'name') ?? stringAt(format, 'type') ?? 'response format',
      content: toJson(format),
      text: { kind: 'json', record: place.record, path },
      source: owner.locate(path),
    });
  }
  if (instructions !== undefined && instructions !== '') {
    const path = ['instructions'];
    blocks.push({
      ...shared,
      contentType: 'text',
      kind: 'systemPrompt',
      label: labelOfText(instructions),
      content: instructions,
      text: { kind: 'string', record: place.record, path },
      source: owner.locate(path),
    });
  }
  return blocks;
}

function readItem(
  item: unknown,
  path: ValuePath,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireMessage {
  const id = stringAt(item, 'id');
  const isText = path.length === 1 && stringAt(item, 'content') !== undefined;
  const blocks = responsesItemBlocks(item, wireOwner(place, path, calls)).map(block =>
    // `input` may be the prompt itself instead of a list of items.
    isText ? { ...block, text: { kind: 'string', record: place.record, path } as const } : block,
  );
  return {
    role: blocks[0]?.role ?? 'user',
    blocks: placed(blocks, place),
    id,
  };
}

/** Whether a body is a response of the Responses API. */
export function isResponsesResponse(body: unknown): boolean {
  return (
    isObject(body) &&
    isArray(body['output']) &&
    (body['object'] === 'response' || body['output'].every(isItem))
  );
}

export function readResponsesResponse(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireResponse {
  const id = stringAt(body, 'id');
  const model = stringAt(body, 'model');
  const created = epochAt(body, 'created_at');
  const usage = readUsage(member(body, 'usage'), 'responses');
  const items = arrayAt(body, 'output').map((item, index) => readItem(item, ['output', index], place, calls));
  return {
    api,
    // One reply, in as many items as it takes.
    messages:
      items.length === 0 ? [] : [{ role: 'assistant', blocks: items.flatMap(({ blocks }) => blocks) }],
    id,
    model,
    timestamp: created,
    usage,
  };
}

/**
 * A conversation's items as the platform lists them (`{object: "list", data}`), newest or oldest first, as the requests
 * that they were: each run of the model's items answers all before it.
 */
export function readItemList(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): readonly { readonly isReply: boolean; readonly message: WireMessage }[] {
  const data = arrayAt(body, 'data');
  const order = [...data.keys()];
  const [first, last] = [numberAt(data[0], 'created_at'), numberAt(data.at(-1), 'created_at')];
  const isNewestFirst =
    first !== undefined && last !== undefined && first !== last
      ? first > last
      : isModelItem(data[0]) && !isModelItem(data.at(-1));
  return (isNewestFirst ? order.reverse() : order).map(index => ({
    isReply: isModelItem(data[index]),
    message: readItem(data[index], ['data', index], place, calls),
  }));
}
