/**
 * Approximate tokens of a notice, because the webview has no tokenizer: one per run of letters, per up to three digits,
 * and per other character. Exact in o200k_base for opencode's notice.
 */
export function noticeTokens(notice: string): number {
  return notice.match(/[a-z]+|\d{1,3}|[^\s]/gi)?.length ?? 0;
}
