import { defined } from '../base/defined';
import { arrayAt, isObject, member, numberAt, stringAt } from '../base/json';
import { plainName } from '../content/fileTools';
import { sourceOfTool } from '../content/toolSources';
import { type FileReading, shellReading } from './shellReadings';
import { editsOfPatch, type EditPart, type FileEdit, partsOfBlocks } from './patchText';

/** Reads the edit from the input of a call; nothing if the input has another form. */
type Reader = (input: unknown) => readonly FileEdit[];

const pathNames = [
  'file_path',
  'filePath',
  'path',
  'target_file',
  'absolute_path',
  'notebook_path',
  'TargetFile',
  'relative_path',
  'filename',
] as const;
const oldNames = [
  'old_string',
  'oldString',
  'old_str',
  'oldText',
  'old_text',
  'oldStr',
  'search',
  'old',
  'TargetContent',
] as const;
const newNames = [
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'newStr',
  'replace',
  'new',
  'ReplacementContent',
] as const;
const everywhereNames = ['replace_all', 'replaceAll', 'allow_multiple'] as const;
const textNames = ['content', 'file_text', 'fileText', 'contents', 'text', 'CodeContent'] as const;
const listNames = ['edits', 'replacements', 'changes', 'edit', 'ReplacementChunks'] as const;
const patchNames = ['input', 'patch', 'patchText', 'patch_text'] as const;

