import type { DerivedKind } from '../model/transcript';
import { anthropicMessageOf } from './anthropicStream';
import { geminiResponseOf } from './geminiStream';
import { chatCompletionOf } from './openaiStream';
import { responseOf } from './responsesStream';
import { readEventValues } from './sse';

/** The blocks of one recorded string are usually asked for one after the other. */
let last: { readonly via: DerivedKind; readonly text: string; readonly value: unknown } | undefined;

/**
 * Decodes a recorded string: JSON inside a string, or a provider's stream of events as the response that it makes.
 * `undefined` where it does not decode. The same string always gives the same value, so that paths into it stay valid.
 */
export function derivedValue(via: DerivedKind, text: string): unknown {
  if (last?.via !== via || last.text !== text) {
    last = { via, text, value: decode(via, text) };
  }
  return last.value;
}

function decode(via: DerivedKind, text: string): unknown {
  switch (via) {
    case 'json':
      try {
        const value: unknown = JSON.parse(text);
        return value;
      } catch {
        return undefined;
      }
    case 'anthropicStream':
      return anthropicMessageOf(readEventValues(text));
    case 'openaiStream':
      return chatCompletionOf(readEventValues(text));
    case 'responsesStream':
      return responseOf(readEventValues(text));
    case 'geminiStream':
      return geminiResponseOf(readEventValues(text));
  }
}
