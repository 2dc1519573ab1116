import type { Boundary } from '../../src/core/drawing/boundaries';
import type { ColourMode } from '../../src/core/drawing/palette';

/** A boundary with the words of its flag. */
export interface LabelledBoundary extends Boundary {
  readonly label: string;
}

/** What a block is painted as; functions of the position on the wire. */
export interface LaneContent {
  readonly mode: ColourMode;
  /** Index into the fills of the colour mode. */
  readonly fillOf: (position: number) => number;
  /** Index into sensitivityLabels: private and restricted get a sign in every mode. */
  readonly sensitivityOf: (position: number) => number;
  readonly labelOf: (position: number) => string;
  readonly isFrozen: (position: number) => boolean;
  readonly isCandidate: (position: number) => boolean;
  /** Whether the search shows it; the others are dimmed. */
  readonly isShown: (position: number) => boolean;
  /** Index into partitionNames. */
  readonly laneOf: (position: number) => number;
  /** Positions that stand among the history on the wire although they lie in another lane, and the last one of the history before each. */
  readonly displaced: Uint32Array;
  readonly after: Uint32Array;
  readonly isDisplaced: (position: number) => boolean;
  readonly notRecordedLabel: string;
  /** Stands in the rows after the first, where there are any. */
  readonly notRecordedRest: string;
  readonly boundaries: readonly LabelledBoundary[];
  readonly laneTexts: readonly { readonly name: string; readonly figure: string; readonly detail: string }[];
  readonly emptyLane: string;
}

export interface LaneView {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  readonly selected: number | undefined;
  readonly paired: number | undefined;
  readonly hovered: number | undefined;
  readonly focused: boolean;
}
