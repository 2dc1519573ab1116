/** What an earlier opening found out about a text. Contains nothing of the text itself. */
export interface KnownMeasure {
  /** Tokenizer tokens; undefined if they were not counted. */
  readonly tokens: number | undefined;
  /** Whether it was scanned and nothing was found. What has findings is scanned again, since labels are masked by it. */
  readonly isClean: boolean;
}
