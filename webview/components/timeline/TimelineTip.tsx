import { tokens } from '../../../src/core/base/countWords';
import { formatTime } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { crackIcon } from '../../../src/core/drawing/icons';
import { requestFlags, type SessionColumns } from '../../../src/core/model/columns';
import { requestNumber } from '../../../src/core/view/requestNames';
import { lowOutput } from '../../../src/core/view/requestOutput';
import { cacheWords } from '../../words/cache';
import { pageWords } from '../../words/page';
import { timelineWords as words } from '../../words/timeline';
import { namesOf } from '../cache/BreakList';
import { Icon } from '../common/Icon';

/** Half the width of the tooltip, which stays inside the timeline. In pixels. */
const halfWidth = 150;

/** The request under the pointer. The slider's value text says the same about the selected request. */
export function TimelineTip({
  columns,
  request,
  slot,
  total,
  finding,
  left,
  width,
}: {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly slot: number;
  readonly total: number;
  readonly finding: CacheFinding | undefined;
  /** The middle of the column and the width of the timeline, in pixels. */
  readonly left: number;
  readonly width: number;
}) {
  const { requests } = columns;
  const output = lowOutput(columns, request);
  const isRecorded = (at(requests.flags, request) & requestFlags.recorded) !== 0;
  return (
    <div
      className="timeline__tip tip framed tabular"
      aria-hidden="true"
      style={{ left: Math.min(Math.max(left, halfWidth), Math.max(halfWidth, width - halfWidth)) }}
    >
      <strong>{pageWords.request(requestNumber(slot))}</strong>{' '}
      <span className="muted">{formatTime(at(requests.timestamp, request))}</span>
      <div>
        {tokens(total)}
        {isRecorded && ` · ${words.cacheReadOf(at(requests.cacheRead, request))}`}
      </div>
      {output !== undefined && <div>⚠ {words.output(output.recorded, output.estimate)}</div>}
      {finding !== undefined && (
        <div>
          <span className="timeline__loss row gap-4 unbroken">
            <Icon icon={crackIcon} size={12} />
          </span>{' '}
          {cacheWords.lostHere(namesOf(finding), finding.tokensLost)}
        </div>
      )}
    </div>
  );
}
