import type { AgentSize } from './agentSize';

/** Made by `npm run agent-sizes -w research -- FOLDER`: o200k tokens of the first request of each run that had tools. */
export const agentSizes: readonly AgentSize[] = [
  { agent: 'claude-code', version: '2.1.330', system: 1568, tools: 7063, runs: 4 },
  { agent: 'cline-cli', version: '3.0.65', system: 837, tools: 3646, runs: 1 },
  { agent: 'codex', version: '0.169.0', system: 5529, tools: 1940, runs: 3 },
  { agent: 'copilot-cli', version: '1.0.102', system: 4612, tools: 5757, runs: 3 },
  { agent: 'gemini-cli', version: '0.61.0', system: 6508, tools: 3094, runs: 1 },
  { agent: 'grok-build', version: '1.0.41', system: 1730, tools: 10280, runs: 1 },
  { agent: 'opencode', version: '1.18.34', system: 2023, tools: 4698, runs: 11 },
  { agent: 'pi-coding-agent', version: '0.87.1', system: 585, tools: 627, runs: 2 },
  { agent: 'qwen-code', version: '0.24.4', system: 6321, tools: 8489, runs: 1 },
];
