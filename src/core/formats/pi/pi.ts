import { stringAt } from '../../base/json';
import type { LineFormat } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import { PiReader } from './piReader';

/** For records of which only the position in the tree is read. */
const onlyPlace: MemberFilter = {
  others: 'leave',
  members: { type: 'keep', id: 'keep', parentId: 'keep' },
};

/** Sessions of pi, `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`, and of OpenClaw, which is built on it. */
export const pi: LineFormat = {
  kind: 'lines',
  id: 'pi',
  name: 'pi, OpenClaw',
  matches: records =>
    records.some(
      record =>
        stringAt(record, 'type') === 'session' &&
        ['id', 'timestamp', 'cwd'].every(key => stringAt(record, key) !== undefined),
    ),
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
