import type { ValuePath } from '../base/json';
import { isJsonValue, isRecord } from '../base/jsonValue';
import type { Place } from '../content/place';
import type { TextReference } from '../model/block';
import type { Protocol } from '../model/protocol';
import { readRequestOf } from './bodies';
import { geminiPaths } from './gemini/annotated';

/**
 * The paths of the blocks in a request's body: those of the head, and those of the messages. Upstream's form has the
 * messages and tools of a Gemini request in other places; these have the paths of upstream's form.
 */
export interface BodyBlockPaths {
  readonly head: readonly (ValuePath | undefined)[];
  readonly messages: readonly (ValuePath | undefined)[];
}

const body: Place = { record: { line: 0, offset: 0, length: 0 }, path: [] };

/** Finds the blocks of a body in wire order. A block without a text of its own gets the path of its neighbour. */
export function bodyBlockPaths(api: Protocol, value: unknown): BodyBlockPaths {
  const { messages } = readRequestOf(api, value, body, new Map());
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
