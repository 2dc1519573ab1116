import { entryOf } from '../base/entryOf';

/** Edited files by the paths that calls name: relative, absolute, or with the other separator. */
export class FilePaths {
  private readonly files: string[] = [];
  /** By the file's name: indices of files. */
  private readonly byName = new Map<string, number[]>();

  constructor(private readonly workingDirectory: string) {}

  /** The index of a file; a new one if the path is unknown. */
  add(path: string): number {
    return this.find(path) ?? this.addNew(this.normal(path));
  }

  /** The index of the file with a path; undefined if no edit names it. */
  find(path: string): number | undefined {
    const wanted = this.normal(path);
    return this.byName.get(lastPart(wanted))?.find(file => isSame(this.files[file] ?? '', wanted));
  }

  /** The name of a file, without its folders. */
  nameOf(file: number): string {
    return lastPart(this.files[file] ?? '');
  }

  /** The files that a text names. */
  namedIn(text: string): readonly number[] {
    const found = new Set<number>();
    for (const [word] of text.matchAll(/[^\s'"`/\\:;|&<>(){}[\]=,*]+/g)) {
      this.byName.get(word)?.forEach(file => found.add(file));
    }
    return [...found];
  }

  private addNew(path: string): number {
    const file = this.files.push(path) - 1;
    entryOf(this.byName, lastPart(path), () => []).push(file);
    return file;
  }

  private normal(path: string): string {
    const plain = path
      .replaceAll('\\', '/')
      .replace(/^(?:file:\/\/)?(?:\.\/)+/, '')
      .replace(/^[A-Z]:/, drive => drive.toLowerCase());
    return isAbsolute(plain) || this.workingDirectory === ''
      ? plain
      : `${this.workingDirectory.replaceAll('\\', '/').replace(/\/$/, '')}/${plain}`;
  }
}

const isAbsolute = (path: string): boolean => /^(?:\/|~|[a-z]:)/.test(path);
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** True if two paths can belong to one file: equal, or one is relative and the end of the other. */
function isSame(one: string, other: string): boolean {
  return (
    one === other ||
    (!isAbsolute(one) && other.endsWith(`/${one}`)) ||
    (!isAbsolute(other) && one.endsWith(`/${other}`))
  );
}
