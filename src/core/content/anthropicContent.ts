import type { SourceRange, TextReference } from '../model/block';
import {
  classifyInjectedText,
  classifyReminder,
  compactionSummary,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  typedPrompt,
  type TextClass,
} from './classifyText';
import { arrayAt, isArray, isObject, member, objectAt, stringAt, toJson, type ValuePath } from '../base/json';
import { readImageInfo } from './imageInfo';
import { labelOfCall, labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import type { NewBlock } from './transcriptBuilder';

/** What is known of tool calls so far: results take their tool's name, object and path from here. */
export interface KnownCall {
  readonly toolName: string;
  readonly object: string;
  readonly path: string | undefined;
  /** The call's own id and label, where its results share them. */
  readonly callId?: string;
  readonly label?: string;
}

/** The message whose content is cut into blocks. */
export interface ContentOwner {
  readonly role: 'system' | 'user' | 'assistant';
  readonly message: number;
  /** The JSON record that the texts are in, and the path of the content in it. */
  readonly record: SourceRange;
  readonly path: ValuePath;
  /** The place of the content at a path; the record itself in a format of lines. */
  readonly locate: (path: ValuePath) => SourceRange;
  readonly calls: Map<string, KnownCall>;
  /** The whole message is not a person's: a summary, a reminder, a developer's note. */
  readonly textClass?: TextClass | undefined;
}

/**
 * Cuts the content of one Anthropic message (a string, or a list of content blocks) into blocks, in order. A content
 * block becomes one block; a text that mixes typed words with `<system-reminder>` parts becomes several; images inside
 * a tool result become blocks behind it. Unknown content becomes `other`, as JSON.
 */
export function anthropicBlocks(content: unknown, owner: ContentOwner): NewBlock[] {
  const blocks: NewBlock[] = [];
  if (typeof content === 'string') {
    addTexts(blocks, content, owner.path, owner);
  } else if (isArray(content)) {
    for (let index = 0; index < content.length; index += 1) {
      addItem(blocks, content[index], [...owner.path, index], owner);
    }
  } else if (content !== undefined && content !== null) {
    blocks.push(otherBlock(content, owner.path, owner));
  }
  return blocks;
}

/** The blocks of one item of a content list; `path` leads to the item. */
export function anthropicItemBlocks(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock[] {
  const blocks: NewBlock[] = [];
  addItem(blocks, item, path, owner);
  return blocks;
}

function addItem(blocks: NewBlock[], item: unknown, path: ValuePath, owner: ContentOwner): void {
  const type = stringAt(item, 'type');
  switch (type) {
    case 'text': {
      const text = stringAt(item, 'text');
      if (text === undefined) {
        blocks.push(otherBlock(item, path, owner));
      } else {
        addTexts(blocks, text, [...path, 'text'], owner);
      }
      break;
    }
    case 'thinking':
    case 'redacted_thinking':
      blocks.push(thinkingBlock(item, path, owner));
      break;
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      blocks.push(toolCallBlock(item, path, owner));
      break;
    case 'tool_result':
      addToolResult(blocks, item, path, owner);
      break;
    case 'image':
    case 'document':
      blocks.push(mediaBlock(item, path, owner, undefined));
      break;
    case 'compaction': {
      const summary = stringAt(item, 'content');
      if (summary === undefined) {
        blocks.push(otherBlock(item, path, owner));
      } else {
        addTexts(blocks, summary, [...path, 'content'], { ...owner, textClass: compactionSummary });
      }
      break;
    }
    case undefined:
    default:
      // Tools that the provider runs have a result type each: web_search_tool_result, mcp_tool_result …
      if (type?.endsWith('_tool_result') === true) {
        addToolResult(blocks, item, path, owner);
      } else {
        blocks.push(otherBlock(item, path, owner));
      }
  }
}

const spokenByModel: TextClass = { kind: 'assistant', partition: 'history', provenance: 'developer' };

function addTexts(blocks: NewBlock[], text: string, path: ValuePath, owner: ContentOwner): void {
  const { role, record, textClass } = owner;
  if (role === 'assistant') {
    blocks.push(textBlock(text, textClass ?? spokenByModel, { kind: 'string', record, path }, owner, path));
    return;
  }
  const whole =
    textClass ?? classifyInjectedText(text) ?? (role === 'system' ? classifyReminder(text) : typedPrompt);
  const pieces = textClass === undefined && role === 'user' ? splitReminders(text, whole) : [];
  if (pieces.length < 2) {
    blocks.push(textBlock(text, pieces[0]?.class ?? whole, { kind: 'string', record, path }, owner, path));
    return;
  }
  for (const { start, end, class: pieceClass } of pieces) {
    const reference = { kind: 'string', record, path, start, end } as const;
    blocks.push(textBlock(text.slice(start, end), pieceClass, reference, owner, path));
  }
}

function textBlock(
  content: string,
  { kind, provenance, partition }: TextClass,
  text: TextReference,
  owner: ContentOwner,
  path: ValuePath,
): NewBlock {
  return {
    role: owner.role,
    contentType: 'text',
    kind,
    provenance,
    partition,
    label: labelOfText(content),
    content,
    text,
    source: owner.locate(path),
    message: owner.message,
  };
}

function thinkingBlock(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  const text = stringAt(item, 'thinking') ?? '';
  return {
    role: owner.role,
    contentType: 'text',
    kind: 'thinking',
    provenance: 'developer',
    partition: 'history',
    label: text === '' ? 'thinking, not recorded' : labelOfText(text),
    content: text,
    // Redacted thinking and a signature without text are nothing that could be read or counted: it reads as empty.
    text: { kind: 'string', record: owner.record, path: [...path, 'thinking'] },
    source: owner.locate(path),
    message: owner.message,
  };
}

function toolCallBlock(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  const toolName = stringAt(item, 'name') ?? 'unknown';
  const callId = stringAt(item, 'id');
  const input = member(item, 'input');
  const object = objectOfCall(input);
  const file = pathOfCall(input);
  const label = labelOfCall(toolName, object);
  if (callId !== undefined) {
    owner.calls.set(callId, { toolName, object, path: file, callId, label });
  }
  return {
    role: 'assistant',
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
    label,
    content: toJson(input),
    text: { kind: 'json', record: owner.record, path: [...path, 'input'] },
    source: owner.locate(path),
    message: owner.message,
    toolName,
    callId,
    path: file,
    isError: undefined,
  };
}

/** What is the same of all blocks of one tool result. */
type ResultOf = Pick<
  NewBlock,
  'provenance' | 'partition' | 'label' | 'source' | 'message' | 'toolName' | 'callId' | 'path' | 'isError'
>;

function addToolResult(blocks: NewBlock[], item: unknown, path: ValuePath, owner: ContentOwner): void {
  const recordedId = stringAt(item, 'tool_use_id');
  const call = recordedId === undefined ? undefined : owner.calls.get(recordedId);
  const result: ResultOf = {
    provenance: provenanceOfTool(call?.toolName),
    partition: partitionOfTool(call?.toolName),
    label: call?.label ?? `${call?.toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
    source: owner.locate(path),
    message: owner.message,
    toolName: call?.toolName,
    callId: call?.callId ?? recordedId,
    path: call?.path,
    isError: member(item, 'is_error') === true ? true : undefined,
  };
  const content = member(item, 'content');
  const place = { record: owner.record, path: [...path, 'content'] };
  if (typeof content === 'string') {
    blocks.push(resultBlock(result, content, { kind: 'string', ...place }));
  } else if (isArray(content)) {
    addResultParts(blocks, result, content, place.path, owner);
  } else if (content === undefined || content === null) {
    blocks.push(resultBlock(result, '', { kind: 'literal', text: '' }));
  } else {
    blocks.push(resultBlock(result, JSON.stringify(content), { kind: 'json', ...place }));
  }
}

function addResultParts(
  blocks: NewBlock[],
  result: ResultOf,
  parts: readonly unknown[],
  path: ValuePath,
  owner: ContentOwner,
): void {
  const { record } = owner;
  const texts = parts.flatMap(part => stringAt(part, 'text') ?? []);
  const media = parts.filter(isMedia).length;
  if (texts.length + media < parts.length) {
    // Tool references, search results and what may come: their JSON is what there is to show.
    blocks.push(resultBlock(result, JSON.stringify(parts), { kind: 'json', record, path }));
  } else if (texts.length > 0 || media === 0) {
    blocks.push(resultBlock(result, texts.join('\n'), { kind: 'parts', record, path }));
  }
  if (media === 0) {
    return;
  }
  const { label, ...shared } = result;
  parts.forEach((part, index) => {
    if (isMedia(part)) {
      blocks.push({
        ...mediaBlock(part, [...path, index], owner, result.callId),
        ...shared,
        role: 'tool',
      });
    }
  });
}

function isMedia(part: unknown): boolean {
  const type = stringAt(part, 'type');
  return type === 'image' || type === 'document';
}

function resultBlock(result: ResultOf, content: string, text: TextReference): NewBlock {
  return {
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: result.provenance,
    partition: result.partition,
    label: result.label,
    content,
    text,
    source: result.source,
    message: result.message,
    toolName: result.toolName,
    callId: result.callId,
    path: result.path,
    isError: result.isError,
  };
}

function mediaBlock(
  item: unknown,
  path: ValuePath,
  owner: ContentOwner,
  callId: string | undefined,
): NewBlock {
  const source = objectAt(item, 'source');
  const data = stringAt(source, 'data') ?? stringAt(source, 'url');
  if (data === undefined) {
    return otherBlock(item, path, owner);
  }
  const mediaType = stringAt(source, 'media_type');
  const isImage = stringAt(item, 'type') === 'image';
  // A document's pages are seen as pictures; its encoded bytes are no text.
  const isEncoded = isImage || stringAt(source, 'type') === 'base64';
  const size = isImage ? readImageInfo(data) : undefined;
  return {
    role: owner.role,
    contentType: isEncoded ? 'image' : 'text',
    kind: isImage ? 'image' : 'other',
    provenance: 'user',
    partition: isImage ? 'history' : 'knowledge',
    label:
      size === undefined
        ? (stringAt(item, 'title') ?? mediaType ?? stringAt(item, 'type') ?? 'media')
        : `image ${size.width} × ${size.height}`,
    content: data,
    text: {
      kind: 'string',
      record: owner.record,
      path: [...path, 'source', stringAt(source, 'data') === undefined ? 'url' : 'data'],
    },
    source: owner.locate(path),
    message: owner.message,
    callId,
    image: isEncoded ? { ...size, ...(mediaType === undefined ? {} : { mediaType }) } : undefined,
  };
}

function otherBlock(value: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  return {
    role: owner.role,
    contentType: 'text',
    kind: 'other',
    provenance: owner.role === 'user' ? 'user' : 'system',
    partition: 'history',
    label: stringAt(value, 'type') ?? 'unknown content',
    content: JSON.stringify(value),
    text: { kind: 'json', record: owner.record, path },
    source: owner.locate(path),
    message: owner.message,
  };
}

/** A tool definition as a block. Its text is the JSON of the whole definition. */
export function toolSchemaBlock(
  tool: unknown,
  path: ValuePath,
  owner: Omit<ContentOwner, 'role' | 'calls'>,
): NewBlock {
  const toolName =
    stringAt(tool, 'name') ??
    stringAt(objectAt(tool, 'function'), 'name') ??
    stringAt(tool, 'type') ??
    'tool';
  return {
    role: 'system',
    contentType: 'tool_schema',
    kind: 'toolSchema',
    provenance: 'system',
    partition: 'system',
    label: toolName,
    toolName,
    source: owner.locate(path),
    message: owner.message,
    content: JSON.stringify(tool),
    text: { kind: 'json', record: owner.record, path },
  };
}

/** The system prompt, a string or a list of text blocks, as blocks: one for each part. */
export function systemBlocks(system: unknown, owner: Omit<ContentOwner, 'role' | 'calls'>): NewBlock[] {
  if (typeof system === 'string') {
    return [systemBlock(system, 'string', owner.path, owner)];
  }
  return (isArray(system) ? system : []).map((part, index) => {
    const text = stringAt(part, 'text');
    return text === undefined
      ? systemBlock(toJson(part), 'json', [...owner.path, index], owner)
      : systemBlock(text, 'string', [...owner.path, index, 'text'], owner);
  });
}

function systemBlock(
  content: string,
  kind: 'string' | 'json',
  path: ValuePath,
  { record, message, locate }: Omit<ContentOwner, 'role' | 'calls'>,
): NewBlock {
  return {
    role: 'system',
    contentType: 'text',
    kind: 'systemPrompt',
    provenance: 'system',
    partition: 'system',
    label: labelOfText(content),
    source: locate(path),
    message,
    content,
    text: { kind, record, path },
  };
}

/** Whether a content value is of Anthropic's kinds: it holds a block type that no other provider has. */
export function hasAnthropicBlocks(messages: readonly unknown[]): boolean {
  const types = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use']);
  return messages.some(message =>
    arrayAt(message, 'content').some(
      item =>
        isObject(item) && (types.has(stringAt(item, 'type') ?? '') || Object.hasOwn(item, 'cache_control')),
    ),
  );
}
