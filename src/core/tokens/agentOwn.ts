import agentSizes from './measured/agentSizes.json';
import type { AgentSizes } from './measured/tables';

const major = (version: string): string => version.replace(/\..*/s, '');

/** An agent's name in one common spelling, because records and packages differ: `Claude Code`, `claude-code`. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^github|(?:cli|codingagent)$/g, '');

/**
 * The measured sizes of an agent. Undefined if the agent was not run, or only with another major version, whose prompt
 * may differ.
 */
export function agentSizeOf(name: string, versions: readonly string[]): AgentSizes[number] | undefined {
  const size = agentSizes.find(({ agent }) => plainName(agent) === plainName(name));
  const numbers = versions.filter(version => /^\d+\.\d/.test(version)).map(major);
  return size !== undefined && (numbers.length === 0 || numbers.includes(major(size.version)))
    ? size
    : undefined;
}
