/** The text by which opencode and Claude Code replace a cleared output (opencode, session/message-v2.ts). */
export const clearedNotice = '[Old tool result content cleared]';

/** The text by which katu replaces an output of more than `limit` characters (katu-core 0.1.1, compaction.rs). */
export function katuNotice(limit: number): string {
  return `[内容已修剪 - 原文超过 ${limit} 字符]`;
}

const katuForm = /^\[内容已修剪 - 原文超过 \d+ 字符\]$/u;

/**
 * The texts by which oh-my-pi replaces a read that a newer one repeats, a result flagged useless, and an old result
 * (18.2.11, compaction/pruning.ts).
 */
export const supersededNotice = '[Superseded by a newer read of this file]';
export const uselessNotice = '[Uneventful result elided]';

export function oldOutputNotice(tokens: number): string {
  return `[Output truncated - ${tokens} tokens]`;
}

const oldOutputForm = /^\[Output truncated - \d+ tokens\]$/;

/** The text that Gemini CLI puts before the path of the file with an old result. */
export const maskedOutput = '<tool_output_masked>';

/** The text by which the preview replaces a duplicate. */
export const duplicateNotice = '[Repeated or replaced by a later result]';

/** True if an output is only the notice of an earlier prune. A request has no other sign of a prune. */
export function isPruneNotice(output: string): boolean {
  return (
    output === clearedNotice ||
    output === supersededNotice ||
    output === uselessNotice ||
    output.startsWith(maskedOutput) ||
    (output.length < 45 && (katuForm.test(output) || oldOutputForm.test(output)))
  );
}
