import { visibleLabel } from '../../src/core/base/visibleText';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { Subagent } from '../../src/core/model/transcript';
import { timelineWords as words } from '../words/timeline';
import { requestsByThread } from './derived';
import type { Inspector } from './inspector';
import { memoise } from './store';
import type { ViewState } from './viewState';

/** A conversation with its name; its requests are those of the thread. */
export interface NamedThread {
  readonly thread: number;
  readonly name: string;
  readonly requests: number;
}

/** All conversations of a file in order, each with a distinct name. */
export const namedThreads = memoise(
  (columns: SessionColumns, summary: SessionSummary): readonly NamedThread[] => {
    const titles = new Map(
      summary.conversations.map(({ thread, title }, index) => [
        thread,
        words.conversation(index + 1, visibleLabel(title)),
      ]),
    );
    return [...requestsByThread(columns)]
      .map(([thread, requests]) => ({
        thread,
        name: titles.get(thread) ?? subagentName(summary, thread),
        requests: requests.length,
      }))
      .sort((first, second) => first.thread - second.thread);
  },
);

function subagentName({ subagents }: SessionSummary, thread: number): string {
  const description = subagents.find(subagent => subagent.thread === thread)?.description;
  return thread === 0 ? words.mainThread : visibleLabel(description ?? words.subagentThread(thread));
}

/** The subagent whose conversation is a thread of this file; undefined for other threads. */
export function subagentOf({ subagents }: SessionSummary, thread: number): Subagent | undefined {
  return thread === 0 ? undefined : subagents.find(subagent => subagent.thread === thread);
}

/** Shows a subagent's conversation if this file contains it. Otherwise the host opens the subagent's own file. */
export function openSubagent(
  { act, changeView }: Inspector,
  columns: SessionColumns,
  { id, thread }: Subagent,
): void {
  if (thread !== undefined && requestsByThread(columns).has(thread)) {
    changeView({ thread, request: undefined, block: undefined });
  } else {
    act({ kind: 'openSubagent', id });
  }
}

/** The call that started a subagent, selected in the first request whose context contains it. */
export const viewOfCall = memoise(
  (columns: SessionColumns, { callId }: Subagent): Partial<ViewState> | undefined => {
    const block =
      callId === undefined
        ? -1
        : columns.blocks.callId.findIndex(id => id > 0 && columns.strings.at(id) === callId);
    const request = columns.blocks.firstRequest[block] ?? -1;
    const thread = columns.requests.thread[request];
    return thread === undefined ? undefined : { thread, request, block };
  },
);
