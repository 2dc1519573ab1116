import { defined } from '../../../src/core/base/defined';
import type { TokenFigure } from '../../../src/core/tokens/quality';
import { doubtText, qualityHints, qualityMark, qualityOf } from '../../../src/core/tokens/qualityWords';
import { Tag } from '../../controls/Tag';

/** The origin of a figure and its possible error. An exact figure has no mark. */
export function Quality({ quality, error, doubted }: Omit<TokenFigure, 'value'>) {
  const hint = [qualityHints[quality], ...(doubted === undefined ? [] : [doubtText(doubted)])].join('; ');
  const mark = qualityMark(quality, error);
  return (
    <>
      {mark !== '' && (
        <span aria-hidden="true" title={hint}>
          <Tag>{mark}</Tag>
        </span>
      )}
      <span className="visually-hidden">{qualityOf({ quality, ...defined({ error, doubted }) })}</span>
    </>
  );
}
