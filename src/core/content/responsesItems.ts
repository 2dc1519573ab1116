import type { SourceRange, TextReference } from '../model/block';
import {
  classifyInjectedText,
  compactionSummary,
  partitionOfTool,
  provenanceOfTool,
  typedPrompt,
  type TextClass,
} from './classifyText';
import { arrayAt, isArray, member, stringAt, toJson, type ValuePath } from '../base/json';
import { toolSchemaBlock, type KnownCall } from './anthropicContent';
import { labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import { mediaBlock, parsedArguments } from './openaiChatContent';
import type { NewBlock } from './transcriptBuilder';

/** The item of the OpenAI Responses API that is cut into blocks. */
export interface ResponsesItemOwner {
  readonly message: number;
  /** The JSON record that holds the item, and the item's path in it. */
  readonly record: SourceRange;
  readonly path: ValuePath;
  /** The place of a part; the record itself in a format of lines. */
  readonly locate: (path: ValuePath) => SourceRange;
  readonly calls: Map<string, KnownCall>;
}

const developerText: TextClass = { kind: 'systemPrompt', partition: 'system', provenance: 'developer' };
const agentText: TextClass = { kind: 'injected', partition: 'history', provenance: 'tool' };
const thinking: TextClass = { kind: 'thinking', partition: 'history', provenance: 'developer' };
const replyText: TextClass = { kind: 'assistant', partition: 'history', provenance: 'developer' };

/** Whether the model made this item, as opposed to what it was given. */
export function isModelItem(item: unknown): boolean {
  const type = stringAt(item, 'type') ?? 'message';
  return type === 'message'
    ? stringAt(item, 'role') === 'assistant'
    : type === 'reasoning' || type.endsWith('_call');
}

/**
 * Cuts one item of a Responses request or answer into blocks, in order. Unknown kinds become `other`, as JSON. Encrypted
 * reasoning and summaries are blocks without text: there is nothing that could be read or counted.
 */
export function responsesItemBlocks(item: unknown, owner: ResponsesItemOwner): NewBlock[] {
  const type = stringAt(item, 'type') ?? 'message';
  switch (type) {
    case 'message':
      return messageBlocks(item, owner);
    case 'agent_message':
      return contentBlocks(item, 'user', agentText, owner);
    case 'reasoning':
      return [reasoningBlock(item, owner)];
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'web_search_call':
    case 'image_generation_call':
    case 'computer_call':
    case 'code_interpreter_call':
    case 'mcp_call':
      return [callBlock(item, type, owner)];
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'computer_call_output':
      return outputBlocks(item, 'output', owner);
    case 'tool_search_output':
      return outputBlocks(item, 'tools', owner);
    case 'additional_tools':
      return toolBlocks(arrayAt(item, 'tools'), [...owner.path, 'tools'], owner);
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return [encryptedBlock('summary, encrypted', compactionSummary, 'user', owner.path, owner)];
    default:
      return [otherBlock(item, owner.path, 'user', owner)];
  }
}

/** Tool definitions as blocks, those inside a namespace one by one behind its description. */
export function toolBlocks(
  tools: readonly unknown[],
  path: ValuePath,
  owner: Omit<ResponsesItemOwner, 'calls'>,
): NewBlock[] {
  return tools.flatMap((tool, index): NewBlock[] => {
    const toolPath = [...path, index];
    const inner = member(tool, 'tools');
    if (!isArray(inner)) {
      return [toolSchemaBlock(tool, toolPath, owner)];
    }
    const name = stringAt(tool, 'name') ?? 'namespace';
    const description = stringAt(tool, 'description') ?? '';
    const blocks = toolBlocks(inner, [...toolPath, 'tools'], owner).map(block => ({
      ...block,
      label: `${name}.${block.label}`,
    }));
    if (description === '') {
      return blocks;
    }
    return [
      {
        role: 'system',
        contentType: 'text',
        kind: 'systemPrompt',
        partition: 'system',
        provenance: 'system',
        label: `${name}: ${labelOfText(description)}`,
        content: description,
        text: { kind: 'string', record: owner.record, path: [...toolPath, 'description'] },
        source: owner.locate(toolPath),
        message: owner.message,
      },
      ...blocks,
    ];
  });
}

function messageBlocks(item: unknown, owner: ResponsesItemOwner): NewBlock[] {
  switch (stringAt(item, 'role')) {
    case 'assistant':
      return contentBlocks(item, 'assistant', replyText, owner);
    case 'developer':
      return contentBlocks(item, 'system', developerText, owner);
    case 'system':
      return contentBlocks(item, 'system', { ...developerText, provenance: 'system' }, owner);
    case undefined:
    default:
      return contentBlocks(item, 'user', typedPrompt, owner);
  }
}

type Speaker = 'system' | 'user' | 'assistant';

function contentBlocks(
  item: unknown,
  role: Speaker,
  textClass: TextClass,
  owner: ResponsesItemOwner,
): NewBlock[] {
  const content = member(item, 'content');
  const path = [...owner.path, 'content'];
  if (typeof content === 'string') {
    return [textBlock(content, path, role, textClass, owner)];
  }
  const kinds = arrayAt(member(item, 'internal_chat_message_metadata_passthrough'), 'content_item_kinds');
  return (isArray(content) ? content : []).map((part, index): NewBlock => {
    const partPath = [...path, index];
    switch (stringAt(part, 'type')) {
      case 'input_text':
      case 'output_text':
      case 'text':
      case 'refusal': {
        const key = stringAt(part, 'text') === undefined ? 'refusal' : 'text';
        const known = kinds[index] === 'model.base_instructions' ? systemText : undefined;
        return textBlock(stringAt(part, key) ?? '', [...partPath, key], role, textClass, owner, known);
      }
      case 'input_image':
      case 'input_audio':
      case 'input_file':
        return mediaBlock(part, partPath, { role, provenance: textClass.provenance }, owner);
      case 'encrypted_content': {
        const text = stringAt(part, 'encrypted_content') ?? '';
        // What really is encrypted is one long word of base64.
        return /\s/.test(text)
          ? textBlock(text, [...partPath, 'encrypted_content'], role, textClass, owner)
          : encryptedBlock('message, encrypted', textClass, role, partPath, owner);
      }
      case undefined:
      default:
        return otherBlock(part, partPath, role, owner);
    }
  });
}

const systemText: TextClass = { kind: 'systemPrompt', partition: 'system', provenance: 'system' };

function textBlock(
  text: string,
  path: ValuePath,
  role: Speaker,
  textClass: TextClass,
  owner: ResponsesItemOwner,
  known?: TextClass,
): NewBlock {
  const { kind, partition, provenance } =
    known ?? (role === 'assistant' ? textClass : (classifyInjectedText(text) ?? textClass));
  return {
    role,
    contentType: 'text',
    kind,
    partition,
    provenance,
    label: labelOfText(text),
    content: text,
    text: { kind: 'string', record: owner.record, path },
    source: owner.locate(path),
    message: owner.message,
  };
}

/** Reasoning: its own words where they are recorded, else the summary of them. */
function reasoningBlock(item: unknown, owner: ResponsesItemOwner): NewBlock {
  for (const key of ['content', 'summary']) {
    const content = textOfList(arrayAt(item, key));
    if (content !== '') {
      return {
        role: 'assistant',
        contentType: 'text',
        kind: 'thinking',
        partition: 'history',
        provenance: 'developer',
        label: labelOfText(content),
        content,
        text: { kind: 'parts', record: owner.record, path: [...owner.path, key] },
        source: owner.locate(owner.path),
        message: owner.message,
      };
    }
  }
  return encryptedBlock('thinking, encrypted', thinking, 'assistant', owner.path, owner);
}

function textOfList(parts: readonly unknown[]): string {
  return parts.length === 0 ? '' : parts.flatMap(part => stringAt(part, 'text') ?? []).join('\n');
}

function encryptedBlock(
  label: string,
  { kind, partition, provenance }: TextClass,
  role: Speaker,
  path: ValuePath,
  owner: ResponsesItemOwner,
): NewBlock {
  return {
    role,
    contentType: 'text',
    kind,
    partition,
    provenance,
    label,
    content: '',
    // There is no such text: it reads as empty, and the path leads to the item.
    text: { kind: 'parts', record: owner.record, path: [...path, 'summary'] },
    source: owner.locate(path),
    message: owner.message,
  };
}

/** A call: the text is what the model wrote as its arguments. */
function callBlock(item: unknown, type: string, owner: ResponsesItemOwner): NewBlock {
  const toolName = stringAt(item, 'name') ?? type.replace(/_call$/, '');
  const callId = stringAt(item, 'call_id');
  const key = argumentKeys.find(name => member(item, name) !== undefined);
  const recorded = key === undefined ? undefined : member(item, key);
  const input = parsedArguments(recorded);
  const object = objectOfCall(input);
  const path = pathOfCall(input) ?? (typeof recorded === 'string' ? pathOfPatch(recorded) : undefined);
  if (callId !== undefined) {
    owner.calls.set(callId, { toolName, object, path });
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
    content: typeof recorded === 'string' ? recorded : toJson(recorded),
    text:
      key === undefined
        ? { kind: 'literal', text: '' }
        : {
            kind: typeof recorded === 'string' ? 'string' : 'json',
            record: owner.record,
            path: [...owner.path, key],
          },
    source: owner.locate(owner.path),
    message: owner.message,
  };
}

const argumentKeys = ['arguments', 'input', 'action'];

/** The first file of a patch in the form that Codex's apply_patch takes. */
function pathOfPatch(patch: string): string | undefined {
  return /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(patch.slice(0, 4_000))?.[1]?.trim();
}

function outputBlocks(item: unknown, key: 'output' | 'tools', owner: ResponsesItemOwner): NewBlock[] {
  const callId = stringAt(item, 'call_id');
  const call = callId === undefined ? undefined : owner.calls.get(callId);
  const path = [...owner.path, key];
  const output = member(item, key);
  if (typeof output === 'string') {
    const text = { kind: 'string', record: owner.record, path } as const;
    return [resultBlock(output, text, callId, call, owner.locate(path), owner.message)];
  }
  if (!isArray(output) || key === 'tools') {
    const text = { kind: 'json', record: owner.record, path } as const;
    return [resultBlock(toJson(output), text, callId, call, owner.locate(path), owner.message)];
  }
  const found = textOfParts(output, path, owner.record);
  const blocks =
    found === undefined
      ? []
      : [resultBlock(found.content, found.text, callId, call, owner.locate(path), owner.message)];
  output.forEach((part, index) => {
    if (stringAt(part, 'text') === undefined) {
      const provenance = provenanceOfTool(call?.toolName);
      blocks.push({
        ...mediaBlock(part, [...path, index], { role: 'tool', provenance }, owner),
        partition: partitionOfTool(call?.toolName),
        toolName: call?.toolName,
        callId,
        path: call?.path,
      });
    }
  });
  return blocks;
}

function resultBlock(
  content: string,
  text: TextReference,
  callId: string | undefined,
  call: KnownCall | undefined,
  source: SourceRange,
  message: number,
): NewBlock {
  const toolName = call?.toolName;
  return {
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: provenanceOfTool(toolName),
    partition: partitionOfTool(toolName),
    label: `${toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
    toolName,
    callId,
    path: call?.path,
    content,
    text,
    source,
    message,
  };
}

/** The texts of a result as one; empty ones are not sent. */
function textOfParts(
  output: readonly unknown[],
  path: ValuePath,
  record: SourceRange,
): Pick<NewBlock, 'content' | 'text'> | undefined {
  const texts = output.map(part => stringAt(part, 'text'));
  const filled = texts.flatMap((text, index) => (text === undefined || text === '' ? [] : [{ text, index }]));
  const [first] = filled;
  if (filled.length === 1 && first !== undefined) {
    return { content: first.text, text: { kind: 'string', record, path: [...path, first.index, 'text'] } };
  }
  const recorded = texts.filter(text => text !== undefined);
  return recorded.length > 0 || output.length === 0
    ? { content: recorded.join('\n'), text: { kind: 'parts', record, path } }
    : undefined;
}

function otherBlock(value: unknown, path: ValuePath, role: Speaker, owner: ResponsesItemOwner): NewBlock {
  return {
    role,
    contentType: 'text',
    kind: 'other',
    provenance: role === 'user' ? 'user' : 'system',
    partition: 'history',
    label: stringAt(value, 'type') ?? 'unknown content',
    content: toJson(value),
    text: { kind: 'json', record: owner.record, path },
    source: owner.locate(path),
    message: owner.message,
  };
}
