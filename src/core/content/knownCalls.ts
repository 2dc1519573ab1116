/** What is known of a tool call: its results take the tool's name, the object and the path from here. */
export interface KnownCall {
  readonly toolName: string;
  readonly object: string;
  readonly path: string | undefined;
  readonly label?: string | undefined;
}

/** The calls of a conversation by id; a call without an id, by the name of its tool. */
export type KnownCalls = Map<string, KnownCall>;

/** Keeps a call for its results. */
export function rememberCall(calls: KnownCalls, callId: string | undefined, call: KnownCall): void {
  calls.set(callId ?? call.toolName, call);
}

/**
 * The call that a result answers: by its id, else by the name of the tool, as a call may have no id though its result
 * has one. Where neither is known, the name that the result gives is all that is known of the call.
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

/** A call's arguments as a value where they are valid JSON, else as they are recorded. */
export function parsedArguments(recorded: unknown): unknown {
  // A failed attempt costs far more than a look.
  if (typeof recorded !== 'string' || !beginningOfJson.test(recorded)) {
    return recorded;
  }
  try {
    const parsed: unknown = JSON.parse(recorded);
    return parsed;
  } catch {
    return recorded;
  }
}
