/** What opencode and Claude Code put in place of a cleared output (opencode, session/message-v2.ts). */
export const clearedNotice = '[Old tool result content cleared]';

/** What katu puts in place of an output of more than `limit` characters (katu-core 0.1.1, compaction.rs). */
export function katuNotice(limit: number): string {
  return `[内容已修剪 - 原文超过 ${limit} 字符]`;
}

const katuForm = /^\[内容已修剪 - 原文超过 \d+ 字符\]$/u;

/**
 * What oh-my-pi writes over a read that a newer one replaces, over a result flagged useless, and over an old result
 * (18.2.11, compaction/pruning.ts).
 */
export const supersededNotice = '[Superseded by a newer read of this file]';
export const uselessNotice = '[Uneventful result elided]';

export function oldOutputNotice(tokens: number): string {
  return `[Output truncated - ${tokens} tokens]`;
}

const oldOutputForm = /^\[Output truncated - \d+ tokens\]$/;

/** What Gemini CLI puts before the path of the file that keeps an old result. */
export const maskedOutput = '<tool_output_masked>';

/** What the preview puts in place of a duplicate. */
export const duplicateNotice = '[Repeated or replaced by a later result]';

/** Whether an output is only the notice of an earlier prune: a request has no other sign of it. */
export function isPruneNotice(output: string): boolean {
  return (
    output === clearedNotice ||
    output === supersededNotice ||
    output === uselessNotice ||
    output.startsWith(maskedOutput) ||
    (output.length < 45 && (katuForm.test(output) || oldOutputForm.test(output)))
  );
}
