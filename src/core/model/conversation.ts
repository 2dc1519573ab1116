import * as v from 'valibot';
import { isObject, type JsonObject } from '../base/json';
import { type Described, texts } from '../base/schema';
import { protocols } from './protocol';

const jsonObject = v.custom<JsonObject>(isObject);

/** A piece of a request exactly in the provider's form, including signatures and encrypted reasoning. */
const nativeItem = v.object({ protocol: v.picklist(protocols), item: jsonObject });
export type NativeItem = Described<typeof nativeItem>;

/** A picture in base64 with its media type, or the address of one. */
const picture = v.variant('kind', [
  v.object({ kind: v.literal('data'), ...texts('mediaType', 'data') }),
  v.object({ kind: v.literal('url'), url: v.string() }),
]);
export type Picture = Described<typeof picture>;

/**
 * The members of every piece. `blocks` are the numbers of the transcript's blocks that it was made of; empty if none.
 * `native` is the whole piece in the provider's own form; absent if the piece was changed.
 */
const shared = { blocks: v.array(v.number()), native: v.optional(nativeItem) };

/** One piece of a turn. */
export const conversationPart = v.variant('kind', [
  v.object({ kind: v.literal('text'), text: v.string(), ...shared }),
  v.object({ kind: v.literal('thinking'), text: v.string(), ...shared }),
  v.object({
    kind: v.literal('call'),
    ...texts('id', 'name'),
    /** Usually an object. For a tool that takes free text, the text itself. */
    input: v.unknown(),
    ...shared,
  }),
  v.object({
    kind: v.literal('result'),
    ...texts('callId', 'name', 'text'),
    isError: v.boolean(),
    pictures: v.array(picture),
    ...shared,
  }),
  v.object({ kind: v.literal('picture'), picture, ...shared }),
  /** Content that only its own provider understands. */
  v.object({ kind: v.literal('other'), ...shared }),
]);
export type ConversationPart = Described<typeof conversationPart>;

const conversationTurn = v.object({
  role: v.picklist(['system', 'user', 'assistant']),
  parts: v.array(conversationPart),
  /** The zone of the turn: a summary of earlier turns, or a question for this request only. Absent for live turns. */
  zone: v.exactOptional(v.picklist(['compressed', 'scratch'])),
});
export type ConversationTurn = Described<typeof conversationTurn>;

const conversationTool = v.object({
  ...texts('name', 'description'),
  /** JSON Schema of the arguments. */
  schema: jsonObject,
  /** True if it was derived from the arguments of the recorded calls, because no schema was recorded. */
  inferred: v.boolean(),
  ...shared,
});
export type ConversationTool = Described<typeof conversationTool>;

/** A request in a provider-neutral form: the content for the model, in wire order. */
export const conversationSchema = v.object({
  system: v.array(conversationPart),
  tools: v.array(conversationTool),
  turns: v.array(conversationTurn),
  /** Block numbers after which the recorded request had a cache breakpoint, in wire order. */
  breakpoints: v.array(v.number()),
  /** Numbers of blocks sent in another form than recorded because of pruning; absent if none. */
  pruned: v.exactOptional(v.array(v.number())),
  /** The differences from the recorded request for the user, one sentence each. */
  notes: v.array(v.string()),
});
export type Conversation = Described<typeof conversationSchema>;
