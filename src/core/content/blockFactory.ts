import { isArray, isObject, objectAt, stringAt } from '../base/json';
import type { PromptRole } from '../model/labels';
import { labelOfCall, labelOfText, objectOfCall, pathOfCall } from './blockLabels';
import {
  classOfRole,
  classOfText,
  partitionOfCall,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  type TextClass,
  thinking,
} from './classification';
import { readImageInfo } from './imageInfo';
import { type KnownCall, type KnownCalls, parsedArguments, rememberCall } from './knownCalls';
import { type Media, mediaOf } from './media';
import {
  below,
  type FoundText,
  jsonText,
  noText,
  partOfText,
  type Place,
  sourceOf,
  textAt,
  textOf,
  textOfParts,
} from './place';
import type { NewBlock } from './transcriptBuilder';

// Every block lists all members in the same order, so that the engine gives all blocks one shape: there may be hundreds
// of thousands of them.

/** A text of a known class. */
export function textBlock(
  { content, text }: FoundText,
  place: Place,
  role: PromptRole,
  { kind, partition, provenance }: TextClass,
  label: string = labelOfText(content),
): NewBlock {
  return {
    role,
    contentType: kind === 'toolResult' ? 'tool_result' : 'text',
    kind,
    provenance,
    partition,
    label,
    content,
    text,
    source: sourceOf(place),
    toolName: undefined,
    callId: undefined,
    path: undefined,
    isError: undefined,
    image: undefined,
  };
}

/**
 * A text in a message of this role, classified by its words. A user's text is split at the `<system-reminder>` parts
 * that a client puts into it.
 * @param textClass the class of the text if the whole message is known to be one thing, such as a summary; the text is
 * not split
 * @param usual the class of a text that matches no known marker; by default that of the role
 */
export function textBlocks(
  found: FoundText,
  place: Place,
  role: PromptRole,
  textClass?: TextClass,
  usual?: TextClass,
): NewBlock[] {
  const { content } = found;
  const whole = textClass ?? classOfText(content, role, usual);
  if (role !== 'user' || textClass !== undefined || !content.includes('<system-reminder>')) {
    return [textBlock(found, place, role, whole)];
  }
  const pieces = splitReminders(content, text => classOfText(text, role, usual));
  const blocks: NewBlock[] = [];
  for (const { start, end, class: pieceClass } of pieces) {
    const piece = partOfText(found, start, end);
    if (piece === undefined) {
      return [textBlock(found, place, role, whole)];
    }
    blocks.push(textBlock(piece, place, role, pieceClass));
  }
  return blocks;
}

/** The blocks of the text at a key of a value; none if it is missing or empty. `place` is that of the value. */
export function textBlocksAt(
  value: unknown,
  place: Place,
  key: string,
  role: PromptRole,
  textClass?: TextClass,
): NewBlock[] {
  const found = textAt(value, place, key);
  return found.content === '' ? [] : textBlocks(found, place, role, textClass);
}

/** An empty block for a message without content, so that the message is not lost. */
export function emptyBlock(place: Place, role: PromptRole, textClass = classOfRole(role)): NewBlock {
  return textBlock(noText, place, role, textClass, 'empty');
}

/** The model's thinking. Encrypted or unrecorded thinking is an empty text: there is nothing to read or count. */
export function thinkingBlock(found: FoundText, place: Place, unread = 'thinking, not recorded'): NewBlock {
  return textBlock(found, place, 'assistant', thinking, found.content === '' ? unread : undefined);
}

/** The parts of a tool call, from wherever its dialect keeps them. */
export interface CallParts {
  readonly toolName: string;
  readonly callId: string | undefined;
  /** The arguments: a value, or a string of JSON or of anything else. */
  readonly input: unknown;
  /** The place of the arguments. */
  readonly place: Place;
  /** The place of the whole call, if different. */
  readonly callPlace?: Place | undefined;
}

/** A tool call, which is also added to `calls` for its results. Its text is the arguments as the model wrote them. */
export function toolCallBlock(
  { toolName, callId, input, place, callPlace = place }: CallParts,
  calls: KnownCalls,
): NewBlock {
  const parsed = parsedArguments(input);
  const object = objectOfCall(parsed);
  const path = pathOfCall(parsed);
  const label = labelOfCall(toolName, object);
  const { content, text } = textOf(input, place);
  rememberCall(calls, callId, { toolName, object, path });
  return {
    role: 'assistant',
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfCall(toolName),
    label,
    content,
    text,
    source: sourceOf(callPlace),
    toolName,
    callId,
    path,
    isError: undefined,
    image: undefined,
  };
}

/** The call that a result answers, and whether it failed. */
export interface ResultFacts {
  readonly callId: string | undefined;
  readonly call: KnownCall | undefined;
  readonly isError?: boolean | undefined;
}

/** The role of a message with these blocks: `tool` for a user's message that contains results of tools. */
export function roleOfMessage(role: PromptRole, blocks: readonly NewBlock[]): PromptRole {
  return role === 'user' && blocks.some(block => block.role === 'tool') ? 'tool' : role;
}

