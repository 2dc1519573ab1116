import type { AgentRow, ProjectRule, RootRule } from './agentRow';
import { furtherAgents } from './furtherAgents';
import type { AddedFolder } from './pathMapping';

/**
 * The facts about a machine that decide the places of sessions. Passed as a parameter, so that every system can be
 * tested on any other.
 */
export interface Machine {
  readonly platform: 'linux' | 'macos' | 'windows';
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A place for the files of one agent. */
export interface SessionPlace {
  readonly agent: string;
  readonly root: string;
  /** Below the root; see findFiles. */
  readonly pattern: string;
  readonly project: ProjectRule;
  /** A file in the project's folder that names the working directory: as a path, or as `folder` of a JSON object. */
  readonly projectNote?: string;
  /** True if the agent is known. Then every matching file is listed, otherwise only transcripts. */
  readonly isKnown: boolean;
}

/** VS Code and its variants, by the name of their data folder, and the servers of remote windows. */
const codeRoots: readonly RootRule[] = [
  { variable: 'VSCODE_PORTABLE', below: 'user-data/User' },
  { variable: 'VSCODE_APPDATA', below: 'Code/User' },
  ...['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map(name => ({
    applicationData: `${name}/User`,
  })),
  ...['.vscode-server', '.vscode-server-insiders', '.vscode-remote'].map(name => ({
    home: `${name}/data/User`,
  })),
];

const claudeFiles = [{ pattern: 'projects/*/*.jsonl', project: 1 }] as const;

/**
 * The places where agents keep their sessions. A variable can move an agent's folder, but earlier sessions stay in the
 * default one, and an editor may lack the variables of the shell. So both are searched.
 */
