import type { AgentRow, RootRule } from './agentRow';

/** The folder of sessions of a program that began as a copy of opencode. */
function opencodeClone(agent: string, sign: string, name: string): AgentRow {
  return {
    agent,
    sign,
    roots: [{ xdg: 'data', below: name }],
    files: [
      { pattern: `{${name},${name}-*,opencode,opencode-*}.db`, project: 'record' },
      { pattern: 'storage/session/*/ses_*.json', project: 'record' },
    ],
    source: 'Kilo CLI 7.8.1; agentsview, internal/parser/types.go',
  };
}

function piClone(agent: string, sign: string, home: string): AgentRow {
  return {
    agent,
    sign,
    roots: [{ home }],
    files: [{ pattern: 'sessions/*/*.jsonl', project: 1 }],
    source: 'agentsview, internal/parser/types.go',
  };
}

/**
 * Less common agents, and agents that write in the format of another agent.
 * @param codeRoots the user data folders of VS Code and its variants
 */
export function furtherAgents(codeRoots: readonly RootRule[]): readonly AgentRow[] {
  return [
    {
      agent: 'Grok Build',
      sign: 'Gr',
      roots: [{ variable: 'GROK_HOME' }, { home: '.grok' }],
      files: [{ pattern: 'sessions/*/*/chat_history.jsonl', project: 1 }],
      source: 'Grok Build 1.0.41; docs/user-guide/17-sessions.md',
    },
    {
      agent: 'Hermes Agent',
      sign: 'He',
      roots: [{ variable: 'HERMES_HOME' }, { home: '.hermes' }],
      files: [
        { pattern: 'state.db', project: 'record' },
        { pattern: 'sessions/*.jsonl', project: 'record' },
        { pattern: 'sessions/session_*.json', project: 'record' },
      ],
      source: 'Hermes Agent, hermes_state.py',
    },
    {
      agent: 'Mistral Vibe',
      sign: 'Vi',
      roots: [{ variable: 'VIBE_HOME' }, { home: '.vibe' }],
      files: [{ pattern: 'logs/session/*/messages.jsonl', project: 1 }],
      source: 'Mistral Vibe 2.18.4, vibe/core/session/session_logger.py',
    },
    {
      agent: 'Kiro',
      sign: 'Kr',
      roots: [{ variable: 'KIRO_HOME' }, { home: '.kiro' }],
      files: [{ pattern: 'sessions/cli/*.jsonl', project: 'record' }],
      source: 'Kiro CLI; agentsview, internal/parser/kiro.go',
    },
    {
      agent: 'Devin CLI',
      sign: 'Dv',
      roots: [{ xdg: 'data', below: 'devin/cli' }],
      files: [{ pattern: 'sessions.db', project: 'record' }],
      source: 'agent-sessions, DevinSqliteReader.swift',
    },
    {
      agent: 'nanocoder',
      sign: 'Nc',
      roots: [
        { variable: 'NANOCODER_DATA_DIR' },
        { xdg: 'data', below: 'nanocoder' },
        { applicationData: 'nanocoder' },
      ],
      files: [{ pattern: 'sessions/*-*.json', project: 'record' }],
      source: 'nanocoder 1.30.0, config/paths.js and session/session-manager.js',
    },
    {
      agent: 'gptme',
      sign: 'Gp',
      roots: [{ variable: 'GPTME_LOGS_HOME' }, { xdg: 'data', below: 'gptme' }, { applicationData: 'gptme' }],
      files: [
        { pattern: '*/conversation.jsonl', project: 'record' },
        { pattern: 'logs/*/conversation.jsonl', project: 'record' },
      ],
      source: 'gptme, gptme/dirs.py and gptme/logmanager/manager.py',
    },
    {
      agent: 'Qoder',
      sign: 'Qd',
      roots: [
        { home: '.qoder' },
        { home: '.qoder-cn' },
        { home: '.qoderwork' },
        { applicationData: 'Qoder/SharedClientCache/cli' },
      ],
      files: [{ pattern: 'projects/*/*.jsonl', project: 1 }],
      subagents: ['projects/*/*/subagents/agent-*.jsonl'],
      source: 'Qoder CLI 1.1.52; agentsview, internal/parser/qoder_paths.go',
    },
    {
      agent: 'Zed',
      sign: 'Ze',
      roots: [{ xdg: 'data', below: 'zed' }, { applicationData: 'Zed' }, { home: 'AppData/Local/Zed' }],
      files: [{ pattern: 'threads/threads.db', project: 'record' }],
      source: 'Zed, crates/agent/src/db.rs and crates/paths',
    },
    {
      agent: 'Continue',
      sign: 'Ct',
      roots: [{ variable: 'CONTINUE_GLOBAL_DIR' }, { home: '.continue' }],
      files: [{ pattern: 'sessions/*-*.json', project: 'record' }],
      source: 'Continue, core/util/paths.ts',
    },
    {
      agent: 'OpenClaude',
      sign: 'Oc',
      roots: [{ variable: 'OPENCLAUDE_CONFIG_DIR' }, { home: '.openclaude' }],
      files: [{ pattern: 'projects/*/*.jsonl', project: 1 }],
      source: 'agentsview, internal/parser/types.go',
    },
    {
      agent: 'Claude Cowork',
      sign: 'Cw',
      roots: [
        { applicationData: 'Claude/local-agent-mode-sessions' },
        {
          home: 'AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/local-agent-mode-sessions',
        },
      ],
      files: [{ pattern: '*/*/local_*/.claude/projects/*/*.jsonl', project: 'record' }],
      source: 'agentsview, internal/parser/cowork.go',
    },
    {
      agent: 'TraeX',
      sign: 'Tx',
      roots: [{ home: '.trae/cli' }],
      files: [
        { pattern: 'sessions/*/*/*/rollout-*.{jsonl,jsonl.zst}', project: 'record' },
        { pattern: 'archived_sessions/rollout-*.{jsonl,jsonl.zst}', project: 'record' },
      ],
      source: 'agentsview, internal/parser/types.go',
    },
    {
      agent: 'Antigravity',
      sign: 'An',
      roots: [
        { home: '.gemini/antigravity' },
        { home: '.gemini/antigravity-cli' },
        { home: '.gemini/antigravity-ide' },
      ],
      files: [
        { pattern: 'conversations/*.trajectory.json', project: 'record' },
        { pattern: 'brain/*/.system_generated/logs/transcript.jsonl', project: 'record' },
      ],
      source:
        'agentsview, internal/parser/antigravity_cli.go; getspecstory, providers/antigravitycli/path_utils.go',
    },
    opencodeClone('Kilo', 'Kl', 'kilo'),
    opencodeClone('MiMoCode', 'Mi', 'mimocode'),
    opencodeClone('IcodeMate', 'Ic', 'icodemate'),
    {
      agent: 'Kilo Code',
      sign: 'Kc',
      roots: codeRoots,
      files: [
        {
          pattern: 'globalStorage/kilocode.kilo-code/tasks/*/api_conversation_history.json',
          project: 'record',
        },
      ],
      source: 'Kilo Code before April 2026, task folders',
    },
    piClone('oh-my-pi', 'om', '.omp/agent'),
    piClone('Prime', 'Pr', '.prime/agent'),
    {
      agent: 'QClaw',
      sign: 'Qc',
      roots: [{ home: '.qclaw' }],
      files: [{ pattern: 'agents/*/sessions/*.{jsonl,jsonl.deleted.*,jsonl.reset.*}', project: 1 }],
      source: 'agentsview, internal/parser/types.go',
    },
    {
      agent: 'Positron',
      sign: 'Po',
      roots: [{ applicationData: 'Positron/User' }],
      files: [
        {
          pattern: 'workspaceStorage/*/chatSessions/*.{json,jsonl}',
          project: 1,
          projectNote: 'workspace.json',
        },
      ],
      source: 'agentsview, internal/parser/types.go',
    },
  ];
}
