import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addedFoldersFrom } from '../../../src/core/finder/addedFolders';
import { type Machine, agentSign, sessionPlaces } from '../../../src/core/finder/agentLocations';

function rootsOf(agent: string, machine: Machine, workspace: readonly string[] = []): readonly string[] {
  return [
    ...new Set(
      sessionPlaces(machine, workspace)
        .filter(place => place.agent === agent)
        .map(({ root }) => root),
    ),
  ];
}

const linux: Machine = { platform: 'linux', home: '/home/ada', environment: {} };
const macos: Machine = { platform: 'macos', home: '/Users/ada', environment: {} };
const windows: Machine = {
  platform: 'windows',
  home: 'C:\\Users\\ada',
  environment: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
};

describe('the signs of agents', () => {
  it('are two letters, different for every agent', () => {
    const agents = [...new Set(sessionPlaces(linux, ['/w']).map(({ agent }) => agent))];
    assert.equal(agents.length, 43);
    const signs = agents.map(agentSign);
    assert.equal(new Set(signs).size, agents.length, signs.join(' '));
    assert.ok(
      signs.every(sign => /^[a-zA-Z]{2}$/.test(sign)),
      signs.join(' '),
    );
    assert.deepStrictEqual(
      ['Claude Code', 'Codex', 'opencode', 'Gemini CLI', 'Copilot CLI', 'pi', 'SWE-agent', '— ?'].map(
        agentSign,
      ),
      ['CC', 'Cx', 'oc', 'Ge', 'Cp', 'pi', 'SW', ''],
    );
  });
  it('are the same for the names that transcripts have', () => {
    assert.deepStrictEqual(
      [
        'GitHub Copilot CLI',
        'GitHub Copilot Chat',
        'GitHub Copilot',
        'Factory Droid',
        'Kimi Code',
        'Kimi CLI',
      ].map(agentSign),
      ['Cp', 'Co', 'Co', 'Dr', 'Ki', 'Ki'],
    );
  });
});

