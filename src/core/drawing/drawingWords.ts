/** The words in the drawings, which the page and the exported files share. */
import { counted, formatNumber } from '../base/format';
import type { BlockKind } from '../model/block';
import {
  promptRoles,
  provenanceLabels,
  sensitivityLabels,
  type PartitionName,
  type PromptRole,
  type ProvenanceLabel,
  type SensitivityLabel,
} from '../model/labels';
import { cacheStates, type CacheState, type ColourMode } from './palette';

type Words<Key extends string> = Readonly<Record<Key, string>>;

export const partitionWords: Words<PartitionName> = {
  system: 'Identity',
  knowledge: 'Knowledge',
  state: 'State',
  history: 'History',
};

export const kindWords: Words<BlockKind> = {
  systemPrompt: 'system prompt',
  toolSchema: 'tool schema',
  prompt: 'prompt',
  injected: 'injected text',
  assistant: 'reply',
  thinking: 'thinking',
  toolCall: 'tool call',
  toolResult: 'tool result',
  image: 'image',
  summary: 'summary',
  structuredOutput: 'output schema',
  other: 'other',
};

export const sensitivityWords: Words<SensitivityLabel> = {
  public: 'public',
  private: 'private',
  restricted: 'restricted',
};

export const provenanceWords: Words<ProvenanceLabel> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  tool: 'tool',
  retrieval: 'retrieval',
  memory: 'memory',
};

const roleWords: Words<PromptRole> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

const cacheWords: Words<CacheState> = {
  read: 'read from the cache',
  predicted: 'predicted, not read',
  notCached: 'not cached',
};

/** What the fills of each colour mode mean, by their index. */
export const fillWords: Readonly<Record<ColourMode, readonly string[]>> = {
  sensitivity: sensitivityLabels.map(label => sensitivityWords[label]),
  provenance: provenanceLabels.map(label => provenanceWords[label]),
  role: promptRoles.map(role => roleWords[role]),
  cache: cacheStates.map(state => cacheWords[state]),
};

export const legendWords = {
  frozen: 'frozen',
  candidate: 'prune candidate',
  notRecorded: 'not recorded',
  displaced: 'out of wire order',
} as const;

export const laneWords = {
  empty: 'empty',
  notRecordedLabel: (tokens: number, low: number, high: number): string =>
    low === high
      ? `not recorded · about ${formatNumber(tokens)}`
      : `not recorded · about ${formatNumber(tokens)} (${formatNumber(low)} – ${formatNumber(high)} over the session)`,
  frozenRecorded: (tokens: number, place: number): string =>
    `cache read ${formatNumber(tokens)} · recorded, exact · ${edgeWords(place)}`,
  frozenPredicted: (tokens: number, place: number): string =>
    `predicted ${formatNumber(tokens)} · ${edgeWords(place)}`,
  frozenPrefix: (turns: number): string => `frozenPrefixLen ${counted(turns, 'turn')} · declared`,
  breakpoint: (place: number): string => `breakpoint after ${formatNumber(place)} · declared`,
} as const;

/** An edge between blocks, by the number of blocks before it. */
export function edgeWords(place: number): string {
  return place === 0 ? 'before block 1' : `edge after block ${formatNumber(place)}`;
}

export const timelineWords = {
  limit: (tokens: number): string => `window ${formatNumber(tokens)}`,
  limitAbove: (tokens: number): string => `window ${formatNumber(tokens)}, far above`,
  marks: { compaction: 'compacted', clearing: 'cleared' },
} as const;
