import { causeWords } from '../../src/core/cache/causeWords';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { TimelineFigures } from '../../src/core/view/timelineFigures';
import type { TimelineMark } from '../drawing/drawMarks';
import { visibleLabel } from '../format';
import { strings } from '../strings';
import type { AppState } from './inspector';

const words = strings.timeline;

/** What happened before the requests of a conversation, in order: compactions, clearings, other models, cache breaks. */
export function timelineMarks(
  columns: SessionColumns,
  { compactions }: SessionSummary,
  { requests, modelSwitches }: TimelineFigures,
  cache: AppState['cache'],
): readonly TimelineMark[] {
  const slots = new Map(Array.from(requests, (request, slot) => [request, slot]));
  const thread = columns.requests.thread[requests[0] ?? 0];
  const breaks = cache.kind === 'known' ? cache.value.findings : [];
  const marks: readonly TimelineMark[] = [
    ...compactions
      .filter(compaction => compaction.thread === thread)
      .flatMap(({ kind, request: first }) => {
        const found = requests.findIndex(entry => entry >= first);
        return found < 0 ? [] : [{ slot: found, word: words.marks[kind] }];
      }),
    ...modelSwitches.map(({ slot, model }) => ({ slot, word: visibleLabel(model) })),
    ...breaks.flatMap(({ request, causes, read, readable }) => {
      const slot = slots.get(request);
      return slot === undefined ? [] : [{ slot, word: causeWords[causes[0]], lost: { read, readable } }];
    }),
  ];
  return marks.toSorted((first, second) => first.slot - second.slot);
}