const rows: readonly AgentRow[] = [
  {
    agent: 'Claude Code',
    sign: 'CC',
    roots: [{ variable: 'CLAUDE_CONFIG_DIR' }, { home: '.claude' }, { xdg: 'config', below: 'claude' }],
    files: claudeFiles,
    subagents: ['projects/*/*/subagents/agent-*.jsonl', 'projects/*/*/subagents/workflows/*/agent-*.jsonl'],
    source: 'Claude Code 2.1.330; ccusage, environment variables (a list with commas)',
  },
  {
    agent: 'Codex',
    sign: 'Cx',
    roots: [{ variable: 'CODEX_HOME' }, { home: '.codex' }],
    files: [
      { pattern: 'sessions/*/*/*/rollout-*.{jsonl,jsonl.zst}', project: 'record' },
      { pattern: 'sessions/rollout-*.{json,jsonl}', project: 'record' },
      { pattern: 'archived_sessions/rollout-*.{jsonl,jsonl.zst}', project: 'record' },
    ],
    source: 'Codex 0.169.0, codex-rs/rollout; Codex documentation, environment variables',
  },
  {
    agent: 'opencode',
    sign: 'oc',
    roots: [{ variable: 'OPENCODE_DATA_DIR' }, { xdg: 'data', below: 'opencode' }],
    files: [
      { pattern: '{opencode,opencode-*}.db', project: 'record' },
      { pattern: 'storage/session/*/ses_*.json', project: 'record' },
    ],
    source: 'opencode 1.18.34 and its earlier file storage; xdg-basedir',
  },
  {
    agent: 'Gemini CLI',
    sign: 'Ge',
    roots: [{ variable: 'GEMINI_CLI_HOME', below: '.gemini' }, { home: '.gemini' }],
    files: [
      { pattern: 'tmp/*/chats/session-*.{json,jsonl}', project: 1, projectNote: '.project_root' },
      { pattern: 'tmp/*/checkpoint-*.json', project: 1, projectNote: '.project_root' },
    ],
    subagents: ['tmp/*/chats/*/*.{json,jsonl}'],
    source: 'Gemini CLI 0.61.0; packages/core/src/utils/paths.ts',
  },
  {
    agent: 'Qwen Code',
    sign: 'Qw',
    roots: [{ variable: 'QWEN_RUNTIME_DIR' }, { variable: 'QWEN_HOME' }, { home: '.qwen' }],
    files: [{ pattern: 'projects/*/chats/*.jsonl', project: 1 }],
    subagents: ['projects/*/subagents/*/agent-*.jsonl'],
    source: 'Qwen Code 0.24.4',
  },
  {
    agent: 'iFlow',
    sign: 'iF',
    roots: [{ home: '.iflow' }],
    files: claudeFiles,
    source: 'iFlow CLI, files of its users',
  },
  {
    agent: 'Copilot CLI',
    recordedAs: ['GitHub Copilot CLI'],
    sign: 'Cp',
    roots: [{ variable: 'COPILOT_HOME' }, { home: '.copilot' }, { xdg: 'state', below: '.copilot' }],
    files: [
      { pattern: 'session-state/*/events.jsonl', project: 'record' },
      { pattern: '{session-state,history-session-state}/*.{json,jsonl}', project: 'record' },
    ],
    source: 'Copilot CLI 1.0.102; its configuration directory reference',
  },
  {
    agent: 'Copilot Chat',
    recordedAs: ['GitHub Copilot Chat', 'GitHub Copilot'],
    sign: 'Co',
    roots: codeRoots,
    files: [
      {
        pattern: 'workspaceStorage/*/chatSessions/*.{json,jsonl}',
        project: 1,
        projectNote: 'workspace.json',
      },
      {
        pattern:
          'workspaceStorage/*/GitHub.copilot-chat/{transcripts/*,debug-logs/*,debug-logs/*/main}.jsonl',
        project: 1,
        projectNote: 'workspace.json',
      },
      { pattern: 'globalStorage/emptyWindowChatSessions/*.{json,jsonl}', project: 1 },
      { pattern: 'globalStorage/github.copilot-chat/agent-traces.db', project: 'record' },
    ],
    source:
      'VS Code 1.100, chat session store; Copilot Chat, chatDebugFileLoggerService.ts, otelSqliteStore.ts',
  },
  {
    agent: 'Copilot Chat',
    sign: 'Co',
    roots: [{ fileVariable: 'COPILOT_OTEL_FILE_EXPORTER_PATH' }],
    files: [],
    source: 'Copilot Chat and Copilot CLI, documentation of monitoring',
  },
  {
    agent: 'Cline',
    sign: 'Cl',
    roots: [...codeRoots, { variable: 'CLINE_DIR', below: 'data' }, { home: '.cline/data' }],
    files: [
      {
        pattern: '{globalStorage/saoudrizwan.claude-dev/tasks,tasks}/*/api_conversation_history.json',
        project: 'record',
      },
    ],
    source: 'Cline, task folders',
  },
  {
    agent: 'Cline CLI',
    sign: 'Cn',
    roots: [
      { variable: 'CLINE_DATA_DIR' },
      { variable: 'CLINE_DIR', below: 'data' },
      { home: '.cline/data' },
    ],
    files: [{ pattern: 'sessions/*/*.messages.json', project: 'record' }],
    source: 'Cline CLI 3.0.65',
  },
  {
    agent: 'Roo Code',
    sign: 'Ro',
    roots: codeRoots,
    files: [
      {
        pattern: 'globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json',
        project: 'record',
      },
    ],
    source: 'Roo Code, task folders',
  },
  {
    agent: 'Cursor',
    sign: 'Cu',
    roots: [{ variable: 'CURSOR_CONFIG_DIR' }, { home: '.cursor' }],
    files: [{ pattern: 'projects/*/agent-transcripts/{*,*/*}.jsonl', project: 1 }],
    source: 'Cursor agent transcripts',
  },
  {
    agent: 'Droid',
    recordedAs: ['Factory Droid'],
    sign: 'Dr',
    roots: [{ variable: 'FACTORY_HOME_OVERRIDE', below: '.factory' }, { home: '.factory' }],
    files: [
      { pattern: 'sessions/*/*.jsonl', project: 1 },
      { pattern: 'sessions/*.jsonl', project: 'record' },
    ],
    source: 'Factory Droid',
  },
  {
    agent: 'pi',
    sign: 'pi',
    roots: [{ variable: 'PI_CODING_AGENT_DIR' }, { home: '.pi/agent' }],
    files: [{ pattern: 'sessions/*/*.jsonl', project: 1 }],
    source: 'pi 0.87.1, docs/session.md',
  },
  {
    agent: 'pi',
    sign: 'pi',
    roots: [{ variable: 'PI_CODING_AGENT_SESSION_DIR' }],
    files: [{ pattern: '{*,*/*}.jsonl', project: 'record' }],
    source: 'pi 0.87.1, docs/environment-variables.md',
  },
  {
    agent: 'OpenClaw',
    sign: 'Ow',
    roots: [{ variable: 'OPENCLAW_STATE_DIR' }, { home: '.openclaw' }, { home: '.kimi_openclaw' }],
    files: [{ pattern: 'agents/*/sessions/*.{jsonl,jsonl.deleted.*,jsonl.reset.*}', project: 1 }],
    source: 'OpenClaw documentation, where things live on disk',
  },
  {
    agent: 'Kimi',
    recordedAs: ['Kimi Code', 'Kimi CLI'],
    sign: 'Ki',
    roots: [{ variable: 'KIMI_SHARE_DIR' }, { home: '.kimi' }, { home: '.kimi-code' }],
    files: [{ pattern: 'sessions/*/*/context.jsonl', project: 1 }],
    source: 'Kimi CLI, share.py and session.py',
  },
  {
    agent: 'Goose',
    sign: 'Go',
    roots: [
      { variable: 'GOOSE_PATH_ROOT', below: 'data' },
      { xdg: 'data', below: 'goose' },
      { applicationData: 'Block/goose/data' },
    ],
    files: [{ pattern: 'sessions/{sessions.db,*.jsonl}', project: 'record' }],
    source: 'Goose, session storage',
  },
  {
    agent: 'Amp',
    sign: 'Am',
    roots: [{ variable: 'AMP_DATA_DIR' }, { xdg: 'data', below: 'amp' }],
    files: [{ pattern: 'threads/T-*.json', project: 'record' }],
    source: 'Amp thread files; ccusage, environment variables',
  },
  {
    agent: 'Crush',
    sign: 'Cr',
    roots: ['workspace', { home: '' }],
    files: [{ pattern: '.crush/crush.db', project: 'root' }],
    source: 'Crush, data directory',
  },
  {
    agent: 'Aider',
    sign: 'Ai',
    roots: ['workspace', { home: '' }],
    files: [{ pattern: '.aider.chat.history.md', project: 'root' }],
    source: 'Aider documentation, chat history file',
  },
  {
    agent: 'claude-trace',
    sign: 'ct',
    roots: ['workspace'],
    files: [{ pattern: '.claude-trace/log-*.jsonl', project: 'root' }],
    source: 'claude-trace, log folder',
  },
  ...furtherAgents(codeRoots),
];

