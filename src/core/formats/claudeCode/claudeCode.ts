import { isArray, isObject, member, stringAt } from '../../base/json';
import type { LineFormat } from '../../reading/format';
import { claudeCodeMembers, claudeCodeUsageMembers, isWithoutUsage } from './claudeCodeMembers';
import { mostAre } from '../common/mostAre';
import { ClaudeCodeReader } from './claudeCodeReader';

/** Claude Code's session files, `~/.claude/projects/<folder>/<session>.jsonl`, and its subagents' own files. */
export const claudeCode: LineFormat = {
  kind: 'lines',
  id: 'claude-code',
  name: 'Claude Code',
  matches: records =>
    records.some(
      record =>
        typeof member(record, 'uuid') === 'string' &&
        isObject(record) &&
        Object.hasOwn(record, 'parentUuid') &&
        (Object.hasOwn(record, 'isSidechain') || Object.hasOwn(record, 'sessionId')) &&
        !isArray(member(member(record, 'message'), 'parts')),
    ) ||
    (records.length > 0 && records.every(isSessionState)) ||
    mostAre(records, isBareMessage),
  members: claudeCodeMembers,
  usageMembers: claudeCodeUsageMembers,
  isWithoutUsage,
  open: builder => new ClaudeCodeReader(builder),
};

const sessionStates: ReadonlySet<string> = new Set([
  'queue-operation',
  'last-prompt',
  'mode',
  'permission-mode',
  'ai-title',
  'custom-title',
  'agent-name',
  'pr-link',
  'atis-latch',
  'cost-state',
  'tools-used',
  'api-request',
  'api-request-shape',
  'api-request-blob',
]);

/** A message without its place in the tree, as Claude Code on the web and exports keep it. */
function isBareMessage(record: unknown): boolean {
  const type = stringAt(record, 'type') ?? '';
  return (
    (type === 'user' || type === 'assistant') &&
    stringAt(member(record, 'message'), 'role') === type &&
    member(member(record, 'message'), 'content') !== undefined &&
    stringAt(record, 'timestamp') !== undefined &&
    ['session_id', 'v', 'agent'].every(key => member(record, key) === undefined) &&
    !isArray(member(member(record, 'message'), 'parts'))
  );
}

/** Records that come before the first message of a session; a file that has just been created has no others. */
function isSessionState(record: unknown): boolean {
  const type = stringAt(record, 'type') ?? '';
  return (
    type === 'file-history-snapshot' ||
    (type === 'summary' && stringAt(record, 'leafUuid') !== undefined) ||
    (sessionStates.has(type) && stringAt(record, 'sessionId') !== undefined)
  );
}
