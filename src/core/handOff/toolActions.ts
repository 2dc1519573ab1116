import { isArray, isObject, type JsonObject, member, numberAt, stringAt } from '../base/json';
import { plainName } from '../content/fileTools';
import type { HandOffTarget } from './targets';

/** What a call does, whatever its agent calls the tool. Lines count from 1. */
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

const shells =
  /^(?:bash|shell|shell_command|exec_command|local_shell|container\.exec|execute_command|run_shell_command|run_terminal_cmd|run_terminal_command|run_in_terminal|execute_bash|executebash|execute)$/;
const readers = /^(?:read|read_file|readfile|read_text_file|view_file|fs_read)$/;
const writers = /^(?:write|write_file|writefile|write_to_file|create_file|create)$/;
const editors =
  /^(?:edit|edit_file|replace|str_replace|search_replace|strreplacefile|replace_string_in_file)$/;

const pathNames = ['file_path', 'filePath', 'path', 'absolute_path', 'target_file', 'filename'];
const contentNames = ['content', 'contents', 'file_text', 'text'];
const beforeNames = ['old_string', 'oldString', 'old_str', 'oldText', 'old'];
const afterNames = ['new_string', 'newString', 'new_str', 'newText', 'new'];
const folderNames = ['workdir', 'cwd', 'working_directory', 'dir_path', 'directory'];

/** The call of the target's tool that does the same; undefined if it has none. */
export function convertedCall(
  target: HandOffTarget,
  name: string,
  input: unknown,
): ConvertedCall | undefined {
  const action = actionOf(plainName(name), input);
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

function actionOf(name: string, input: unknown): ToolAction | undefined {
  if (!isObject(input)) {
    return undefined;
  }
  const path = textAt(input, pathNames);
  if (shells.test(name)) {
    const command = commandOf(member(input, 'command') ?? member(input, 'cmd'));
    return command === undefined ? undefined : { kind: 'shell', command, folder: textAt(input, folderNames) };
  }
  if (path === undefined) {
    return undefined;
  }
  if (readers.test(name)) {
    return { kind: 'read', path, first: numberAt(input, 'offset'), lines: numberAt(input, 'limit') };
  }
  if (writers.test(name)) {
    const content = textAt(input, contentNames);
    return content === undefined ? undefined : { kind: 'write', path, content };
  }
  if (editors.test(name) && member(input, 'replace_all') !== true && member(input, 'replaceAll') !== true) {
    const edits = member(input, 'edits');
    const edit = isArray(edits) && edits.length === 1 ? edits[0] : input;
    const [before, after] = [textAt(edit, beforeNames), textAt(edit, afterNames)];
    return before === undefined || after === undefined ? undefined : { kind: 'edit', path, before, after };
  }
  return undefined;
}

function textAt(value: unknown, names: readonly string[]): string | undefined {
  const name = names.find(each => stringAt(value, each) !== undefined);
  return name === undefined ? undefined : stringAt(value, name);
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

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The command, in the folder that it was run in. */
function inFolder({ command, folder }: Extract<ToolAction, { readonly kind: 'shell' }>): string {
  return folder === undefined ? command : `cd ${quoted(folder)} && ${command}`;
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
      const cmd = isWhole ? `cat ${quoted(path)}` : `sed -n '${range}' ${quoted(path)}`;
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
