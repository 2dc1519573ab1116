/**
 * The sources of a context window, the strongest first: the transcript, a header of the request, the model's id
 * (`[1m]`), proof in the session, the user's settings, the model table.
 */
export const windowSources = ['transcript', 'header', 'model', 'session', 'settings', 'table'] as const;
export type WindowSource = (typeof windowSources)[number];

/** A window as a transcript records it, in tokens. */
export interface RecordedWindow {
  readonly tokens: number;
  readonly source: 'transcript' | 'header';
}

/** The window of a request, in tokens. */
export interface KnownWindow {
  readonly tokens: number;
  readonly source: WindowSource;
  /** A larger window that the request may have had, if the source leaves two possibilities. */
  readonly other?: number;
}

/** The window in a member of a record. 0 and invalid counts mean none. */
export function recordedWindow(
  tokens: number | undefined,
  source: RecordedWindow['source'] = 'transcript',
): RecordedWindow | undefined {
  return tokens === undefined || tokens <= 0 || tokens > 2_000_000_000 || !Number.isInteger(tokens)
    ? undefined
    : { tokens, source };
}
