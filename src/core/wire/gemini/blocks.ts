import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../../base/json';
import type { PromptRole } from '../../model/labels';
import {
  dataBlock,
  otherBlock,
  type ResultFacts,
  roleOfMessage,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import type { TextClass } from '../../content/classification';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { mediaOfData } from '../../content/media';
import { below, type FoundText, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { ReadMessage } from '../generic/blocks';

/**
 * The blocks of a Content's parts: a string, one part, or a list of them.
 * @param role `assistant` for the role `model`, `system` for an instruction; a function's response always has the role
 * of the tool
 * @param usual the class of a text that matches no known marker
 */
export function geminiBlocks(
  parts: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  usual?: TextClass,
): NewBlock[] {
  return isArray(parts)
    ? parts.flatMap((part, index) => geminiPartBlocks(part, below(place, index), role, calls, usual))
    : typeof parts === 'string' || isObject(parts)
      ? geminiPartBlocks(parts, place, role, calls, usual)
      : [];
}

/** The message of a Content `{role, parts}`. Without the role `model`, it is a user message or the tool results. */
export function readContent(content: unknown, place: Place, calls: KnownCalls): ReadMessage {
  const role = stringAt(content, 'role') === 'model' ? 'assistant' : 'user';
  const blocks = geminiBlocks(member(content, 'parts'), below(place, 'parts'), role, calls);
  return { role: roleOfMessage(role, blocks), blocks };
}

/** The blocks of one part: one, or none if there is nothing to read. */
export function geminiPartBlocks(
  part: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  usual?: TextClass,
): NewBlock[] {
  if (typeof part === 'string') {
    return spokenBlocks(textOf(part, place), place, role, usual);
  }
  if (stringAt(part, 'text') !== undefined) {
    const found = textAt(part, place, 'text');
    return member(part, 'thought') !== true
      ? spokenBlocks(found, below(place, 'text'), role, usual)
      : found.content === ''
        ? []
        : [thinkingBlock(found, place)];
  }
  if (objectAt(part, 'functionCall') !== undefined) {
    return [geminiCallBlock(member(part, 'functionCall'), below(place, 'functionCall'), calls)];
  }
  if (objectAt(part, 'functionResponse') !== undefined) {
    return responseBlocks(member(part, 'functionResponse'), below(place, 'functionResponse'), calls);
  }
  if (objectAt(part, 'inlineData') !== undefined) {
    return [inlineBlock(part, place, role)];
  }
  const isSignature =
    isObject(part) && Object.keys(part).every(key => key === 'thoughtSignature' || key === 'thought');
  return isSignature ? [] : [otherBlock(part, place, role)];
}

function spokenBlocks(
  found: FoundText,
  place: Place,
  role: PromptRole,
  usual: TextClass | undefined,
): NewBlock[] {
  return found.content === '' ? [] : textBlocks(found, place, role, undefined, usual);
}

/** A call `{id?, name, args}`. */
export function geminiCallBlock(call: unknown, place: Place, calls: KnownCalls): NewBlock {
  return toolCallBlock(
    {
      toolName: stringAt(call, 'name') ?? 'unknown',
      callId: stringAt(call, 'id'),
      input: member(call, 'args'),
      place: below(place, 'args'),
      callPlace: place,
    },
    calls,
  );
}

/**
 * A response `{id?, name, response, parts?}`. The text is its output or error if it has nothing else, otherwise its
 * JSON. Images and files are in its parts.
 */
function responseBlocks(answer: unknown, place: Place, calls: KnownCalls): NewBlock[] {
  const callId = stringAt(answer, 'id');
  const response = member(answer, 'response');
  const only =
    isObject(response) && Object.keys(response).length === 1 ? Object.keys(response)[0] : undefined;
  const at = below(place, 'response');
  const found =
    (only === 'output' || only === 'error') && stringAt(response, only) !== undefined
      ? textAt(response, at, only)
      : textOf(response, at);
  const result = {
    callId,
    call: answeredCall(calls, callId, stringAt(answer, 'name')),
    isError: isObject(response) && Object.hasOwn(response, 'error'),
  };
  const media = arrayAt(answer, 'parts').flatMap((part, index) =>
    objectAt(part, 'inlineData') === undefined
      ? []
      : [inlineBlock(part, below(place, 'parts', index), 'tool', result)],
  );
  const isMediaAlone = media.length > 0 && (found.content === '' || found.content === '{}');
  return isMediaAlone ? media : [toolResultBlock(found, place, result), ...media];
}

function inlineBlock(part: unknown, place: Place, role: PromptRole, result?: ResultFacts): NewBlock {
  const at = below(place, 'inlineData');
  const data = member(part, 'inlineData');
  const mediaType = stringAt(data, 'mimeType');
  const media = mediaOfData(textAt(data, at, 'data'), { mediaType, isImage: mediaType === undefined });
  return dataBlock(media, at, role, result);
}
