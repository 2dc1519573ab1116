import { arrayAt, isArray, isObject, parseJson, stringAt, toJson, type ValuePath } from '../base/json';
import type { DerivedKind, SourceRange, TextReference } from '../model/block';

/** The range of the value at a path of a document, in bytes. */
export type Locate = (path: ValuePath) => SourceRange;

/** Texts that a record holds once and names elsewhere as `attachment://<name>`. */
export interface Attachments {
  readonly scheme: string;
  readonly texts: unknown;
  readonly path: ValuePath;
}

/**
 * The place of a recorded value: at `path` of a record. If the record holds an encoded string there, `decoded` says how to
 * decode it and gives the path in the decoded value.
 */
export interface Place {
  /** The JSON record: a line, or the whole document. */
  readonly record: SourceRange;
  readonly path: ValuePath;
  readonly decoded?: { readonly via: DerivedKind; readonly path: ValuePath } | undefined;
  /** Finds the bytes of the value at a path. Absent in line formats: there, the range is that of the record. */
  readonly locate?: Locate | undefined;
  readonly attachments?: Attachments | undefined;
}

/** A text with the reference that finds it again. */
export interface FoundText {
  readonly content: string;
  readonly text: TextReference;
}

export const noText: FoundText = { content: '', text: { kind: 'literal', text: '' } };

/** An empty text that still refers to its place, for content that is encrypted or left out. */
export function noTextAt(place: Place): FoundText {
  return { content: '', text: textReference(place, 'parts') };
}

/** The place of a part of the value. */
export function below(place: Place, ...keys: ValuePath): Place {
  const { record, path, decoded, locate, attachments } = place;
  return decoded === undefined
    ? { record, path: path.length === 0 ? keys : [...path, ...keys], decoded, locate, attachments }
    : {
        record,
        path,
        decoded: { via: decoded.via, path: [...decoded.path, ...keys] },
        locate,
        attachments,
      };
}

/** Visits the items of the list at a key, each with its place; none if there is no list. */
export function eachAt(
  value: unknown,
  place: Place,
  key: string,
  visit: (item: unknown, place: Place, index: number) => void,
): void {
  arrayAt(value, key).forEach((item, index) => {
    visit(item, below(place, key, index), index);
  });
}

/** The results of reading the items of the list at a key, in order. */
export function flatMapAt<Read>(
  value: unknown,
  place: Place,
  key: string,
  read: (item: unknown, place: Place, index: number) => readonly Read[] | Read,
): Read[] {
  return arrayAt(value, key).flatMap((item, index) => read(item, below(place, key, index), index));
}

/** The place of the decoded value of the string at a place. */
export function decodedPlace(place: Place, via: DerivedKind): Place {
  return { ...place, decoded: { via, path: [] } };
}

/** The range in the file, in bytes, of the value at a place. */
export function sourceOf({ locate, path, record }: Place): SourceRange {
  return locate === undefined ? record : locate(path);
}

/**
 * A value that may be recorded as JSON in a string: the value, with its place in that string. Anything that does not
 * decode to an object or a list stays as it is.
 */
