/** The words in the drawings, which the page and the exported files share. */
import { turns } from '../base/countWords';
import { formatNumber, formatShortNumber } from '../base/format';
import { translate } from '../base/translate';
import type { BlockKind } from '../model/block';
import {
  type PartitionName,
  type PromptRole,
  type ProvenanceLabel,
  type SensitivityLabel,
  promptRoles,
  provenanceLabels,
  sensitivityLabels,
} from '../model/labels';
import { type Source, sources } from '../model/source';
import { type CacheState, type ColourMode, cacheStates } from './palette';

type Words<Key extends string> = Readonly<Record<Key, string>>;

export const partitionWords: Words<PartitionName> = {
  system: translate('Identity'),
  knowledge: translate('Knowledge'),
  state: translate('State'),
  history: translate('History'),
};

export const kindWords: Words<BlockKind> = {
  systemPrompt: translate('system prompt'),
  toolSchema: translate('tool schema'),
  prompt: translate('prompt'),
  injected: translate('injected text'),
  assistant: translate('reply'),
  thinking: translate('thinking'),
  toolCall: translate('tool call'),
  toolResult: translate('tool result'),
  image: translate('image'),
  summary: translate('summary'),
  structuredOutput: translate('output schema'),
  other: translate('other'),
};

export const sensitivityWords: Words<SensitivityLabel> = {
  public: translate('public'),
  private: translate('private'),
  restricted: translate('secret'),
};

export const provenanceWords: Words<ProvenanceLabel> = {
  system: translate('system'),
  developer: translate('developer'),
  user: translate('user'),
  tool: translate('tool'),
  retrieval: translate('retrieval'),
  memory: translate('memory'),
};

/** The origin of a block's content. */
export const sourceWords: Words<Source> = {
  notRecorded: translate('Not recorded'),
  instructions: translate('Instructions'),
  memory: translate('Memory'),
  notes: translate('Notes'),
  you: translate('You'),
  model: translate('Model'),
  thinking: translate('Thinking'),
  files: translate('Files'),
  shell: translate('Shell'),
  search: translate('Search'),
  mcp: translate('MCP'),
  subagents: translate('Subagents'),
  tools: translate('Other tools'),
};

/** A sentence about the content of each source. */
export const sourceTexts: Words<Source> = {
  notRecorded: translate('Tokens counted by the provider that the transcript does not show.'),
  instructions: translate('System prompt, tool definitions and the required reply format.'),
  memory: translate('Instruction files such as CLAUDE.md or AGENTS.md, skills, and saved memories.'),
  notes: translate('Added by the client: reminders, environment, hooks, task list.'),
  you: translate('Written, attached or run by the user.'),
  model: translate('Replies, tool calls and summaries.'),
  thinking: translate('Thinking of the model.'),
  files: translate('Files read, written, edited or attached.'),
  shell: translate('Output of commands.'),
  search: translate('Searches in files and on the web, folder listings, fetched pages.'),
  mcp: translate('Results and definitions of MCP tools.'),
  subagents: translate('Answers from other agents.'),
  tools: translate('Results of all other tools.'),
};

const roleWords: Words<PromptRole> = {
  system: translate('system'),
  user: translate('user'),
  assistant: translate('assistant'),
  tool: translate('tool'),
};

const cacheWords: Words<CacheState> = {
  read: translate('from the cache'),
  predicted: translate('expected, not read'),
  notCached: translate('not cached'),
};

/** The meaning of the fills of each colour mode, by index. */
export const fillWords: Readonly<Record<ColourMode, readonly string[]>> = {
  source: sources.map(source => sourceWords[source]),
  sensitivity: sensitivityLabels.map(label => sensitivityWords[label]),
  provenance: provenanceLabels.map(label => provenanceWords[label]),
  role: promptRoles.map(role => roleWords[role]),
  cache: cacheStates.map(state => cacheWords[state]),
};

export const legendWords = {
  frozen: translate('cached'),
  candidate: translate('to prune'),
  notRecorded: translate('not recorded'),
  displaced: translate('sent among the messages'),
} as const;

export const laneWords = {
  empty: translate('empty'),
  notRecordedLabel: (count: number, low: number, high: number): string =>
    low === high
      ? translate('not recorded · about {0}', formatNumber(count))
      : translate(
          'not recorded · about {0} ({1} – {2} in this session)',
          formatNumber(count),
          formatNumber(low),
          formatNumber(high),
        ),
  cachedTo: (cached: number, fresh: number): string =>
    translate('cached to here {0} · new {1}', formatNumber(cached), formatNumber(fresh)),
  expectedTo: (cached: number, fresh: number): string =>
    translate('expected: cached to here {0} · new {1}', formatNumber(cached), formatNumber(fresh)),
  cachedAfter: (cached: number): string => translate('then cached to here {0}', formatNumber(cached)),
  notCached: translate('nothing read from the cache'),
  notExpected: translate('expected: nothing cached'),
  more: (count: number): string => translate('… {0} more', formatShortNumber(count)),
  frozenPredicted: (count: number): string => translate('expected: cached to here {0}', formatNumber(count)),
  frozenPrefix: (count: number): string => translate('pinned start: {0}', turns(count)),
  breakpoint: (place: number): string => translate('breakpoint after block {0}', formatNumber(place)),
} as const;

export const timelineMarkWords = {
  limit: (count: number): string => translate('window {0}', formatNumber(count)),
  limitAbove: (count: number): string => translate('window {0}, off the scale', formatNumber(count)),
  compactsAt: (count: number): string => translate('compaction at {0}', formatNumber(count)),
  whereCarried: (name: string, most: number): string =>
    translate('{0}: up to {1} where sent', name, formatShortNumber(most)),
  marks: { compaction: translate('compacted'), clearing: translate('pruned') },
} as const;
