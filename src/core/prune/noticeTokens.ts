/**
 * Tokens of a notice, near enough without a tokenizer in the webview: one for a run of letters, for up to three digits,
 * and for every other sign. Exact in o200k_base for opencode's notice.
 */
export function noticeTokens(notice: string): number {
  return notice.match(/[a-z]+|\d{1,3}|[^\s]/gi)?.length ?? 0;
}
