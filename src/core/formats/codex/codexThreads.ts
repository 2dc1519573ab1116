import {
  arrayAt,
  countAt,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../../base/json';
import { parsedArguments } from '../../content/knownCalls';

/** The time after its header in which a fork may still write the copied history, in milliseconds. */
const copyingTime = 1_000;

/** The facts in a fork's own header. */
interface OwnHeader {
  readonly id: string;
  /** Both in milliseconds since 1970. */
  readonly start: number;
  readonly written: number;
  /** The number of the first record that is the fork's own; only of subagents whose records have numbers. */
  readonly ownFrom: number | undefined;
}

/**
 * Finds the copied history at the start of a fork: a fork writes its own header, then its parent's header and lines, or
 * its last lines alone, all at once. The requests in there are the parent's. If the header does not say where the copy ends, its times do.
 */
export class CopiedHistory {
  isOpen = false;
  private own: OwnHeader | undefined;

  see(type: string, line: unknown): void {
    if (type === 'session_meta') {
      const payload = member(line, 'payload');
      const written = timeAt(line, 'timestamp') ?? 0;
      const id = stringAt(payload, 'id') ?? '';
      this.own ??= {
        id,
        start: timeAt(payload, 'timestamp') ?? written,
        written,
        ownFrom: optionalCountAt(payload, 'subagent_history_start_ordinal'),
      };
      // A fork of the last turns alone has no header of its parent.
      this.isOpen ||= id !== this.own.id || (this.own.ownFrom ?? 0) > countAt(line, 'ordinal') + 1;
    } else if (this.isOpen && this.own !== undefined) {
      const number = optionalCountAt(line, 'ordinal');
      this.isOpen =
        this.own.ownFrom === undefined || number === undefined
          ? isCopiedByTime(line, this.own)
          : number < this.own.ownFrom;
    }
  }
}

function isCopiedByTime(line: unknown, { start, written }: OwnHeader): boolean {
  const payload = member(line, 'payload');
  const started = stringAt(payload, 'type') === 'task_started' ? numberAt(payload, 'started_at') : undefined;
  return started === undefined
    ? (timeAt(line, 'timestamp') ?? 0) <= written + copyingTime
    : started < Math.floor(start / 1_000);
}

/** The threads of the agents that an item started. The item is the result of a spawn, or the event that reports it. */
export function subagentsOf(item: unknown, toolName: string | undefined): readonly string[] {
  const ids = [
    stringAt(item, 'agent_thread_id'),
    stringAt(item, 'new_thread_id'),
    ...(stringAt(item, 'tool') === 'spawn_agent' ? arrayAt(item, 'receiver_thread_ids') : []),
    ...(toolName === 'spawn_agent' ? [stringAt(parsedArguments(member(item, 'output')), 'agent_id')] : []),
    stringAt(objectAt(item, 'new_agent'), 'thread_id'),
  ];
  return ids.filter(id => typeof id === 'string');
}
