import type { RecordedRequest } from '../../model/transcript';

/** A request of which more may become known. */
export type RequestDraft = { -readonly [Name in keyof RecordedRequest]: RecordedRequest[Name] };

/** A request in which what it need not have may be undefined. */
export type NewRequest = {
  readonly [Name in keyof RecordedRequest]: RecordedRequest[Name] | undefined;
} & Pick<RecordedRequest, 'context' | 'length' | 'thread' | 'reply' | 'complete' | 'line'>;

/** A request with the members that are known of it. */
export function requestDraft(request: NewRequest): RequestDraft {
  const { context, length, thread, reply, complete, line } = request;
  const { id, timestamp, model, usage, outputDoubtful, breakpoints } = request;
  const draft: RequestDraft = { context, length, thread, reply, complete, line };
  if (id !== undefined) {
    draft.id = id;
  }
  if (timestamp !== undefined) {
    draft.timestamp = timestamp;
  }
  if (model !== undefined) {
    draft.model = model;
  }
  if (usage !== undefined) {
    draft.usage = usage;
  }
  if (outputDoubtful !== undefined) {
    draft.outputDoubtful = outputDoubtful;
  }
  if (breakpoints !== undefined) {
    draft.breakpoints = breakpoints;
  }
  return draft;
}
