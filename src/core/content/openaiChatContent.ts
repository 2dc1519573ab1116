import type { SourceRange } from '../model/block';
import {
  classifyInjectedText,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  typedPrompt,
  type TextClass,
} from './classifyText';
import { arrayAt, isArray, member, objectAt, stringAt, toJson, type ValuePath } from '../base/json';
import type { PromptRole, ProvenanceLabel } from '../model/labels';
import type { KnownCall } from './anthropicContent';
import { parseDataUrl, readImageInfo } from './imageInfo';
import { labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import type { NewBlock } from './transcriptBuilder';

/** The chat message that is cut into blocks. */
export interface ChatMessageOwner {
  readonly message: number;
  /** The JSON record that holds the message, and the message's path in it. */
  readonly record: SourceRange;
  readonly path: ValuePath;
  /** The place of a part; the record itself in a format of lines. */
  readonly locate: (path: ValuePath) => SourceRange;
  readonly calls: Map<string, KnownCall>;
}

/** How the Prompt IR calls a role of the chat API; undefined for a role that the API does not have. */
export function promptRoleOf(role: string | undefined): PromptRole | undefined {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
    case 'assistant':
    case 'tool':
      return role;
    case 'function':
      return 'tool';
    case undefined:
    default:
      return undefined;
  }
}

/**
 * Cuts one OpenAI chat message into blocks, in wire order: reasoning, content, refusal, then tool calls. A message of
 * nothing else is one empty block, so that none is lost.
 */
export function chatMessageBlocks(message: unknown, owner: ChatMessageOwner): NewBlock[] {
  const role = promptRoleOf(stringAt(message, 'role')) ?? 'user';
  if (role === 'tool') {
    return toolResultBlocks(message, owner);
  }
  const textClass = classOf(message, role);
  const content = member(message, 'content');
  const contentPath = [...owner.path, 'content'];
  const blocks = role === 'assistant' ? reasoningBlocks(message, owner) : [];
  if (typeof content === 'string' && content !== '') {
    blocks.push(...textBlocks(content, contentPath, role, textClass, owner));
  } else if (isArray(content)) {
    content.forEach((part, index) => {
      blocks.push(...partBlocks(part, [...contentPath, index], role, textClass, owner));
    });
  }
  const refusal = stringAt(message, 'refusal');
  if (refusal !== undefined && refusal !== '') {
    blocks.push(...textBlocks(refusal, [...owner.path, 'refusal'], role, textClass, owner));
  }
  arrayAt(message, 'tool_calls').forEach((call, index) => {
    blocks.push(toolCallBlock(call, [...owner.path, 'tool_calls', index], owner));
  });
  if (objectAt(message, 'function_call') !== undefined) {
    blocks.push(toolCallBlock({ function: member(message, 'function_call') }, owner.path, owner));
  }
  return blocks.length > 0 ? blocks : [emptyBlock(role, textClass, owner)];
}

function classOf(message: unknown, role: Exclude<PromptRole, 'tool'>): TextClass {
  switch (role) {
    case 'system': {
      const provenance: ProvenanceLabel = stringAt(message, 'role') === 'developer' ? 'developer' : 'system';
      return { kind: 'systemPrompt', partition: 'system', provenance };
    }
    case 'user':
      return typedPrompt;
    case 'assistant':
      return { kind: 'assistant', partition: 'history', provenance: 'developer' };
  }
}

function textBlocks(
  text: string,
  path: ValuePath,
  role: PromptRole,
  textClass: TextClass,
  owner: ChatMessageOwner,
): NewBlock[] {
  const whole = role === 'assistant' ? textClass : (classifyInjectedText(text) ?? textClass);
  const pieces =
    role === 'user' ? splitReminders(text, whole) : [{ start: 0, end: text.length, class: whole }];
  return pieces.map(piece => {
    const content = text.slice(piece.start, piece.end);
    const range = pieces.length === 1 ? {} : { start: piece.start, end: piece.end };
    return {
      ...piece.class,
      role,
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: { kind: 'string', record: owner.record, path, ...range },
      source: owner.locate(path),
      message: owner.message,
    };
  });
}

