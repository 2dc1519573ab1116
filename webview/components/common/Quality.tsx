import type { TokenFigure } from '../../../src/core/tokens/quality';
import { qualityHints, qualityMark, qualityText } from '../../../src/core/tokens/qualityWords';
import { Tag } from '../../controls/Tag';

/** The origin of a figure and its possible error. An exact figure has no mark. */
export function Quality({ quality, error }: Pick<TokenFigure, 'quality' | 'error'>) {
  const mark = qualityMark(quality, error);
  return (
    <>
      {mark !== '' && (
        <span aria-hidden="true" title={qualityHints[quality]}>
          <Tag>{mark}</Tag>
        </span>
      )}
      <span className="visually-hidden">{qualityText(quality, error)}</span>
    </>
  );
}
