import { defined } from '../base/defined';
import { parseJson } from '../base/json';

/** The facts in a session's first bytes about its relation to others. */
export interface SessionProbe {
  readonly workingDirectory?: string;
  /** The id of the session that started this one as its subagent. */
  readonly parent?: string;
  /** The session id of the first record that has one. */
  readonly sessionId?: string;
}

/**
 * Members that name the working directory: `cwd` (Claude Code, Codex, Qwen Code, Copilot CLI, pi, Droid), `directory`
 * (opencode), `working_dir` (Goose), `workspace_root` (Cline CLI).
 */
const directoryMember = member('cwd|directory|working_dir|workspace_root');

const sessionMember = member('sessionId');

/** `gitBranch` (Claude Code, Qwen Code, iFlow), `branch` of `git` (Codex) or of `context` (Copilot CLI). */
const branchMembers = [
  member('gitBranch'),
  new RegExp(`[{,]\\s*"(?:git|context)"\\s*:\\s*\\{[^{}]*?${memberSource('branch')}`),
];

/** Codex names the thread that started this one, opencode the session. */
const parentMembers = [member('parent_thread_id'), member('parentID', 'ses_')];

/**
 * Searches the beginning of a session, which may end anywhere. Only real members match, because the quotes around a name
 * are escaped inside a string.
 */
export function probeSession(head: string): SessionProbe {
  const workingDirectory = firstValue(head, directoryMember);
  return defined({
    workingDirectory: workingDirectory === '' ? undefined : workingDirectory,
    parent: parentMembers.map(expression => firstValue(head, expression)).find(id => id !== undefined),
    sessionId: firstValue(head, sessionMember),
  });
}

/** The branch of the working directory, from the beginning of a session; undefined if it is not recorded. */
export function probeBranch(head: string): string | undefined {
  return branchMembers.map(expression => firstValue(head, expression)).find(name => name !== undefined);
}

function member(names: string, prefix = ''): RegExp {
  return new RegExp(`[{,]\\s*${memberSource(names, prefix)}`);
}

function memberSource(names: string, prefix = ''): string {
  return `"(?:${names})"\\s*:\\s*(?<value>"${prefix}(?:[^"\\\\]|\\\\.)*")`;
}

function firstValue(text: string, expression: RegExp): string | undefined {
  const value = expression.exec(text)?.groups?.['value'];
  const parsed = value === undefined ? undefined : parseJson(value);
  return typeof parsed === 'string' ? parsed : undefined;
}
