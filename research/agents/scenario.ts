import { arrayAt, isObject, member, objectAt, stringAt } from '../../src/core/base/json';

/** A tool that a request offers, in the form of the chat API. */
interface OfferedTool {
  readonly name: string;
  readonly properties: readonly string[];
  readonly required: readonly string[];
  readonly schema: unknown;
}

export interface ScriptedReply {
  readonly content: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/**
 * The prompts of a person, one per process: every prompt after the first resumes the session. The word in capitals
 * tells the model which part it plays.
 */
export const prompts = [
  'Please play PART-TOOLS in this folder.',
  'Now play PART-IMAGE, please.',
  'Then play PART-SUBAGENT.',
  'And last play PART-END.',
] as const;

export const compactPrompt = '/compact keep the names of the files';

/** The files of the folder in which the agent works. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'a.txt': Array.from({ length: 40 }, (_, line) => `line ${line} of a\n`).join(''),
  'b.txt': 'one\ntwo "quoted" – and 😀\n',
  // One pixel.
  'shot.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** The model's steps in a part: the calls of each reply. The last reply has none. */
const parts: Readonly<Record<string, readonly (readonly Wish[])[]>> = {
  TOOLS: [
    [{ tool: 'shell', text: 'echo one && ls' }],
    [
      { tool: 'read', text: 'a.txt' },
      { tool: 'read', text: 'b.txt' },
    ],
    [{ tool: 'read', text: 'none.txt' }],
    [{ tool: 'shell', text: 'cat b.txt; exit 3' }],
  ],
  IMAGE: [[{ tool: 'read', text: 'shot.png' }]],
  SUBAGENT: [[{ tool: 'subagent', text: 'Play PART-CHILD.' }]],
  CHILD: [[{ tool: 'shell', text: 'echo child' }]],
  END: [[{ tool: 'shell', text: 'echo end' }]],
};

export interface Wish {
  readonly tool: keyof typeof toolNames;
  readonly text: string;
}

/** A call of the first tool that grants a wish, with arguments that its schema accepts; undefined if no tool does. */
export function callOf(
  tools: readonly { readonly name: string; readonly schema: unknown }[],
  wish: Wish,
  folder: string,
): { readonly name: string; readonly arguments: string } | undefined {
  const found = tools.find(({ name }) => toolNames[wish.tool].test(name));
  if (found === undefined) {
    return undefined;
  }
  const tool = offered({ name: found.name, parameters: found.schema }, new Map());
  return { name: found.name, arguments: JSON.stringify(argumentsOf(tool, wish, folder)) };
}

const toolNames = {
  shell:
    /^(bash|shell|shell_command|exec_command|execute_command|run_shell_command|run_terminal_command|run_commands)$/i,
  read: /^(read|read_file|view|read_files|view_image)$/i,
  subagent: /^(task|agent|spawn_subagent|spawn_agent|new_task)$/i,
};

/**
 * The model's next reply: the part that the last prompt names, at the step that the conversation has reached. A request
 * without a part (for a title, a summary) gets a text that is long enough for a summary.
 * @param request in the form of the chat API, whatever the protocol
 * @param schemas of tools that this form lacks
 */
export function nextReply(
  request: unknown,
  folder: string,
  schemas: ReadonlyMap<string, unknown>,
): ScriptedReply {
  const messages = arrayAt(request, 'messages');
  const asked = messages.findLastIndex(
    message => stringAt(message, 'role') === 'user' && partOf(message) !== undefined,
  );
  const part = partOf(messages[asked]);
  const steps = parts[part ?? ''];
  if (steps === undefined || arrayAt(request, 'tools').length === 0) {
    return { content: summary, toolCalls: [] };
  }
  const step = messages.slice(asked + 1).filter(message => stringAt(message, 'role') === 'assistant').length;
  const tools = arrayAt(request, 'tools').map(tool => offered(tool, schemas));
  const toolCalls = (steps[step] ?? []).flatMap((wish, index) => {
    const tool = tools.find(({ name }) => toolNames[wish.tool].test(name));
    const id = `call_${part ?? ''}_${step}_${index}`;
    return tool === undefined
      ? []
      : [{ id, name: tool.name, arguments: JSON.stringify(argumentsOf(tool, wish, folder)) }];
  });
  return toolCalls.length === 0
    ? { content: `PART ${part ?? ''} is done after ${step} steps.`.replace('PART ', 'The part '), toolCalls }
    : { content: `Step ${step}.`, toolCalls };
}

const summary = `<summary>\n${'The person asked for several parts, and the model read a.txt and b.txt. '.repeat(12)}\n</summary>`;

function partOf(message: unknown): string | undefined {
  const content = member(message, 'content');
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return /.*PART-(?<part>[A-Z]+)/s.exec(text)?.groups?.['part'];
}

function offered(tool: unknown, schemas: ReadonlyMap<string, unknown>): OfferedTool {
  const definition = objectAt(tool, 'function') ?? tool;
  const name = stringAt(definition, 'name') ?? '';
  const schema = schemas.get(name) ?? objectAt(definition, 'parameters') ?? {};
  const properties = objectAt(schema, 'properties') ?? {};
  const required = arrayAt(schema, 'required').filter(name => typeof name === 'string');
  return {
    name,
    properties: Object.keys(properties),
    required,
    schema: properties,
  };
}

/** Arguments that the tool accepts: the wish in the member for it, and something in every other one that is required. */
function argumentsOf(
  { properties, required, schema }: OfferedTool,
  { tool, text }: Wish,
  folder: string,
): object {
  const main = {
    shell: /^(command|cmd|commands)$/,
    read: /^(file_?path|path|absolute_path|target_file|files?|paths)$/i,
    subagent: /^(prompt|message|task|instructions?)$/,
  }[tool];
  const value = tool === 'read' ? `${folder}/${text}` : text;
  const entries = properties.flatMap((name): readonly (readonly [string, unknown])[] => {
    const type = stringAt(member(schema, name), 'type');
    if (main.test(name)) {
      return [[name, type === 'array' ? [arrayItem(member(schema, name), value)] : value]];
    }
    if (!required.includes(name)) {
      return [];
    }
    const [choice] = arrayAt(member(schema, name), 'enum');
    const filled = choice ?? { boolean: false, number: 1, integer: 1, array: [] }[type ?? ''] ?? filler(name);
    return [[name, filled]];
  });
  return Object.fromEntries(entries);
}

function arrayItem(schema: unknown, value: string): unknown {
  const items = objectAt(schema, 'items');
  const properties = objectAt(items, 'properties');
  const [name] = isObject(properties) ? Object.keys(properties) : [];
  return name === undefined ? value : { [name]: value };
}

function filler(name: string): string {
  return /type|agent/i.test(name) ? 'general-purpose' : 'part of a test';
}
