import { isArray, type JsonObject, member, stringAt } from '../base/json';
import { shellQuoted } from '../base/shellQuoted';
import { plainName } from '../content/fileTools';
import { sourceOfTool } from '../content/toolSources';
import { editsOfCall, readingsOfCall } from '../sight/editTools';
import type { HandOffTarget } from './targets';

/** A call of a tool of any agent, by its effect. Lines count from 1. */
type ToolAction =
  | { readonly kind: 'shell'; readonly command: string; readonly folder: string | undefined }
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly first: number | undefined;
      readonly lines: number | undefined;
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly before: string; readonly after: string };

/** A call in the form of another agent. */
export interface ConvertedCall {
  readonly name: string;
  readonly input: unknown;
}

/** Tools that run one command in a POSIX shell on this machine. */
const shells =
  /^(?:bash|shell|shell_command|exec_command|local_shell|container\.exec|execute_command|run_shell_command|run_terminal_cmd|run_terminal_command|run_in_terminal|execute_bash|executebash|execute)$/;

const folderNames = ['workdir', 'cwd', 'working_directory', 'dir_path', 'directory'];

/** The call of the target's tool that does the same; undefined if it has none. */
export function convertedCall(
  target: HandOffTarget,
  name: string,
  input: unknown,
): ConvertedCall | undefined {
  const action = actionOf(name, input);
  if (action === undefined) {
    return undefined;
  }
  switch (target) {
    case 'claude-code':
      return claudeCodeCall(action);
    case 'codex':
      return codexCall(action);
    case 'opencode':
      return opencodeCall(action);
    case 'pi':
      return piCall(action);
  }
}

function actionOf(tool: string, input: unknown): ToolAction | undefined {
  if (shells.test(plainName(tool))) {
    const command = commandOf(member(input, 'command') ?? member(input, 'cmd'));
    const folder = folderNames.map(name => stringAt(input, name)).find(found => found !== undefined);
    return command === undefined ? undefined : { kind: 'shell', command, folder };
  }
  // Other shells may be on another machine, or take no command.
  return sourceOfTool(tool) === 'shell' ? undefined : (editIn(tool, input) ?? readIn(tool, input));
}

/** A call that changes one place of one file, or writes all of it. */
function editIn(tool: string, input: unknown): ToolAction | undefined {
  const [edit, ...otherFiles] = editsOfCall(tool, input);
  const [part, ...otherPlaces] = edit?.parts ?? [];
  if (edit === undefined || part === undefined || otherFiles.length > 0 || otherPlaces.length > 0) {
    return undefined;
  }
  const { path } = edit;
  switch (part.kind) {
    case 'text':
      return part.isEverywhere ? undefined : { kind: 'edit', path, before: part.old, after: part.text };
    case 'whole':
    case 'new':
      return part.text === undefined ? undefined : { kind: 'write', path, content: part.text };
    case 'unsaid':
      return undefined;
  }
}

function readIn(tool: string, input: unknown): ToolAction | undefined {
  const [reading, ...others] = readingsOfCall(tool, input);
  if (reading === undefined || others.length > 0) {
    return undefined;
  }
  const [first, last = Number.MAX_SAFE_INTEGER] = reading.lines ?? [];
  const lines = first === undefined || last === Number.MAX_SAFE_INTEGER ? undefined : last - first + 1;
  return { kind: 'read', path: reading.path, first, lines };
}

/** A command in one text; a list is one only if it calls a shell. */
function commandOf(command: unknown): string | undefined {
  if (typeof command === 'string') {
    return command;
  }
  const [shell, flag, text] = isArray(command) && command.length === 3 ? command : [];
  return typeof shell === 'string' && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(String(flag))
    ? typeof text === 'string'
      ? text
      : undefined
    : undefined;
}

/** The command, in the folder that it was run in. */
function inFolder({ command, folder }: Extract<ToolAction, { readonly kind: 'shell' }>): string {
  return folder === undefined ? command : `cd ${shellQuoted(folder)} && ${command}`;
}

function given(values: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Claude Code 2.1.332. */
function claudeCodeCall(action: ToolAction): ConvertedCall {
  switch (action.kind) {
    case 'shell':
      return { name: 'Bash', input: { command: inFolder(action) } };
    case 'read': {
      const { path, first, lines } = action;
      return { name: 'Read', input: given({ file_path: path, offset: first, limit: lines }) };
    }
    case 'write':
      return { name: 'Write', input: { file_path: action.path, content: action.content } };
    case 'edit': {
      const { path, before, after } = action;
      return { name: 'Edit', input: { file_path: path, old_string: before, new_string: after } };
    }
  }
}

/** Codex 0.171.0 reads with its shell, and changes files with patches. */
function codexCall(action: ToolAction): ConvertedCall {
  switch (action.kind) {
    case 'shell':
      return { name: 'exec_command', input: given({ cmd: action.command, workdir: action.folder }) };
    case 'read': {
      const { path, first, lines } = action;
      const from = first ?? 1;
      const range = lines === undefined ? `${from},$p` : `${from},${from + lines - 1}p`;
      const isWhole = first === undefined && lines === undefined;
      const cmd = isWhole ? `cat ${shellQuoted(path)}` : `sed -n '${range}' ${shellQuoted(path)}`;
      return { name: 'exec_command', input: { cmd } };
    }
    case 'write':
      return patch(`*** Add File: ${action.path}`, marked('+', action.content));
    case 'edit':
      return patch(`*** Update File: ${action.path}`, [
        '@@',
        ...marked('-', action.before),
        ...marked('+', action.after),
      ]);
  }
}

function marked(sign: string, text: string): readonly string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map(line => sign + line);
}

/** `apply_patch` takes a text. */
function patch(head: string, lines: readonly string[]): ConvertedCall {
  return { name: 'apply_patch', input: ['*** Begin Patch', head, ...lines, '*** End Patch', ''].join('\n') };
}

/** opencode 1.18.33. */
function opencodeCall(action: ToolAction): ConvertedCall {
  switch (action.kind) {
    case 'shell':
      return { name: 'bash', input: given({ command: action.command, workdir: action.folder }) };
    case 'read': {
      const { path, first, lines } = action;
      return { name: 'read', input: given({ filePath: path, offset: first, limit: lines }) };
    }
    case 'write':
      return { name: 'write', input: { filePath: action.path, content: action.content } };
    case 'edit': {
      const { path, before, after } = action;
      return { name: 'edit', input: { filePath: path, oldString: before, newString: after } };
    }
  }
}

/** pi 1.6.0. */
function piCall(action: ToolAction): ConvertedCall {
  switch (action.kind) {
    case 'shell':
      return { name: 'bash', input: { command: inFolder(action) } };
    case 'read': {
      const { path, first, lines } = action;
      return { name: 'read', input: given({ path, offset: first, limit: lines }) };
    }
    case 'write':
      return { name: 'write', input: { path: action.path, content: action.content } };
    case 'edit': {
      const { path, before, after } = action;
      return { name: 'edit', input: { path, edits: [{ oldText: before, newText: after }] } };
    }
  }
}
