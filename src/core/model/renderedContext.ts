import type { Message } from './contextPartitions';

/** A context laid out in the slots of a provider's API (deepstrike-core 0.2.34, context/renderer.rs). */
export interface RenderedContext {
  /** The two system slots together, for providers with only one. */
  readonly systemText: string;
  /** Identity. */
  readonly systemStable: string;
  readonly systemKnowledge: string;
  /** The part of the history that fits, oldest first: the cacheable prefix of the messages. */
  readonly turns: readonly Message[];
  /**
   * Task state and signals, rebuilt for every request; sent last, after the cacheable prefix. Absent if both are empty.
   */
  readonly stateTurn?: Message;
  /** Number of leading turns that no request changes until the next compaction. Absent before the first one. */
  readonly frozenPrefixLen?: number;
}

/**
 * Hashes of the content that a provider can cache: the system slots and each turn, as 16 hex digits. State turn, tools
 * and model are not included, so equal fingerprints are necessary for a cache hit, but not sufficient.
 */
export interface PrefixFingerprint {
  readonly systemStableHash: string;
  readonly systemKnowledgeHash: string;
  readonly turnHashes: readonly string[];
}
