import { firstWhere } from '../base/numbers';
import type { RecordedAgent } from './transcript';

/** The number of the version of the agent that made a request, an index into `versions`; -1 if none is recorded. */
export function versionNumberOf({ versions, runs = [] }: RecordedAgent, request: number): number {
  if (runs.length === 0) {
    return versions.length - 1;
  }
  const next = firstWhere(0, runs.length, run => (runs[run]?.request ?? 0) > request);
  return runs[Math.max(0, next - 1)]?.version ?? -1;
}

/** The version of the agent that made a request; undefined if none is recorded. */
export const versionOf = (agent: RecordedAgent, request: number): string | undefined =>
  agent.versions[versionNumberOf(agent, request)];
