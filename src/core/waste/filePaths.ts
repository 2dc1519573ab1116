import type { SessionColumns } from '../model/columns';

/** A path as it is compared: `./a` is `a`, whatever the separator. */
export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** The file that a block is about, or else the call that it answers; empty where neither names one. */
export function pathOf({ blocks, strings }: SessionColumns, block: number, call: number): string {
  const own = blocks.path[block] ?? 0;
  return plainPath(strings.at(own === 0 ? (blocks.path[call] ?? 0) : own) ?? '');
}
