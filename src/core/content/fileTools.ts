/** Names of tools that show a file, and of tools that change one, in lower case without the server's prefix. */
const readers: ReadonlySet<string> = new Set([
  'read',
  'read_file',
  'readfile',
  'read_text_file',
  'view',
  'view_file',
  'open_file',
  'cat',
]);
const writers: ReadonlySet<string> = new Set([
  'write',
  'write_file',
  'writefile',
  'write_to_file',
  'create',
  'create_file',
  'edit',
  'edit_file',
  'multiedit',
  'multi_edit',
  'replace',
  'replace_in_file',
  'apply_diff',
  'str_replace',
  'insert_content',
  'insert_edit_into_file',
  'search_and_replace',
  'patch',
]);

/** `mcp__filesystem__read_text_file` is `read_text_file`. */
export function plainName(tool: string): string {
  return (tool.split('__').at(-1) ?? tool).toLowerCase();
}

/** True if a tool shows a file. */
export function isFileReader(tool: string): boolean {
  return readers.has(plainName(tool));
}

/** True if a tool changes a file. */
export function isFileWriter(tool: string): boolean {
  return writers.has(plainName(tool));
}
