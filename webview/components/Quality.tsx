import type { TokenQuality } from '../../src/core/tokens/quality';
import { Tag } from '../controls/Tag';
import { formatQuality } from '../../src/core/base/format';

/** How a figure was obtained and how far off it may be. */
export function Quality({
  quality,
  error,
}: {
  readonly quality: TokenQuality;
  readonly error?: number | undefined;
}) {
  return <Tag>{formatQuality(quality, error)}</Tag>;
}
