import { member, objectAt, stringAt } from '../../base/json';
import type { LineFormat } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import { mostAre } from '../common/mostAre';
import { readParents, recordsBefore } from './codexParent';
import { CodexReader, isBareHeader, isBareItem, isBareState, isOwnItem } from './codexReader';

const wrappedTypes = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
]);

const startMembers = { type: 'keep', started_at: 'keep' } as const;

const spawnMembers = {
  type: 'keep',
  id: 'keep',
  call_id: 'keep',
  agent_thread_id: 'keep',
  new_thread_id: 'keep',
  tool: 'keep',
  receiver_thread_ids: 'keep',
  new_agent: 'keep',
} as const;

/** Items with encrypted text that nobody can read. */
const encrypted: MemberFilter = { members: { encrypted_content: 'leave' } };

/** The members read from records that repeat the items in another form. */
const readPayloads: NonNullable<MemberFilter['byType']> = {
  event_msg: {
    members: {
      payload: {
        others: 'leave',
        members: {
          ...startMembers,
          ...spawnMembers,
          info: {
            others: 'leave',
            members: {
              last_token_usage: 'keep',
              model_context_window: 'keep',
              total_token_usage: { others: 'leave', members: { total_tokens: 'keep' } },
            },
          },
          model_context_window: 'keep',
          rate_limits: 'keep',
          num_turns: 'keep',
          item: { others: 'leave', members: spawnMembers },
        },
      },
    },
  },
  turn_context: {
    members: {
      payload: { others: 'leave', members: { ...startMembers, model: 'keep', cwd: 'keep', effort: 'keep' } },
    },
  },
  world_state: { members: { payload: { others: 'leave', members: startMembers } } },
};

/** Codex's rollouts, `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`, of all versions. */
export const codex: LineFormat = {
  kind: 'lines',
  id: 'codex',
  name: 'Codex rollout',
  matches: records =>
    records.some(record => isTimed(record) || isBareState(record) || isBareHeader(record)) ||
    mostAre(records, isWrapped) ||
    (mostAre(records, isBareItem) && records.some(isOwnItem)),
  members: {
    members: {},
    byType: {
      ...readPayloads,
      response_item: {
        members: {
          payload: {
            members: {},
            byType: {
              reasoning: encrypted,
              compaction: encrypted,
              compaction_summary: encrypted,
              context_compaction: encrypted,
            },
          },
        },
      },
    },
  },
  usageMembers: {
    members: {},
    byType: {
      ...readPayloads,
      response_item: {
        members: {
          payload: {
            members: {
              content: 'leave',
              output: 'leave',
              arguments: 'leave',
              input: 'leave',
              summary: 'leave',
              encrypted_content: 'leave',
            },
          },
        },
      },
    },
  },
  open: builder => new CodexReader(builder),
  openBeside: async (builder, siblings, first) => {
    const header = objectAt(first[0], 'payload');
    return new CodexReader(
      builder,
      recordsBefore(header) > 0 ? await readParents(header, siblings) : undefined,
    );
  },
};

function isTimed(record: unknown): boolean {
  return isWrapped(record) && member(record, 'timestamp') !== undefined;
}

function isWrapped(record: unknown): boolean {
  return wrappedTypes.has(stringAt(record, 'type') ?? '') && objectAt(record, 'payload') !== undefined;
}
