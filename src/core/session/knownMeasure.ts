/** Measures of a text from an earlier opening, without any part of the text. */
export interface KnownMeasure {
  /** Tokenizer tokens; undefined if they were not counted. */
  readonly tokens: number | undefined;
  /**
   * True if the text was scanned without findings. A text with findings is scanned again, because its labels must be
   * masked.
   */
  readonly isClean: boolean;
}
