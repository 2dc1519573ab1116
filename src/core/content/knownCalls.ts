import { parseJson } from '../base/json';

/** The known facts about a tool call. Its results take the tool's name, object and path from here. */
export interface KnownCall {
  readonly toolName: string;
  readonly object: string;
  readonly path: string | undefined;
}

/** The calls of a conversation by id; a call without an id is stored under the name of its tool. */
export type KnownCalls = Map<string, KnownCall>;

/** Adds a call, so that its results find it. */
export function rememberCall(calls: KnownCalls, callId: string | undefined, call: KnownCall): void {
  calls.set(callId ?? call.toolName, call);
}

/**
 * The call that a result answers: found by its id, otherwise by the name of its tool, because a call may lack the id
 * that its result has. If there is no such call, all that is known is the name in the result.
 */
export function answeredCall(
  calls: ReadonlyMap<string, KnownCall>,
  callId: string | undefined,
  toolName?: string,
): KnownCall | undefined {
  return (
    (callId === undefined ? undefined : calls.get(callId)) ??
    (toolName === undefined ? undefined : (calls.get(toolName) ?? { toolName, object: '', path: undefined }))
  );
}

const beginningOfJson = /^\s*["[{\d\-tfn]/;

/** A call's arguments as a value if they are valid JSON, otherwise as they are recorded. */
export function parsedArguments(recorded: unknown): unknown {
  // A failed attempt to parse costs far more than this check.
  const value =
    typeof recorded === 'string' && beginningOfJson.test(recorded) ? parseJson(recorded) : undefined;
  return value === undefined ? recorded : value;
}
