import { compareVersions } from '../base/compareVersions';
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
 * The measured sizes of an agent: of the version, or of the next one that was run, or of the newest. Undefined if the
 * agent was not run, or only with another major version, whose prompt may differ.
 * @param versions those of a session, oldest first; without any, the newest is given
 * @param model the one that the agent talks to, if known: some agents have another prompt for older models
 */
export function agentSizeOf(
  name: string,
  versions: readonly string[],
  model?: string,
): AgentSizes[number] | undefined {
  const all = agentSizes.filter(({ agent }) => plainName(agent) === plainName(name));
  const ofModel = all.filter(
    ({ models }) => model !== undefined && models?.some(each => model.startsWith(each)) === true,
  );
  const sizes = ofModel.length > 0 ? ofModel : all.filter(({ models }) => models === undefined);
  const version = versions.findLast(each => /^\d+\.\d/.test(each));
  if (version === undefined) {
    return sizes.at(-1);
  }
  const near = sizes.filter(size => major(size.version) === major(version));
  return near.find(size => compareVersions(size.version, version) >= 0) ?? near.at(-1);
}

/** The tokens of an agent's own prompt, tools and notes in the first request of a session. */
export const ownTokensOf = ({ system, tools, notes }: AgentSizes[number]): number => system + tools + notes;
