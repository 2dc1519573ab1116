import { isArray, isObject, stringAt } from '../base/json';

/** Longest label, in UTF-16 units. */
const longestLabel = 60;

/** True if a label is only the beginning of its text. */
export function isCutLabel(label: string): boolean {
  return label.endsWith('…');
}

/** The part of a text that is examined for its label, in UTF-16 units. */
const examinedLength = 400;

/** The first words of a text on one line and without tags, for the drawing. */
export function labelOfText(text: string): string {
  const line = new LabelLine();
  const end = Math.min(text.length, examinedLength);
  for (let index = 0; index < end && !line.isFull;) {
    const tagEnd = text.charCodeAt(index) === 0x3c ? endOfTag(text, index, end) : index;
    if (tagEnd > index) {
      line.addSpace();
      index = tagEnd;
    } else {
      line.addUnit(text.charCodeAt(index));
      index += 1;
    }
  }
  return line.label;
}

/** The offset after a tag of letters, `_` and `-`, as in `</tool_name>`; the same offset if there is no tag. */
function endOfTag(text: string, start: number, end: number): number {
  const nameStart = text.charCodeAt(start + 1) === 0x2f ? start + 2 : start + 1;
  let index = nameStart;
  while (index < end && isOfTagName(text.charCodeAt(index))) {
    index += 1;
  }
  return index > nameStart && index < end && text.charCodeAt(index) === 0x3e ? index + 1 : start;
}

function isOfTagName(unit: number): boolean {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit === 0x5f || unit === 0x2d;
}

/** A tool's name and the object of one of its calls, on one line. */
export function labelOfCall(toolName: string, object: string): string {
  return `${toolName} ${object}`.trim();
}

/** Joins words with single spaces into one line, until it is longer than a label. */
class LabelLine {
  private readonly units: number[] = [];
  private spaceWaits = false;

  get isFull(): boolean {
    return this.units.length > longestLabel;
  }

  addText(text: string): void {
    for (let index = 0; index < text.length && !this.isFull; index += 1) {
      this.addUnit(text.charCodeAt(index));
    }
  }

  addUnit(unit: number): void {
    if (isSpace(unit)) {
      this.addSpace();
      return;
    }
    if (this.spaceWaits) {
      this.units.push(0x20);
      this.spaceWaits = false;
    }
    this.units.push(unit);
  }

  addSpace(): void {
    this.spaceWaits = this.units.length > 0;
  }

  get label(): string {
    return cut(String.fromCharCode(...this.units));
  }
}

/** The characters that `\s` matches in a regular expression. */
function isSpace(unit: number): boolean {
  return unit <= 0x20
    ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
    : unit >= 0xa0 && rareSpaces.has(unit);
}

const rareSpaces: ReadonlySet<number> = new Set([
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
  0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

/** The arguments that name the object of a tool call, best first. */
const objectArguments = [
  'file_path',
  'filePath',
  'notebook_path',
  // The path of a search is where it begins, which many searches share.
  'pattern',
  'query',
  'path',
  'command',
  'cmd',
  'url',
  'description',
  'prompt',
  'skill',
  'name',
];

/**
 * The object of a tool call as one short line: the file, the command, the pattern. For a list, uses the first entry.
 * Empty if no argument names an object.
 */
export function objectOfCall(given: unknown): string {
  const input: unknown = isArray(given) ? given[0] : given;
  if (typeof input === 'string') {
    return oneLine(input);
  }
  if (!isObject(input)) {
    return '';
  }
  for (const key of objectArguments) {
    const value = input[key];
    const text =
      typeof value === 'string'
        ? value
        : isArray(value)
          ? value.filter(item => typeof item === 'string').join(' ')
          : '';
    if (text !== '') {
      return key.toLowerCase().includes('path') ? ownCopy(cut(nameOfPath(text))) : oneLine(text);
    }
  }
  return '';
}

function nameOfPath(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function oneLine(text: string): string {
  const line = new LabelLine();
  line.addText(text);
  return line.label;
}

/**
 * The file or folder that a tool call is about, as the transcript names it; for a patch or a list, the first one in it.
 */
export function pathOfCall(given: unknown): string | undefined {
  const input: unknown = isArray(given) ? given[0] : given;
  for (const key of ['file_path', 'filePath', 'notebook_path', 'path']) {
    const path = stringAt(input, key);
    if (path !== undefined && path !== '') {
      return path;
    }
  }
  const patch = typeof input === 'string' ? input : (stringAt(input, 'input') ?? stringAt(input, 'patch'));
  return patch === undefined ? undefined : pathOfPatch(patch);
}

/** The first file of a patch in the format of `apply_patch`. */
function pathOfPatch(patch: string): string | undefined {
  return /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(patch.slice(0, 4_000))?.[1]?.trim();
}

function cut(text: string): string {
  return text.length <= longestLabel
    ? text
    : ownCopy(`${text.slice(0, longestLabel - 1).replace(/[\uD800-\uDBFF]$/, '')}…`);
}

/** V8 keeps a whole text in memory as long as a slice of it is alive; a label must not cause that. */
function ownCopy(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
