import { translate } from '../base/translate';
import { serverToolOf } from '../content/toolSources';
import type { WasteKind } from './wasteKinds';
import { noisyProgram } from './noisyPrograms';
import type { WasteFinding } from './wasteReport';

/** The fix for a finding: a sentence, and a command or setting; empty if there is nothing to type. */
export interface Advice {
  readonly text: string;
  readonly code: string;
}

interface Agent {
  /** Formats of its transcripts. */
  readonly formats: readonly string[];
  /** The file of instructions that a project gives it. */
  readonly memory: string;
  /** The agent's own words make up the system prompt. */
  readonly ownPrompt: boolean;
  readonly removeServer?: (server: string) => Advice;
  /** @param server empty for the agent's own tools */
  readonly removeTools?: (server: string, tools: readonly string[]) => Advice;
  /** Leaves out old results during a conversation. */
  readonly clearResults?: () => Advice;
}

/** The names that a server itself gives its tools. */
const plainNames = (tools: readonly string[]): readonly string[] =>
  tools.map(tool => serverToolOf(tool)?.tool ?? tool);

const forProject = (): string => translate('For this project:');
const inSettings = (file: string): string => translate('In {0}:', file);
const quoted = (names: readonly string[]): string => JSON.stringify(names);

/** Gemini CLI and its forks. */
const likeGemini = (formats: readonly string[], memory: string, program: string): Agent => ({
  formats,
  memory,
  ownPrompt: true,
  removeServer: server => ({ text: forProject(), code: `${program} mcp remove ${server}` }),
  removeTools: (server, tools) =>
    server === ''
      ? { text: inSettings(`.${program}/settings.json`), code: `"tools": { "exclude": ${quoted(tools)} }` }
      : {
          text: inSettings(`.${program}/settings.json`),
          code: `"mcpServers": { "${server}": { "excludeTools": ${quoted(plainNames(tools))} } }`,
        },
});

/**
 * Settings and commands of each agent that change what it sends (from its documentation and `--help`, 2026-11). Without
 * a row or an entry, the advice is a habit that works with any agent.
 */
const agents: readonly Agent[] = [
  {
    formats: ['claude-code', 'claude-stream-json', 'claude-result'],
    memory: 'CLAUDE.md',
    ownPrompt: true,
    removeServer: server => ({ text: forProject(), code: `claude mcp remove ${server}` }),
    // A rule of a bare name takes the tool out of the context.
    removeTools: (_, tools) => ({
      text: inSettings('.claude/settings.json'),
      code: `"permissions": { "deny": ${quoted(tools)} }`,
    }),
    clearResults: () => ({ text: translate('Between tasks:'), code: '/clear' }),
  },
  {
    formats: ['codex', 'codex-exec'],
    memory: 'AGENTS.md',
    ownPrompt: true,
    removeServer: server => ({
      text: inSettings('config.toml'),
      code: `[mcp_servers.${server}]\nenabled = false`,
    }),
    removeTools: (server, tools) =>
      server === ''
        ? { text: translate('Start the agent without the features that add these tools.'), code: '' }
        : {
            text: inSettings('config.toml'),
            code: `[mcp_servers.${server}]\ndisabled_tools = ${quoted(plainNames(tools))}`,
          },
    clearResults: () => ({ text: translate('Between tasks:'), code: '/new' }),
  },
  {
    formats: ['opencode', 'opencode-run'],
    memory: 'AGENTS.md',
    ownPrompt: true,
    removeServer: server => ({
      text: inSettings('opencode.json'),
      code: `"mcp": { "${server}": { "enabled": false } }`,
    }),
    removeTools: (_, tools) => ({
      text: inSettings('opencode.json'),
      code: `"tools": { ${tools.map(tool => `"${tool}": false`).join(', ')} }`,
    }),
    clearResults: () => ({ text: inSettings('opencode.json'), code: '"compaction": { "prune": true }' }),
  },
  likeGemini(
    ['gemini-cli-log', 'gemini-cli-chat', 'gemini-checkpoint', 'gemini-stream-json'],
    'GEMINI.md',
    'gemini',
  ),
  likeGemini(['qwen-code'], 'QWEN.md', 'qwen'),
  {
    formats: ['copilot-events', 'copilot-traces', 'copilot-spans', 'copilot-usage'],
    memory: 'AGENTS.md',
    ownPrompt: true,
    removeServer: server => ({
      text: translate('Start the agent with'),
      code: `--disable-mcp-server ${server}`,
    }),
    removeTools: (_, tools) => ({
      text: translate('Start the agent with'),
      code: `--excluded-tools ${tools.join(' ')}`,
    }),
    clearResults: () => ({ text: translate('Between tasks:'), code: '/clear' }),
  },
  {
    formats: ['copilot-chat-replay', 'copilot-debug-log', 'vscode-chat', 'vscode-chat-log'],
    memory: '.github/copilot-instructions.md',
    ownPrompt: true,
    removeServer: () => ({
      text: translate('In the chat view, open “Configure Tools” and uncheck the server.'),
      code: '',
    }),
    removeTools: () => ({
      text: translate('In the chat view, open “Configure Tools” and uncheck the tools.'),
      code: '',
    }),
  },
  {
    formats: ['cline', 'cline-stream'],
    memory: '.clinerules',
    ownPrompt: true,
    removeServer: server => ({
      text: inSettings('cline_mcp_settings.json'),
      code: `"${server}": { "disabled": true }`,
    }),
  },
  { formats: ['grok-build', 'grok-build-files', 'pi', 'zed'], memory: 'AGENTS.md', ownPrompt: true },
];

