/**
 * How the project of a session is found:
 * - a number: the index of a folder in the path, 0 directly below the root; its name is derived from the working
 * directory
 * - `record`: the working directory is in the session's first records
 * - `root`: the root is the project's folder
 */
export type ProjectRule = number | 'record' | 'root';

/** The folder of an agent. */
export type RootRule =
  /** The folder in a variable, or a folder below it. */
  | { readonly variable: string; readonly below?: string }
  /** The file in a variable; the row has no patterns. */
  | { readonly fileVariable: string }
  /** Below the home folder. */
  | { readonly home: string }
  /** Below the folders for configuration and for data of the XDG base directory specification, on every system. */
  | { readonly xdg: 'config' | 'data' | 'state'; readonly below: string }
  /** Below the data folder of the system's desktop programs. */
  | { readonly applicationData: string }
  /** Each folder of the open workspace. */
  | 'workspace';

/** An agent with the places of its sessions. */
export interface AgentRow {
  readonly agent: string;
  /** The names that its transcripts have for it, where they differ. */
  readonly recordedAs?: readonly string[];
  /** Two letters that no other agent has. */
  readonly sign: string;
  readonly roots: readonly RootRule[];
  readonly files: readonly {
    readonly pattern: string;
    readonly project: ProjectRule;
    readonly projectNote?: string;
  }[];
  /** Patterns for the sessions of subagents, which are not listed with the others. */
  readonly subagents?: readonly string[];
  /** Source of the row. */
  readonly source: string;
}
