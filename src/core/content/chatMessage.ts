import {
  classifyInjectedText,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  typedPrompt,
  type TextClass,
} from './classifyText';
import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../base/json';
import type { PromptRole } from '../model/labels';
import type { KnownCall } from './anthropicContent';
import { parseDataUrl, readImageInfo } from './imageInfo';
import { labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import {
  below,
  decodedJson,
  joinTexts,
  literalText,
  noText,
  sourceOf,
  textOf,
  type FoundText,
  type Place,
} from './place';
import type { NewBlock } from './transcriptBuilder';

/** A block that does not know yet to which message it belongs. */
export type MessageBlock = Omit<NewBlock, 'message'>;

/** A message with its blocks, before it is numbered. */
export interface ReadMessage {
  readonly role: PromptRole;
  readonly blocks: readonly MessageBlock[];
  readonly id?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly summary?: boolean | undefined;
}

/** How trajectories, evaluation logs and traces name the roles of the Prompt IR. */
const roles: ReadonlyMap<string, PromptRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['gpt', 'assistant'],
  ['model', 'assistant'],
  ['agent', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['tool_response', 'tool'],
]);

export function roleNamed(name: string | undefined): PromptRole | undefined {
  return roles.get((name ?? '').toLowerCase().replace(/(message)?(chunk)?$/, ''));
}

const assistantText: TextClass = { kind: 'assistant', partition: 'history', provenance: 'developer' };
const thinking: TextClass = { kind: 'thinking', partition: 'history', provenance: 'developer' };
const systemText: TextClass = { kind: 'systemPrompt', partition: 'system', provenance: 'system' };

export interface MessageOptions {
  readonly role?: PromptRole;
  /** What the texts of the message are, where the role does not tell. */
  readonly textClass?: TextClass | undefined;
}

/**
 * Reads a chat message as frameworks log it: a dialect between those of OpenAI, Anthropic, the Vercel AI SDK, LangChain,
 * Inspect and the GenAI conventions of OpenTelemetry. Reasoning first, then content, then tool calls; a message of
 * nothing else is one empty block, so that none is lost.
 */
export function readChatMessage(
  value: unknown,
  place: Place,
  calls: Map<string, KnownCall>,
  { role = roleNamed(stringAt(value, 'role')) ?? 'user', textClass }: MessageOptions = {},
): ReadMessage {
  const key = isObject(value) && Object.hasOwn(value, 'parts') ? 'parts' : 'content';
  const content = member(value, key);
  const id = stringAt(value, 'id');
  const blocks: MessageBlock[] = [];
  if (role === 'assistant') {
    for (const name of ['reasoning_content', 'reasoning']) {
      const reasoning = stringAt(value, name);
      if (reasoning !== undefined && reasoning !== '' && blocks.length === 0) {
        blocks.push(thinkingBlock(textOf(reasoning, below(place, name)), place));
      }
    }
  }
  arrayAt(value, 'thinking_blocks').forEach((part, index) => {
    blocks.push(
      ...(blocks.length > 0 ? [] : partBlocks(part, below(place, 'thinking_blocks', index), role, calls)),
    );
  });
  const callId = resultId(value);
  if (role === 'tool' && !hasResultParts(content)) {
    const call = knownCall(callId, calls) ?? calledTool(value);
    blocks.push(...resultBlocks(content, below(place, key), { callId, call, isError: hasError(value) }));
  } else {
    blocks.push(...contentBlocks(content, below(place, key), role, calls, textClass));
  }
  arrayAt(value, 'tool_calls').forEach((call, index) => {
    blocks.push(callBlock(call, below(place, 'tool_calls', index), calls));
  });
  if (blocks.length === 0) {
    blocks.push(textBlock(role, textClass ?? classOfRole(role), 'empty', noText, place));
  }
  return { role, blocks, id };
}

/** The blocks of a message's content: a string, a list of parts, or something unknown. */
export function contentBlocks(
  content: unknown,
  place: Place,
  role: PromptRole,
  calls: Map<string, KnownCall>,
  textClass?: TextClass,
): MessageBlock[] {
  if (content === undefined || content === null || content === '') {
    return [];
  }
  if (typeof content === 'string') {
    return textBlocks(textOf(content, place), place, role, textClass);
  }
  return isArray(content)
    ? content.flatMap((part, index) => partBlocks(part, below(place, index), role, calls, textClass))
    : partBlocks(content, place, role, calls, textClass);
}

