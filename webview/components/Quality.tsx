import type { TokenFigure } from '../../src/core/tokens/quality';
import { qualityText } from '../../src/core/tokens/qualityWords';
import { Tag } from '../controls/Tag';

/** How a figure was obtained and how far off it may be. */
export function Quality({ quality, error }: Pick<TokenFigure, 'quality' | 'error'>) {
  return <Tag>{qualityText(quality, error)}</Tag>;
}
