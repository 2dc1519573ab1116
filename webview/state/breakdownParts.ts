import type { BreakdownTree } from '../../src/core/breakdown/breakdownTree';
import type { PartFigures } from '../../src/core/breakdown/partFigures';
import type { PartValue } from '../../src/core/breakdown/requestValues';
import type { BreakdownChoices } from './breakdown';
import type { RequestParts } from './requestParts';

/** The shared state of the breakdown view's components. */
export interface BreakdownParts extends RequestParts {
  readonly tree: BreakdownTree;
  readonly figures: PartFigures;
  /** The value of a box. */
  readonly valueAt: PartValue;
  readonly choices: BreakdownChoices;
  /** The node whose children are shown. */
  readonly root: number;
  readonly selected: number | undefined;
  readonly select: (node: number) => void;
  /** Shows the parts of a node. */
  readonly goInto: (node: number) => void;
  /** Shows the details of a leaf, or the parts of any other node. Returns true if it went into the node. */
  readonly open: (node: number) => boolean;
  /** Goes up one level; does nothing at the whole. Returns true if it went. */
  readonly goOut: () => boolean;
}
