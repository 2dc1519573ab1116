import type { ValuePath } from '../base/json';
import type { BlockContentType, PartitionName, PromptRole, ProvenanceLabel } from './labels';

/** The place of a record or a value in the transcript file. `line` is 1-based; `offset` and `length` are bytes. */
export interface SourceRange {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * The place of a block's exact original text. Texts stay in the file and are read on demand, so a transcript's memory
 * depends on its number of blocks and not on its size.
 * - `string`: the string at `path`, or its UTF-16 range `start`..`end`
 * - `json`: the value at `path` as compact JSON (a tool call, a tool schema)
 * - `parts`: the `text` members of the content list at `path`, joined by a newline
 * - `joined`: the texts of the parts, one after the other (a reply that was recorded in deltas)
 * - `derived`: the string at `path` is decoded (`via`, see content/derivedValue.ts). The text is the value at `inner`
 * of the result: a string unchanged, anything else as compact JSON. `start`..`end` is a range of that string. `readAs`
 * says that a string is also meant as JSON, or that a content list is meant as its `parts`
 * - `literal`: text by which the agent replaced recorded text, e.g. the notice for a cleared tool result
 */
export type TextReference =
  | {
      readonly kind: 'string';
      readonly record: SourceRange;
      readonly path: ValuePath;
      readonly start?: number;
      readonly end?: number;
    }
  | { readonly kind: 'json'; readonly record: SourceRange; readonly path: ValuePath }
  | { readonly kind: 'parts'; readonly record: SourceRange; readonly path: ValuePath }
  | { readonly kind: 'joined'; readonly parts: readonly TextReference[] }
  | {
      readonly kind: 'derived';
      readonly record: SourceRange;
      readonly path: ValuePath;
      readonly via: DerivedKind;
      readonly inner: ValuePath;
      readonly start?: number;
      readonly end?: number;
      readonly readAs?: 'json' | 'parts';
    }
  | { readonly kind: 'literal'; readonly text: string };

/** How a recorded string is decoded before a block's text is found in it. */
export const derivedKinds = [
  'json',
  'anthropicStream',
  'openaiStream',
  'responsesStream',
  'geminiStream',
  'base64Body',
  'clineResult',
  'cutJson',
] as const;
export type DerivedKind = (typeof derivedKinds)[number];

/** The kind of a block in the interface's terms. Finer than the Prompt IR's BlockContentType. */
export const blockKinds = [
  'systemPrompt',
  'toolSchema',
  'prompt',
  'injected',
  'assistant',
  'thinking',
  'toolCall',
  'toolResult',
  'image',
  'summary',
  'structuredOutput',
  'other',
] as const;
export type BlockKind = (typeof blockKinds)[number];

/**
 * Sizes of a block's text: UTF-16 units and UTF-8 bytes. For an image, `bytes` is the size of its encoded data and
 * `characters` is 0.
 */
export interface TextSize {
  readonly characters: number;
  readonly bytes: number;
}

/** One piece of content as the model saw it, with its origin. Its number is its index in `Transcript.blocks`. */
export interface Block {
  readonly role: PromptRole;
  readonly contentType: BlockContentType;
  readonly kind: BlockKind;
  readonly provenance: ProvenanceLabel;
  readonly partition: PartitionName;
  /** A few words for the drawing: tool and object of a call, the first words of a text. */
  readonly label: string;
  readonly text: TextReference;
  readonly size: TextSize;
  /** 16 hex digits over the exact text, the role, the kind and a call’s tool: equal hashes mean equal contents. */
  readonly contentHash: string;
  readonly source: SourceRange;
  /** Index into `Transcript.messages`. */
  readonly message: number;
  readonly toolName?: string | undefined;
  /** The transcript's own id of the call. The block is that call, or answers it. */
  readonly callId?: string | undefined;
  /** The path outside the transcript that the content was read from, as the transcript names it. */
  readonly path?: string | undefined;
  readonly isError?: boolean | undefined;
  /** The agent removed the content; only a notice is left. */
  readonly cleared?: boolean | undefined;
  /** The tool flagged its result as useless. */
  readonly useless?: boolean | undefined;
  /** The content comes from the session that this one continues as a fork; it was first sent there. */
  readonly inherited?: boolean | undefined;
  /** Bytes and, where readable from its header, the pixel size of an image. */
  readonly image?:
    | { readonly width?: number; readonly height?: number; readonly mediaType?: string }
    | undefined;
}

/** Bits of a block’s `flags`. */
export const blockFlags = { error: 1, cleared: 2, summary: 4, useless: 8, inherited: 16 } as const;
