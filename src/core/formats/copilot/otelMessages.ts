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

/** A message as it was written, and as it is read. */
export interface Said {
  readonly value: unknown;
  readonly message: WireMessage;
}

export interface Decoded {
  /** The JSON value; the text itself where it is no JSON. */
  readonly value: unknown;
  readonly place: Place;
  /** The end was cut off. */
  readonly isCut: boolean;
  /** The length of the whole text where a cut notes it, in UTF-16 units. */
  readonly length: number | undefined;
}

/**
 * How the writers mark a cut: `truncate` of chatDebugFileLoggerService.ts after 5,000 characters, `truncateForOTel` of
 * messageFormatters.ts after as many as a setting allows, 64,000 in earlier versions.
 */
const cutNotice = /(?:\.\.\.\[truncated, original (?<length>\d+) chars\]|\[truncated\])$/;

/** Whether a text ends with the notice of a cut. */
export function isCutText(text: string | undefined): boolean {
  return text !== undefined && cutNotice.test(text.slice(-80));
}

/** The text before the notice of a cut. */
export function beforeCut(text: string): string {
  return text.replace(cutNotice, '');
}

/** Decodes a string of JSON, as far as it goes. */
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
 * The messages of `[{role, parts: […]}]`; a text that is no list is one message of the role.
 * @param from how many messages of the written list come before these
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
