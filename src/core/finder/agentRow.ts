/**
 * How the project of a session is found:
 * - a number: the index of a folder in the path, 0 just below the root; its name is derived from the working directory
 * - `record`: the working directory is in the session's first records
 * - `root`: the root is the project's folder
 */
export type ProjectRule = number | 'record' | 'root';

/** Where the folder of an agent is. */
export type RootRule =
  /** The folder that a variable names, or a folder below it. */
  | { readonly variable: string; readonly below?: string }
  /** The file that a variable names; the row has no patterns. */
  | { readonly fileVariable: string }
  /** Below the home folder. */
  | { readonly home: string }
  /** Below the folders for configuration and for data of the XDG base directory specification, on every system. */
  | { readonly xdg: 'config' | 'data' | 'state'; readonly below: string }
  /** Below the folder where the system's desktop programs keep their data. */
  | { readonly applicationData: string }
  /** Each folder of the open workspace. */
  | 'workspace';

/** An agent with the places of its sessions. */
export interface AgentRow {
  readonly agent: string;
  /** Two letters, different from those of all other agents. */
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
