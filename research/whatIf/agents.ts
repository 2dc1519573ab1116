import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentsUnderTest, type AgentUnderTest } from '../agents/agents';
import type { Wish } from '../agents/scenario';

/** One setting that differs from the agent's base. */
export interface Variation {
  readonly environment?: Readonly<Record<string, string>>;
  /** Tokens of the memory file, 200 by default; 0 for none. */
  readonly memoryTokens?: number;
  /** Another model than the agent's usual one. */
  readonly model?: string;
  /** True if replies begin with thinking; `kept` if opencode is set to send it again. */
  readonly thinks?: true | 'kept';
  /** True if the cache keeps every prefix of 1,024 tokens and more, wherever the agent's breakpoints are. */
  readonly marksAll?: true;
  /** True to connect the MCP server `ledger`. */
  readonly server?: boolean;
  /** When the agent compacts, by its `compactAt`; never by default. */
  readonly compacts?: 'late' | 'early';
  /** opencode's pruning, with its threshold of 40,000 tokens or with one of 20,000. */
  readonly prune?: 40_000 | 20_000;
}

/** An agent with the settings that it can vary. */
export interface VariedAgent {
  readonly name: 'claude' | 'codex' | 'opencode';
  readonly memoryFile: string;
  /** The tool that reads a file as a whole. */
  readonly reads: Wish['tool'];
  readonly environment: (url: string, variation: Variation) => Readonly<Record<string, string>>;
  /** Below the home folder. */
  readonly files: (url: string, variation: Variation, server: string) => Readonly<Record<string, string>>;
  readonly words: (words: readonly string[], home: string, variation: Variation) => readonly string[];
  /** The agent's own settings for a late and an early compaction, in tokens. */
  readonly compactAt: Readonly<Record<'late' | 'early', number>>;
  /** What it keeps free: it compacts above the setting less these tokens. */
  readonly reserve: number;
}

const opencodeModel = { attachment: false, tool_call: true };

// Claude Code takes no window below 100,000.
const claudeWindows = { late: 112_000, early: 100_000 } as const;
const codexLimits = { late: 60_000, early: 45_000 } as const;
const opencodeWindows = { late: 60_000, early: 45_000 } as const;

export const variedAgents: readonly VariedAgent[] = [
  {
    name: 'claude',
    memoryFile: 'CLAUDE.md',
    reads: 'read',
    environment: (_, { compacts, environment }) => ({
      ...(environment?.['ENABLE_PROMPT_CACHING_1H'] === undefined ? { FORCE_PROMPT_CACHING_5M: '1' } : {}),
      ...(compacts === undefined ? {} : { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(claudeWindows[compacts]) }),
      ...environment,
    }),
    files: (_, { server }, script) =>
      server === true
        ? {
            'mcp.json': JSON.stringify({
              mcpServers: { ledger: { command: process.execPath, args: [script] } },
            }),
          }
        : {},
    words: (words, home, { model = 'claude-sonnet-4-5', server }) => [
      ...words,
      '--model',
      model,
      ...(server === true ? ['--mcp-config', join(home, 'mcp.json'), '--strict-mcp-config'] : []),
    ],
    // 20,000 for a reply and 13,000 more.
    compactAt: claudeWindows,
    reserve: 33_000,
  },
  {
    name: 'codex',
    memoryFile: 'AGENTS.md',
    reads: 'shell',
    environment: () => ({}),
    files: (url, { compacts, model, server }, script) => {
      const usual = String(agentNamed('codex').files?.(url)['.codex/config.toml']);
      const base = model === undefined ? usual : usual.replace(/^model = .*$/m, `model = "${model}"`);
      return {
        '.codex/config.toml': [
          ...(compacts === undefined ? [] : [`model_auto_compact_token_limit = ${codexLimits[compacts]}`]),
          base,
          ...(server === true
            ? [
                '[mcp_servers.ledger]',
                `command = ${JSON.stringify(process.execPath)}`,
                `args = ["${script}"]`,
              ]
            : []),
          '',
        ].join('\n'),
      };
    },
    words: words => words,
    compactAt: codexLimits,
    reserve: 0,
  },
  {
    name: 'opencode',
    memoryFile: 'AGENTS.md',
    reads: 'read',
    environment: () => ({}),
    files: (url, { compacts, model = 'gpt-5.5', prune, server, thinks }, script) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        // Otherwise it copies the files of the surrounding repository for each step.
        snapshot: false,
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: {
              [model]: {
                ...opencodeModel,
                name: model,
                ...(thinks === undefined ? {} : { reasoning: true }),
                ...(thinks === 'kept' ? { interleaved: { field: 'reasoning_content' } } : {}),
                limit: {
                  context: compacts === undefined ? 400_000 : opencodeWindows[compacts],
                  output: 8000,
                },
              },
            },
          },
        },
        model: `local/${model}`,
        small_model: `local/${model}`,
        permission: 'allow',
        compaction: { prune: prune !== undefined },
        ...(server === true
          ? { mcp: { ledger: { type: 'local', command: [process.execPath, script], enabled: true } } }
          : {}),
      }),
    }),
    words: words => words,
    compactAt: opencodeWindows,
    reserve: 8000,
  },
];

export function agentNamed(name: string): AgentUnderTest {
  const found = agentsUnderTest.find(agent => agent.name === name);
  if (found === undefined) {
    throw new Error(`No agent named ${name}.`);
  }
  return found;
}

/**
 * opencode with one constant changed: its threshold for pruning is no setting. The program is one file with its source in
 * it, so the digits can be replaced in place.
 */
export function withProtect20(program: string): string {
  const changed = join(dirname(program), 'opencode-protect-20000');
  if (!existsSync(changed)) {
    const bytes = readFileSync(program);
    const [before, after] = [Buffer.from('Fa=20000,Na=40000,'), Buffer.from('Fa=20000,Na=20000,')];
    const place = bytes.indexOf(before);
    if (place < 0) {
      throw new Error('The constant is not in this version of opencode.');
    }
    after.copy(bytes, place);
    writeFileSync(changed, bytes);
    chmodSync(changed, 0o755);
  }
  return changed;
}
