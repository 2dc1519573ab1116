import type { TokenFigure } from '../../src/core/tokens/quality';
import { Tag } from '../controls/Tag';
import { qualityText } from '../../src/core/tokens/qualityWords';

/** How a figure was obtained and how far off it may be. */
export function Quality({ quality, error }: Pick<TokenFigure, 'quality' | 'error'>) {
  return <Tag>{qualityText(quality, error)}</Tag>;
}