export function decodedJson(
  value: unknown,
  place: Place,
): { readonly value: unknown; readonly place: Place } {
  if (typeof value !== 'string' || place.decoded !== undefined || !/^\s*[[{]/.test(value)) {
    return { value, place };
  }
  const decoded = parseJson(value);
  return isObject(decoded) || isArray(decoded)
    ? { value: decoded, place: decodedPlace(place, 'json') }
    : { value, place };
}

/** The text of a value: a string unchanged, the empty string for null and undefined, otherwise its compact JSON. */
export function textOf(value: unknown, place: Place): FoundText {
  if (value === undefined || value === null) {
    return noText;
  }
  return typeof value === 'string' ? stringText(value, place) : jsonText(value, place);
}

function stringText(value: string, place: Place): FoundText {
  return attachedText(value, place, 'string') ?? { content: value, text: textReference(place, 'string') };
}

/** The compact JSON of a value; a string is quoted. */
export function jsonText(value: unknown, place: Place): FoundText {
  return namesAttachment(value, place)
    ? joinTexts(jsonPieces(value, place))
    : { content: toJson(value), text: textReference(place, 'json') };
}

/** The text at a key, with its reference; empty if there is none. */
export function textAt(value: unknown, place: Place, key: string): FoundText {
  return stringText(stringAt(value, key) ?? '', below(place, key));
}

/** The `text` members of a list of parts as one text, each on its own line, without empty ones. */
export function textOfParts(parts: readonly unknown[], place: Place): FoundText {
  const filled = parts.flatMap((part, index) => ((stringAt(part, 'text') ?? '') === '' ? [] : [index]));
  const isWhole = parts.every(part => stringAt(part, 'text') !== '');
  if (filled.length === 0) {
    return noTextAt(place);
  }
  if (filled.length === 1 || !isWhole || place.attachments !== undefined) {
    return lines(filled.map(index => textAt(parts[index], below(place, index), 'text')));
  }
  const content = filled.map(index => stringAt(parts[index], 'text') ?? '').join('\n');
  return { content, text: textReference(place, 'parts') };
}

/** Several texts as one, each on its own line. */
export function lines(texts: readonly FoundText[]): FoundText {
  return texts.length === 0
    ? noText
    : joinTexts(texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n'), text])));
}

/** Several texts as one, without a separator. */
export function joinTexts(pieces: readonly FoundText[]): FoundText {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined
    ? first
    : {
        content: pieces.map(({ content }) => content).join(''),
        text: { kind: 'joined', parts: pieces.map(({ text }) => text) },
      };
}

/** Text that the agent inserted between recorded parts. */
export function literalText(text: string): FoundText {
  return { content: text, text: { kind: 'literal', text } };
}

/** The range from `start` to `end` of a text, in UTF-16 units; `undefined` if no reference can express it. */
export function partOfText(found: FoundText, start: number, end: number): FoundText | undefined {
  const { content, text } = found;
  if (start === 0 && end === content.length) {
    return found;
  }
  switch (text.kind) {
    case 'string':
    case 'derived':
      return text.kind === 'derived' && text.readAs !== undefined
        ? undefined
        : {
            content: content.slice(start, end),
            text: { ...text, start: (text.start ?? 0) + start, end: (text.start ?? 0) + end },
          };
    case 'literal':
      return literalText(content.slice(start, end));
    case 'json':
    case 'parts':
    case 'joined':
      return undefined;
  }
}

/** A reference to the value at a place. */
export function textReference(
  { record, path, decoded }: Place,
  kind: 'string' | 'json' | 'parts',
): TextReference {
  if (decoded === undefined) {
    return { kind, record, path };
  }
  const { via, path: inner } = decoded;
  return kind === 'string'
    ? { kind: 'derived', record, path, via, inner }
    : { kind: 'derived', record, path, via, inner, readAs: kind };
}

function attachedText(value: string, place: Place, kind: 'string' | 'json'): FoundText | undefined {
  const { attachments, record } = place;
  if (attachments === undefined || !value.startsWith(attachments.scheme)) {
    return undefined;
  }
  const { texts, path } = attachments;
  const name = value.slice(attachments.scheme.length);
  const content = isObject(texts) && Object.hasOwn(texts, name) ? texts[name] : undefined;
  return typeof content === 'string'
    ? {
        content: kind === 'string' ? content : toJson(content),
        text: { kind, record, path: [...path, name] },
      }
    : undefined;
}

/** The depth down to which attachments are looked for. */
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

/** Compact JSON in pieces, with every attachment name replaced by its text. */
function jsonPieces(value: unknown, place: Place): FoundText[] {
  if (typeof value === 'string') {
    const attached = attachedText(value, place, 'json');
    return [attached ?? { content: toJson(value), text: textReference(place, 'json') }];
  }
  if (!namesAttachment(value, place)) {
    return [{ content: toJson(value), text: textReference(place, 'json') }];
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
