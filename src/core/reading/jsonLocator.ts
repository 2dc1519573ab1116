import type { Locate } from '../content/place';
// The package's main entry is a UMD module that bundlers cannot follow.
import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { ByteOffsets } from './byteOffsets';

/**
 * Finds the places of the parts of a JSON document that may be damaged. The text is parsed once; every call afterwards
 * costs the length of its path. A path that leads nowhere returns the place of the nearest part around it.
 * @param text the whole document
 * @param start the offset of the text's first character in the file, e.g. after a byte order mark
 */
export function createLocator(
  text: string,
  start: { line: number; offset: number } = { line: 1, offset: 0 },
): Locate {
  const root = parseTree(text);
  const places = new ByteOffsets(text);
  return path => {
    let node = root;
    for (const key of path) {
      const child = node && findNodeAtLocation(node, [key]);
      if (child === undefined) {
        break;
      }
      node = child;
    }
    const from = node?.offset ?? 0;
    const offset = places.byteOffset(from);
    return {
      line: start.line + places.lineIndex(from),
      offset: start.offset + offset,
      length: places.byteOffset(from + (node?.length ?? text.length)) - offset,
    };
  };
}
