import type { ContextPartitions } from '../model/contextPartitions';
import type { ContextTokenEngine } from './charTokenEngine';
import { formatCompact } from './taskStateText';

/**
 * Tokens of all four partitions: the stamped counts of the messages and the compact task state. Signals are not counted;
 * an empty task state costs what the engine charges for an empty text (deepstrike-core 0.2.34, context/partitions.rs).
 */
export function totalTokens(partitions: ContextPartitions, engine: ContextTokenEngine): number {
  return (
    partitions.system.tokenCount +
    partitions.knowledge.tokenCount +
    engine.count(formatCompact(partitions.taskState)) +
    partitions.history.tokenCount
  );
}
