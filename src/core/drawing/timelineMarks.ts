import { visibleLabel } from '../base/visibleText';
import type { SessionColumns, SessionSummary } from '../model/columns';
import type { TimelineFigures } from '../view/timelineFigures';
import { timelineMarkWords } from './drawingWords';

/** An event before a request: a label above its column with a line, or with a crack for a lost cache. */
export interface TimelineMark {
  readonly slot: number;
  readonly word: string;
  /** The label where the other has no room: the price of a loss. */
  readonly brief?: string | undefined;
  /** For a cache loss: the tokens that were read, the tokens that could have been read, and the US dollars lost. */
  readonly lost?: { readonly read: number; readonly readable: number; readonly money: number | undefined };
}

/** A cache loss by its request, with a label for its cause. */
export interface CacheBreak extends Required<Omit<TimelineMark, 'slot'>> {
  readonly request: number;
}

/** The compactions, clearings, changes of model and cache breaks of a conversation, in the order of slots. */
export function timelineMarks(
  columns: SessionColumns,
  { compactions }: SessionSummary,
  { requests, modelSwitches }: TimelineFigures,
  breaks: readonly CacheBreak[],
): readonly TimelineMark[] {
  const slots = new Map(Array.from(requests, (request, slot) => [request, slot]));
  const thread = columns.requests.thread[requests[0] ?? 0];
  const marks: readonly TimelineMark[] = [
    ...compactions
      .filter(compaction => compaction.thread === thread)
      .flatMap(({ kind, request: first }) => {
        const slot = requests.findIndex(entry => entry >= first);
        return slot < 0 ? [] : [{ slot, word: timelineMarkWords.marks[kind] }];
      }),
    ...modelSwitches.map(({ slot, model }) => ({ slot, word: visibleLabel(model) })),
    ...breaks.flatMap(({ request, ...mark }) => {
      const slot = slots.get(request);
      return slot === undefined ? [] : [{ slot, ...mark }];
    }),
  ];
  return marks.toSorted((first, second) => first.slot - second.slot);
}

/** Orders marks for their labels: losses first, the dearest of them at the beginning; then everything else. */
export function dearestFirst(marks: readonly TimelineMark[]): readonly TimelineMark[] {
  const worth = ({ lost }: TimelineMark): number => (lost === undefined ? -1 : (lost.money ?? 0));
  return marks.toSorted((first, second) => worth(second) - worth(first));
}