/** The files searched in a folder that the user adds, unless it is a copy of an agent's own. */
const anyTranscript = '**/*.{jsonl,json,jsonl.zst,traj,eval,har,lhar,db,chat.history.md}';

/** The group of files in added folders whose agent is not known yet. */
export const otherAgent = 'Other';

/**
 * The two letters for an agent in a list, by the name of its folder or the one in its transcripts. For an agent without a
 * row, the beginning of its name.
 */
export function agentSign(agent: string): string {
  const known = rows.find(row => row.agent === agent || row.recordedAs?.includes(agent) === true);
  return known?.sign ?? agent.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 2);
}

/** Every possible place of sessions on a machine, even if it does not exist. */
export function sessionPlaces(
  machine: Machine,
  workspaceFolders: readonly string[] = [],
  addedFolders: readonly AddedFolder[] = [],
): readonly SessionPlace[] {
  const found = new Map<string, SessionPlace>();
  const add = (place: SessionPlace): void => {
    const key = `${place.agent}\0${place.root}\0${place.pattern}`;
    if (!found.has(key)) {
      found.set(key, place);
    }
  };
  for (const { agent, roots, files } of rows) {
    for (const path of roots.flatMap(rule => fileOf(rule, machine) ?? [])) {
      const [pattern = ''] = /[^/\\]+$/.exec(path) ?? [];
      const root = path.slice(0, -pattern.length - 1);
      // Other characters would have a meaning in a pattern.
      if (/^[\w. -]+$/.test(pattern)) {
        add({ agent, root, pattern, project: 'record', isKnown: true });
      }
    }
    const folders = roots.flatMap(rule => (rule === 'workspace' ? workspaceFolders : rootsOf(rule, machine)));
    for (const root of new Set(folders)) {
      files.flatMap(expandFolders).forEach(file => add({ agent, root, ...file, isKnown: true }));
    }
  }
  for (const { folder: root } of addedFolders) {
    const known = rows.filter(({ roots }) => roots.some(rule => isNamedLike(root, rule)));
    known.forEach(({ agent, files }) =>
      files.flatMap(expandFolders).forEach(file => add({ agent, root, ...file, isKnown: true })),
    );
    if (known.length === 0) {
      add({ agent: otherAgent, root, pattern: anyTranscript, project: 'record', isKnown: false });
    }
  }
  return [...found.values()];
}

