import { digest, normalizeWhitespace } from '../base/canonicalJson';
import { contentTypeOf, roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { contextOf } from '../model/requestBlocks';
import { spanIdAt } from './stability';

/**
 * The digest of a prefix, `sha256:` and hex: of the span id, role, content type and normalised text of each block, a line
 * of JSON each. Undefined for an empty prefix. Two requests of one fingerprint share the prefix.
 * @param texts of the request's leading blocks, in wire order
 */
export function stablePrefixFingerprint(
  columns: SessionColumns,
  request: number,
  texts: readonly string[],
): string | undefined {
  const context = contextOf(columns, request);
  return texts.length === 0
    ? undefined
    : digest(
        texts
          .map((text, position) => {
            const block = context[position] ?? 0;
            return JSON.stringify([
              spanIdAt(columns, block, position),
              roleOf(columns.blocks, block),
              contentTypeOf(columns.blocks, block),
              normalizeWhitespace(text),
            ]);
          })
          .join('\n'),
      );
}
