import canonicalize from 'canonicalize';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { arrayAt, isArray, isObject, member, numberAt, objectAt, stringAt, type JsonObject } from '../json';

/** One `api-request` record: which messages a request was made of, by their hashes, and where its cache breakpoints were. */
export interface RequestRecord<Message> {
  readonly id: string;
  readonly shapeHash: string;
  /** The messages in order; `undefined` for one that the transcript does not hold. */
  readonly messages: readonly (Message | undefined)[];
  readonly base: string | undefined;
  readonly model: string | undefined;
  /** Paths of `cache_control` marks: `['system', 1]`, `['tools', 3]`, `['messages', 6, 'content', 0]`. */
  readonly breakpoints: readonly (readonly (string | number)[])[];
}

/**
 * The request records of Claude Code 2.1.186 and later: `api-request` lists messages by hash; a hash stands for the
 * message of transcript lines or for an `api-request-blob`. `Message` is whatever the caller keeps for one message.
 */
export class RequestLedger<Message> {
  private readonly messages = new Map<string, Message>();
  private readonly lists = new Map<string, readonly (Message | undefined)[]>();

  /** Makes a message findable under its hashes: content as it is, and in the other of the two forms of a single text. */
  add(role: string, content: unknown, message: Message): void {
    for (const form of contentForms(content)) {
      this.addHash(hashMessage({ role, content: form }), message);
    }
  }

  /** Of equal messages the newest stands for the hash: a request's tail is what was just added. */
  addHash(hash: string, message: Message): void {
    this.messages.set(hash, message);
  }

  /** Reads an `api-request` record; `undefined` when it lacks what it needs. */
  read(value: unknown): RequestRecord<Message> | undefined {
    const id = stringAt(value, 'id');
    const shapeHash = stringAt(value, 'shapeHash');
    const tail = arrayAt(value, 'tail');
    if (id === undefined || shapeHash === undefined || !isArray(member(value, 'tail'))) {
      return undefined;
    }
    const base = stringAt(value, 'base');
    const keep = Math.max(0, Math.trunc(numberAt(value, 'keep') ?? 0));
    const kept = (base === undefined ? undefined : this.lists.get(base)) ?? [];
    const messages = [
      ...kept.slice(0, keep),
      ...tail.map(hash => (typeof hash === 'string' ? this.messages.get(hash) : undefined)),
    ];
    this.lists.set(id, messages);
    return {
      id,
      shapeHash,
      messages,
      base,
      model: stringAt(objectAt(value, 'params'), 'model'),
      breakpoints: arrayAt(value, 'cacheControl').flatMap(mark => {
        const path = arrayAt(mark, 'path');
        return path.every(key => typeof key === 'string' || typeof key === 'number') ? [path] : [];
      }),
    };
  }
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

/** SHA-256 of the message as JSON with sorted keys, without cache marks, in hex. */
function hashMessage(message: JsonObject): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalize(withoutCacheControl(message)) ?? '')));
}

function withoutCacheControl(value: unknown): unknown {
  if (isArray(value)) {
    return value.map(withoutCacheControl);
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) =>
          key === 'cache_control' ? [] : [[key, withoutCacheControl(inner)]],
        ),
      )
    : value;
}
