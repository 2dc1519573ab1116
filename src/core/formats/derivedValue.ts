import type { DerivedKind } from '../model/transcript';

/**
 * Decodes a recorded string: JSON inside a string, or a provider's stream of events as the message that it makes.
 * `undefined` where it does not decode. The same string always gives the same value, so that paths into it stay valid.
 */
export function derivedValue(via: DerivedKind, text: string): unknown {
  switch (via) {
    case 'json':
      try {
        const value: unknown = JSON.parse(text);
        return value;
      } catch {
        return undefined;
      }
    case 'anthropicStream':
    case 'openaiStream':
    case 'responsesStream':
      // Filled in by the raw API formats: anthropicStream.ts, openaiStream.ts, responsesStream.ts.
      return undefined;
  }
}
