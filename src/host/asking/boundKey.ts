import { parseJson, stringAt } from '../../core/base/json';

/** The text in the secret storage: a key with the origin that it was entered for. */
export function boundKey(key: string, origin: string): string {
  return JSON.stringify({ origin, key });
}

/**
 * The key in a stored text, if it was entered for this origin. Earlier versions stored only the key, which counts as
 * entered for the provider's own origin.
 */
export function keyFor(
  origin: string,
  kept: string | undefined,
  providersOwnOrigin: string,
): string | undefined {
  if (kept === undefined) {
    return undefined;
  }
  const bound = parseJson(kept);
  const key = stringAt(bound, 'key');
  return key === undefined
    ? origin === providersOwnOrigin
      ? kept
      : undefined
    : origin === stringAt(bound, 'origin')
      ? key
      : undefined;
}
