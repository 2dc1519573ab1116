import type { SourceRange, TextReference } from '../model/block';
import { isArray, isObject, toJson, type ValuePath } from '../base/json';
import { derivedValue } from './derivedValue';

/** Where the value at a path of a document stands; offsets in bytes. */
export type Locate = (path: ValuePath) => SourceRange;

/** Texts that stand once in a record and are named elsewhere in it, as `attachment://<name>`. */
export interface Attachments {
  readonly scheme: string;
  readonly texts: unknown;
  readonly path: ValuePath;
}

/** Where a value is recorded: at `path` of the record, or at `inner` of the JSON that the string at `path` holds. */
export interface Place {
  readonly record: SourceRange;
  readonly path: ValuePath;
  readonly inner?: ValuePath | undefined;
  readonly locate: Locate;
  readonly attachments?: Attachments | undefined;
}

/** A text with the reference by which it is found again. */
export interface FoundText {
  readonly content: string;
  readonly text: TextReference;
}

export const noText: FoundText = { content: '', text: { kind: 'literal', text: '' } };

/** The place of a part of the value. */
export function below(place: Place, ...keys: ValuePath): Place {
  const { record, path, inner, locate, attachments } = place;
  return inner === undefined
    ? { record, path: [...path, ...keys], inner, locate, attachments }
    : { record, path, inner: [...inner, ...keys], locate, attachments };
}

export function sourceOf(place: Place): SourceRange {
  return place.locate(place.path);
}

/**
 * A value that may be recorded as JSON in a string: the value, with its place in that string. Anything that does not
 * decode to an object or a list stays as it is.
 */
export function decodedJson(
  value: unknown,
  place: Place,
): { readonly value: unknown; readonly place: Place } {
  if (typeof value !== 'string' || place.inner !== undefined || !/^\s*[[{]/.test(value)) {
    return { value, place };
  }
  const decoded = derivedValue('json', value);
  return isObject(decoded) || isArray(decoded)
    ? { value: decoded, place: { ...place, inner: [] } }
    : { value, place };
}

/** The text of a value: a string as it is, nothing for null and undefined, else its compact JSON. */
export function textOf(value: unknown, place: Place): FoundText {
  if (value === undefined || value === null) {
    return noText;
  }
  if (typeof value === 'string') {
    return attachedText(value, place, 'string') ?? { content: value, text: reference(place, 'string') };
  }
  const pieces = namesAttachment(value, place) ? jsonPieces(value, place) : [];
  return pieces.length === 0 ? { content: toJson(value), text: reference(place, 'json') } : joinTexts(pieces);
}

export function joinTexts(pieces: readonly FoundText[]): FoundText {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined
    ? first
    : {
        content: pieces.map(({ content }) => content).join(''),
        text: { kind: 'joined', parts: pieces.map(({ text }) => text) },
      };
}

/** Text that the agent put between what is recorded. */
export function literalText(text: string): FoundText {
  return { content: text, text: { kind: 'literal', text } };
}

function reference({ record, path, inner }: Place, kind: 'string' | 'json'): TextReference {
  return inner === undefined ? { kind, record, path } : { kind: 'derived', record, path, via: 'json', inner };
}

function attachedText(value: string, place: Place, kind: 'string' | 'json'): FoundText | undefined {
  const { attachments, record } = place;
  if (attachments === undefined || !value.startsWith(attachments.scheme)) {
    return undefined;
  }
  const name = value.slice(attachments.scheme.length);
  const content =
    isObject(attachments.texts) && Object.hasOwn(attachments.texts, name)
      ? attachments.texts[name]
      : undefined;
  return typeof content === 'string'
    ? {
        content: kind === 'string' ? content : toJson(content),
        text: { kind, record, path: [...attachments.path, name] },
      }
    : undefined;
}

/** Deepest part in which attachments are looked for. */
const deepest = 50;

function namesAttachment(value: unknown, place: Place, depth = 0): boolean {
  if (place.attachments === undefined || depth > deepest) {
    return false;
  }
  if (typeof value === 'string') {
    return value.startsWith(place.attachments.scheme);
  }
  const parts = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return parts.some(part => namesAttachment(part, place, depth + 1));
}

/** Compact JSON in pieces, with every attachment's text in the place of its name. */
function jsonPieces(value: unknown, place: Place): FoundText[] {
  if (typeof value === 'string') {
    const attached = attachedText(value, place, 'json');
    return [attached ?? { content: toJson(value), text: reference(place, 'json') }];
  }
  if (!namesAttachment(value, place)) {
    return [{ content: toJson(value), text: reference(place, 'json') }];
  }
  if (isArray(value)) {
    return [
      ...value.flatMap((item, index) => [
        literalText(index === 0 ? '[' : ','),
        ...jsonPieces(item, below(place, index)),
      ]),
      literalText(']'),
    ];
  }
  return [
    ...Object.entries(isObject(value) ? value : {}).flatMap(([key, item], index) => [
      literalText(`${index === 0 ? '{' : ','}${toJson(key)}:`),
      ...jsonPieces(item, below(place, key)),
    ]),
    literalText('}'),
  ];
}
