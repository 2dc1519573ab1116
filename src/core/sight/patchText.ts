/** The change of a part of a file by one edit. */
export type EditPart =
  /**
   * Text that is replaced by other text; `isEverywhere` says that each occurrence is. `isOrdered`: it must come after
   * other lines that the patch names, so it may be in the file and not be found. `isLines`: the tool looks for whole
   * lines, so text that begins or ends inside a line of the file is not found.
   */
  | {
      readonly kind: 'text';
      readonly old: string;
      readonly text: string;
      readonly isEverywhere: boolean;
      readonly isOrdered?: boolean;
      readonly isLines?: boolean;
    }
  /** The whole file gets a new text; absent if the file is deleted. */
  | { readonly kind: 'whole'; readonly text?: string }
  /** The edit makes a file that is not there yet. */
  | { readonly kind: 'new'; readonly text: string }
  /** The call does not say what it replaces. */
  | { readonly kind: 'unsaid' };

/** The edits of one file by one call. */
export interface FileEdit {
  readonly path: string;
  readonly parts: readonly EditPart[];
}

/** The place of a text that an edit looks for; negative if it is not there. */
export function placeOf(text: string, old: string, isLines: boolean): number {
  let at = text.indexOf(old);
  while (isLines && at >= 0 && !(isEdge(text, at - 1) && isEdge(text, at + old.length))) {
    at = text.indexOf(old, at + 1);
  }
  return at;
}

/** True if no line of a text goes on at a place. */
const isEdge = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || /[\r\n]/.test(text[at] ?? '');

const fileHeader = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** The edits of a patch in the form of `apply_patch` (`*** Begin Patch`), as Codex's own tool describes it. */
export function editsOfPatch(patch: string): readonly FileEdit[] {
  const edits: FileEdit[] = [];
  let open: PatchedFile | undefined;
  for (const line of patch.split(/\r?\n/)) {
    const [, action, path = ''] = fileHeader.exec(line) ?? [];
    if (action !== undefined || line.startsWith('*** End Patch')) {
      edits.push(...(open?.edits() ?? []));
      open = action === undefined ? undefined : new PatchedFile(path.trim(), action);
    } else {
      open?.add(line);
    }
  }
  return [...edits, ...(open?.edits() ?? [])];
}

/** A file of a patch, line by line. */
class PatchedFile {
  private readonly parts: EditPart[] = [];
  private old: string[] = [];
  private text: string[] = [];
  /** The places of the file that the patch looks for, one after the other. */
  private places = 0;

  constructor(
    private readonly path: string,
    private readonly action: string,
  ) {}

  add(line: string): void {
    if (line.startsWith('@@')) {
      this.endPart();
      this.places += line.length > 2 ? 1 : 0;
    } else if (line.startsWith('-')) {
      this.old.push(line.slice(1));
    } else if (line.startsWith('+')) {
      this.text.push(line.slice(1));
    } else if (!line.startsWith('***')) {
      // An empty line of context may lack its blank.
      this.old.push(line.slice(1));
      this.text.push(line.slice(1));
    }
  }

  edits(): readonly FileEdit[] {
    const { path, action } = this;
    if (action === 'Add') {
      return [{ path, parts: [{ kind: 'new', text: this.text.join('\n') }] }];
    }
    if (action === 'Delete') {
      return [{ path, parts: [{ kind: 'whole' }] }];
    }
    this.endPart();
    const isOrdered = this.places > 1;
    return [
      {
        path,
        parts: this.parts.map(part => (part.kind === 'text' && isOrdered ? { ...part, isOrdered } : part)),
      },
    ];
  }

  private endPart(): void {
    const old = this.old.join('\n');
    const text = this.text.join('\n');
    this.places += old === '' ? 0 : 1;
    if (old !== text) {
      this.parts.push(
        old === '' ? { kind: 'unsaid' } : { kind: 'text', old, text, isEverywhere: false, isLines: true },
      );
    }
    this.old = [];
    this.text = [];
  }
}

const searchMark = /^(?:<{5,9}|-{5,9}) ?SEARCH>?\s*$/;
const middleMark = /^={5,9}\s*$/;
const replaceMark = /^(?:>{5,9}|\+{5,9}) ?REPLACE>?\s*$/;
/** The lines that Roo Code writes between the mark and the searched text. */
const searchNote = /^(?::(?:start|end)_line:.*|-{5,9})\s*$/;

/** The replacements in SEARCH/REPLACE blocks, as Aider, Cline and Roo Code write them. */
export function partsOfBlocks(text: string): readonly EditPart[] {
  return blocksIn(text).map(({ part }) => part);
}

/** The edits in a reply's SEARCH/REPLACE blocks, each of the file that is named in front of its fence, as Aider asks for. */
export function editsOfReply(text: string): readonly FileEdit[] {
  return blocksIn(text).flatMap(({ part, path }) =>
    path === '' ? [] : [{ path, parts: [part.kind === 'text' ? { ...part, isLines: true } : part] }],
  );
}

interface Block {
  readonly part: EditPart;
  /** Empty where none is named in front of it. */
  readonly path: string;
}

function blocksIn(text: string): readonly Block[] {
  if (!text.includes('SEARCH') || !text.includes('REPLACE')) {
    return [];
  }
  const lines = text.split(/\r?\n/);
  const found: Block[] = [];
  let [start, middle] = [-1, -1];
  lines.forEach((line, index) => {
    if (searchMark.test(line)) {
      [start, middle] = [index, -1];
    } else if (start >= 0 && middle < 0 && middleMark.test(line)) {
      middle = index;
    } else if (middle >= 0 && replaceMark.test(line)) {
      found.push({
        part: partOf(lines.slice(start + 1, middle), lines.slice(middle + 1, index).join('\n')),
        path: fileBefore(lines, start),
      });
      [start, middle] = [-1, -1];
    }
  });
  return found;
}

function partOf(searched: readonly string[], text: string): EditPart {
  const first = searched.findIndex(line => !searchNote.test(line));
  const old = first < 0 ? '' : searched.slice(first).join('\n');
  return old.trim() === '' ? { kind: 'new', text } : { kind: 'text', old, text, isEverywhere: false };
}

/** The name of the file on the line in front of a block's fence; empty if there is none. */
function fileBefore(lines: readonly string[], start: number): string {
  let line = start - 1;
  if (/^(?:```|~~~)/.test(lines[line] ?? '')) {
    line -= 1;
  }
  const name = (lines[line] ?? '').trim().replace(/^[*`#\s]+|[*`:\s]+$/g, '');
  return /^[^\s<>|"]+$/.test(name) ? name : '';
}
