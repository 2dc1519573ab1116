import { isArray, isObject, stringAt } from '../json';

/** Longest label, in UTF-16 units. */
const longest = 60;

/** The first words of a text on one line, for the drawing. */
export function labelOfText(text: string): string {
  const line = text
    .slice(0, 400)
    .replace(/<\/?[a-z_-]+>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return cut(line);
}

/** The arguments of a tool call that say most about it, best first. */
const telling = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'command',
  'cmd',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'skill',
  'name',
];

/** The object of a tool call, as one short line: the file, the command, the pattern. Empty when nothing tells. */
export function objectOfCall(input: unknown): string {
  if (typeof input === 'string') {
    return cut(input.replace(/\s+/g, ' ').trim());
  }
  if (!isObject(input)) {
    return '';
  }
  for (const key of telling) {
    const value = input[key];
    const text =
      typeof value === 'string'
        ? value
        : isArray(value)
          ? value.filter(item => typeof item === 'string').join(' ')
          : '';
    if (text !== '') {
      return cut(
        key.toLowerCase().includes('path')
          ? (text.split(/[/\\]/).at(-1) ?? text)
          : text.replace(/\s+/g, ' ').trim(),
      );
    }
  }
  return '';
}

/** The file or folder that a tool call is about, as the transcript names it. */
export function pathOfCall(input: unknown): string | undefined {
  for (const key of ['file_path', 'filePath', 'notebook_path', 'path']) {
    const path = stringAt(input, key);
    if (path !== undefined && path !== '') {
      return path;
    }
  }
  return undefined;
}

function cut(text: string): string {
  return ownCopy(
    text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`,
  );
}

/** V8 keeps the whole of a text in memory for any part of it that was cut out; a label must not. */
export function ownCopy(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
