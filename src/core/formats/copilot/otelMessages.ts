import { isArray, stringAt } from '../../base/json';
import { roleOfMessage, textBlocks } from '../../content/blockFactory';
import { derivedValue } from '../../wire/derivedValue';
import { contentBlocks, readChatMessage, roleNamed } from '../../wire/generic/blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, decodedPlace, flatMapAt, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { WireMessage } from '../../wire/body';
import { taggedPieces } from './copilotPrompt';

/** A string of JSON that Copilot wrote, with its place in the file. */
export interface Written {
  readonly value: unknown;
  readonly place: Place;
}

/** A message with its recorded text and its decoded form. */
export interface Said {
  readonly value: unknown;
  readonly message: WireMessage;
}

export interface Decoded {
  /** The JSON value, or the text itself if it is not JSON. */
  readonly value: unknown;
  readonly place: Place;
  /** The end was cut off. */
  readonly isCut: boolean;
  /** The length of the full text in UTF-16 units, if the notice of the cut records it. */
  readonly length: number | undefined;
}

/**
 * The notices that mark a truncated text: `truncate` of chatDebugFileLoggerService.ts writes one after 5,000
 * characters, `truncateForOTel` of messageFormatters.ts after the number in a setting, 64,000 in earlier versions.
 */
const cutNotice = /(?:\.\.\.\[truncated, original (?<length>\d+) chars\]|\[truncated\])$/;

/** True if a text ends with the notice of a cut. */
export function isCutText(text: string | undefined): boolean {
  return text !== undefined && cutNotice.test(text.slice(-80));
}

/** The text before the notice of a cut. */
export function beforeCut(text: string): string {
  return text.replace(cutNotice, '');
}

/** Decodes a string of JSON as far as possible. */
export function decodeWritten({ value, place }: Written): Decoded {
  if (typeof value !== 'string' || place.decoded !== undefined || !/^\s*[[{]/.test(value)) {
    const isCut = typeof value === 'string' && isCutText(value);
    return { value, place, isCut, length: undefined };
  }
  const decoded = derivedValue('json', value);
  if (decoded !== undefined) {
    return { value: decoded, place: decodedPlace(place, 'json'), isCut: false, length: undefined };
  }
  const length = cutNotice.exec(value.slice(-80))?.groups?.['length'];
  const begun = derivedValue('cutJson', value);
  return {
    value: begun ?? value,
    place: begun === undefined ? place : decodedPlace(place, 'cutJson'),
    isCut: true,
    length: length === undefined ? undefined : Number(length),
  };
}

/**
 * The messages of `[{role, parts: […]}]`. A text that is not a list is one message with the role.
 * @param from number of leading messages of the recorded list to skip
 */
export function saidIn(
  { value, place }: Decoded,
  calls: KnownCalls,
  fallback: 'user' | 'assistant',
  from = 0,
): readonly Said[] {
  if (isArray(value)) {
    return value.map((item, index) => ({
      value: item,
      message: readMessage(item, below(place, from + index), calls, fallback),
    }));
  }
  const found = textOf(value, place);
  return found.content === ''
    ? []
    : [{ value, message: { role: fallback, blocks: textBlocks(found, place, fallback) } }];
}

function readMessage(
  value: unknown,
  place: Place,
  calls: KnownCalls,
  fallback: 'user' | 'assistant',
): WireMessage {
  const role = roleNamed(stringAt(value, 'role')) ?? fallback;
  if (role !== 'user') {
    return { ...readChatMessage(value, place, calls, { role }), isHead: role === 'system' };
  }
  const blocks = flatMapAt(value, place, 'parts', (part, at): readonly NewBlock[] => {
    const isText = stringAt(part, 'type') === 'text' && stringAt(part, 'content') !== undefined;
    return isText
      ? taggedPieces(textAt(part, at, 'content'), below(at, 'content'))
      : contentBlocks(part, at, 'user', calls);
  });
  return blocks.length === 0
    ? readChatMessage(value, place, calls, { role })
    : { role: roleOfMessage(role, blocks), blocks };
}
