/**
 * Where a context window is known from, the strongest first: the transcript, a header of the request, the model's id
 * (`[1m]`), what the session proves, the user's settings, the model table.
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
  /** The larger window that it may have had as well, where nothing tells which. */
  readonly other?: number;
}

/** A window at a member of a record; 0 and what is no count stand for none. */
export function recordedWindow(
  tokens: number | undefined,
  source: RecordedWindow['source'] = 'transcript',
): RecordedWindow | undefined {
  return tokens === undefined || tokens <= 0 || tokens > 2_000_000_000 || !Number.isInteger(tokens)
    ? undefined
    : { tokens, source };
}
