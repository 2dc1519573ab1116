/** What an earlier opening found out about a content. Holds nothing of the content itself. */
export interface KnownMeasure {
  /** Tokens of the tokenizer, undefined where they were not counted. */
  readonly tokens: number | undefined;
  /** Whether it was scanned and nothing was found. What has findings is scanned again, since labels are masked by it. */
  readonly isClean: boolean;
}
