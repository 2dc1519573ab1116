import type { SessionProbe } from '../core/finder/sessionProbe';

/** A transcript's own name, and those of the folders above it, nearest first. */
export interface TranscriptPlace {
  readonly fileName: string;
  readonly folders: readonly string[];
}

interface SubagentLayout {
  /** Where the transcript of a subagent is, best guess first: patterns (see findFiles) from the transcript's folder. */
  readonly children: (place: TranscriptPlace, id: string) => readonly string[];
  /** Where the transcript is that started this one; the probe is of this one's beginning. */
  readonly parents: (place: TranscriptPlace, probe: SessionProbe) => readonly string[];
}

const rollouts = (id: string): readonly string[] => [
  `rollout-*-${id}.{jsonl,jsonl.zst}`,
  `../../../*/*/*/rollout-*-${id}.{jsonl,jsonl.zst}`,
];

/** In the file storage beside each other, and as exports under a name that has the id in it. */
const opencodeSessions = (id: string): readonly string[] => [`${id}.json`, `*${id}*.json`];

/**
 * Claude Code keeps subagents in a folder named after the session, those of workflows one level deeper; before 2.1 they
 * stood beside it.
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

/** A rollout is named after its thread, in a folder of the day on which it began. */
const codex: SubagentLayout = {
  children: (_, id) => rollouts(id),
  parents: (_, { parent }) => plain(parent, rollouts),
};

const layouts: Readonly<Record<string, SubagentLayout>> = {
  'claude-code': claudeCode,
  codex,
  'codex-exec': codex,
  'gemini-cli-log': {
    children: (_, id) => [`*/${id}.{jsonl,json}`],
    parents: ({ folders: [session, chats] }) =>
      chats === 'chats' ? plain(session, id => [`../session-*-${id.slice(0, 8)}.{jsonl,json}`]) : [],
  },
  'qwen-code': {
    children: (_, id) => [`../subagents/*/agent-${id}.jsonl`, `../subagents/*/agent-*-${id}.jsonl`],
    parents: ({ folders: [session, subagents] }) =>
      subagents === 'subagents' ? plain(session, id => [`../../chats/${id}.jsonl`]) : [],
  },
  opencode: {
    children: (_, id) => opencodeSessions(id),
    parents: (_, { parent }) => plain(parent, opencodeSessions),
  },
};

/** Patterns for the transcript of a subagent; empty where its agent keeps none, or for an id that is no plain name. */
export function subagentFiles(format: string, place: TranscriptPlace, id: string): readonly string[] {
  return plain(id, name => layouts[format]?.children(place, name) ?? []);
}

/** Patterns for the transcript that started this one as its subagent; empty where nothing says that one did. */
export function parentFiles(format: string, place: TranscriptPlace, probe: SessionProbe): readonly string[] {
  return layouts[format]?.parents(place, probe) ?? [];
}

/** Ids come out of transcripts and become part of a path. */
function plain(id: string | undefined, patterns: (name: string) => readonly string[]): readonly string[] {
  return id !== undefined && /^[\w-]+$/.test(id) ? patterns(id) : [];
}
