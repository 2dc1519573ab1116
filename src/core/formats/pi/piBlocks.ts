import { type ValuePath, stringAt, toJson } from '../../base/json';
import { labelOfText } from '../../content/blockLabels';
import { type TextClass, classifyInjectedText, typedPrompt } from '../../content/classification';
import { readImageInfo } from '../../content/imageInfo';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { SourceRange, TextReference } from '../../model/block';

/** Where a value of a pi session is recorded, and its message. */
export interface PiPlace {
  readonly record: SourceRange;
  readonly path: ValuePath;
  readonly message: number;
}

export type PiOwner = Omit<PiPlace, 'path'>;

/** A text that was put together of several, with the reference by which it is found again. */
export interface Piece {
  readonly content: string;
  readonly text: TextReference;
}

export function piece(content: string, record: SourceRange, path: ValuePath): Piece {
  return { content, text: { kind: 'string', record, path } };
}

export function literal(text: string): Piece {
  return { content: text, text: { kind: 'literal', text } };
}

export function below(place: PiPlace, key: string): PiPlace {
  return { ...place, path: [...place.path, key] };
}

export function joinedBlock(
  pieces: readonly Piece[],
  role: 'system' | 'user',
  textClass: TextClass,
  place: PiOwner,
): NewBlock {
  const content = pieces.map(part => part.content).join('');
  const { kind, partition, provenance } = textClass;
  return {
    role,
    contentType: 'text',
    kind,
    partition,
    provenance,
    label: labelOfText(content),
    source: place.record,
    message: place.message,
    content,
    text: { kind: 'joined', parts: pieces.map(({ text }) => text) },
  };
}

export function textBlock(
  text: string,
  role: 'user' | 'assistant',
  textClass: TextClass | undefined,
  place: PiPlace,
): NewBlock {
  const { kind, partition, provenance } = textClass ?? classifyInjectedText(text) ?? typedPrompt;
  return {
    role,
    contentType: 'text',
    kind,
    partition,
    provenance,
    label: labelOfText(text),
    source: place.record,
    message: place.message,
    content: text,
    text: { kind: 'string', record: place.record, path: place.path },
  };
}

export function thinkingBlock(part: unknown, place: PiPlace): NewBlock {
  const content = stringAt(part, 'thinking') ?? '';
  return {
    role: 'assistant',
    contentType: 'text',
    source: place.record,
    message: place.message,
    kind: 'thinking',
    partition: 'history',
    provenance: 'developer',
    label: content === '' ? 'thinking, not recorded' : labelOfText(content),
    content,
    text:
      content === ''
        ? { kind: 'literal', text: '' }
        : { kind: 'string', record: place.record, path: [...place.path, 'thinking'] },
  };
}

export function imageBlock(part: unknown, role: 'user' | 'assistant' | 'tool', place: PiPlace): NewBlock {
  const content = stringAt(part, 'data') ?? '';
  const mediaType = stringAt(part, 'mimeType');
  const size = readImageInfo(content);
  return {
    role,
    contentType: 'image',
    source: place.record,
    message: place.message,
    kind: 'image',
    provenance: 'user',
    partition: 'history',
    label: size === undefined ? (mediaType ?? 'image') : `image ${size.width} × ${size.height}`,
    image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) },
    content,
    text: { kind: 'string', record: place.record, path: [...place.path, 'data'] },
  };
}

export function otherBlock(part: unknown, role: 'user' | 'assistant', place: PiPlace): NewBlock {
  return {
    role,
    contentType: 'text',
    source: place.record,
    message: place.message,
    kind: 'other',
    partition: 'history',
    provenance: role === 'user' ? 'user' : 'developer',
    label: stringAt(part, 'type') ?? 'unknown content',
    content: toJson(part),
    text: { kind: 'json', record: place.record, path: place.path },
  };
}