function reasoningBlocks(message: unknown, owner: ChatMessageOwner): NewBlock[] {
  const shared = {
    role: 'assistant',
    contentType: 'text',
    kind: 'thinking',
    partition: 'history',
    provenance: 'developer',
    message: owner.message,
  } as const;
  for (const key of ['reasoning_content', 'reasoning']) {
    const content = stringAt(message, key);
    if (content !== undefined && content !== '') {
      const path = [...owner.path, key];
      const text = { kind: 'string', record: owner.record, path } as const;
      return [{ ...shared, label: labelOfText(content), content, text, source: owner.locate(path) }];
    }
  }
  const content = textsOf(arrayAt(message, 'reasoning_details'));
  const path = [...owner.path, 'reasoning_details'];
  const text = { kind: 'parts', record: owner.record, path } as const;
  return content === ''
    ? []
    : [{ ...shared, label: labelOfText(content), content, text, source: owner.locate(path) }];
}

function partBlocks(
  part: unknown,
  path: ValuePath,
  role: PromptRole,
  textClass: TextClass,
  owner: ChatMessageOwner,
): NewBlock[] {
  switch (stringAt(part, 'type')) {
    case 'text':
    case 'refusal': {
      const key = stringAt(part, 'text') === undefined ? 'refusal' : 'text';
      return textBlocks(stringAt(part, key) ?? '', [...path, key], role, textClass, owner);
    }
    case 'image_url':
    case 'input_audio':
    case 'file':
      return [mediaBlock(part, path, { role, provenance: textClass.provenance }, owner)];
    case undefined:
    default:
      return [otherBlock(part, path, { role, provenance: textClass.provenance }, owner)];
  }
}

type Speaker = Pick<NewBlock, 'role' | 'provenance'>;

/**
 * An image, or sound or a file as base64. All of them count as `image` for the Prompt IR, which has no other content
 * type whose size is not the length of its text.
 */
export function mediaBlock(
  part: unknown,
  path: ValuePath,
  speaker: Speaker,
  owner: Pick<ChatMessageOwner, 'message' | 'record' | 'locate'>,
): NewBlock {
  const media = mediaOf(part);
  if (media === undefined) {
    return otherBlock(part, path, speaker, owner);
  }
  const dataUrl = parseDataUrl(media.data);
  const start = dataUrl?.start ?? 0;
  const content = media.data.slice(start);
  const size = media.isImage ? readImageInfo(content) : undefined;
  const mediaType = dataUrl?.mediaType ?? media.mediaType;
  return {
    ...speaker,
    contentType: 'image',
    kind: media.isImage ? 'image' : 'other',
    partition: media.isImage ? 'history' : 'knowledge',
    label: size === undefined ? (media.name ?? mediaType ?? 'media') : `image ${size.width} × ${size.height}`,
    image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) },
    content,
    text: {
      kind: 'string',
      record: owner.record,
      path: [...path, ...media.path],
      ...(start === 0 ? {} : { start, end: media.data.length }),
    },
    source: owner.locate(path),
    message: owner.message,
  };
}

interface Media {
  readonly isImage: boolean;
  /** Base64, a data URL or an address. */
  readonly data: string;
  readonly path: ValuePath;
  readonly mediaType?: string;
  readonly name?: string;
}

function mediaOf(part: unknown): Media | undefined {
  const imageUrl = member(part, 'image_url');
  if (typeof imageUrl === 'string') {
    return { isImage: true, data: imageUrl, path: ['image_url'] };
  }
  const url = stringAt(imageUrl, 'url');
  if (url !== undefined) {
    return { isImage: true, data: url, path: ['image_url', 'url'] };
  }
  const audio = objectAt(part, 'input_audio');
  const sound = stringAt(audio, 'data');
  if (sound !== undefined) {
    const mediaType = `audio/${stringAt(audio, 'format') ?? 'unknown'}`;
    return { isImage: false, data: sound, path: ['input_audio', 'data'], mediaType };
  }
  const file = objectAt(part, 'file');
  const data = stringAt(file, 'file_data');
  const name = stringAt(file, 'filename');
  return data === undefined
    ? undefined
    : { isImage: false, data, path: ['file', 'file_data'], ...(name === undefined ? {} : { name }) };
}

function otherBlock(
  part: unknown,
  path: ValuePath,
  speaker: Speaker,
  owner: Pick<ChatMessageOwner, 'message' | 'record' | 'locate'>,
): NewBlock {
  return {
    ...speaker,
    contentType: 'text',
    kind: 'other',
    partition: 'history',
    label: stringAt(part, 'type') ?? 'unknown content',
    content: JSON.stringify(part),
    text: { kind: 'json', record: owner.record, path },
    source: owner.locate(path),
    message: owner.message,
  };
}

