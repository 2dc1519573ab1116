import { isArray, isObject } from '../../src/core/base/json';

/** The parts of a tool in a request. */
export const toolParts = ['schema', 'calls', 'results'] as const;
export type ToolPart = (typeof toolParts)[number];

/** One text of a tool in a request, as it was sent. */
export interface RawPart {
  readonly tool: string;
  readonly part: ToolPart;
  readonly text: string;
}

type Value = Readonly<Record<string, unknown>>;

const listAt = (value: Value, key: string): readonly Value[] => {
  const list = value[key];
  return isArray(list) ? list.filter(isObject) : [];
};
const textAt = (value: Value | undefined, ...keys: readonly string[]): string => {
  for (const key of keys) {
    const found = value?.[key];
    if (typeof found === 'string') {
      return found;
    }
  }
  return '';
};

/**
 * The schemas, calls and results in the body of a request, read from its JSON alone: nothing here is shared with the readers
 * of transcripts. For the four APIs by the members that only they have.
 */
export function rawParts(body: unknown): readonly RawPart[] {
  if (!isObject(body)) {
    return [];
  }
  const names = new Map<string, string>();
  const turns = [...listAt(body, 'messages'), ...listAt(body, 'contents'), ...listAt(body, 'input')];
  return [...listAt(body, 'tools').flatMap(schemas), ...turns.flatMap(turn => partsOfTurn(turn, names))];
}

function schemas(tool: Value): readonly RawPart[] {
  // Gemini's list, and a namespace of the Responses API.
  const declared = [
    ...listAt(tool, 'functionDeclarations'),
    ...(tool['type'] === 'namespace' ? listAt(tool, 'tools') : []),
  ];
  const own = isObject(tool['function']) ? tool['function'] : tool;
  return declared.length > 0
    ? declared.flatMap(schemas)
    : [{ tool: textAt(own, 'name') || textAt(tool, 'type'), part: 'schema', text: JSON.stringify(tool) }];
}

function partsOfTurn(turn: Value, names: Map<string, string>): readonly RawPart[] {
  const content = isArray(turn['content']) ? listAt(turn, 'content') : [];
  return [
    ...partOf(turn, names),
    ...[...listAt(turn, 'tool_calls'), ...content, ...listAt(turn, 'parts')].flatMap(item =>
      partOf(item, names),
    ),
    ...(turn['type'] === 'additional_tools' ? listAt(turn, 'tools').flatMap(schemas) : []),
  ];
}

function partOf(item: Value, names: Map<string, string>): readonly RawPart[] {
  const called = (id: string, tool: string, given: unknown): readonly RawPart[] => {
    names.set(id, tool);
    return [{ tool, part: 'calls', text: typeof given === 'string' ? given : JSON.stringify(given) }];
  };
  const answered = (id: string, given: unknown): readonly RawPart[] => {
    const text = resultText(given);
    return text === undefined ? [] : [{ tool: names.get(id) ?? '', part: 'results', text }];
  };
  const { functionCall, functionResponse } = item;
  if (isObject(functionCall)) {
    return called('', textAt(functionCall, 'name'), functionCall['args'] ?? {});
  }
  if (isObject(functionResponse)) {
    names.set('', textAt(functionResponse, 'name'));
    const { response } = functionResponse;
    const [only, ...others] = isObject(response) ? Object.values(response) : [];
    // The JSON around a text says nothing of it.
    return answered('', typeof only === 'string' && others.length === 0 ? only : response);
  }
  switch (item['type']) {
    case 'tool_use':
      return called(textAt(item, 'id'), textAt(item, 'name'), item['input']);
    case 'tool_result':
      return answered(textAt(item, 'tool_use_id'), item['content']);
    case 'function':
      return isObject(item['function'])
        ? called(textAt(item, 'id'), textAt(item['function'], 'name'), item['function']['arguments'])
        : [];
    case 'function_call':
      return called(textAt(item, 'call_id'), textAt(item, 'name'), item['arguments']);
    case 'custom_tool_call':
      return called(textAt(item, 'call_id'), textAt(item, 'name'), item['input']);
    case 'tool_search_call':
      return called(textAt(item, 'call_id'), 'tool_search', item['arguments']);
    case 'tool_search_output':
      return [{ tool: 'tool_search', part: 'results', text: JSON.stringify(item['tools']) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return answered(textAt(item, 'call_id'), item['output']);
    default:
      return item['role'] === 'tool' ? answered(textAt(item, 'tool_call_id'), item['content']) : [];
  }
}

/** The text of a result; undefined for one of images alone. What is neither text nor image makes all of it JSON. */
function resultText(given: unknown): string | undefined {
  if (!isArray(given)) {
    return typeof given === 'string' ? given : JSON.stringify(given);
  }
  const parts = given.filter(isObject);
  const texts = parts.flatMap(part => (typeof part['text'] === 'string' ? [part['text']] : []));
  const media = parts.filter(part => /image|file|document/.test(textAt(part, 'type')));
  if (texts.length + media.length < given.length) {
    return JSON.stringify(given);
  }
  return texts.length === 0 && media.length > 0 ? undefined : texts.join('\n');
}
