import {
  arrayAt,
  isArray,
  isObject,
  type JsonObject,
  member,
  numberAt,
  objectAt,
  stringAt,
} from '../../base/json';
import { type HashText, sha256Hex } from '../../base/sha256';

/** A message of a request; `undefined` if the transcript had no content for the hash when the request was recorded. */
export interface ListedMessage<Message> {
  readonly hash: string;
  readonly message: Message | undefined;
}

/** One `api-request` record: the messages a request was made of, and the places of its cache breakpoints. */
export interface RequestRecord<Message> {
  readonly id: string;
  readonly shapeHash: string;
  /** The request's messages are the first `length` entries; later requests may have added to the list. */
  readonly messages: readonly ListedMessage<Message>[];
  readonly length: number;
  /** The request that this one extends, and how many of its messages were kept. */
  readonly base: string | undefined;
  readonly kept: number;
  readonly model: string | undefined;
  /** Paths of `cache_control` marks: `['system', 1]`, `['tools', 3]`, `['messages', 6, 'content', 0]`. */
  readonly breakpoints: readonly (readonly (string | number)[])[];
}

interface MessageList<Message> {
  readonly messages: ListedMessage<Message>[];
  readonly length: number;
}

/**
 * The request records of Claude Code 2.1.186 and later: `api-request` lists messages by hash; a hash refers to the
 * message of transcript lines or to an `api-request-blob`. `Message` is whatever the caller keeps for one message.
 */
export class RequestLedger<Message> {
  private readonly messages = new Map<string, Message>();
  private readonly lists = new Map<string, MessageList<Message>>();
  /** The newest list of each thread. */
  private readonly newest = new Map<number, MessageList<Message>>();

  constructor(private readonly hashText: HashText = sha256Hex) {}

  /** Registers a message under two hashes: one of its content as recorded, one of the other form of a single text. */
  add(role: string, content: unknown, message: Message): void {
    messageHashes(role, content, this.hashText).forEach(hash => this.addHash(hash, message));
  }

  /**
   * If several messages are equal, the hash refers to the newest, because a request ends with the messages just added.
   */
  addHash(hash: string, message: Message): void {
    this.messages.set(hash, message);
  }

  find(hash: string): Message | undefined {
    return this.messages.get(hash);
  }

  /** True if this request's record has been read. */
  has(id: string): boolean {
    return this.lists.has(id);
  }

  /**
   * Reads an `api-request` record. `undefined` if required members are missing, or if its base request is not in this
   * file or has fewer messages than it keeps.
   */
  read(value: unknown, thread: number): RequestRecord<Message> | undefined {
    const id = stringAt(value, 'id');
    const shapeHash = stringAt(value, 'shapeHash');
    const tail = member(value, 'tail');
    const keep = Math.max(0, Math.trunc(numberAt(value, 'keep') ?? 0));
    const baseId = stringAt(value, 'base');
    const base = baseId === undefined ? undefined : this.lists.get(baseId);
    if (id === undefined || shapeHash === undefined || !isArray(tail) || keep > (base?.length ?? 0)) {
      return undefined;
    }
    // A request that extends its base shares the base's list, so the lists of a long session cost only what the
    // requests add.
    const messages =
      base?.length === keep && base.messages.length === keep
        ? base.messages
        : (base?.messages.slice(0, keep) ?? []);
    const before = this.newest.get(thread);
    for (const item of tail) {
      const hash = typeof item === 'string' ? item : '';
      // A new process lists everything again: an entry at the same position with the same hash is the same message,
      // even if a later message is equal.
      const again = messages.length < (before?.length ?? 0) ? before?.messages[messages.length] : undefined;
      messages.push(again?.hash === hash ? again : { hash, message: this.messages.get(hash) });
    }
    const list = { messages, length: messages.length };
    this.lists.set(id, list);
    this.newest.set(thread, list);
    return {
      id,
      shapeHash,
      messages,
      length: messages.length,
      base: baseId,
      kept: keep,
      model: stringAt(objectAt(value, 'params'), 'model'),
      breakpoints: arrayAt(value, 'cacheControl').flatMap(mark => {
        const path = arrayAt(mark, 'path');
        return path.every(key => typeof key === 'string' || typeof key === 'number') ? [path] : [];
      }),
    };
  }
}

/**
 * The hashes under which a message may be listed: one of its content as recorded, one of the other form of a single
 * text.
 */
export function messageHashes(
  role: string,
  content: unknown,
  hashText: HashText = sha256Hex,
): readonly string[] {
  return contentForms(content).map(form => hashJson({ role, content: form }, hashText));
}

/** A string and a list of one text block are two forms of the same message; both are hashed. */
function contentForms(content: unknown): unknown[] {
  if (typeof content === 'string') {
    return [content, [{ type: 'text', text: content }]];
  }
  const only = isArray(content) && content.length === 1 ? content[0] : undefined;
  const text = stringAt(only, 'type') === 'text' ? stringAt(only, 'text') : undefined;
  return text === undefined ? [content] : [content, text];
}

/** SHA-256 of a message or a shape as JSON with sorted keys, without cache marks, in hex. */
export function hashJson(value: JsonObject, hashText: HashText = sha256Hex): string {
  return hashText(sortedJson(value));
}

/** Serialised by the engine in one call: every message of a long session goes through here. */
function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The value with the members of its objects sorted; texts are shared, not copied. */
function sorted(value: unknown): unknown {
  if (isArray(value)) {
    return value.map(sorted);
  }
  if (!isObject(value)) {
    return value ?? null;
  }
  const keys = Object.keys(value)
    .filter(key => key !== 'cache_control')
    .sort();
  return Object.fromEntries(keys.map(key => [key, sorted(value[key])]));
}
