import { blockName } from '../../../src/core/drawing/laneContent';
import { sourceIcons } from '../../../src/core/drawing/icons';
import { leftOfSlot, type TimelineLayout } from '../../../src/core/drawing/timelineLayout';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { Chapter } from '../../../src/core/view/timelineEvents';
import { moveFocus } from '../../controls/moveFocus';
import { timelineWords as words } from '../../words/timeline';
import { Icon } from '../common/Icon';

/** Minimum width of a chapter's button, in pixels. Keys lead to narrower chapters. */
const narrowest = 20;
const namedFrom = 56;

/** The user's questions above the columns of the requests that answer them. */
export function Chapters({
  columns,
  layout,
  chapters,
  current,
  choose,
}: {
  readonly columns: SessionColumns;
  readonly layout: TimelineLayout;
  readonly chapters: readonly Chapter[];
  /** The index of the chapter in view. */
  readonly current: number;
  readonly choose: (slot: number) => void;
}) {
  const shown = chapters.flatMap(({ slot, block }, index) => {
    const left = leftOfSlot(layout, slot);
    const width = leftOfSlot(layout, chapters[index + 1]?.slot ?? layout.slots) - left - 2;
    return width < narrowest ? [] : [{ slot, index, left, width, name: blockName(columns, block) }];
  });
  const stop = shown.findIndex(({ index }) => index === current);
  return (
    <div className="chapters" role="toolbar" aria-label={words.questions} onKeyDown={moveFocus}>
      {shown.map(({ slot, index, left, width, name }, place) => (
        <button
          key={index}
          type="button"
          className="chapters__chapter bare row gap-4 rounded fine"
          tabIndex={place === Math.max(0, stop) ? 0 : -1}
          aria-current={index === current}
          aria-label={words.question(slot, name)}
          title={name}
          style={{ left, width }}
          onClick={() => choose(slot)}
        >
          <Icon icon={sourceIcons.you} size={12} />
          {width >= namedFrom && <span className="ellipsis">{name}</span>}
        </button>
      ))}
    </div>
  );
}
