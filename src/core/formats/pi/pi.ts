import { numberAt, objectAt, stringAt } from '../../base/json';
import type { LineFormat } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import { PiReader } from './piReader';

/** For records of which only the position in the tree is read. */
const onlyPlace: MemberFilter = {
  others: 'leave',
  members: { type: 'keep', id: 'keep', parentId: 'keep' },
};

/** True for the first record of a session, and for a record that only pi writes in the middle of one. */
export function isPiRecord(record: unknown): boolean {
  const has = (...keys: readonly string[]): boolean => keys.every(key => stringAt(record, key) !== undefined);
  if (stringAt(record, 'type') === 'session') {
    return has('id', 'timestamp') && (has('cwd') || numberAt(record, 'version') !== undefined);
  }
  const message = objectAt(record, 'message');
  switch (stringAt(record, 'type')) {
    case 'message':
    case 'message_end':
    case 'message_update':
      return (
        numberAt(message, 'timestamp') !== undefined &&
        (stringAt(message, 'role') === 'toolResult'
          ? stringAt(message, 'toolCallId') !== undefined
          : ['provider', 'model'].every(key => stringAt(message, key) !== undefined))
      );
    case 'model_change':
      return has('timestamp', 'provider', 'modelId');
    case 'thinking_level_change':
      return has('timestamp', 'thinkingLevel');
    case undefined:
    default:
      return false;
  }
}

/** Sessions of pi, `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`, and of OpenClaw, which is built on it. */
export const pi: LineFormat = {
  kind: 'lines',
  id: 'pi',
  name: 'pi, OpenClaw',
  matches: records => records.some(isPiRecord),
  members: {
    // A result's details are only for the interface.
    members: { message: { members: { details: 'leave' } }, details: 'leave' },
    byType: {
      custom: onlyPlace,
      // `pi --mode json` prints a growing message again and again.
      message_start: onlyPlace,
      message_update: onlyPlace,
      tool_execution_start: onlyPlace,
      tool_execution_update: onlyPlace,
      tool_execution_end: onlyPlace,
      turn_end: onlyPlace,
      agent_end: onlyPlace,
    },
  },
  open: builder => new PiReader(builder),
};
