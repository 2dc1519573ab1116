import type { BreakdownTree } from '../../src/core/breakdown/breakdownTree';
import type { PartFigures } from '../../src/core/breakdown/partFigures';
import type { PartValue } from '../../src/core/breakdown/requestValues';
import type { BreakdownChoices } from './breakdown';
import type { RequestParts } from './requestParts';

/** What the parts of the breakdown view share. */
export interface BreakdownParts extends RequestParts {
  readonly tree: BreakdownTree;
  readonly figures: PartFigures;
  /** What a box stands for. */
  readonly valueAt: PartValue;
  readonly choices: BreakdownChoices;
  /** The node whose parts are shown. */
  readonly root: number;
  readonly selected: number | undefined;
  readonly select: (node: number) => void;
  /** Shows the parts of a node. */
  readonly goInto: (node: number) => void;
  /** Shows the details of a leaf, or the parts of any other node. Returns whether it has gone into it. */
  readonly open: (node: number) => boolean;
  /** Goes to the parts around those that are shown; does nothing at the whole. Returns whether it went. */
  readonly goOut: () => boolean;
}