/** A text that somebody said in this role, cut at the reminders that a client put into it. */
export function textBlocks(
  found: FoundText,
  place: Place,
  role: PromptRole,
  textClass?: TextClass,
): MessageBlock[] {
  const { content, text } = found;
  const usual = textClass ?? classOfRole(role);
  const whole = textClass ?? (role === 'user' ? (classifyInjectedText(content) ?? usual) : usual);
  const pieces = role === 'user' && text.kind === 'string' ? splitReminders(content, whole) : [];
  if (pieces.length < 2 || text.kind !== 'string') {
    const only = pieces[0]?.class ?? whole;
    return [textBlock(role, only, labelOfText(content), found, place)];
  }
  return pieces.map(piece => {
    const part = content.slice(piece.start, piece.end);
    const partFound = { content: part, text: { ...text, start: piece.start, end: piece.end } };
    return textBlock(role, piece.class, labelOfText(part), partFound, place);
  });
}

export function thinkingBlock(found: FoundText, place: Place): MessageBlock {
  const label = found.content === '' ? 'thinking, not recorded' : labelOfText(found.content);
  return textBlock('assistant', thinking, label, found, place);
}

/** What a tool call says, wherever its dialect keeps it. */
export interface CallParts {
  readonly toolName: string;
  readonly callId: string | undefined;
  readonly input: unknown;
  readonly place: Place;
}

export function toolCallBlock(
  { toolName, callId, input, place }: CallParts,
  calls: Map<string, KnownCall>,
): MessageBlock {
  const parsed = decodedJson(input, place).value;
  const object = objectOfCall(parsed);
  const path = pathOfCall(parsed);
  const { content, text } = textOf(input, place);
  if (callId !== undefined) {
    calls.set(callId, { toolName, object, path });
  }
  return {
    role: 'assistant',
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
    label: `${toolName} ${object}`.trim(),
    toolName,
    callId,
    path,
    source: sourceOf(place),
    content,
    text,
  };
}

export interface ResultOf {
  readonly callId: string | undefined;
  readonly call: KnownCall | undefined;
  readonly isError?: boolean;
}

/** A tool's result: its texts as one block, and behind it a block for each image. */
export function resultBlocks(content: unknown, place: Place, result: ResultOf): MessageBlock[] {
  const parts = isArray(content) ? content : [];
  const media = parts.flatMap((part, index) => mediaBlock(part, below(place, index), 'tool') ?? []);
  const texts = parts.flatMap((part, index) => {
    const text = stringAt(part, 'text');
    return text === undefined ? [] : [textOf(text, below(place, index, 'text'))];
  });
  const isTexts = parts.length > 0 && texts.length + media.length === parts.length;
  const { callId } = result;
  return [
    toolResultBlock(isTexts ? lines(texts) : textOf(content, place), place, result),
    ...(isTexts ? media : []).map(block => ({ ...block, callId })),
  ];
}