describe('places of sessions', () => {
  it('are below the home folder on every system', () => {
    assert.deepStrictEqual(
      [linux, macos, windows].map(machine => rootsOf('Codex', machine)),
      [['/home/ada/.codex'], ['/Users/ada/.codex'], ['C:\\Users\\ada\\.codex']],
    );
    assert.deepStrictEqual(rootsOf('opencode', windows), ['C:\\Users\\ada\\.local\\share\\opencode']);
  });

  it('follow the data folders of the systems for VS Code', () => {
    assert.deepStrictEqual(
      [linux, macos, windows].map(machine => rootsOf('Roo Code', machine)[0]),
      [
        '/home/ada/.config/Code/User',
        '/Users/ada/Library/Application Support/Code/User',
        'C:\\Users\\ada\\AppData\\Roaming\\Code\\User',
      ],
    );
  });

  it('follow the data folders of the systems for Zed and Claude’s desktop program', () => {
    const last = (agent: string): readonly (string | undefined)[] =>
      [linux, macos, windows].map(machine => rootsOf(agent, machine)[agent === 'Zed' ? 1 : 0]);
    assert.deepStrictEqual(last('Claude Cowork'), [
      '/home/ada/.config/Claude/local-agent-mode-sessions',
      '/Users/ada/Library/Application Support/Claude/local-agent-mode-sessions',
      'C:\\Users\\ada\\AppData\\Roaming\\Claude\\local-agent-mode-sessions',
    ]);
    assert.equal(last('Zed')[1], '/Users/ada/Library/Application Support/Zed');
    assert.ok(rootsOf('Zed', windows).includes('C:\\Users\\ada\\AppData\\Local\\Zed'));
  });

  it('are moved by the variables of the agents, without forgetting the ordinary ones', () => {
    const set = (environment: Record<string, string>): Machine => ({ ...linux, environment });
    const cases: readonly [agent: string, variable: string, value: string, root: string][] = [
      ['Claude Code', 'CLAUDE_CONFIG_DIR', '/data/claude', '/data/claude'],
      ['Codex', 'CODEX_HOME', '/data/codex/', '/data/codex'],
      ['opencode', 'XDG_DATA_HOME', '/data/xdg', '/data/xdg/opencode'],
      ['Gemini CLI', 'GEMINI_CLI_HOME', '/data/g', '/data/g/.gemini'],
      ['Qwen Code', 'QWEN_RUNTIME_DIR', '~/qwen', '/home/ada/qwen'],
      ['Copilot CLI', 'COPILOT_HOME', '/data/copilot', '/data/copilot'],
      ['Cline CLI', 'CLINE_DIR', '/data/cline', '/data/cline/data'],
      ['Droid', 'FACTORY_HOME_OVERRIDE', '/data/f', '/data/f/.factory'],
      ['pi', 'PI_CODING_AGENT_DIR', '/data/pi', '/data/pi'],
      ['OpenClaw', 'OPENCLAW_STATE_DIR', '/data/claw', '/data/claw'],
      ['Kimi', 'KIMI_SHARE_DIR', '/data/kimi', '/data/kimi'],
      ['Goose', 'GOOSE_PATH_ROOT', '/data/goose', '/data/goose/data'],
      ['Grok Build', 'GROK_HOME', '/data/grok', '/data/grok'],
      ['Hermes Agent', 'HERMES_HOME', '/data/hermes', '/data/hermes'],
      ['Mistral Vibe', 'VIBE_HOME', '/data/vibe', '/data/vibe'],
      ['Kiro', 'KIRO_HOME', '/data/kiro', '/data/kiro'],
      ['Continue', 'CONTINUE_GLOBAL_DIR', '/data/continue', '/data/continue'],
      ['OpenClaude', 'OPENCLAUDE_CONFIG_DIR', '/data/claude', '/data/claude'],
      ['Copilot Chat', 'VSCODE_PORTABLE', '/data/code', '/data/code/user-data/User'],
    ];
    for (const [agent, variable, value, root] of cases) {
      const roots = rootsOf(agent, set({ [variable]: value }));
      assert.ok(roots.includes(root), `${variable}: ${roots.join(', ')}`);
      assert.ok(agent === 'opencode' || roots.length > 1, `${agent} forgot its ordinary folder`);
    }
    assert.deepStrictEqual(
      rootsOf('Claude Code', set({ CLAUDE_CONFIG_DIR: '/one, /two', XDG_CONFIG_HOME: '/xdg' })),
      ['/one', '/two', '/home/ada/.claude', '/xdg/claude'],
    );
  });

  it('are the file that a variable names', () => {
    const named = (value: string) =>
      sessionPlaces({ ...linux, environment: { COPILOT_OTEL_FILE_EXPORTER_PATH: value } })
        .filter(({ pattern }) => pattern === 'spans.jsonl' || pattern.includes('*.jsonl{'))
        .map(({ agent, root, pattern }) => `${agent}: ${root} ${pattern}`);
    assert.deepStrictEqual(named('/data/traces/spans.jsonl'), ['Copilot Chat: /data/traces spans.jsonl']);
    assert.deepStrictEqual(named('spans.jsonl'), []);
    assert.deepStrictEqual(named('/data/*.jsonl{a,b}'), []);
  });

  it('ignore variables that would depend on where the program was started', () => {
    assert.deepStrictEqual(rootsOf('Codex', { ...linux, environment: { CODEX_HOME: '../codex' } }), [
      '/home/ada/.codex',
    ]);
    assert.deepStrictEqual(rootsOf('Codex', { ...windows, environment: { CODEX_HOME: '/codex' } }), [
      'C:\\Users\\ada\\.codex',
    ]);
  });

  it('are in the folders of the workspace for agents that write there', () => {
    assert.deepStrictEqual(rootsOf('Aider', linux, ['/work/shop', '/work/till']), [
      '/work/shop',
      '/work/till',
      '/home/ada',
    ]);
  });

  it('include the folders that the user adds', () => {
    const { folders } = addedFoldersFrom(['~/captures', '/data/runs/', 'relative', '~'], linux);
    const added = sessionPlaces(linux, [], folders).filter(({ isKnown }) => !isKnown);
    assert.deepStrictEqual(
      added.map(({ root }) => root),
      ['/home/ada/captures', '/data/runs', '/home/ada'],
    );
    const copied = sessionPlaces(linux, [], addedFoldersFrom(['/laptop/.codex'], linux).folders).filter(
      ({ root }) => root === '/laptop/.codex',
    );
    assert.ok(copied.length > 0);
    assert.ok(
      copied.every(({ agent, isKnown, pattern }) => agent === 'Codex' && isKnown && !pattern.includes('**')),
    );
  });
});
