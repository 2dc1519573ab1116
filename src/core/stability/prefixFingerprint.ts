import { normalizeWhitespace } from '../base/canonicalJson';
import { contentTypeOf, roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { contextOf } from '../model/requestBlocks';
import { prefixFingerprint } from './governorStability';
import { spanIdAt } from './stability';

/**
 * The digest of a prefix, `sha256:` and hex. Undefined for an empty prefix. Two requests with the same fingerprint
 * share the prefix. Like upstream, normalises texts, but not an output schema.
 * @param texts of the request's leading blocks, in wire order
 */
export function stablePrefixFingerprint(
  columns: SessionColumns,
  request: number,
  texts: readonly string[],
): string | undefined {
  const context = contextOf(columns, request);
  return prefixFingerprint(
    texts.map((text, position) => {
      const block = context[position] ?? 0;
      const contentType = contentTypeOf(columns.blocks, block);
      return {
        spanId: spanIdAt(columns, block, position),
        role: roleOf(columns.blocks, block),
        contentType,
        content: contentType === 'structured_output' ? text : normalizeWhitespace(text),
      };
    }),
  );
}