export function toolResultBlock(
  { content, text }: FoundText,
  place: Place,
  { callId, call, isError }: ResultOf,
): MessageBlock {
  return {
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: provenanceOfTool(call?.toolName),
    partition: partitionOfTool(call?.toolName),
    label: `${call?.toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
    toolName: call?.toolName,
    callId,
    path: call?.path,
    isError: isError === true ? true : undefined,
    source: sourceOf(place),
    content,
    text,
  };
}

/** A tool definition, as JSON. */
export function schemaBlock(tool: unknown, place: Place): MessageBlock {
  const definition = objectAt(tool, 'function') ?? tool;
  const toolName =
    stringAt(definition, 'name') ?? stringAt(tool, 'title') ?? stringAt(tool, 'type') ?? 'tool';
  return {
    role: 'system',
    contentType: 'tool_schema',
    kind: 'toolSchema',
    provenance: 'system',
    partition: 'system',
    label: toolName,
    toolName,
    source: sourceOf(place),
    ...textOf(tool, place),
  };
}

export function otherBlock(value: unknown, place: Place, role: PromptRole): MessageBlock {
  return {
    role,
    contentType: 'text',
    kind: 'other',
    provenance: classOfRole(role).provenance,
    partition: 'history',
    label: stringAt(value, 'type') ?? 'unknown content',
    source: sourceOf(place),
    ...textOf(value, place),
  };
}

function classOfRole(role: PromptRole): TextClass {
  switch (role) {
    case 'system':
      return systemText;
    case 'user':
      return typedPrompt;
    case 'assistant':
      return assistantText;
    case 'tool':
      return { kind: 'toolResult', partition: 'history', provenance: 'tool' };
  }
}

function textBlock(
  role: PromptRole,
  { kind, partition, provenance }: TextClass,
  label: string,
  { content, text }: FoundText,
  place: Place,
): MessageBlock {
  return {
    role,
    contentType: kind === 'toolResult' ? 'tool_result' : 'text',
    kind,
    partition,
    provenance,
    label,
    source: sourceOf(place),
    content,
    text,
  };
}

/** Texts of a message, each on a line of its own. */
export function lines(texts: readonly FoundText[]): FoundText {
  return texts.length === 0
    ? noText
    : joinTexts(texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n'), text])));
}

function partBlocks(
  part: unknown,
  place: Place,
  role: PromptRole,
  calls: Map<string, KnownCall>,
  textClass?: TextClass,
): MessageBlock[] {
  if (typeof part === 'string') {
    return textBlocks(textOf(part, place), place, role, textClass);
  }
  const type = stringAt(part, 'type') ?? stringAt(part, 'kind');
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'refusal': {
      const key = firstStringKey(part, ['text', 'content', 'refusal']);
      return key === undefined
        ? [otherBlock(part, place, role)]
        : textBlocks(textOf(member(part, key), below(place, key)), place, role, textClass);
    }
    case 'reasoning':
    case 'thinking':
    case 'redacted_thinking':
    case 'think': {
      // Redacted reasoning is a cipher; where the provider gave a summary of it, that is what can be read.
      const redacted = member(part, 'redacted') === true;
      const key = firstStringKey(
        part,
        redacted ? ['summary'] : ['reasoning', 'thinking', 'think', 'text', 'content', 'summary'],
      );
      return [
        thinkingBlock(key === undefined ? noText : textOf(member(part, key), below(place, key)), place),
      ];
    }
    case 'tool_use':
    case 'tool_call':
    case 'tool-call':
    case 'function_call':
    case 'server_tool_call':
      return [callBlock(part, place, calls), ...ownResult(part, place, calls)];
    case 'tool_result':
    case 'tool-result':
    case 'tool_call_response':
    case 'function_call_output': {
      const callId = resultId(part) ?? stringAt(part, 'id');
      const call = knownCall(callId, calls) ?? calledTool(part);
      const { value, key } = resultValue(part);
      return resultBlocks(value, below(place, ...key), { callId, call, isError: hasError(part) });
    }
    case undefined: {
      const text = stringAt(part, 'text');
      return text === undefined
        ? [otherBlock(part, place, role)]
        : textBlocks(textOf(text, below(place, 'text')), place, role, textClass);
    }
    default:
      return [mediaBlock(part, place, role) ?? otherBlock(part, place, role)];
  }
}

/** What a tool that ran on the provider's side answered, where the call itself holds it. */
function ownResult(part: unknown, place: Place, calls: ReadonlyMap<string, KnownCall>): MessageBlock[] {
  const callId = stringAt(part, 'id');
  const result = member(part, 'result');
  return result === undefined || result === null
    ? []
    : resultBlocks(result, below(place, 'result'), { callId, call: knownCall(callId, calls) });
}

function firstStringKey(value: unknown, keys: readonly string[]): string | undefined {
  return (
    keys.find(key => (stringAt(value, key) ?? '') !== '') ??
    keys.find(key => stringAt(value, key) !== undefined)
  );
}

/** A tool call in any of the dialects. */
export function callBlock(call: unknown, place: Place, calls: Map<string, KnownCall>): MessageBlock {
  const nested = objectAt(call, 'function');
  const [holder, at] = nested === undefined ? [call, place] : [nested, below(place, 'function')];
  const key = ['arguments', 'args', 'input'].find(name => member(holder, name) !== undefined) ?? 'arguments';
  return toolCallBlock(
    {
      toolName:
        stringAt(call, 'function') ?? stringAt(holder, 'name') ?? stringAt(call, 'toolName') ?? 'unknown',
      callId: stringAt(call, 'id') ?? stringAt(call, 'toolCallId') ?? stringAt(call, 'call_id'),
      input: member(holder, key),
      place: below(at, key),
    },
    calls,
  );
}

function resultId(value: unknown): string | undefined {
  const first = arrayAt(value, 'tool_call_ids')[0];
  return (
    stringAt(value, 'tool_call_id') ??
    stringAt(value, 'tool_use_id') ??
    stringAt(value, 'toolCallId') ??
    stringAt(value, 'call_id') ??
    (typeof first === 'string' ? first : undefined)
  );
}

function knownCall(callId: string | undefined, calls: ReadonlyMap<string, KnownCall>): KnownCall | undefined {
  return callId === undefined ? undefined : calls.get(callId);
}

/** A result that names its tool itself. */
function calledTool(value: unknown): KnownCall | undefined {
  const toolName = stringAt(value, 'function') ?? stringAt(value, 'toolName') ?? stringAt(value, 'name');
  return toolName === undefined ? undefined : { toolName, object: '', path: undefined };
}

function hasError(value: unknown): boolean {
  return (
    objectAt(value, 'error') !== undefined ||
    member(value, 'isError') === true ||
    member(value, 'is_error') === true ||
    stringAt(value, 'status') === 'error'
  );
}

/** The Vercel AI SDK wraps results: `{output: {type, value}}`, or `result`. */
function resultValue(part: unknown): { readonly value: unknown; readonly key: readonly string[] } {
  const output = objectAt(part, 'output');
  if (output !== undefined && Object.hasOwn(output, 'value')) {
    return { value: output['value'], key: ['output', 'value'] };
  }
  const key = ['content', 'result', 'response', 'output'].find(name => member(part, name) !== undefined);
  return key === undefined ? { value: undefined, key: [] } : { value: member(part, key), key: [key] };
}

function hasResultParts(content: unknown): boolean {
  return (
    isArray(content) &&
    content.some(part =>
      ['tool_result', 'tool-result', 'tool_call_response'].includes(stringAt(part, 'type') ?? ''),
    )
  );
}

const imageTypes = new Set(['image', 'image_url', 'input_image']);
const mediaTypes = new Set([
  ...imageTypes,
  'audio',
  'input_audio',
  'video',
  'file',
  'input_file',
  'document',
  'blob',
  'uri',
]);

/** Where the data of an image, sound or file may stand, in the order in which it is looked for. */
const mediaPaths: readonly (readonly string[])[] = [
  ['image_url', 'url'],
  ['image_url'],
  ['source', 'data'],
  ['source', 'url'],
  ['input_audio', 'data'],
  ['file', 'file_data'],
  ['image'],
  ['audio'],
  ['video'],
  ['document'],
  ['data'],
  ['content'],
  ['file'],
  ['url'],
  ['uri'],
];

function mediaBlock(part: unknown, place: Place, role: PromptRole): MessageBlock | undefined {
  const type = stringAt(part, 'type') ?? '';
  const path = mediaTypes.has(type)
    ? mediaPaths.find(keys => typeof keys.reduce(member, part) === 'string')
    : undefined;
  if (path === undefined) {
    return undefined;
  }
  const found = textOf(path.reduce(member, part), below(place, ...path));
  const dataUrl = parseDataUrl(found.content);
  const start = found.text.kind === 'string' ? (dataUrl?.start ?? 0) : 0;
  const content = found.content.slice(start);
  const mediaType =
    dataUrl?.mediaType ??
    ['mime_type', 'media_type', 'mediaType', 'mimeType'].map(key => stringAt(part, key)).find(Boolean) ??
    stringAt(objectAt(part, 'source'), 'media_type');
  const isImage =
    imageTypes.has(type) || stringAt(part, 'modality') === 'image' || (mediaType ?? '').startsWith('image/');
  const size = isImage ? readImageInfo(content) : undefined;
  return {
    role,
    contentType: 'image',
    kind: isImage ? 'image' : 'other',
    provenance: classOfRole(role).provenance,
    partition: isImage ? 'history' : 'knowledge',
    label: size === undefined ? (mediaType ?? type) : `image ${size.width} × ${size.height}`,
    image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) },
    source: sourceOf(place),
    content,
    text:
      found.text.kind === 'string' && start > 0
        ? { ...found.text, start, end: found.content.length }
        : found.text,
  };
}