function toolCallBlock(call: unknown, path: ValuePath, owner: ChatMessageOwner): NewBlock {
  const { definition, key, argument } = callParts(call);
  const toolName = stringAt(definition, 'name') ?? 'unknown';
  const recorded = member(definition, argument);
  const input = parsedArguments(recorded);
  const object = objectOfCall(input);
  const file = pathOfCall(input);
  const callId = stringAt(call, 'id');
  // The old function_call has no id; its answer names the function.
  owner.calls.set(callId ?? toolName, { toolName, object, path: file });
  const argumentPath = [...path, key, argument];
  const isText = typeof recorded === 'string';
  return {
    role: 'assistant',
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
    label: `${toolName} ${object}`.trim(),
    toolName,
    ...(callId === undefined ? {} : { callId }),
    ...(file === undefined ? {} : { path: file }),
    content: isText ? recorded : toJson(recorded),
    text: { kind: isText ? 'string' : 'json', record: owner.record, path: argumentPath },
    source: owner.locate(path),
    message: owner.message,
  };
}

/** Where a call keeps its name and arguments: `function`, `custom`, or the old `function_call` beside the content. */
function callParts(call: unknown): { definition: unknown; key: string; argument: string } {
  const custom = objectAt(call, 'custom');
  if (custom !== undefined) {
    return { definition: custom, key: 'custom', argument: 'input' };
  }
  const isLegacy = stringAt(call, 'type') === undefined && stringAt(call, 'id') === undefined;
  return {
    definition: objectAt(call, 'function'),
    key: isLegacy ? 'function_call' : 'function',
    argument: 'arguments',
  };
}

const beginningOfJson = /^\s*["[{\d\-tfn]/;

/** The arguments as an object where they are valid JSON, else as they stand. */
export function parsedArguments(recorded: unknown): unknown {
  // A failed attempt costs far more than a look.
  if (typeof recorded !== 'string' || !beginningOfJson.test(recorded)) {
    return recorded;
  }
  try {
    const parsed: unknown = JSON.parse(recorded);
    return parsed;
  } catch {
    return recorded;
  }
}

function toolResultBlocks(message: unknown, owner: ChatMessageOwner): NewBlock[] {
  const callId = stringAt(message, 'tool_call_id');
  const name = stringAt(message, 'name');
  const call = owner.calls.get(callId ?? name ?? '');
  const toolName = call?.toolName ?? name;
  const provenance = provenanceOfTool(toolName);
  const shared = {
    role: 'tool',
    provenance,
    partition: partitionOfTool(toolName),
    ...(toolName === undefined ? {} : { toolName }),
    ...(callId === undefined ? {} : { callId }),
    ...(call?.path === undefined ? {} : { path: call.path }),
  } as const;
  const path = [...owner.path, 'content'];
  const result = {
    ...shared,
    contentType: 'tool_result',
    kind: 'toolResult',
    label: `${toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
    source: owner.locate(path),
    message: owner.message,
  } as const;
  const content = member(message, 'content');
  if (typeof content === 'string') {
    return [{ ...result, content, text: { kind: 'string', record: owner.record, path } }];
  }
  if (!isArray(content)) {
    return [{ ...result, content: '', text: { kind: 'literal', text: '' } }];
  }
  const text = { kind: 'parts', record: owner.record, path } as const;
  const blocks: NewBlock[] = [{ ...result, content: textsOf(content), text }];
  content.forEach((part, index) => {
    if (stringAt(part, 'text') === undefined) {
      blocks.push({ ...mediaBlock(part, [...path, index], { role: 'tool', provenance }, owner), ...shared });
    }
  });
  return blocks;
}

function textsOf(parts: readonly unknown[]): string {
  return parts.flatMap(part => stringAt(part, 'text') ?? []).join('\n');
}

function emptyBlock(role: PromptRole, textClass: TextClass, owner: ChatMessageOwner): NewBlock {
  return {
    ...textClass,
    role,
    contentType: 'text',
    label: 'empty',
    content: '',
    text: { kind: 'literal', text: '' },
    source: owner.locate(owner.path),
    message: owner.message,
  };
}
