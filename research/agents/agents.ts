import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compactPrompt } from './scenario';

/** Installs an agent, connects it to a server on this machine, and runs it without a person. */
export interface AgentUnderTest {
  readonly name: string;
  /** The package and its version. */
  readonly package: string;
  /** It needs a newer Node than this project. */
  readonly needsNewerNode?: boolean;
  /** The name of the program in `node_modules/.bin`. */
  readonly program: string;
  readonly environment?: (url: string, home: string) => Readonly<Record<string, string>>;
  /** Files below the home folder. */
  readonly files?: (url: string) => Readonly<Record<string, unknown>>;
  /** The command that is run once, before the first prompt. */
  readonly setup?: (url: string) => readonly string[];
  readonly first: (prompt: string) => readonly string[];
  readonly resume: (prompt: string) => readonly string[];
  /** The prompt that compacts, if the program takes one. */
  readonly compact?: string;
  /** The formats in which it keeps its sessions. */
  readonly formats: readonly string[];
  /** The beginnings of items that its sessions do not hold, as sentItems writes them. */
  readonly lacks: readonly string[];
  /** The beginnings of items that its sessions hold in another wording than was sent. */
  readonly differs?: readonly string[];
  /** Requests that are in no session: titles, checks. */
  readonly beside?: (items: readonly string[]) => boolean;
}

const model = 'scripted';

function lastStarts(items: readonly string[], ...beginnings: readonly string[]): boolean {
  return beginnings.some(beginning => items.at(-1)?.startsWith(beginning) === true);
}

/** Titles and the like are asked for without tools. */
function isWithoutTools(items: readonly string[]): boolean {
  return !items.some(item => item.startsWith('tool '));
}

