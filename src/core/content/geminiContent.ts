import type { SourceRange, TextReference } from '../model/block';
import {
  classifyInjectedText,
  partitionOfTool,
  provenanceOfTool,
  typedPrompt,
  type TextClass,
} from './classifyText';
import { isArray, isObject, member, objectAt, stringAt, toJson, type ValuePath } from '../base/json';
import type { KnownCall } from './anthropicContent';
import { readImageInfo } from './imageInfo';
import { labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import type { NewBlock } from './transcriptBuilder';

/** The Content of the Gemini API whose parts are cut into blocks. */
export interface GeminiOwner {
  /** `assistant` for the role `model`, `system` for an instruction; a function's response is always the tool's. */
  readonly role: 'system' | 'user' | 'assistant';
  readonly message: number;
  /** The JSON record that the parts are in. */
  readonly record: SourceRange;
  readonly locate: (path: ValuePath) => SourceRange;
  /** By id, and by name for responses that have no id. */
  readonly calls: Map<string, KnownCall>;
  /** What the text is where the words do not tell: `typedPrompt` and the model's reply otherwise. */
  readonly textClass?: TextClass | undefined;
}

const classOfRole: Readonly<Record<GeminiOwner['role'], TextClass>> = {
  system: { kind: 'systemPrompt', partition: 'system', provenance: 'system' },
  user: typedPrompt,
  assistant: { kind: 'assistant', partition: 'history', provenance: 'developer' },
};

/** The notice that Gemini CLI puts in the place of an old result, before the path of the file that keeps it. */
export const maskedOutput = '<tool_output_masked>';

/** The blocks of a Content's parts: a string, one part, or a list of them. */
export function geminiBlocks(parts: unknown, path: ValuePath, owner: GeminiOwner): NewBlock[] {
  if (typeof parts === 'string') {
    return parts === '' ? [] : [textBlock(parts, path, owner)];
  }
  if (isArray(parts)) {
    return parts.flatMap((part, index) => geminiPartBlocks(part, [...path, index], owner));
  }
  return isObject(parts) ? geminiPartBlocks(parts, path, owner) : [];
}

/** The blocks of one part, which `path` leads to: one, or none where there is nothing to read. */
export function geminiPartBlocks(part: unknown, path: ValuePath, owner: GeminiOwner): NewBlock[] {
  if (typeof part === 'string') {
    return part === '' ? [] : [textBlock(part, path, owner)];
  }
  const text = stringAt(part, 'text');
  if (text !== undefined) {
    const textPath = [...path, 'text'];
    return text === ''
      ? []
      : [
          member(part, 'thought') === true
            ? thoughtBlock(text, { kind: 'string', record: owner.record, path: textPath }, path, owner)
            : textBlock(text, textPath, owner),
        ];
  }
  if (objectAt(part, 'functionCall') !== undefined) {
    return [geminiCallBlock(member(part, 'functionCall'), [...path, 'functionCall'], owner)];
  }
  if (objectAt(part, 'functionResponse') !== undefined) {
    return [responseBlock(member(part, 'functionResponse'), [...path, 'functionResponse'], owner)];
  }
  if (objectAt(part, 'inlineData') !== undefined) {
    return [inlineBlock(member(part, 'inlineData'), [...path, 'inlineData'], owner)];
  }
  if (isObject(part) && Object.keys(part).every(key => key === 'thoughtSignature' || key === 'thought')) {
    return [];
  }
  return [
    {
      ...baseOf(path, owner),
      kind: 'other',
      provenance: owner.role === 'user' ? 'user' : 'developer',
      partition: 'history',
      label: isObject(part) ? (Object.keys(part)[0] ?? 'empty part') : 'unknown content',
      content: toJson(part),
      text: { kind: 'json', record: owner.record, path },
    },
  ];
}

function textBlock(text: string, path: ValuePath, owner: GeminiOwner): NewBlock {
  const otherwise = owner.textClass ?? classOfRole[owner.role];
  return {
    ...baseOf(path, owner),
    ...(owner.role === 'user' ? (classifyInjectedText(text) ?? otherwise) : otherwise),
    label: labelOfText(text),
    content: text,
    text: { kind: 'string', record: owner.record, path },
  };
}

export function thoughtBlock(
  content: string,
  text: TextReference,
  path: ValuePath,
  owner: GeminiOwner,
): NewBlock {
  return {
    ...baseOf(path, owner),
    role: 'assistant',
    kind: 'thinking',
    partition: 'history',
    provenance: 'developer',
    label: labelOfText(content),
    content,
    text,
  };
}

/** A call `{id?, name, args}`, which `path` leads to. */
export function geminiCallBlock(call: unknown, path: ValuePath, owner: GeminiOwner): NewBlock {
  const toolName = stringAt(call, 'name') ?? 'unknown';
  const callId = stringAt(call, 'id');
  const input = member(call, 'args');
  const object = objectOfCall(input);
  const file = pathOfCall(input);
  owner.calls.set(callId ?? toolName, { toolName, object, path: file });
  return {
    ...baseOf(path, owner),
    role: 'assistant',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
    label: `${toolName} ${object}`.trim(),
    toolName,
    ...(callId === undefined ? {} : { callId }),
    ...(file === undefined ? {} : { path: file }),
    content: toJson(input),
    text: { kind: 'json', record: owner.record, path: [...path, 'args'] },
  };
}

/** A response `{id?, name, response}`: the text is its output or error where it has only that, else its JSON. */
function responseBlock(answer: unknown, path: ValuePath, owner: GeminiOwner): NewBlock {
  const callId = stringAt(answer, 'id');
  const name = stringAt(answer, 'name');
  // The call may have no id though its response has one.
  const call = (callId === undefined ? undefined : owner.calls.get(callId)) ?? owner.calls.get(name ?? '');
  const toolName = call?.toolName ?? name;
  const response = member(answer, 'response');
  const responsePath = [...path, 'response'];
  const only =
    isObject(response) && Object.keys(response).length === 1 ? Object.keys(response)[0] : undefined;
  const key = only === 'output' || only === 'error' ? only : undefined;
  const told = key === undefined ? undefined : stringAt(response, key);
  const content = told ?? toJson(response);
  return {
    ...baseOf(path, owner),
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: provenanceOfTool(toolName),
    partition: partitionOfTool(toolName),
    label: `${toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
    ...(toolName === undefined ? {} : { toolName }),
    ...(callId === undefined ? {} : { callId }),
    ...(call?.path === undefined ? {} : { path: call.path }),
    ...(isObject(response) && Object.hasOwn(response, 'error') ? { isError: true } : {}),
    ...(content.startsWith(maskedOutput) ? { cleared: true } : {}),
    content,
    text:
      told === undefined || key === undefined
        ? { kind: 'json', record: owner.record, path: responsePath }
        : { kind: 'string', record: owner.record, path: [...responsePath, key] },
  };
}

function inlineBlock(data: unknown, path: ValuePath, owner: GeminiOwner): NewBlock {
  const content = stringAt(data, 'data') ?? '';
  const mediaType = stringAt(data, 'mimeType');
  const isImage = mediaType?.startsWith('image/') !== false;
  const size = isImage ? readImageInfo(content) : undefined;
  return {
    ...baseOf(path, owner),
    contentType: 'image',
    kind: isImage ? 'image' : 'other',
    provenance: 'user',
    partition: isImage ? 'history' : 'knowledge',
    label: size === undefined ? (mediaType ?? 'media') : `image ${size.width} × ${size.height}`,
    image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) },
    content,
    text: { kind: 'string', record: owner.record, path: [...path, 'data'] },
  };
}

function baseOf(
  path: ValuePath,
  owner: GeminiOwner,
): Pick<NewBlock, 'role' | 'contentType' | 'source' | 'message'> {
  return { role: owner.role, contentType: 'text', source: owner.locate(path), message: owner.message };
}
