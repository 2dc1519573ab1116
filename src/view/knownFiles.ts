import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/**
 * The files that pages may show: those that the user named, chose or was led to, and those in folders of the user's
 * agents and work. A page names files in its address, and is not trusted.
 */
export class KnownFiles {
  private readonly files = new Set<string>();

  /** @param folders the folders of all known files */
  constructor(private readonly folders: () => readonly string[]) {}

  add(path: string): void {
    this.files.add(path);
  }

  async has(path: string): Promise<boolean> {
    if (this.files.has(path)) {
      return true;
    }
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) {
      return false;
    }
    const tops = await Promise.all(this.folders().map(folder => realpath(folder).catch(() => undefined)));
    return tops.some(top => top !== undefined && real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`));
  }
}
