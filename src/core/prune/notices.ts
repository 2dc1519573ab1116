/** What opencode and Claude Code put in the place of a cleared output (opencode, session/message-v2.ts). */
export const clearedNotice = '[Old tool result content cleared]';

/** What katu puts in the place of an output of more than `limit` characters (katu-core 0.1.1, compaction.rs). */
export function katuNotice(limit: number): string {
  return `[内容已修剪 - 原文超过 ${limit} 字符]`;
}

const katuForm = /^\[内容已修剪 - 原文超过 \d+ 字符\]$/u;

/** Whether an output is nothing but the notice of an earlier prune: in a request that is all there is to tell by. */
export function isPruneNotice(output: string): boolean {
  return output === clearedNotice || (output.length < 40 && katuForm.test(output));
}
