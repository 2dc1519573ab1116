import type { pruneRuleSets } from '../../src/core/model/pruneConfig';

/** Sessions of one agent that are handed to an agent. */
export interface Direction {
  /** The agent of the sessions, by its name in `agentsUnderTest`. */
  readonly from: string;
  readonly to: string;
  readonly trim?: (typeof pruneRuleSets)[number];
  /** Below the folder of the samples; `left/` stands for sessions that agents left in earlier directions of this plan. */
  readonly files: readonly string[];
}

/** The name of a direction, in commands and files. */
export const nameOf = ({ from, to, trim }: Direction): string =>
  `${from}-${to}${trim === undefined ? '' : '-trim'}`;

const samples = (folder: string, ...names: readonly string[]): readonly string[] =>
  names.map(name => `samples/${folder}/${name}.jsonl`);

const claude = [
  ...samples(
    'claude-code',
    'entire-2.0.64',
    'entire-2.1.42',
    'entire-2.0.76-summary',
    'entire-2.1.5-compact',
    'agentv-2026-03-25',
    'ccviewer-5c0375b4',
    'kimi-2.1.55',
    'kimi-2.1.69-toolref',
    'packmind-2.1.47-image',
    'entire-2.1.7-2.1.12-gluedline',
  ),
  'agent-runs/claude-code/2.1.330/errors',
  'agent-runs/claude-code/2.1.330/background',
];

const codex = [
  ...samples(
    'codex',
    'agentv-2026-06-17-small',
    'agentv-2026-06-18-large2.3M',
    'agentv-2026-06-26-spark',
    'agentv-2026-06-30-large3.0M',
    'agentv-2026-07-01',
    'agentv-websearch-interrupted',
  ),
  'agent-runs-3/codex/0.171.0/rich-gpt-5.5',
  'agent-runs/codex/0.169.0/rich-gpt-5.5',
  'agent-runs/codex/0.169.0/compact-auto',
  'agent-runs/codex/0.169.0/rich-gpt-6.1-sol',
];

const opencode = [
  'agent-runs-3/opencode/1.18.33/skill-flip',
  ...[
    'auto-compaction',
    'cli-run-partial',
    'edge-equal',
    'edge-half',
    'far-over',
    'openai-compat',
    'repeated',
    'rich-serve',
    'skill',
    'summary-boundary',
  ].map(run => `agent-runs/opencode/1.18.34/${run}`),
];

const pi = [
  ...samples('pi', 'before-compaction', 'large-session', 'specstory-branching', 'specstory-full_format'),
  'agent-runs-3/pi-coding-agent/1.5.2/rich',
  'agent-runs/pi-coding-agent/0.87.1/rich',
  'agent-runs/pi-coding-agent/0.87.1/rich-chat',
  'left/codex-pi/0.jsonl',
  'left/claude-pi/0.jsonl',
  'left/claude-pi/1.jsonl',
];

/** All pairs but those between opencode and pi, which both talk to any model; and a trim in each agent. */
export const directions: readonly Direction[] = [
  { from: 'claude', to: 'codex', files: claude },
  { from: 'claude', to: 'opencode', files: claude },
  { from: 'claude', to: 'pi', files: claude },
  { from: 'codex', to: 'claude', files: codex },
  { from: 'codex', to: 'opencode', files: codex },
  { from: 'codex', to: 'pi', files: codex },
  { from: 'opencode', to: 'claude', files: opencode },
  { from: 'opencode', to: 'codex', files: opencode },
  { from: 'pi', to: 'claude', files: pi },
  { from: 'pi', to: 'codex', files: pi },
  { from: 'claude', to: 'claude', trim: 'opencode', files: claude },
  { from: 'codex', to: 'codex', trim: 'opencode', files: codex },
  { from: 'opencode', to: 'opencode', trim: 'opencode', files: opencode },
  { from: 'pi', to: 'pi', trim: 'opencode', files: pi },
];