/** True if a folder has the name of an agent's own folder in the home folder. Then it belongs to another home. */
function isNamedLike(folder: string, rule: RootRule): boolean {
  return (
    typeof rule === 'object' &&
    'home' in rule &&
    rule.home !== '' &&
    folder.replaceAll('\\', '/').endsWith(`/${rule.home}`)
  );
}

/** The places of subagents' sessions, for agents that keep them separately. */
export function subagentPlaces(machine: Machine): readonly SessionPlace[] {
  return rows.flatMap(({ agent, roots, subagents = [] }) =>
    roots
      .flatMap(rule => (rule === 'workspace' ? [] : rootsOf(rule, machine)))
      .flatMap(root =>
        subagents.map((pattern): SessionPlace => ({ agent, root, pattern, project: 1, isKnown: true })),
      ),
  );
}

/** The user data folders of VS Code and its variants, even if they do not exist. */
export function codeFolders(machine: Machine): readonly string[] {
  return codeRoots.flatMap(rule => (rule === 'workspace' ? [] : rootsOf(rule, machine)));
}

function fileOf(rule: RootRule, machine: Machine): string | undefined {
  return typeof rule === 'object' && 'fileVariable' in rule
    ? absolutePath(machine.environment[rule.fileVariable] ?? '', machine)
    : undefined;
}

/** Alternatives that span folders become separate patterns, because a pattern is matched folder by folder. */
function expandFolders<File extends { readonly pattern: string }>(file: File): readonly File[] {
  const match = /^(?<before>.*?)\{(?<choices>[^}]*\/[^}]*)\}(?<after>.*)$/.exec(file.pattern)?.groups;
  return match === undefined
    ? [file]
    : (match['choices'] ?? '')
        .split(',')
        .map(choice => ({ ...file, pattern: `${match['before'] ?? ''}${choice}${match['after'] ?? ''}` }));
}

function rootsOf(rule: Exclude<RootRule, 'workspace'>, machine: Machine): readonly string[] {
  const { environment, home, platform } = machine;
  const base = (variable: string, ...ordinary: readonly string[]): string =>
    absolutePath(environment[variable] ?? '', machine) ?? join(machine, home, ...ordinary);
  if ('variable' in rule) {
    return (environment[rule.variable] ?? '')
      .split(',')
      .flatMap(value => absolutePath(value.trim(), machine) ?? [])
      .map(folder => join(machine, folder, rule.below ?? ''));
  }
  if ('fileVariable' in rule) {
    return [];
  }
  if ('home' in rule) {
    return [join(machine, home, rule.home)];
  }
  if ('xdg' in rule) {
    const folders = {
      config: () => base('XDG_CONFIG_HOME', '.config'),
      data: () => base('XDG_DATA_HOME', '.local/share'),
      state: () => base('XDG_STATE_HOME', '.local/state'),
    };
    return [join(machine, folders[rule.xdg](), rule.below)];
  }
  const applicationData = {
    linux: () => base('XDG_CONFIG_HOME', '.config'),
    macos: () => join(machine, home, 'Library/Application Support'),
    windows: () => base('APPDATA', 'AppData/Roaming'),
  };
  return [join(machine, applicationData[platform](), rule.applicationData)];
}

/** The path in a setting or a variable; undefined if it depends on the current directory. */
export function absolutePath(path: string, machine: Machine): string | undefined {
  if (path === '~' || /^~[/\\]/.test(path)) {
    return join(machine, machine.home, path.slice(2));
  }
  const isAbsolute =
    machine.platform === 'windows' ? /^(?:[a-z]:[/\\]|\\\\|\/\/)/i.test(path) : path.startsWith('/');
  return isAbsolute ? join(machine, path) : undefined;
}

/** Joins with the system's separator, without one at the end. */
function join({ platform }: Machine, first: string, ...rest: readonly string[]): string {
  const separator = platform === 'windows' ? '\\' : '/';
  const path = [first, ...rest.filter(part => part !== '')].join('/');
  const own = platform === 'windows' ? path.replaceAll('/', '\\') : path;
  return own.length > 1 && own.endsWith(separator) && !own.endsWith(`:${separator}`) ? own.slice(0, -1) : own;
}