export const agentsUnderTest: readonly AgentUnderTest[] = [
  {
    name: 'grok',
    package: '@xai-official/grok@1.0.41',
    program: 'grok',
    environment: url => ({ XAI_API_KEY: 'x', GROK_MODELS_BASE_URL: `${url}/v1` }),
    files: url => ({
      '.grok/config.toml': [
        '[model.scripted]',
        'model = "scripted"',
        `base_url = "${url}/v1"`,
        'api_key = "x"',
        'api_backend = "chat_completions"',
        'context_window = 128000',
        '[models]',
        'default = "scripted"',
        '',
      ].join('\n'),
    }),
    first: prompt => ['-p', prompt, '-m', model, '--output-format', 'json', '--yolo'],
    resume: prompt => ['-c', '-p', prompt, '-m', model, '--output-format', 'json', '--yolo'],
    compact: compactPrompt,
    formats: ['grok-build'],
    lacks: [],
    beside: items =>
      isWithoutTools(items) || lastStarts(items, 'user: <system-reminder>Write an ultra-short'),
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    program: 'opencode',
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    files: url => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: {
              [model]: {
                name: model,
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                tool_call: true,
                limit: { context: 400_000, output: 8000 },
              },
            },
          },
        },
        model: `local/${model}`,
        small_model: `local/${model}`,
        permission: 'allow',
      },
    }),
    first: prompt => ['run', prompt],
    resume: prompt => ['run', '-c', prompt],
    formats: ['opencode'],
    // If a provider accepts no image in a result, opencode sends the image after these words.
    lacks: ['system: ', 'tool ', 'user: Attached media from tool result:'],
    beside: isWithoutTools,
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent@1.6.0',
    program: 'pi',
    needsNewerNode: true,
    environment: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
    files: url => ({
      '.pi/agent/models.json': {
        providers: {
          local: {
            baseUrl: `${url}/v1`,
            apiKey: 'x',
            api: 'openai-completions',
            models: [
              {
                id: model,
                name: model,
                input: ['text', 'image'],
                contextWindow: 400_000,
                maxTokens: 8000,
                reasoning: false,
              },
            ],
          },
        },
      },
    }),
    first: prompt => ['--provider', 'local', '--model', model, '-p', prompt],
    resume: prompt => ['--provider', 'local', '--model', model, '-c', '-p', prompt],
    formats: ['pi'],
    // The chat API takes no image in a result, so pi sends it after these words.
    lacks: ['user: Attached image(s) from tool result:'],
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    environment: url => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      },
    }),
    first: prompt => ['-m', 'gemini-2.5-flash', '--yolo', '-p', prompt],
    resume: prompt => ['-m', 'gemini-2.5-flash', '--yolo', '--resume', 'latest', '-p', prompt],
    formats: ['gemini-cli-log', 'gemini-cli-chat'],
    lacks: ['system: ', 'tool '],
    beside: isWithoutTools,
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code@0.24.4',
    program: 'qwen',
    environment: url => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: model }),
    files: () => ({
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      },
    }),
    first: prompt => ['--yolo', '-p', prompt],
    resume: prompt => ['--yolo', '-c', '-p', prompt],
    compact: '/compress',
    formats: ['qwen-code'],
    // The client recreates its reminders before the first prompt.
    lacks: ['system: ', 'tool ', 'user: <system-reminder>'],
    beside: isWithoutTools,
  },
  {
    name: 'codex',
    package: '@openai/codex@0.171.0',
    program: 'codex',
    environment: () => ({ LOCAL_KEY: 'x' }),
    files: url => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[model_providers.local]',
        'name = "local"',
        `base_url = "${url}/v1"`,
        'env_key = "LOCAL_KEY"',
        'wire_api = "responses"',
        'supports_websockets = false',
        '[analytics]',
        'enabled = false',
        '',
      ].join('\n'),
    }),
    first: prompt => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    resume: prompt => [
      'exec',
      'resume',
      '--last',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
    formats: ['codex'],
    lacks: ['system: ', 'tool '],
    // `base_instructions` has a line that Codex takes out where there is no tool for plans.
    differs: ['system: You are Codex'],
    beside: isWithoutTools,
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code@2.1.332',
    program: 'claude',
    environment: url => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-x',
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    first: prompt => ['-p', prompt, '--dangerously-skip-permissions'],
    resume: prompt => ['-c', '-p', prompt, '--dangerously-skip-permissions'],
    compact: compactPrompt,
    formats: ['claude-code'],
    // Each request has a new billing header.
    lacks: ['system: x-anthropic-billing-header'],
  },
  {
    name: 'cline',
    package: 'cline@3.0.65',
    program: 'cline',
    environment: (_, home) => ({ CLINE_DIR: join(home, '.cline') }),
    setup: url => ['auth', '-p', 'openai-compatible', '-k', 'x', '-m', model, '-b', `${url}/v1`],
    first: prompt => ['--json', '-P', 'openai-compatible', '-m', model, prompt],
    // A session is resumed in a terminal only.
    resume: prompt => ['--json', '-P', 'openai-compatible', '-m', model, prompt],
    formats: ['cline'],
    // A subagent's prompt is in the call of its parent. The chat API takes no image in a result, so the parts are sent as
    // JSON, and the image after them.
    lacks: ['tool ', 'system: part of a test', 'tool: [{"type":"text"'],
    differs: ['tool: [{"query":'],
  },
  {
    name: 'copilot',
    package: '@github/copilot@1.0.102',
    program: 'copilot',
    environment: url => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: model,
      COPILOT_AUTO_UPDATE: 'false',
    }),
    first: prompt => ['-p', prompt, '--allow-all-tools', '--allow-all-paths'],
    resume: prompt => ['--continue', '-p', prompt, '--allow-all-tools', '--allow-all-paths'],
    formats: ['copilot-events'],
    // A message of an error, where more than that is sent.
    lacks: ['tool ', 'tool: Path /'],
    differs: ['tool: Path does not exist'],
  },
  {
    name: 'kimi',
    package: '@moonshot-ai/kimi-code@2.1.0',
    program: 'kimi',
    needsNewerNode: true,
    environment: url => ({
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      KIMI_MODEL_NAME: model,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_API_KEY: 'x',
      KIMI_MODEL_MAX_CONTEXT_SIZE: '128000',
      KIMI_MODEL_CAPABILITIES: 'tool_use,image_in',
    }),
    first: prompt => ['-p', prompt],
    resume: prompt => ['-c', '-p', prompt],
    formats: ['kimi-records'],
    lacks: [],
    beside: isWithoutTools,
  },
  {
    name: 'continue',
    package: '@continuedev/cli@1.5.47',
    program: 'cn',
    environment: (_, home) => ({
      CONTINUE_GLOBAL_DIR: join(home, '.continue'),
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_CLI_AUTO_UPDATED: '1',
    }),
    files: url => ({
      '.continue/config.yaml': [
        'name: test',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        '  - name: scripted',
        '    provider: openai',
        `    model: ${model}`,
        `    apiBase: ${url}/v1`,
        '    apiKey: x',
        '    roles: [chat]',
        '    capabilities: [tool_use, image_input]',
        '',
      ].join('\n'),
    }),
    first: prompt => ['-p', prompt, '--auto', '--config', '../home/.continue/config.yaml'],
    resume: prompt => ['--resume', '-p', prompt, '--auto', '--config', '../home/.continue/config.yaml'],
    formats: ['continue'],
    lacks: ['system: ', 'tool '],
    beside: isWithoutTools,
  },
];

/** Writes an agent's settings below its home folder. */
export function writeSettings({ files }: AgentUnderTest, url: string, home: string): void {
  for (const [path, content] of Object.entries(files?.(url) ?? {})) {
    mkdirSync(join(home, dirname(path)), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  }
}
