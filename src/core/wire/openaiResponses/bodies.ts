import { arrayAt, epochAt, isArray, isObject, member, numberAt, objectAt, stringAt } from '../../base/json';
import { emptyBlock, replyFormatBlock, textBlocks } from '../../content/blockFactory';
import { isModelItem, responsesItemBlocks, toolBlocks } from './blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, type Place, textAt, textReference } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import { apiNames } from '../../model/protocol';
import { readDiagnosis } from '../cacheDiagnosis';
import { readUsage, withServiceTier } from '../usage';
import type { BodyReading, WireMessage, WireRequest, WireResponse } from '../body';

const protocol = 'openaiResponses';

/** True if a body is a request to OpenAI's Responses API. Requests to embed, moderate or speak a text look similar. */
function isResponsesBody(body: unknown): boolean {
  const input = member(body, 'input');
  return isArray(input)
    ? input.length > 0 && input.every(isItem)
    : typeof input === 'string' &&
        /^(?!.*(embed|moderation|tts|whisper|rerank))./i.test(stringAt(body, 'model') ?? '');
}

/** True if a value is an item of the Responses API: a message, or a value with one of the API's types. */
export function isItem(value: unknown): boolean {
  const type = stringAt(value, 'type');
  return type === undefined || type === 'message'
    ? stringAt(value, 'role') !== undefined
    : /_(call|output|reference|message|tools)$|^reasoning$|compaction/.test(type);
}

/**
 * Reads a request: tools, text format, instructions, items. The content that `previous_response_id` refers to is not
 * included.
 */
export function readResponsesRequest(body: unknown, place: Place, calls: KnownCalls): WireRequest {
  const previousResponse = stringAt(body, 'previous_response_id');
  const input = member(body, 'input');
  const head = headOf(body, place);
  return {
    api: apiNames[protocol],
    complete:
      previousResponse === undefined &&
      ['conversation', 'prompt'].every(key => (member(body, key) ?? undefined) === undefined),
    messages: [
      ...(head.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: head } as const]),
      ...(typeof input === 'string'
        ? [
            {
              role: 'user',
              blocks: textBlocks(textAt(body, place, 'input'), below(place, 'input'), 'user'),
            } as const,
          ]
        : arrayAt(body, 'input').map((item, index) => readItem(item, below(place, 'input', index), calls))),
    ],
    model: stringAt(body, 'model'),
    body: { api: protocol, text: textReference(place, 'json') },
    previousResponse,
  };
}

function headOf(body: unknown, place: Place): readonly NewBlock[] {
  const blocks = toolBlocks(arrayAt(body, 'tools'), below(place, 'tools'));
  const format = objectAt(objectAt(body, 'text'), 'format');
  if (format !== undefined && format['type'] !== 'text') {
    blocks.push(replyFormatBlock(format, below(place, 'text', 'format')));
  }
  const instructions = textAt(body, place, 'instructions');
  if (instructions.content !== '') {
    blocks.push(...textBlocks(instructions, below(place, 'instructions'), 'system'));
  }
  return blocks;
}

function readItem(item: unknown, place: Place, calls: KnownCalls): WireMessage {
  const blocks = responsesItemBlocks(item, place, calls);
  if (blocks.length === 0) {
    blocks.push(emptyBlock(place, isModelItem(item) ? 'assistant' : 'user'));
  }
  return { role: blocks[0]?.role ?? 'user', blocks, id: stringAt(item, 'id') };
}

/** True if a body is a response of the Responses API. */
function isResponsesResponse(body: unknown): boolean {
  return (
    isObject(body) &&
    isArray(body['output']) &&
    (body['object'] === 'response' || (body['output'].length > 0 && body['output'].every(isItem)))
  );
}

function readResponsesResponse(body: unknown, place: Place, calls: KnownCalls): WireResponse {
  const items = arrayAt(body, 'output').map((item, index) =>
    readItem(item, below(place, 'output', index), calls),
  );
  return {
    api: apiNames[protocol],
    // One reply, in any number of items.
    messages:
      items.length === 0 ? [] : [{ role: 'assistant', blocks: items.flatMap(({ blocks }) => blocks) }],
    id: stringAt(body, 'id'),
    model: stringAt(body, 'model'),
    timestamp: epochAt(body, 'created_at'),
    usage: withServiceTier(readUsage(member(body, 'usage'), protocol), body),
    diagnosis: readDiagnosis(body),
  };
}

/**
 * A conversation's items as the platform lists them (`{object: "list", data}`), newest or oldest first, as the original
 * requests. Each run of the model's items answers everything before it.
 */
export function readItemList(
  body: unknown,
  place: Place,
  calls: KnownCalls,
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
    message: readItem(data[index], below(place, 'data', index), calls),
  }));
}

export const responsesBodies: BodyReading = {
  isRequest: isResponsesBody,
  readRequest: readResponsesRequest,
  isResponse: isResponsesResponse,
  readResponse: readResponsesResponse,
};
