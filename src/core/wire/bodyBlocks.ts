import type { ValuePath } from '../base/json';
import { isJsonValue, isRecord } from '../base/jsonValue';
import type { Place } from '../content/place';
import { geminiPaths } from './gemini/annotated';
import type { TextReference } from '../model/block';
import type { RequestApi } from '../model/transcript';
import type { WireRequest } from './body';
import { readAnthropicRequest } from './anthropic/bodies';
import { readChatRequest } from './openaiChat/bodies';
import { readGeminiRequest } from './gemini/bodies';
import { readResponsesRequest } from './openaiResponses/bodies';

/**
 * Where the blocks of a request's body stand in it: those of the head, and those of the messages. Upstream's form has
 * the messages and tools of a Gemini request in other places: theirs are the paths there.
 */
export interface BodyBlockPaths {
  readonly head: readonly (ValuePath | undefined)[];
  readonly messages: readonly (ValuePath | undefined)[];
}

const body: Place = { record: { line: 0, offset: 0, length: 0 }, path: [] };

/** Finds the blocks of a body in wire order. A block without a text of its own has the path of the one beside it. */
export function bodyBlockPaths(api: RequestApi, value: unknown): BodyBlockPaths {
  const { messages } = readBody(api, value);
  const upstreamPath =
    api === 'gemini' && isJsonValue(value) && isRecord(value) ? geminiPaths(value) : undefined;
  const pathsOf = (isHead: boolean) =>
    messages
      .filter(message => (message.isHead === true) === isHead)
      .flatMap(({ blocks }) => {
        const paths = blocks.map(({ text }) => pathOf(text));
        const known = paths.find(path => path !== undefined);
        return paths.map((path, index) => {
          const found = path ?? paths[index - 1] ?? known;
          return found === undefined || upstreamPath === undefined ? found : upstreamPath(found);
        });
      });
  return { head: pathsOf(true), messages: pathsOf(false) };
}

function readBody(api: RequestApi, value: unknown): WireRequest {
  switch (api) {
    case 'anthropic':
      return readAnthropicRequest(value, body, new Map());
    case 'chat':
      return readChatRequest(value, body, new Map());
    case 'gemini':
      return readGeminiRequest(value, body, new Map());
    case 'responses':
      return readResponsesRequest(value, body, new Map());
  }
}

function pathOf(text: TextReference): ValuePath | undefined {
  switch (text.kind) {
    case 'literal':
      return undefined;
    case 'joined':
      return text.parts.map(pathOf).find(path => path !== undefined);
    case 'string':
    case 'json':
    case 'parts':
    case 'derived':
      return text.path;
  }
}
