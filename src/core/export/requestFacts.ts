import type { Session } from '../model/columns';
import type { PruneOptions } from '../model/pruneConfig';
import { type PrunePreview, prunePreview } from '../prune/prunePreview';
import type { TokenFigure } from '../tokens/quality';
import { type NotRecordedParts, notRecordedParts } from '../view/notRecordedParts';
import { type DoubtfulOutput, doubtfulOutput } from '../view/requestOutput';
import { buildRequestView, type RequestView } from '../view/requestView';

/** The figures of a request that every report contains: the page, the terminal, JSON. */
export interface RequestFacts {
  readonly view: RequestView;
  readonly notRecordedParts: NotRecordedParts;
  /** Undefined unless the recorded output is known to be too low. */
  readonly output: DoubtfulOutput | undefined;
  readonly preview: PrunePreview;
}

export function requestFacts(
  { columns, summary }: Session,
  request: number,
  options: PruneOptions,
): RequestFacts {
  const view = buildRequestView(columns, request);
  return {
    view,
    notRecordedParts: notRecordedParts(columns, summary, view),
    output: doubtfulOutput(columns, request),
    preview: prunePreview(columns, view, options),
  };
}

/** The members that all JSON about a request has. */
export function requestJson({ total, window, windowSource, otherWindow, partitions }: RequestView) {
  return {
    tokens: withPlainError(total),
    window: window ?? null,
    windowSource: windowSource ?? null,
    otherWindow: otherWindow ?? null,
    partitions,
  };
}

/** Rounds the error to a hundredth of a percent, because it comes from 32-bit columns without more digits. */
export function withPlainError(figure: TokenFigure): TokenFigure {
  return figure.error === undefined ? figure : { ...figure, error: Math.round(figure.error * 1e4) / 1e4 };
}