/** The text of a tool's result. */
export function toolResultBlock(
  { content, text }: FoundText,
  place: Place,
  { callId, call, isError }: ResultFacts,
): NewBlock {
  const toolName = call?.toolName;
  return {
    role: 'tool',
    contentType: 'tool_result',
    kind: 'toolResult',
    provenance: provenanceOfTool(toolName),
    partition: partitionOfTool(toolName),
    label: labelOfCall(toolName ?? 'result', call?.object ?? ''),
    content,
    text,
    source: sourceOf(place),
    toolName,
    callId,
    path: call?.path,
    isError: isError === true ? true : undefined,
    image: undefined,
  };
}

/**
 * The blocks of a tool's result. In a list of parts, all texts together are one block, each text on its own line; each
 * image or file is a block after it. If a part is neither text nor media, the JSON of the whole list is the only block.
 */
export function resultBlocks(content: unknown, place: Place, result: ResultFacts): NewBlock[] {
  if (!isArray(content)) {
    return [toolResultBlock(textOf(content, place), place, result)];
  }
  const media: NewBlock[] = [];
  for (let index = 0; index < content.length; index += 1) {
    const part = content[index];
    if (stringAt(part, 'text') === undefined) {
      const block = mediaBlock(part, below(place, index), 'tool', result);
      if (block === undefined) {
        return [toolResultBlock(jsonText(content, place), place, result)];
      }
      media.push(block);
    }
  }
  const found = textOfParts(content, place);
  return found.content === '' && media.length > 0 ? media : [toolResultBlock(found, place, result), ...media];
}

/** An image, sound or file; `undefined` for any other part. `result` is given for media in a tool's result. */
export function mediaBlock(
  part: unknown,
  place: Place,
  role: PromptRole,
  result?: ResultFacts,
): NewBlock | undefined {
  const media = mediaOf(part, place);
  return media === undefined ? undefined : dataBlock(media, place, role, result);
}

/**
 * Media whose data is already found. All encoded media has the content type `image`: the Prompt IR has no other type
 * whose size is not the length of its text.
 */
export function dataBlock(
  { isImage, data: { content, text }, isEncoded, mediaType, name }: Media,
  place: Place,
  role: PromptRole,
  result?: ResultFacts,
): NewBlock {
  const size = isImage ? readImageInfo(content) : undefined;
  const toolName = result?.call?.toolName;
  return {
    role,
    contentType: isImage || isEncoded ? 'image' : 'text',
    kind: isImage ? 'image' : 'other',
    provenance: result === undefined ? classOfRole(role).provenance : provenanceOfTool(toolName),
    partition: result === undefined ? (isImage ? 'history' : 'knowledge') : partitionOfTool(toolName),
    label: size === undefined ? (name ?? mediaType ?? 'media') : `image ${size.width} × ${size.height}`,
    content,
    text,
    source: sourceOf(place),
    toolName,
    callId: result?.callId,
    path: result?.call?.path,
    isError: result?.isError === true ? true : undefined,
    image: isImage || isEncoded ? { ...size, ...(mediaType === undefined ? {} : { mediaType }) } : undefined,
  };
}

/** A part of a message that is not text: an image, sound or file, or the JSON of an unknown part. */
export function partBlock(part: unknown, place: Place, role: PromptRole): NewBlock {
  return mediaBlock(part, place, role) ?? otherBlock(part, place, role);
}

/**
 * Content of an unknown kind, as JSON. Its provenance follows the role: an unknown part of a reply is written by the
 * model.
 */
export function otherBlock(value: unknown, place: Place, role: PromptRole): NewBlock {
  const { partition, provenance } = classOfRole(role);
  const label = labelOfText(stringAt(value, 'type') ?? firstKey(value) ?? 'unknown content');
  return textBlock(textOf(value, place), place, role, { kind: 'other', partition, provenance }, label);
}

/** A tool definition. Its text is the JSON of the whole definition. */
export function schemaBlock(tool: unknown, place: Place, label?: string): NewBlock {
  const definition = objectAt(tool, 'function') ?? objectAt(tool, 'custom') ?? tool;
  const toolName =
    stringAt(definition, 'name') ??
    stringAt(tool, 'title') ??
    stringAt(tool, 'type') ??
    firstKey(tool) ??
    'tool';
  return definitionBlock('toolSchema', toolName, jsonText(tool, place), place, label);
}

/** The definitions of a list of tools; none if it is not a list. */
export function schemaBlocks(tools: unknown, place: Place): NewBlock[] {
  return isArray(tools) ? tools.map((tool, index) => schemaBlock(tool, below(place, index))) : [];
}

/** The response format that a request asks for: a JSON schema, or the name of a format. */
export function replyFormatBlock(format: unknown, place: Place): NewBlock {
  const name =
    stringAt(objectAt(format, 'json_schema'), 'name') ?? stringAt(format, 'name') ?? stringAt(format, 'type');
  return definitionBlock(
    'structuredOutput',
    undefined,
    jsonText(format, place),
    place,
    name ?? 'response format',
  );
}

function definitionBlock(
  kind: 'toolSchema' | 'structuredOutput',
  toolName: string | undefined,
  { content, text }: FoundText,
  place: Place,
  label = toolName ?? '',
): NewBlock {
  return {
    role: 'system',
    contentType: kind === 'toolSchema' ? 'tool_schema' : 'structured_output',
    kind,
    provenance: 'system',
    partition: 'system',
    label,
    content,
    text,
    source: sourceOf(place),
    toolName,
    callId: undefined,
    path: undefined,
    isError: undefined,
    image: undefined,
  };
}

function firstKey(value: unknown): string | undefined {
  return isObject(value) ? Object.keys(value)[0] : undefined;
}
