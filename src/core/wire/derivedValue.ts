import { parse } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep, parseJson } from '../base/json';
import type { DerivedKind } from '../model/block';
import { cutClineResult } from '../content/clineCut';
import { readEventValues } from './sse';
import { assembled, type StreamKind, streamKindOfEvents } from './streams';

/** The last decoded string. Blocks of one recorded string are usually requested one after the other. */
let last: { readonly via: DerivedKind; readonly text: string; readonly value: unknown } | undefined;

/**
 * Decodes a recorded string: JSON inside a string, JSON with a missing end, a provider's event stream (decoded to its
 * response), or any of these in base64. `undefined` if it cannot be decoded. The same string always decodes to the same
 * value, so paths into it stay valid.
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
      return parseJson(text);
    case 'anthropicStream':
    case 'openaiStream':
    case 'responsesStream':
    case 'geminiStream':
      return assembled(via, readEventValues(text));
    case 'clineResult':
      // Returned as JSON, because it is sent inside JSON.
      return JSON.stringify(cutClineResult(text));
    case 'cutJson': {
      const whole: unknown = parse(text);
      return isTooDeep(whole) ? undefined : whole;
    }
    case 'base64Body': {
      const body = decodeBase64(text);
      const inner = /^\s*[[{]/.test(body) ? 'json' : streamKindOf(body);
      return inner === undefined ? undefined : decode(inner, body);
    }
  }
}

/** This many UTF-16 units at the beginning of a text are enough to see that it is not an event stream. */
export const streamBeginning = 1000;

/** True if a text may be an event stream, judged by its beginning. */
export function beginsAsStream(text: string): boolean {
  return /^(\uFEFF|\s)*(event|data|id|retry|:)/.test(text.slice(0, streamBeginning));
}

/** The provider of a text's event stream; `undefined` if unknown. */
export function streamKindOf(text: string): StreamKind | undefined {
  // Comments and keep-alive events may come first.
  return beginsAsStream(text) ? streamKindOfEvents(readEventValues(text.slice(0, lookedAt))) : undefined;
}

/**
 * How much of a stream is read to recognise its provider, in UTF-16 units; the first event may repeat a whole request.
 */
const lookedAt = 1 << 20;

/** The text with UTF-8 bytes written in base64; empty if it is not valid. */
export function decodeBase64(text: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text), (character: string) => character.charCodeAt(0)),
    );
  } catch {
    return '';
  }
}
