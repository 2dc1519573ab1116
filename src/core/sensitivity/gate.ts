import { type Splice, spliced } from '../base/jsonEdits';
import { translate } from '../base/translate';
import { isCredential } from './credentials';
import {
  type FindInEach,
  findInJson,
  isJsonText,
  type JsonSource,
  sourceOf,
  visitJson,
} from './jsonFindings';
import { KnownSecrets } from './knownSecrets';
import { type MaskedRange, maskText } from './maskText';
import { scanValues } from './scanTexts';
import type { SecretScanner } from './scanner';

/** The text that replaces a secret. It names the rule that found it and contains nothing of the secret. */
export function redactionMark(rule: string): string {
  return `[redacted: ${rule}]`;
}

/** Minimum number of UTF-16 units at the end of a truncated text that count as the beginning of a secret. */
const shortestBeginning = 6;

/** UTF-16 units of an output that are checked at once. */
const checkedAtOnce = 1 << 20;

export interface GateOptions {
  /** The findings that are removed. If only credentials are removed, an agent can still continue a transcript. */
  readonly takesOut?: 'credentials' | 'everything sensitive';
  /** Keeps the findings of texts, for a caller that passes the same texts several times. */
  readonly remembers?: boolean;
  /** Secrets that were found elsewhere. */
  readonly known?: KnownSecrets;
}

const encoder = new TextEncoder();
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The gate that everything passes before it leaves the program: files, printed lines, titles, requests. It replaces
 * each secret with the name of the rule that found it. A secret found in one place is recognised by its text everywhere
 * else, even without the context that identified it. So let the gate learn everything first, and pass texts before they
 * are cut.
 */
export class Gate {
  private readonly known: KnownSecrets;
  private readonly remembered: Map<string, ReturnType<FindInEach>> | undefined;
  private readonly find: FindInEach = texts => this.findingsIn(texts);

  constructor(
    private readonly scanner: SecretScanner,
    private readonly options: GateOptions = {},
  ) {
    this.known = options.known ?? new KnownSecrets();
    this.remembered = options.remembers === true ? new Map() : undefined;
  }

  /** Learns the secrets of a text. Returns true if it has any. */
  async learn(text: string): Promise<boolean> {
    if (isJsonText(text)) {
      return this.learnJson(text);
    }
    const found = await this.findings(text);
    this.remember(text, found);
    return found.length > 0;
  }

  /** Learns the secrets of one JSON value, given as its text or as the bytes of its text. */
  async learnJson(json: string | Uint8Array): Promise<boolean> {
    let isFound = false;
    await findInJson(json, this.find, ({ value, found }) => {
      this.remember(value, found);
      isFound ||= found.length > 0;
    });
    return isFound;
  }

  /** Returns a text without secrets. If it is JSON, its values are judged with their names, and it stays JSON. */
  async text(text: string): Promise<string> {
    return isJsonText(text) ? this.json(text) : this.masked(text, await this.findings(text));
  }

  /** The same for a truncated text: the beginning of a known secret at its end is removed too. */
  async cutText(text: string): Promise<string> {
    const cut = this.known.cutOff(text.trimEnd(), shortestBeginning);
    const found = await this.findings(text);
    return this.masked(text, cut === undefined ? found : [...found, { ...cut, label: 'restricted' }]);
  }

  /** The same for the bytes of such a text; `undefined` if nothing changes. */
  async cutBytes(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    const text = textDecoder.decode(bytes);
    const redacted = await this.cutText(text);
    return redacted === text ? undefined : encoder.encode(redacted);
  }

