/** What an agent sends of its own before a session begins, in tokens of the encoding o200k_base. */
export interface AgentSize {
  readonly agent: string;
  /** The version that was run. */
  readonly version: string;
  readonly system: number;
  readonly tools: number;
  /** Runs that it was measured in. */
  readonly runs: number;
}
