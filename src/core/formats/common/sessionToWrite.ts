import type { JsonObject } from '../../base/json';
import type { ConversationTurn } from '../../model/conversation';
import type { ModelFamily } from '../../model/modelRow';

/** A session that an agent can resume, before it is written in the agent's format. */
export interface SessionToWrite {
  /** In the agent's own form, see `SessionWriter.sessionId`. */
  readonly id: string;
  readonly workingDirectory: string;
  /** When the session is written, in milliseconds since 1970. Its records are older. */
  readonly time: number;
  /** The model that wrote the replies, in the provider's spelling; empty if it is not recorded. */
  readonly model: string;
  /** Undefined if the model is not known. */
  readonly family: ModelFamily | undefined;
  /** The session that this one continues. */
  readonly origin: { readonly id: string; readonly path: string };
  /** Turns of the user and the assistant, in the order in which they are sent. Every part can be written. */
  readonly turns: readonly ConversationTurn[];
  /** A new UUID for a record. */
  readonly newId: () => string;
}

/** The twin of a format's reader: how an agent records a conversation. */
export interface SessionWriter {
  /** The version of the agent that resumed what this writes. */
  readonly version: string;
  /** The id of a new session. `time` is when it is written, in milliseconds since 1970. */
  sessionId(uuid: string, time: number): string;
  /** The records of a session, one for each line; a single one if the file is one JSON document. */
  records(session: SessionToWrite): Iterable<JsonObject>;
  /** The file's path below the agent's folder; its parts contain no separators. */
  path(session: Pick<SessionToWrite, 'id' | 'workingDirectory' | 'time'>): readonly string[];
}

/** Milliseconds since 1970 for the records of a session: ascending, and all before it was written. */
export function recordTimes(time: number, count: number): (index: number) => string {
  return index => new Date(time - count + index).toISOString();
}