/** The group of findings about texts of hooks. */
export const hookGroup = 'hook';

/** The beginning of a system prompt that an agent wrote, in captures of its requests. */
const promptOfAgent =
  /^\s*(?:x-anthropic-billing-header|You are (?:an interactive (?:CLI )?(?:tool|agent)|Claude Code|Codex|a coding agent running in|an? (?:expert )?coding agent|opencode|Gemini CLI|GitHub Copilot|Cline|Roo|Kilo Code|Qwen Code|Crush|an AI coding assistant, powered by))/;

/** True if a system prompt is the words of a known agent, which the user cannot change. */
export const isPromptOfAgent = (text: string): boolean => promptOfAgent.test(text);

const agentOf = (format: string): Agent | undefined => agents.find(({ formats }) => formats.includes(format));

/** True if the agent of a format writes its own system prompt, so that the user cannot change it. */
export function writesOwnPrompt(format: string): boolean {
  return agentOf(format)?.ownPrompt ?? false;
}

/** Tools that advice names one by one. */
const mostTools = 8;

/**
 * Names come from the transcript, and people paste advice into a terminal or a file, so only harmless names are
 * allowed.
 */
const plainName = /^[\w.-]{1,128}$/;

/**
 * Returns the fix for a finding in its agent.
 * @param server of the tools of the finding, empty for the agent's own
 * @param tools the names of the tools that are not called
 * @param isInTurn the user cannot act while the content is carried
 */
export function adviceFor(
  { kind, detail }: Pick<WasteFinding, 'kind' | 'detail'>,
  format: string,
  server: string,
  tools: readonly string[],
  isInTurn = false,
): Advice {
  const agent = agentOf(format);
  const isPlain = [server, ...tools].every(name => name === '' || plainName.test(name));
  const general: Readonly<Record<WasteKind, () => Advice>> = {
    unusedServer: () =>
      (server === '' || !isPlain ? undefined : agent?.removeServer?.(server)) ??
      habit(translate('Do not start the server for work that does not need it.')),
    unusedTools: () =>
      (tools.length === 0 || !isPlain
        ? undefined
        : agent?.removeTools?.(server, tools.slice(0, mostTools))) ??
      habit(translate('Offer only the tools that the work needs.')),
    readAgain: () =>
      instruct(agent, translate('Do not read a file again that has not changed since you read it.')),
    staleReading: () =>
      isInTurn
        ? habit(translate('Split large tasks, and start a new conversation for each part.'))
        : (agent?.clearResults?.() ??
          habit(translate('Start a new conversation for the next task, or prune old results.'))),
    unusedResult: () => habit(translate('Let a subagent search. Only its answer stays in the context.')),
    image: () =>
      habit(
        translate('Start a new conversation when you no longer need the image, or describe it in words.'),
      ),
    snapshot: () =>
      habit(translate('Let a subagent work on the page, or prune old snapshots. The newest one is enough.')),
    repeatedInstructions: () =>
      habit(
        detail === hookGroup
          ? translate('Let the hook add this text only once, for example at the start of the session.')
          : translate('Keep it in only one of the two places.'),
      ),
    noisyOutput: () => {
      const flag = noisyProgram(detail)?.flag ?? '';
      return {
        text:
          agent === undefined
            ? translate('Ask the agent to use')
            : translate('In {0}, ask for', agent.memory),
        code: flag,
      };
    },
  };
  return general[kind]();
}

const habit = (text: string): Advice => ({ text, code: '' });

function instruct(agent: Agent | undefined, rule: string): Advice {
  return {
    text: agent === undefined ? translate('In the agent’s instructions:') : inSettings(agent.memory),
    code: rule,
  };
}
