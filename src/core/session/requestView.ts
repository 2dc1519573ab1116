import type { PredictionReason } from '../model/columns';
import type { PartitionName, SensitivityLabel } from '../model/labels';
import type { TokenFigure, TokenQuality } from '../tokens/quality';

/** One request as the views draw it. Positions are wire order; all token figures are calibrated to the recorded usage. */
export interface RequestView {
  readonly request: number;
  /** Block numbers in wire order. */
  readonly blocks: Uint32Array;
  /** Tokens of the block at each position, calibrated; they add up to `total` less `notRecorded`. */
  readonly tokens: Uint32Array;
  /** Token offset at which each position begins; what is not recorded comes first on the wire. One more than blocks. */
  readonly offsets: Uint32Array;
  /** Quality and expected relative error of each block's figure. */
  readonly quality: TokenQuality;
  readonly error: number;
  readonly total: TokenFigure;
  /** System prompt, tools and injected text that the transcript does not hold; `low` and `high` over all requests. */
  readonly notRecorded: TokenFigure & { readonly low: number; readonly high: number };
  readonly window: number | undefined;
  /** What is not recorded counts as `system`. */
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly sensitivity: Readonly<Record<SensitivityLabel, number>>;
  /** The provider's cache read: exact offset, and the number of leading blocks whose end lies nearest to it. */
  readonly recorded: { readonly tokens: number; readonly blocks: number } | undefined;
  readonly predicted: { readonly tokens: number; readonly blocks: number; readonly reason: PredictionReason };
  readonly frozenPrefixLen: number | undefined;
  readonly breakpoints: readonly number[];
}
