import type { SessionColumns } from '../model/columns';

/** Normalises a path for comparison: `./a` is `a`, with any separator. */
export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** The file that a block names, or that its call names; empty if neither does. */
export function pathOf({ blocks, strings }: SessionColumns, block: number, call: number): string {
  const own = blocks.path[block] ?? 0;
  return plainPath(strings.at(own === 0 ? (blocks.path[call] ?? 0) : own) ?? '');
}