const firstString = (value: unknown, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const found = stringAt(value, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};

/** The path that an input names; empty if it names none. */
export const pathOf = (input: unknown): string => firstString(input, pathNames) ?? '';

const editOf = (input: unknown, parts: readonly EditPart[]): readonly FileEdit[] => {
  const path = pathOf(input);
  return path === '' || parts.length === 0 ? [] : [{ path, parts }];
};

function replacement(input: unknown): readonly EditPart[] {
  const old = firstString(input, oldNames);
  if (old === undefined) {
    return [];
  }
  const text = firstString(input, newNames) ?? '';
  const isEverywhere = everywhereNames.some(name => member(input, name) === true);
  return [old === '' ? { kind: 'new', text } : { kind: 'text', old, text, isEverywhere }];
}

/** One text for another. */
const oneReplacement: Reader = input => editOf(input, replacement(input));

/** A list of replacements, of the call's file or each of its own. */
const listOfReplacements: Reader = input => {
  for (const name of listNames) {
    const value = member(input, name);
    const list = isObject(value) ? [value] : arrayAt(input, name);
    const edits = list.flatMap(entry => {
      const path = pathOf(entry) || pathOf(input);
      return path === '' ? [] : [{ path, parts: replacement(entry) }];
    });
    if (edits.some(({ parts }) => parts.length > 0)) {
      return together(edits);
    }
  }
  return [];
};

/** SEARCH/REPLACE blocks. */
const searchBlocks: Reader = input =>
  editOf(input, partsOfBlocks(firstString(input, ['diff', 'blocks', ...textNames]) ?? ''));

/** A patch as `apply_patch` takes it. */
const patch: Reader = input => {
  const text = typeof input === 'string' ? input : (firstString(input, patchNames) ?? '');
  return together(editsOfPatch(text));
};

const wholeFile: Reader = input => {
  const text = firstString(input, textNames);
  return text === undefined ? [] : editOf(input, [{ kind: 'whole', text }]);
};

const newFile: Reader = input => {
  const text = firstString(input, textNames);
  return text === undefined ? [] : editOf(input, [{ kind: 'new', text }]);
};

/** An edit whose call does not contain the replaced text: by place, by cell, or by another model. */
const unsaid: Reader = input => editOf(input, [{ kind: 'unsaid' }]);

/** Tools of several commands, of which some change nothing. */
const commands: Reader = input => {
  const readers = readersOfCommand.get(stringAt(input, 'command') ?? stringAt(input, 'mode') ?? '') ?? [];
  return firstOf(readers, input);
};

const firstOf = (readers: readonly Reader[], input: unknown): readonly FileEdit[] => {
  for (const reader of readers) {
    const found = reader(input);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
};

/** The commands that change a file; any other one changes nothing. */
const readersOfCommand: ReadonlyMap<string, readonly Reader[]> = new Map<string, readonly Reader[]>([
  ['create', [newFile, unsaid]],
  ['overwrite', [newFile, unsaid]],
  ['write', [wholeFile]],
  ['insert', [unsaid]],
  ['str_replace', [oneReplacement, searchBlocks, patch]],
  ['replace', [oneReplacement, searchBlocks, patch]],
  ['edit_file', [oneReplacement, searchBlocks, patch]],
]);

/** The ways in which calls with an `old` text are written. */
const replacements = [listOfReplacements, oneReplacement] as const;

/**
 * Readers of edits, by the tool's name in lower case without a server's prefix. The first reader that finds something
 * counts. A tool that is not listed makes no edits. Names and members come from transcripts of the agents.
 */
const editTools: Readonly<Record<string, readonly Reader[]>> = {
  // Claude Code, opencode, pi, Qwen Code, Crush, Copilot CLI, Droid, Amp, Zed, Vibe, Cursor.
  edit: [...replacements, searchBlocks, unsaid],
  edit_file: [...replacements, searchBlocks, commands, unsaid],
  multiedit: replacements,
  multi_edit: replacements,
  search_replace: [...replacements, searchBlocks],
  write: [wholeFile],
  notebookedit: [unsaid],
  create: [newFile],
  create_file: [newFile],
  // Codex, Copilot, opencode, Hermes.
  apply_patch: [patch],
  applypatch: [patch],
  patch: [...replacements, patch],
  // Gemini CLI, Qwen Code, iFlow, Kimi, Antigravity.
  replace: replacements,
  write_file: [wholeFile],
  writefile: [wholeFile],
  strreplacefile: replacements,
  replace_file_content: replacements,
  multi_replace_file_content: replacements,
  write_to_file: [wholeFile],
  // Copilot in VS Code.
  replace_string_in_file: replacements,
  multi_replace_string_in_file: replacements,
  insert_edit_into_file: [unsaid],
  edit_notebook_file: [unsaid],
  // Cline, Roo Code, Kilo Code.
  replace_in_file: [searchBlocks],
  apply_diff: [searchBlocks],
  editor: [commands, ...replacements, newFile],
  insert_content: [unsaid],
  search_and_replace: replacements,
  // OpenHands, SWE-agent, Goose, Kiro, Anthropic's own tool.
  str_replace_editor: [commands],
  str_replace_based_edit_tool: [commands],
  file_editor: [commands],
  text_editor: [commands],
  str_replace: replacements,
  fs_write: [commands],
};

/** True if calls of a tool can be edits. */
export const isEditTool = (tool: string): boolean => Object.hasOwn(editTools, plainName(tool));

/** The edits of a tool call, by file; empty if the call is not an edit. `input` is the parsed input, or its text. */
export function editsOfCall(tool: string, input: unknown): readonly FileEdit[] {
  return isEditTool(tool) ? firstOf(editTools[plainName(tool)] ?? [], input) : [];
}

/** The edits with those of the same file in one. */
function together(edits: readonly FileEdit[]): readonly FileEdit[] {
  const byPath = new Map<string, EditPart[]>();
  for (const { path, parts } of edits) {
    const known = byPath.get(path);
    if (known === undefined) {
      byPath.set(path, [...parts]);
    } else {
      known.push(...parts);
    }
  }
  return [...byPath].map(([path, parts]) => ({ path, parts }));
}

const readTool =
  /^(?:read|view|open|cat|notebookread|readfile|view_file|open_file|(?:read|get)_?(?:text_?)?files?(?:_contents?)?|readmediafile|fs_read)$/;

const firstNames = [
  ...(['offset', 'start_line', 'startLine', 'line_start', 'line_offset', 'startLineNumber'] as const),
  ...(['StartLine', 'start_line_one_indexed'] as const),
] as const;
const lastNames = [
  ...(['end_line', 'endLine', 'line_end', 'endLineNumber', 'EndLine'] as const),
  'end_line_one_indexed_inclusive',
] as const;
const countNames = ['limit', 'n_lines', 'num_lines', 'line_count'] as const;
const rangeNames = ['view_range', 'line_range'] as const;

/** The files that a call of a tool reads; nothing for a call that reads none. */
export function readingsOfCall(tool: string, input: unknown): readonly FileReading[] {
  const isViewer = stringAt(input, 'command') === 'view';
  if (sourceOfTool(tool) === 'shell') {
    return shellReading(input);
  }
  if (!isViewer && !readTool.test(plainName(tool))) {
    return [];
  }
  const files = arrayAt(input, 'files');
  return (files.length > 0 ? files : [input]).flatMap(entry => {
    const path = typeof entry === 'string' ? entry : pathOf(entry);
    const lines = linesOf(entry);
    return path === '' ? [] : [{ path, ...defined({ lines }) }];
  });
}

function linesOf(input: unknown): readonly [number, number] | undefined {
  const range = rangeNames.map(name => arrayAt(input, name)).find(found => found.length > 0) ?? [];
  const [from, to] = range.filter(value => typeof value === 'number');
  const first = from ?? firstNumber(input, firstNames);
  const count = firstNumber(input, countNames);
  const start = Math.max(1, first ?? 1);
  const last = to ?? firstNumber(input, lastNames) ?? (count === undefined ? undefined : start + count - 1);
  if (first === undefined && last === undefined) {
    return undefined;
  }
  // Some tools take -1 as the end of the file.
  return [start, last === undefined || last < start ? Number.MAX_SAFE_INTEGER : last];
}

const firstNumber = (value: unknown, names: readonly string[]): number | undefined =>
  names.map(name => numberAt(value, name)).find(found => found !== undefined);
