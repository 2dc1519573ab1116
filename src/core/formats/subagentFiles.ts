/** The facts in a session's beginning about its relation to others. */
interface Relations {
  /** The id of the session that started this one as its subagent. */
  readonly parent?: string;
  readonly sessionId?: string;
}

/** The name of a transcript, and the names of the folders above it, nearest first. */
export interface TranscriptPlace {
  readonly fileName: string;
  readonly folders: readonly string[];
}

interface SubagentLayout {
  /** Patterns (see findFiles) for the transcript of a subagent, from the transcript's folder, best guess first. */
  readonly children: (place: TranscriptPlace, id: string) => readonly string[];
  /** Patterns for all of them, if they are in a folder that is named after the session. */
  readonly all?: (place: TranscriptPlace, sessionId: string | undefined) => readonly string[];
  /** Patterns for the parent transcript. The probe comes from the beginning of this transcript. */
  readonly parents: (place: TranscriptPlace, probe: Relations) => readonly string[];
}

const rollouts = (id: string): readonly string[] => [
  `rollout-*-${id}.{jsonl,jsonl.zst}`,
  `../../../*/*/*/rollout-*-${id}.{jsonl,jsonl.zst}`,
];

/** In the file storage, all sessions are in one folder. The file name of an export contains the id. */
const opencodeSessions = (id: string): readonly string[] => [`${id}.json`, `*${id}*.json`];

/**
 * Claude Code keeps subagents in a folder named after the session, and subagents of workflows one level deeper. Before
 * 2.1, they were next to the session.
 */
const claudeCode: SubagentLayout = {
  children: ({ fileName }, id) => {
    const session = fileName.replace(/\.jsonl$/i, '');
    return [
      `${session}/subagents/agent-${id}.jsonl`,
      `${session}/subagents/workflows/*/agent-${id}.jsonl`,
      `agent-${id}.jsonl`,
    ];
  },
  all: ({ fileName }) =>
    plain(fileName.replace(/\.jsonl$/i, ''), session => [
      `${session}/subagents/agent-*.jsonl`,
      `${session}/subagents/workflows/*/agent-*.jsonl`,
    ]),
  parents: ({ fileName, folders: [first, second, third, fourth] }, { sessionId }) => {
    if (!fileName.startsWith('agent-')) {
      return [];
    }
    if (first === 'subagents') {
      return plain(second, session => [`../../${session}.jsonl`]);
    }
    if (second === 'workflows' && third === 'subagents') {
      return plain(fourth, session => [`../../../../${session}.jsonl`]);
    }
    return plain(sessionId, session => [`${session}.jsonl`]);
  },
};

/** A rollout is named after its thread. Its folder is the day of its first record. */
const codex: SubagentLayout = {
  children: (_, id) => rollouts(id),
  parents: (_, { parent }) => plain(parent, rollouts),
};

const layouts: Readonly<Record<string, SubagentLayout>> = {
  'claude-code': claudeCode,
  codex,
  'codex-exec': codex,
  'copilot-debug-log': {
    children: (_, id) => [`*-${id}.jsonl`],
    parents: ({ fileName }) => (fileName === 'main.jsonl' ? [] : ['main.jsonl']),
  },
  'gemini-cli-log': {
    children: (_, id) => [`*/${id}.{jsonl,json}`],
    all: ({ folders: [chats] }, sessionId) =>
      chats === 'chats' ? plain(sessionId, session => [`${session}/*.{jsonl,json}`]) : [],
    parents: ({ folders: [session, chats] }) =>
      chats === 'chats' ? plain(session, id => [`../session-*-${id.slice(0, 8)}.{jsonl,json}`]) : [],
  },
  'qwen-code': {
    children: (_, id) => [`../subagents/*/agent-${id}.jsonl`, `../subagents/*/agent-*-${id}.jsonl`],
    all: ({ fileName, folders: [chats] }) =>
      chats === 'chats'
        ? plain(fileName.replace(/\.jsonl$/i, ''), session => [`../subagents/${session}/agent-*.jsonl`])
        : [],
    parents: ({ folders: [session, subagents] }) =>
      subagents === 'subagents' ? plain(session, id => [`../../chats/${id}.jsonl`]) : [],
  },
  // A subagent's session is in the folder next to its parent's, but does not name its parent.
  'grok-build': { children: (_, id) => [`../${id}/chat_history.jsonl`], parents: () => [] },
  opencode: {
    children: (_, id) => opencodeSessions(id),
    parents: (_, { parent }) => plain(parent, opencodeSessions),
  },
};

/** Patterns for the transcript of a subagent; empty if its agent stores none, or if the id is not a plain name. */
export function subagentFiles(format: string, place: TranscriptPlace, id: string): readonly string[] {
  return plain(id, name => layouts[format]?.children(place, name) ?? []);
}

/** Patterns for the transcripts of all subagents of a session; empty unless a folder is named after the session. */
export function allSubagentFiles(
  format: string,
  place: TranscriptPlace,
  sessionId: string | undefined,
): readonly string[] {
  return layouts[format]?.all?.(place, sessionId) ?? [];
}

/** Patterns for the parent transcript, which started this one as a subagent; empty without evidence for a parent. */
export function parentFiles(format: string, place: TranscriptPlace, probe: Relations): readonly string[] {
  return layouts[format]?.parents(place, probe) ?? [];
}

/** Ids come from transcripts and become part of a file's name, which has at most 255 bytes. */
function plain(id: string | undefined, patterns: (name: string) => readonly string[]): readonly string[] {
  return id !== undefined && /^[\w-]{1,200}$/.test(id) ? patterns(id) : [];
}
