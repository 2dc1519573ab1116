import type { JsonObject } from '../base/json';

/** The families of APIs that a conversation can be sent to. */
export const protocols = ['anthropic', 'openaiChat', 'openaiResponses', 'gemini'] as const;
export type Protocol = (typeof protocols)[number];

/** A piece of a request exactly as a provider had it: signatures, encrypted reasoning and all. */
export interface NativeItem {
  readonly protocol: Protocol;
  readonly item: JsonObject;
}

/** A picture in base64 with its media type, or the address of one. */
export type Picture =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string };

/**
 * One piece of a turn. `blocks` are the numbers of the transcript's blocks that it was made of, empty if it comes from
 * none of them. `native` is the whole part in the provider's own form; absent if the part was changed.
 */
export type ConversationPart = {
  readonly blocks: readonly number[];
  readonly native?: NativeItem | undefined;
} & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      /** Usually an object; the text itself for a tool that takes free text. */
      readonly input: unknown;
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly pictures: readonly Picture[];
    }
  | { readonly kind: 'picture'; readonly picture: Picture }
  /** Something that only its own provider understands. */
  | { readonly kind: 'other' }
);

export interface ConversationTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly ConversationPart[];
}

export interface ConversationTool {
  readonly blocks: readonly number[];
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  /** Made from the arguments of the recorded calls, since no schema was recorded. */
  readonly inferred: boolean;
  readonly native?: NativeItem | undefined;
}

/** A request in a provider-neutral shape: what a model is to see, in wire order. */
export interface Conversation {
  readonly system: readonly ConversationPart[];
  readonly tools: readonly ConversationTool[];
  readonly turns: readonly ConversationTurn[];
  /** Block numbers behind which the recorded request had a cache breakpoint, in wire order. */
  readonly breakpoints: readonly number[];
  /** Block numbers of summaries of what came before; absent where there is none. */
  readonly summaries?: readonly number[];
  /** What differs from the recorded request, one sentence each, for the user. */
  readonly notes: readonly string[];
}
