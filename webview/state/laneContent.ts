import { blockKinds } from '../../src/core/model/block';
import type { SessionColumns } from '../../src/core/model/columns';
import { partitionNames } from '../../src/core/model/labels';
import type { RequestView } from '../../src/core/view/requestView';
import { edgeAfter, placeOfOffset, positionOfTurn } from '../../src/core/drawing/boundaries';
import type { LabelledBoundary, LaneContent } from '../drawing/laneContent';
import { notRecordedPosition, type LaneBlocks } from '../../src/core/drawing/laneLayout';
import { at, lastAtMost } from '../../src/core/base/numbers';
import { requestSlots } from '../../src/core/view/contextSlots';
import type { ColourMode } from '../../src/core/drawing/palette';
import { formatNumber, formatShare, visibleLabel } from '../format';
import { counted, kindWords, partitionWords, strings } from '../strings';
import { memoise } from './store';

const historyLane = partitionNames.indexOf('history');
const callKind = blockKinds.indexOf('toolCall');

const slotsOf = memoise(requestSlots, 2);

/** Whether a position stands among the messages on the wire although it belongs to another slot. */
export function isDisplaced(columns: SessionColumns, view: RequestView, position: number): boolean {
  const { displaced } = slotsOf(columns, view);
  return displaced[lastAtMost(displaced, displaced.length, position)] === position;
}

/** Whether a position belongs to the frozen prefix: what was read from the cache, or else what should have been. */
export function isFrozen(view: RequestView, position: number): boolean {
  const { recorded, predicted, offsets } = view;
  if (position === notRecordedPosition) {
    return (recorded ?? predicted).tokens * 2 > at(offsets, 0);
  }
  return position < (recorded ?? predicted).blocks;
}

/** 0 for read, 1 for predicted but not read, 2 for neither: an index into cacheStates. */
function cacheState(view: RequestView, position: number): number {
  if (view.recorded !== undefined && position < view.recorded.blocks) {
    return 0;
  }
  return position < view.predicted.blocks && view.predicted.tokens > 0 ? 1 : 2;
}

/** Every line that says where the frozen part ends, with the words of its flag. */
export const boundariesOf = memoise(
  (columns: SessionColumns, view: RequestView): readonly LabelledBoundary[] => {
    const { offsets, recorded, predicted, frozenPrefixLen, breakpoints, blocks } = view;
    const words = strings.lanes;
    const boundaries: LabelledBoundary[] = [];
    if (recorded !== undefined && recorded.tokens > 0) {
      boundaries.push({
        kind: 'recorded',
        ...placeOfOffset(offsets, recorded.tokens),
        label: words.frozenRecorded(recorded.tokens, recorded.blocks),
      });
    }
    if (predicted.tokens > 0) {
      boundaries.push({
        kind: 'predicted',
        ...edgeAfter(offsets, predicted.blocks),
        label: words.frozenPredicted(predicted.tokens, predicted.blocks),
      });
    }
    if (frozenPrefixLen !== undefined) {
      const messages = blocks.map(block => at(columns.blocks.message, block));
      const isHistory = (position: number): boolean =>
        columns.blocks.partition[at(blocks, position)] === historyLane;
      let end = positionOfTurn(messages, isHistory, frozenPrefixLen);
      // It is about turns: the line belongs beside the last of them, not beside what other slots have sent in between.
      while (end > 0 && !isHistory(end - 1)) {
        end -= 1;
      }
      boundaries.push({
        kind: 'frozenPrefix',
        ...edgeAfter(offsets, end),
        label: words.frozenPrefix(frozenPrefixLen),
      });
    }
    for (const position of breakpoints) {
      boundaries.push({
        kind: 'breakpoint',
        ...edgeAfter(offsets, position + 1),
        label: words.breakpoint(position + 1),
      });
    }
    return boundaries;
  },
  2,
);

export const laneBlocks = memoise(
  (columns: SessionColumns, view: RequestView): LaneBlocks => ({
    tokens: view.tokens,
    lanes: slotsOf(columns, view).partitions,
    notRecorded: view.notRecorded.value,
    flagged: boundariesOf(columns, view),
  }),
  2,
);

/** What a block is called: its label, or its kind where it has none; with an arrow for calls, which differ so from results. */
export function blockName({ blocks, strings: texts }: SessionColumns, block: number): string {
  const kind = blockKinds[at(blocks.kind, block)] ?? 'other';
  const label = visibleLabel(texts.at(at(blocks.label, block)) ?? '').trim() || kindWords[kind];
  return blocks.kind[block] === callKind ? `→ ${label}` : label;
}

/** Everything that the drawing says about a request. */
export const laneContent = memoise(
  (
    columns: SessionColumns,
    view: RequestView,
    mode: ColourMode,
    candidates: Uint8Array,
    shown: Uint8Array | undefined,
  ): LaneContent => {
    const { blocks: rows } = columns;
    const { partitions, displaced, after } = slotsOf(columns, view);
    const blockAt = (position: number): number => at(view.blocks, position);
    const fills: Readonly<Record<ColourMode, (position: number) => number>> = {
      sensitivity: position => at(rows.sensitivity, blockAt(position)),
      provenance: position => at(rows.provenance, blockAt(position)),
      role: position => at(rows.role, blockAt(position)),
      cache: position => cacheState(view, position),
    };
    const { value, low, high } = view.notRecorded;
    return {
      mode,
      fillOf: fills[mode],
      sensitivityOf: position => at(rows.sensitivity, blockAt(position)),
      labelOf: position => blockName(columns, blockAt(position)),
      isFrozen: position => isFrozen(view, position),
      isCandidate: position => candidates[blockAt(position)] === 1,
      isShown: position => shown === undefined || shown[position] === 1,
      laneOf: position => at(rows.partition, blockAt(position)),
      displaced,
      after,
      isDisplaced: position => isDisplaced(columns, view, position),
      notRecordedLabel: strings.lanes.notRecordedLabel(value, low, high),
      notRecordedRest: `… ${strings.notRecorded}`,
      boundaries: boundariesOf(columns, view),
      laneTexts: partitionNames.map((name, lane) => {
        const tokens = view.partitions[name];
        return {
          name: partitionWords[name],
          figure: `${formatNumber(tokens)} · ${formatShare(view.total.value === 0 ? 0 : tokens / view.total.value)}`,
          detail: [
            counted(partitions[lane]?.length ?? 0, 'block'),
            ...(view.error > 0 && tokens > 0 ? [`±${formatShare(view.error)}`] : []),
          ].join(' · '),
        };
      }),
      emptyLane: strings.lanes.empty,
    };
  },
  2,
);
