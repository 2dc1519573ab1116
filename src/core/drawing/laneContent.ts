/** What the drawing of a request says about each block. */
import { blocks as blockCount } from '../base/countWords';
import { formatNumber, formatShare } from '../base/format';
import { at, lastAtMost } from '../base/numbers';
import { visibleLabel } from '../base/visibleText';
import { blockKinds } from '../model/block';
import type { SessionColumns } from '../model/columns';
import { partitionNames, provenanceLabels, sensitivityLabels } from '../model/labels';
import { requestSlots } from '../view/contextSlots';
import type { RequestView } from '../view/requestView';
import { blockSources } from '../view/sourceSums';
import type { LabelledBoundary } from './boundaries';
import {
  kindWords,
  laneWords,
  legendWords,
  partitionWords,
  provenanceWords,
  sensitivityWords,
} from './drawingWords';
import { type LaneBlocks, notRecordedPosition } from './laneLayout';
import type { ColourMode } from './palette';

/** How each block is painted, as functions of its position on the wire. */
export interface LaneContent {
  readonly mode: ColourMode;
  /** Index into the fills of the colour mode. */
  readonly fillOf: (position: number) => number;
  /** Index into sensitivityLabels: private and restricted blocks have a sign in every mode. */
  readonly sensitivityOf: (position: number) => number;
  readonly labelOf: (position: number) => string;
  readonly isFrozen: (position: number) => boolean;
  /** Whether a prune would remove it. */
  readonly isCandidate: (position: number) => boolean;
  /** Whether the filter shows it; the other blocks are dimmed. */
  readonly isShown: (position: number) => boolean;
  /** Index into partitionNames. */
  readonly laneOf: (position: number) => number;
  /** Positions of other lanes that stand among the history on the wire, and the last position of the history before each. */
  readonly displaced: Uint32Array;
  readonly after: Uint32Array;
  readonly isDisplaced: (position: number) => boolean;
  readonly notRecordedLabel: string;
  /** Stands in the rows after the first. */
  readonly notRecordedRest: string;
  readonly boundaries: readonly LabelledBoundary[];
  readonly laneTexts: readonly { readonly name: string; readonly figure: string; readonly detail: string }[];
}

const callKind = blockKinds.indexOf('toolCall');

/** Whether a position stands among the messages on the wire although it belongs to another slot than the history. */
export function isDisplaced(columns: SessionColumns, view: RequestView, position: number): boolean {
  return isListed(requestSlots(columns, view).displaced, position);
}

function isListed(positions: Uint32Array, position: number): boolean {
  return positions[lastAtMost(positions, positions.length, position)] === position;
}

/** Whether a position belongs to the frozen prefix: what was read from the cache or, where that is unknown, the prediction. */
export function isFrozen({ recorded, predicted, offsets }: RequestView, position: number): boolean {
  const frozen = recorded ?? predicted;
  return position === notRecordedPosition ? frozen.tokens * 2 > at(offsets, 0) : position < frozen.blocks;
}

/** Index into cacheStates. */
function cacheState({ recorded, predicted }: RequestView, position: number): number {
  if (recorded !== undefined && position < recorded.blocks) {
    return 0;
  }
  return position < predicted.blocks && predicted.tokens > 0 ? 1 : 2;
}

/** The blocks of a request for a `LaneLayout`. */
export function laneBlocks(
  columns: SessionColumns,
  view: RequestView,
  boundaries: readonly LabelledBoundary[],
): LaneBlocks {
  return {
    tokens: view.tokens,
    lanes: requestSlots(columns, view).partitions,
    notRecorded: view.notRecorded.value,
    flagged: boundaries,
  };
}

/** A block's label, or its kind where it has none. An arrow before a call tells it apart from its result. */
export function blockName({ blocks, strings: texts }: SessionColumns, block: number): string {
  const kind = blockKinds[at(blocks.kind, block)] ?? 'other';
  const label = visibleLabel(texts.at(at(blocks.label, block)) ?? '').trim() || kindWords[kind];
  return blocks.kind[block] === callKind ? `→ ${label}` : label;
}

/** The labels of a block in words. */
export function blockWords(
  { blocks }: SessionColumns,
  block: number,
): { readonly kind: string; readonly slot: string; readonly origin: string; readonly sensitivity: string } {
  return {
    kind: kindWords[blockKinds[at(blocks.kind, block)] ?? 'other'],
    slot: partitionWords[partitionNames[at(blocks.partition, block)] ?? 'history'],
    origin: provenanceWords[provenanceLabels[at(blocks.provenance, block)] ?? 'user'],
    sensitivity: sensitivityWords[sensitivityLabels[at(blocks.sensitivity, block)] ?? 'public'],
  };
}

/**
 * @param isCandidate whether a prune would remove a block, by block number
 * @param shown 1 for positions that the filter shows; absent while nothing is filtered
 */
export function laneContent(
  columns: SessionColumns,
  view: RequestView,
  boundaries: readonly LabelledBoundary[],
  mode: ColourMode,
  isCandidate: ArrayLike<number>,
  shown: Uint8Array | undefined,
): LaneContent {
  const { blocks: rows } = columns;
  const sourceOfBlocks = blockSources(columns);
  const { partitions, displaced, after } = requestSlots(columns, view);
  const blockAt = (position: number): number => at(view.blocks, position);
  const fills: Readonly<Record<ColourMode, (position: number) => number>> = {
    source: position => at(sourceOfBlocks, blockAt(position)),
    sensitivity: position => at(rows.sensitivity, blockAt(position)),
    provenance: position => at(rows.provenance, blockAt(position)),
    role: position => at(rows.role, blockAt(position)),
    cache: position => cacheState(view, position),
  };
  const { value, low, high } = view.notRecorded;
  return {
    mode,
    fillOf: fills[mode],
    sensitivityOf: fills.sensitivity,
    labelOf: position => blockName(columns, blockAt(position)),
    isFrozen: position => isFrozen(view, position),
    isCandidate: position => isCandidate[blockAt(position)] === 1,
    isShown: position => shown === undefined || shown[position] === 1,
    laneOf: position => at(rows.partition, blockAt(position)),
    displaced,
    after,
    isDisplaced: position => isListed(displaced, position),
    notRecordedLabel: laneWords.notRecordedLabel(value, low, high),
    notRecordedRest: `… ${legendWords.notRecorded}`,
    boundaries,
    laneTexts: partitionNames.map((name, lane) => {
      const tokens = view.partitions[name];
      return {
        name: partitionWords[name],
        figure: `${formatNumber(tokens)} · ${formatShare(view.total.value === 0 ? 0 : tokens / view.total.value)}`,
        detail: [
          blockCount(partitions[lane]?.length ?? 0),
          ...(view.error > 0 && tokens > 0 ? [`±${formatShare(view.error)}`] : []),
        ].join(' · '),
      };
    }),
  };
}
