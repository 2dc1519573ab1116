import { arrayAt, isArray, member, objectAt, stringAt, timeAt } from '../../base/json';
import { emptyBlock, schemaBlock } from '../../content/blockFactory';
import { geminiBlocks } from './blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, type Place, textReference } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import { apiNames } from '../../model/protocol';
import { readUsage } from '../usage';
import type { BodyReading, WireMessage, WireRequest, WireResponse } from '../body';

const protocol = 'gemini';

/** True if a body is a request to the Gemini API, alone or in the envelope of Code Assist. */
function isGeminiBody(body: unknown): boolean {
  const contents = member(unwrapped(body, 'request'), 'contents');
  return (
    isArray(contents) && contents.length > 0 && contents.every(content => isArray(member(content, 'parts')))
  );
}

/** Code Assist sends `{model, project, request}` and answers `{response}`. */
function unwrapped(body: unknown, key: string): unknown {
  return objectAt(body, key) ?? body;
}

function inner(body: unknown, key: string, place: Place): { readonly value: unknown; readonly at: Place } {
  const value = unwrapped(body, key);
  return { value, at: value === body ? place : below(place, key) };
}

/** Reads a request: tools, system instruction, contents. The content that `cachedContent` refers to is not included. */
export function readGeminiRequest(body: unknown, place: Place, calls: KnownCalls): WireRequest {
  const { value, at } = inner(body, 'request', place);
  const model = stringAt(value, 'model') ?? stringAt(body, 'model');
  const head = headOf(value, at, calls);
  return {
    api: apiNames[protocol],
    complete: stringAt(value, 'cachedContent') === undefined,
    messages: [
      ...(head.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: head } as const]),
      ...arrayAt(value, 'contents').map((content, index) =>
        readContent(
          content,
          stringAt(content, 'role') === 'model' ? 'assistant' : 'user',
          below(at, 'contents', index),
          calls,
        ),
      ),
    ],
    model: model?.replace(/^models\//, ''),
    // Upstream has no reader for the envelope of Code Assist.
    ...(value === body && { body: { api: protocol, text: textReference(place, 'json') } as const }),
  };
}

function headOf(value: unknown, place: Place, calls: KnownCalls): readonly NewBlock[] {
  const tools = arrayAt(value, 'tools').flatMap((tool, index): NewBlock[] => {
    const key =
      member(tool, 'functionDeclarations') === undefined ? 'function_declarations' : 'functionDeclarations';
    const functions = arrayAt(tool, key);
    const at = below(place, 'tools', index);
    return functions.length > 0
      ? functions.map((definition, position) => schemaBlock(definition, below(at, key, position)))
      : [schemaBlock(tool, at)];
  });
  const key = member(value, 'systemInstruction') === undefined ? 'system_instruction' : 'systemInstruction';
  const instruction = member(member(value, key), 'parts');
  return [...tools, ...geminiBlocks(instruction, below(place, key, 'parts'), 'system', calls)];
}

function readContent(
  content: unknown,
  role: 'user' | 'assistant',
  place: Place,
  calls: KnownCalls,
): WireMessage {
  const blocks = geminiBlocks(member(content, 'parts'), below(place, 'parts'), role, calls);
  if (blocks.length === 0) {
    blocks.push(emptyBlock(place, role));
  }
  return { role: blocks[0]?.role ?? role, blocks };
}

/** True if a body is a response of the Gemini API. */
function isGeminiResponse(body: unknown): boolean {
  const value = unwrapped(body, 'response');
  return isArray(member(value, 'candidates')) || objectAt(value, 'usageMetadata') !== undefined;
}

function readGeminiResponse(body: unknown, place: Place, calls: KnownCalls): WireResponse {
  const { value, at } = inner(body, 'response', place);
  const content = objectAt(arrayAt(value, 'candidates')[0], 'content');
  return {
    api: apiNames[protocol],
    messages:
      content === undefined
        ? []
        : [readContent(content, 'assistant', below(at, 'candidates', 0, 'content'), calls)],
    id: stringAt(value, 'responseId'),
    model: stringAt(value, 'modelVersion'),
    timestamp: timeAt(value, 'createTime'),
    usage: readUsage(objectAt(value, 'usageMetadata'), protocol),
  };
}

export const geminiBodies: BodyReading = {
  isRequest: isGeminiBody,
  readRequest: readGeminiRequest,
  isResponse: isGeminiResponse,
  readResponse: readGeminiResponse,
};
