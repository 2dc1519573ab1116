import type { Session } from '../model/columns';
import type { TokenFigure } from '../tokens/quality';
import type { PositionRange, RequestView } from '../view/requestView';
import { pricedInput } from './partFigures';
import { inWeights } from './requestValues';

export interface RangeFigures {
  /** Without the part that is not recorded. */
  readonly blocks: number;
  readonly tokens: TokenFigure;
  /** Cost of these tokens in the request, in US dollars at list prices; NaN if no price is known. */
  readonly money: number;
}

/** The sum of a range of a request, by the same rules as the parts of the breakdown. */
export function rangeFigures(session: Session, view: RequestView, range: PositionRange): RangeFigures {
  const { first, last } = range;
  const { segments, hasPrices } = pricedInput(session, view.request);
  const from = first < 0 ? 0 : (view.offsets[first] ?? 0);
  const to = view.offsets[last + 1] ?? 0;
  const { hidden: upTo } = inWeights(segments, ({ price }) => price);
  return {
    blocks: last - Math.max(0, first) + 1,
    tokens: figureOf(view, range, to - from),
    money: hasPrices ? upTo(to) - upTo(from) : Number.NaN,
  };
}

function figureOf(view: RequestView, { first, last }: PositionRange, value: number): TokenFigure {
  const { notRecorded, quality } = view;
  const startsWhole = first < 0 || (first === 0 && notRecorded.value === 0);
  if (startsWhole && last === view.blocks.length - 1) {
    return view.total;
  }
  // Both errors may be in the same direction.
  const hidden = first < 0 ? notRecorded.value : 0;
  const error = value === 0 ? 0 : (hidden * (notRecorded.error ?? 0) + (value - hidden) * view.error) / value;
  return { value, quality, ...(error > 0 ? { error } : {}) };
}
