import type { MemberFilter } from '../../reading/memberFilter';

type Members = MemberFilter['members'];

function keepAll(...names: readonly string[]): Members {
  return Object.fromEntries(names.map(name => [name, 'keep']));
}

function only(members: Members): MemberFilter {
  return { others: 'leave', members };
}

/** Usage is kept whole: its reader is shared with other formats, and knows more members than one agent writes. */
const messageMembers: Members = keepAll('id', 'role', 'model', 'usage');

/** The line of a subagent in its progress. */
function progressMessage(more: Members): MemberFilter {
  return only({ ...keepAll('type', 'uuid', 'timestamp'), message: only({ ...messageMembers, ...more }) });
}

/** The members read from every line, even if its texts are not needed. */
const lineMembers: Members = {
  ...keepAll('type', 'subtype', 'uuid', 'parentUuid', 'sessionId', 'version', 'cwd', 'timestamp'),
  ...keepAll('isSidechain', 'agentId', 'parentToolUseID', 'requestRef'),
  ...keepAll('isApiErrorMessage', 'isCompactSummary', 'isMeta', 'isVisibleInTranscriptOnly'),
  ...keepAll('summary', 'customTitle', 'aiTitle', 'title'),
  ...keepAll('compactMetadata', 'microcompactMetadata'),
  // Members of request records.
  ...keepAll('id', 'hash', 'shapeHash', 'base', 'keep', 'tail', 'params', 'cacheControl'),
  // Members of a result's copy for the interface, and of progress.
  toolUseResult: only(keepAll('agentId', 'totalTokens')),
  data: only({ ...keepAll('type', 'agentId', 'hookName'), message: progressMessage({}) }),
};

/** The members that the reader of Claude Code's lines reads. */
export const claudeCodeMembers: MemberFilter = only({
  ...lineMembers,
  ...keepAll('attributionSkill', 'attributionPlugin', 'attributionAgent', 'attributionMcpServer', 'effort'),
  ...keepAll('content', 'attachment', 'rendered', 'renderedRole', 'shape'),
  message: only({ ...messageMembers, ...keepAll('content', 'diagnostics') }),
  data: only({
    ...keepAll('type', 'agentId', 'hookName'),
    message: progressMessage(keepAll('content', 'diagnostics')),
  }),
});

/** The members that requests and their usage are read from. */
export const claudeCodeUsageMembers: MemberFilter = only({ ...lineMembers, message: only(messageMembers) });

/**
 * In the main conversation, usage is recorded only in the model's messages and in the records for requests, titles and
 * compactions.
 */
export function isWithoutUsage(record: string): boolean {
  return (
    record.includes('"isSidechain":false') &&
    /"type":"(?:user|progress|attachment)"/.test(record) &&
    !/"usage"|"agent_progress"|"isCompactSummary"/.test(record)
  );
}