  /** The text of a JSON value with redacted strings, names and numbers. Everything else keeps its spelling. */
  async json(text: string): Promise<string> {
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, json } of await this.jsonChanges(sourceOf(text), true)) {
      parts.push(text.slice(from, start), json);
      from = end;
    }
    return parts.length === 0 ? text : [...parts, text.slice(from)].join('');
  }

  /**
   * The same for the bytes of a JSON value; `undefined` if nothing changes.
   * @param isClean true if `learnJson` found nothing in it, so that only known secrets must be searched
   */
  async jsonBytes(bytes: Uint8Array, isClean = false): Promise<Uint8Array | undefined> {
    if (isClean && this.known.size === 0) {
      return undefined;
    }
    const changes = await this.jsonChanges(sourceOf(bytes), !isClean);
    return changes.length === 0
      ? undefined
      : spliced(
          bytes,
          changes.map(({ start, end, json }): Splice => ({ start, end, bytes: encoder.encode(json) })),
        );
  }

  /** A copy of a JSON value without secrets. */
  async value(value: unknown): Promise<unknown> {
    const json = JSON.stringify(value);
    const redacted = await this.json(json);
    return redacted === json ? value : JSON.parse(redacted);
  }

  /** Checks a finished output. Throws one sentence if it contains a known secret. */
  check(text: string): void {
    if (this.known.find(text).length > 0) {
      throw new Error(translate('Nothing was written: the file would still contain a credential.'));
    }
  }

  /** Checks an output in pieces and passes them on. If this throws, the caller must discard the written output. */
  async *checked<Outcome>(
    chunks: AsyncGenerator<Uint8Array, Outcome>,
  ): AsyncGenerator<Uint8Array, Outcome, undefined> {
    if (this.known.size === 0) {
      return yield* chunks;
    }
    const decoder = new TextDecoder('utf-8');
    let waiting: string[] = [];
    let length = 0;
    const checkWaiting = (): void => {
      const text = waiting.join('');
      this.check(text);
      const kept = text.slice(-this.known.longest);
      waiting = [kept];
      length = kept.length;
    };
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) {
        checkWaiting();
        return next.value;
      }
      const text = decoder.decode(next.value, { stream: true });
      waiting.push(text);
      length += text.length;
      if (length >= checkedAtOnce + 2 * this.known.longest) {
        checkWaiting();
      }
      yield next.value;
    }
  }

  private async jsonChanges(source: JsonSource, scans: boolean): Promise<readonly JsonChange[]> {
    const changes: JsonChange[] = [];
    const names = new ChangedNames();
    await visitJson(source, scans ? this.find : findNothing, ({ token, value, found }, all) => {
      const change = (redacted: string): void => {
        if (redacted !== value) {
          const json = JSON.stringify(token.kind === 'name' ? names.unique(redacted, all) : redacted);
          changes.push({ start: token.start, end: token.end, json });
        }
      };
      if (isJsonText(value)) {
        return this.json(value).then(change);
      }
      change(this.masked(value, found));
      return undefined;
    });
    return changes;
  }

  private masked(text: string, found: readonly MaskedRange[]): string {
    const known = this.known.find(text);
    if (known.length + found.length === 0) {
      return text;
    }
    const ranges = known.map(({ start, end, rule }): MaskedRange => ({
      start,
      end,
      rule,
      label: 'restricted',
    }));
    return maskText(text, [...found, ...ranges])
      .map(segment => ('text' in segment ? segment.text : redactionMark(segment.rule)))
      .join('');
  }

  private remember(text: string, found: readonly MaskedRange[]): void {
    for (const { start, end, rule, label } of found) {
      if (label === 'restricted') {
        this.known.add(text.slice(start, end), rule);
      }
    }
  }

  private async findings(text: string): Promise<readonly MaskedRange[]> {
    return (await this.findingsIn([text]))[0] ?? [];
  }

  private findingsIn(texts: readonly string[]): ReturnType<FindInEach> {
    const key = this.remembered === undefined ? '' : JSON.stringify(texts);
    const found = this.remembered?.get(key) ?? this.scan(texts);
    this.remembered?.set(key, found);
    return found;
  }

  private async scan(texts: readonly string[]): ReturnType<FindInEach> {
    const found = await scanValues(texts, this.scanner);
    return this.options.takesOut === 'everything sensitive'
      ? found
      : found.map(ranges => (ranges.length === 0 ? ranges : ranges.filter(isCredential)));
  }
}

/** A token to replace with other JSON. */
interface JsonChange {
  readonly start: number;
  readonly end: number;
  readonly json: string;
}

/** Keeps changed names different from all other names of their record. */
class ChangedNames {
  private taken: Set<string> | undefined;

  /** @param all the names of the record */
  unique(name: string, all: () => Iterable<string>): string {
    this.taken ??= new Set(all());
    let unique = name;
    for (let count = 2; this.taken.has(unique); count += 1) {
      unique = `${name} ${count}`;
    }
    this.taken.add(unique);
    return unique;
  }
}

const nothing: ReturnType<FindInEach> = Promise.resolve([]);

function findNothing(): ReturnType<FindInEach> {
  return nothing;
}
