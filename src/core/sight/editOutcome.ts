/** The outcome of an edit, from the tool's answer. */
export const editOutcomes = [
  'applied',
  'notFound',
  'changedSince',
  'notRead',
  'ambiguous',
  'refused',
  'unchanged',
  'failed',
  'unanswered',
] as const;
export type EditOutcome = (typeof editOutcomes)[number];

/**
 * Messages of the tools and their outcomes; the first match wins. Claude Code: "String to replace not found in file",
 * "File has been modified since read", "File has not been read yet", "Found 2 matches of the string"; Codex: "Failed to
 * find expected lines"; Gemini CLI: "0 occurrences found"; SWE-agent's and OpenHands' editor: "No replacement was
 * performed"; pi: "Could not find the exact text"; Copilot: "No match found"; Crush and opencode: "old_string not
 * found", "oldString not found in content"; Cline: "does not match anything".
 */
const failures: readonly (readonly [RegExp, EditOutcome])[] = [
  [/modified since|changed since|changed on disk|was modified by|been updated since/i, 'changedSince'],
  [/not been read|read (?:it|the file) (?:first|before)|must (?:be )?read/i, 'notRead'],
  [/no changes|same as (?:the )?old|identical|must be different|would not change/i, 'unchanged'],
  [
    /multiple (?:times|occurrences|matches)|\d+ (?:matches|occurrences) of|not unique|more than one|must be unique|found multiple|expected 1 occurrence/i,
    'ambiguous',
  ],
  [
    /not found|could ?n[o']t find|no match|0 occurrences|failed to find|no replacement was performed|did not appear|does(?: not|n't) match|no (?:sufficiently )?similar match/i,
    'notFound',
  ],
  [/does(?: not|n't) want to proceed|denied|reject|permission|declined|cancel/i, 'refused'],
];

/** The beginnings of failure messages, for agents that do not mark failures. */
const failing =
  /^\s*(?:<tool_use_error>|error\b|failed\b|no match found|no replacement|could not|old_?string\b|apply_patch verification failed|the tool (?:execution|call) failed|edit \d+ failed)/i;

/** Length of the answer that is searched, in UTF-16 units. Later text may come from the file. */
const lookedAt = 400;

/** The file in which `apply_patch` did not find the lines. It then changes none of the files of the patch. */
const failedFile = /^\s*apply_patch verification failed: Failed to find [^\n]*? in ([^\n]+?):?(?:\n|$)/;

/**
 * The outcome of an edit.
 * @param answer the text of the tool's answer; undefined if there is none
 * @param isError the agent marks the answer as a failure
 * @param isFile true for a path of the edited file, if the call edits others too
 */
export function outcomeOf(
  answer: string | undefined,
  isError: boolean,
  isFile?: (path: string) => boolean,
): EditOutcome {
  if (answer === undefined) {
    return 'unanswered';
  }
  const head = answer.slice(0, lookedAt);
  if (!isError && !failing.test(head)) {
    return 'applied';
  }
  const [, path] = failedFile.exec(answer) ?? [];
  return path !== undefined && isFile?.(path) === false
    ? 'failed'
    : (failures.find(([pattern]) => pattern.test(head))?.[1] ?? 'failed');
}

/** True if the answer says that the file is new; undefined if it does not say. */
export function saysNew(answer: string): boolean | undefined {
  const head = answer.slice(0, lookedAt);
  if (/\bcreated\b|new file/i.test(head)) {
    return true;
  }
  return /overwr|has been updated|\bupdated\b|modified/i.test(head) ? false : undefined;
}
