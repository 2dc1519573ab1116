import {
  arrayAt,
  isArray,
  isObject,
  member,
  objectAt,
  stringAt,
  timeAt,
  type ValuePath,
} from '../../base/json';
import { toolSchemaBlock, type KnownCall } from '../../content/anthropicContent';
import { geminiBlocks } from '../../content/geminiContent';
import type { NewBlock } from '../../content/transcriptBuilder';
import {
  placed,
  wireOwner,
  type BodyPlace,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from './wire';
import { readUsage } from '../common/usage';

const api = 'Gemini API';

/** Whether a body is a request to the Gemini API, alone or in the envelope of Code Assist. */
export function isGeminiBody(body: unknown): boolean {
  const contents = member(inner(body, 'request').value, 'contents');
  return (
    isArray(contents) && contents.length > 0 && contents.every(content => isArray(member(content, 'parts')))
  );
}

/** Code Assist sends `{model, project, request}` and answers `{response}`. */
function inner(body: unknown, key: string): { readonly value: unknown; readonly path: ValuePath } {
  const wrapped = objectAt(body, key);
  return wrapped === undefined ? { value: body, path: [] } : { value: wrapped, path: [key] };
}

/** Reads a request: tools, system instruction, contents. What `cachedContent` stands for is not in it. */
export function readGeminiRequest(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireRequest {
  const { value, path } = inner(body, 'request');
  const model = stringAt(value, 'model') ?? stringAt(body, 'model');
  const head = headOf(value, path, place, calls);
  return {
    api,
    complete: stringAt(value, 'cachedContent') === undefined,
    messages: [
      ...(head.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: placed(head, place) } as const]),
      ...arrayAt(value, 'contents').map((content, index) =>
        readContent(content, [...path, 'contents', index], place, calls),
      ),
    ],
    ...(model === undefined ? {} : { model: model.replace(/^models\//, '') }),
  };
}

function headOf(
  value: unknown,
  path: ValuePath,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): readonly NewBlock[] {
  const owner = wireOwner(place, path, calls);
  const blocks: NewBlock[] = arrayAt(value, 'tools').flatMap((tool, index): NewBlock[] => {
    const key =
      member(tool, 'functionDeclarations') === undefined ? 'function_declarations' : 'functionDeclarations';
    const functions = arrayAt(tool, key);
    const toolPath = [...path, 'tools', index];
    return functions.length > 0
      ? functions.map((definition, at) => toolSchemaBlock(definition, [...toolPath, key, at], owner))
      : [
          {
            ...toolSchemaBlock(tool, toolPath, owner),
            label: (isObject(tool) ? Object.keys(tool)[0] : undefined) ?? 'tool',
          },
        ];
  });
  const key = member(value, 'systemInstruction') === undefined ? 'system_instruction' : 'systemInstruction';
  const system = geminiBlocks(member(member(value, key), 'parts'), [...path, key, 'parts'], {
    ...owner,
    role: 'user',
    textClass: { kind: 'systemPrompt', partition: 'system', provenance: 'system' },
  });
  blocks.push(...system.map(block => ({ ...block, role: 'system' as const })));
  return blocks;
}

function readContent(
  content: unknown,
  path: ValuePath,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireMessage {
  const role = stringAt(content, 'role') === 'model' ? 'assistant' : 'user';
  const owner = { ...wireOwner(place, path, calls), role } as const;
  const blocks = geminiBlocks(member(content, 'parts'), [...path, 'parts'], owner);
  return { role: blocks[0]?.role ?? role, blocks: placed(blocks, place) };
}

/** Whether a body is a response of the Gemini API. */
export function isGeminiResponse(body: unknown): boolean {
  const { value } = inner(body, 'response');
  return isArray(member(value, 'candidates')) || objectAt(value, 'usageMetadata') !== undefined;
}

export function readGeminiResponse(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireResponse {
  const { value, path } = inner(body, 'response');
  const content = objectAt(arrayAt(value, 'candidates')[0], 'content');
  const id = stringAt(value, 'responseId');
  const model = stringAt(value, 'modelVersion');
  const timestamp = timeAt(value, 'createTime');
  const usage = readUsage(objectAt(value, 'usageMetadata'), 'gemini');
  return {
    api,
    messages:
      content === undefined
        ? []
        : [readContent({ ...content, role: 'model' }, [...path, 'candidates', 0, 'content'], place, calls)],
    id,
    model,
    timestamp,
    usage,
  };
}
