import {
  classifyInjectedText,
  classifyReminder,
  compactionSummary,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  typedPrompt,
  type TextClass,
} from '../context/classifyText';
import { arrayAt, isArray, isObject, member, objectAt, stringAt, toJson } from '../json';
import type { PromptRole } from '../model/labels';
import type { SourceRange, ValuePath } from '../model/transcript';
import { readImageInfo } from './imageInfo';
import { labelOfText, objectOfCall, ownCopy, pathOfCall } from './labels';
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
  if (typeof content === 'string') {
    return textBlocks(content, owner.path, owner);
  }
  if (!isArray(content)) {
    return content === undefined || content === null ? [] : [otherBlock(content, owner.path, owner)];
  }
  return content.flatMap((item, index) => anthropicItemBlocks(item, [...owner.path, index], owner));
}

/** The blocks of one item of a content list; `path` leads to the item. */
export function anthropicItemBlocks(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock[] {
  const type = stringAt(item, 'type');
  switch (type) {
    case 'text': {
      const text = stringAt(item, 'text');
      return text === undefined
        ? [otherBlock(item, path, owner)]
        : textBlocks(text, [...path, 'text'], owner);
    }
    case 'thinking':
    case 'redacted_thinking':
      return [thinkingBlock(item, path, owner)];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [toolCallBlock(item, path, owner)];
    case 'tool_result':
      return toolResultBlocks(item, path, owner);
    case 'image':
    case 'document':
      return [mediaBlock(item, path, owner, undefined)];
    case 'compaction': {
      const summary = stringAt(item, 'content');
      return summary === undefined
        ? [otherBlock(item, path, owner)]
        : textBlocks(summary, [...path, 'content'], { ...owner, textClass: compactionSummary });
    }
    case undefined:
    default:
      // Tools that the provider runs have a result type each: web_search_tool_result, mcp_tool_result …
      return type?.endsWith('_tool_result') === true
        ? toolResultBlocks(item, path, owner)
        : [otherBlock(item, path, owner)];
  }
}

function textBlocks(text: string, path: ValuePath, owner: ContentOwner): NewBlock[] {
  const base = baseOf(path, owner, owner.role);
  if (owner.role === 'assistant') {
    const shared = {
      ...base,
      contentType: 'text',
      partition: 'history',
      label: labelOfText(text),
      content: text,
    } as const;
    return [
      owner.textClass === undefined
        ? {
            ...shared,
            kind: 'assistant',
            provenance: 'developer',
            text: { kind: 'string', record: owner.record, path },
          }
        : { ...shared, ...owner.textClass, text: { kind: 'string', record: owner.record, path } },
    ];
  }
  const whole =
    owner.textClass ??
    classifyInjectedText(text) ??
    (owner.role === 'system' ? classifyReminder(text) : typedPrompt);
  const pieces =
    owner.textClass === undefined && owner.role === 'user'
      ? splitReminders(text, whole)
      : [{ start: 0, end: text.length, class: whole }];
  return pieces.map(piece => {
    const content = pieces.length === 1 ? text : text.slice(piece.start, piece.end);
    return {
      ...base,
      ...piece.class,
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: {
        kind: 'string',
        record: owner.record,
        path,
        ...(pieces.length === 1 ? {} : { start: piece.start, end: piece.end }),
      },
    };
  });
}

function thinkingBlock(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  const text = stringAt(item, 'thinking') ?? '';
  return {
    ...baseOf(path, owner, owner.role),
    contentType: 'text',
    kind: 'thinking',
    provenance: 'developer',
    partition: 'history',
    label: text === '' ? 'thinking, not recorded' : labelOfText(text),
    content: text,
    // Redacted thinking and a signature without text are nothing that could be read or counted: it reads as empty.
    text: { kind: 'string', record: owner.record, path: [...path, 'thinking'] },
  };
}

function toolCallBlock(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  const toolName = stringAt(item, 'name') ?? 'unknown';
  const callId = stringAt(item, 'id');
  const input = member(item, 'input');
  const object = objectOfCall(input);
  const file = pathOfCall(input);
  const label = ownCopy(`${toolName} ${object}`.trim());
  if (callId !== undefined) {
    owner.calls.set(callId, { toolName, object, path: file, callId, label });
  }
  return {
    ...baseOf(path, owner, 'assistant'),
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
    label,
    toolName,
    ...(callId === undefined ? {} : { callId }),
    ...(file === undefined ? {} : { path: file }),
    content: toJson(input),
    text: { kind: 'json', record: owner.record, path: [...path, 'input'] },
  };
}

function toolResultBlocks(item: unknown, path: ValuePath, owner: ContentOwner): NewBlock[] {
  const recordedId = stringAt(item, 'tool_use_id');
  const call = recordedId === undefined ? undefined : owner.calls.get(recordedId);
  const callId = call?.callId ?? recordedId;
  const content = member(item, 'content');
  const shared = {
    ...baseOf(path, owner, 'tool'),
    provenance: provenanceOfTool(call?.toolName),
    partition: partitionOfTool(call?.toolName),
    ...(call === undefined ? {} : { toolName: call.toolName }),
    ...(callId === undefined ? {} : { callId }),
    ...(call?.path === undefined ? {} : { path: call.path }),
    ...(member(item, 'is_error') === true ? { isError: true } : {}),
  } as const;
  const label = call?.label ?? `${call?.toolName ?? 'result'} ${call?.object ?? ''}`.trim();
  const contentPath = [...path, 'content'];
  const result = { ...shared, contentType: 'tool_result', kind: 'toolResult', label } as const;
  if (typeof content === 'string') {
    return [{ ...result, content, text: { kind: 'string', record: owner.record, path: contentPath } }];
  }
  if (!isArray(content)) {
    return content === undefined || content === null
      ? [{ ...result, content: '', text: { kind: 'literal', text: '' } }]
      : [
          {
            ...result,
            content: JSON.stringify(content),
            text: { kind: 'json', record: owner.record, path: contentPath },
          },
        ];
  }
  const blocks: NewBlock[] = [];
  const texts = content.flatMap(part => stringAt(part, 'text') ?? []);
  const images = content.filter(
    part => stringAt(part, 'type') === 'image' || stringAt(part, 'type') === 'document',
  ).length;
  if (texts.length + images === content.length) {
    if (texts.length > 0 || images === 0) {
      blocks.push({
        ...result,
        content: texts.join('\n'),
        text: { kind: 'parts', record: owner.record, path: contentPath },
      });
    }
  } else {
    // Tool references, search results and what may come: their JSON is what there is to show.
    blocks.push({
      ...result,
      content: JSON.stringify(content),
      text: { kind: 'json', record: owner.record, path: contentPath },
    });
  }
  content.forEach((part, index) => {
    const type = stringAt(part, 'type');
    if (type === 'image' || type === 'document') {
      blocks.push({ ...mediaBlock(part, [...contentPath, index], owner, callId), ...shared });
    }
  });
  return blocks;
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
    ...baseOf(path, owner, owner.role),
    contentType: isEncoded ? 'image' : 'text',
    kind: isImage ? 'image' : 'other',
    provenance: 'user',
    partition: isImage ? 'history' : 'knowledge',
    label:
      size === undefined
        ? (stringAt(item, 'title') ?? mediaType ?? stringAt(item, 'type') ?? 'media')
        : `image ${size.width} × ${size.height}`,
    ...(callId === undefined ? {} : { callId }),
    ...(isEncoded ? { image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) } } : {}),
    content: data,
    text: {
      kind: 'string',
      record: owner.record,
      path: [...path, 'source', stringAt(source, 'data') === undefined ? 'url' : 'data'],
    },
  };
}

function otherBlock(value: unknown, path: ValuePath, owner: ContentOwner): NewBlock {
  return {
    ...baseOf(path, owner, owner.role),
    contentType: 'text',
    kind: 'other',
    provenance: owner.role === 'user' ? 'user' : 'system',
    partition: 'history',
    label: stringAt(value, 'type') ?? 'unknown content',
    content: JSON.stringify(value),
    text: { kind: 'json', record: owner.record, path },
  };
}

function baseOf(
  path: ValuePath,
  owner: ContentOwner,
  role: PromptRole,
): Pick<NewBlock, 'role' | 'source' | 'message'> {
  return { role, source: owner.locate(path), message: owner.message };
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
