import type { DerivedKind, SourceRange, TextReference } from '../../model/block';
import type { Locate } from '../../content/place';
import type { ValuePath } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import type { KnownCall } from '../../content/anthropicContent';
import type { ReadMessage } from '../../content/chatMessage';
import type { NewBlock } from '../../content/transcriptBuilder';

/** Where the body of a request or response stands: at a path of a record, perhaps inside a string there. */
export interface BodyPlace {
  readonly record: SourceRange;
  readonly path: ValuePath;
  /** How the string at `path` is decoded, where the body is not an object of the record itself. */
  readonly via?: DerivedKind;
  readonly locate: Locate;
}

/** A message as it went over the wire. */
export interface WireMessage extends ReadMessage {
  /** Indices of the blocks that carry a cache breakpoint. */
  readonly marked?: readonly number[];
  /** System prompt or tools: what stands before the conversation. */
  readonly isHead?: boolean;
}

/** The body of a request, in wire order: tools and system prompt, then the conversation. */
export interface WireRequest {
  readonly api: string;
  readonly messages: readonly WireMessage[];
  /** Nothing that the model saw is missing. */
  readonly complete: boolean;
  readonly model?: string | undefined;
  /** The response that the provider kept and puts before these messages. */
  readonly previousResponse?: string | undefined;
}

/** The body of a response, streamed or not. */
export interface WireResponse {
  readonly api: string;
  readonly messages: readonly WireMessage[];
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: RecordedUsage | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
}

/** What the content readers need to know of a message; its number is given when the message is added. */
export interface WireOwner {
  readonly message: number;
  readonly record: SourceRange;
  readonly path: ValuePath;
  readonly locate: Locate;
  readonly calls: Map<string, KnownCall>;
}

/** The owner of a part of a body; `path` leads to it within the body. Its blocks still have to be `placed`. */
export function wireOwner(place: BodyPlace, path: ValuePath, calls: Map<string, KnownCall>): WireOwner {
  return {
    message: 0,
    record: place.record,
    path,
    calls,
    locate: inner => place.locate(place.via === undefined ? [...place.path, ...inner] : place.path),
  };
}

/** Makes the references of a body's blocks lead through the record that the body is in. */
export function placed(blocks: readonly NewBlock[], place: BodyPlace): readonly NewBlock[] {
  return place.via === undefined && place.path.length === 0
    ? blocks
    : blocks.map(block => ({ ...block, text: placedText(block.text, place) }));
}

function placedText(text: TextReference, { path, via }: BodyPlace): TextReference {
  switch (text.kind) {
    case 'literal':
    case 'joined':
    case 'derived':
      return text;
    case 'string':
    case 'json':
    case 'parts': {
      if (via === undefined) {
        return { ...text, path: [...path, ...text.path] };
      }
      const derived = { kind: 'derived', record: text.record, path, via, inner: text.path } as const;
      if (text.kind !== 'string') {
        return { ...derived, readAs: text.kind };
      }
      return {
        ...derived,
        ...(text.start === undefined ? {} : { start: text.start }),
        ...(text.end === undefined ? {} : { end: text.end }),
      };
    }
  }
}
