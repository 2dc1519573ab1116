/** What an earlier opening found out about a text. Contains nothing of the text itself. */
export interface KnownMeasure {
  /** Tokenizer tokens; undefined if they were not counted. */
  readonly tokens: number | undefined;
  /**
   * Whether it was scanned and nothing was found. A text with findings is scanned again, since its labels have to be
   * masked.
   */
  readonly isClean: boolean;
}
