import { isObject } from '../../core/base/json';

/** Ids that tell which session a call is from. The sessions come in the order in which they are looked for. */
export interface CallIds {
  /** Of the session, sent with the call. */
  readonly sessions: readonly string[];
  /** Of the call, sent with it. The session holds it. */
  readonly calls: readonly string[];
  /** Of the session that started the server. The same process of the agent may have begun another one since. */
  readonly startedBy: readonly string[];
}

/** Members of `_meta`, the most exact first: in Codex, a subagent has its own thread in the session of its parent. */
const sessionMembers = [/^thread_?id$/i, /^session_?id$/i];
const callMembers = [/^(?:.*\/)?(?:tool_?use|call|tool_?call)_?id$/i];
/** Not the many words beside them, such as the name of a sandbox, which other sessions hold too. */
const idLike = /^[\w-]{8,100}$/;
const deepest = 2;

/**
 * Reads the ids of a call: Codex 0.171 sends `threadId`, `sessionId` and `callId`, Claude Code 2.1.332 sends
 * `claudecode/toolUseId`. Claude Code names its session in the environment of the servers that it starts.
 * @param meta the member `_meta` of the call
 * @param client the name of the client
 */
export function callIdsOf(
  meta: unknown,
  client: string,
  environment: Readonly<Record<string, string | undefined>>,
): CallIds {
  const texts = textsIn(meta);
  const named = (members: readonly RegExp[]): readonly string[] =>
    members.flatMap(member => texts.flatMap(([name, text]) => (member.test(name) ? [text] : [])));
  // An agent that Claude Code started as a command has the variable too.
  const session = client === 'claude-code' ? environment['CLAUDE_CODE_SESSION_ID'] : undefined;
  return {
    sessions: named(sessionMembers),
    calls: named(callMembers),
    startedBy: session === undefined ? [] : [session],
  };
}

function textsIn(value: unknown, depth = 0): readonly (readonly [name: string, text: string])[] {
  return isObject(value) && depth < deepest
    ? Object.entries(value).flatMap(([name, part]: readonly [string, unknown]) =>
        typeof part === 'string' && idLike.test(part) ? [[name, part] as const] : textsIn(part, depth + 1),
      )
    : [];
}
