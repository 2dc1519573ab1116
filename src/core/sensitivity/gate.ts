import { entryOf } from '../base/entryOf';
import { type Splice, spliced } from '../base/jsonEdits';
import { translate } from '../base/translate';
import { isCredential } from './credentials';
import {
  eventParts,
  type FindInEach,
  type FoundValue,
  isEventText,
  isJsonText,
  type JsonSource,
  type JsonSurroundings,
  sourceOf,
  visitJson,
} from './jsonFindings';
import { type KnownPlace, KnownSecrets } from './knownSecrets';
import { type MaskedRange, maskText } from './maskText';
import { redactionMark } from './redactionMark';
import { scanValues } from './scanTexts';
import type { SecretScanner } from './scanner';

/** Minimum number of UTF-16 units at the end of a truncated text that count as the beginning of a secret. */
const shortestBeginning = 6;

/** The longest name that a redacted name begins with; providers accept 64 characters. In UTF-16 units. */
const longestName = 56;

/** UTF-16 units of an output that are checked at once. */
const checkedAtOnce = 1 << 20;

/**
 * The part that a value plays in a format:
 * - `structure`: readers need it, and nobody wrote it: times, kinds, roles, counts. It never changes
 * - `id`: an identifier. It changes only if it has the form of a secret itself, and then everywhere
 * - `name`: of a tool, a model or a member. It stays a valid name
 * - `text`: anything else
 */
export type ValuePart = 'structure' | 'id' | 'name' | 'text';

/** A value of a record with its name. */
export interface NamedValue extends Pick<FoundValue, 'name' | 'value'> {
  readonly kind: FoundValue['token']['kind'];
}

export interface GateOptions {
  /** Judges the values of records. Without it, all of them are texts. */
  readonly partOf?: (value: NamedValue) => ValuePart;
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
  /** The replacements of names and ids with a secret. */
  private readonly names = new Map<string, string>();
  /** The known secrets that are also a part of a format's structure, where they stay. */
  private readonly inStructure = new Set<string>();
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
  learnJson(json: string | Uint8Array): Promise<boolean> {
    return this.learnValues(sourceOf(json), false);
  }

  private async learnValues(source: JsonSource, isContent: boolean): Promise<boolean> {
    let isFound = false;
    await visitJson(source, this.find, (found, surroundings) => {
      const ranges = this.rangesIn(found, surroundings, isContent);
      this.remember(found.value, ranges);
      isFound ||= ranges.length > 0;
      return hasValues(found.value)
        ? this.learnInside(found.value, isContent || isContentInside(found, surroundings)).then(isInside => {
            isFound ||= isInside;
          })
        : undefined;
    });
    return isFound;
  }

  /** Learns the secrets of the JSON in a text. */
  private async learnInside(text: string, isContent: boolean): Promise<boolean> {
    let isFound = false;
    for (const part of partsOf(text)) {
      const isInPart = part.isJson
        ? await this.learnValues(sourceOf(part.text), isContent)
        : await this.learn(part.text);
      isFound ||= isInPart;
    }
    return isFound;
  }

  /** The findings in a value that count for its part in the format. */
  private rangesIn(
    found: FoundValue,
    surroundings: JsonSurroundings,
    isContent: boolean,
  ): readonly MaskedRange[] {
    if (found.found.length === 0) {
      return found.found;
    }
    switch (this.partOf(found, surroundings, isContent)) {
      case 'structure':
        return [];
      case 'id':
        return found.foundAlone;
      case 'name':
      case 'text':
        return found.found;
    }
  }

  private partOf(found: FoundValue, surroundings: JsonSurroundings, isContent: boolean): ValuePart {
    const { token, name, value } = found;
    const part = this.options.partOf?.({ kind: token.kind, name, value }) ?? 'text';
    // The arguments of a call may have any names.
    return part !== 'text' && token.kind !== 'name' && (isContent || isArgument(found, surroundings))
      ? 'text'
      : part;
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
  json(text: string): Promise<string> {
    return this.jsonText(text, false);
  }

  private async jsonText(text: string, isContent: boolean): Promise<string> {
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, json } of await this.jsonChanges(sourceOf(text), true, isContent)) {
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
    const changes = await this.jsonChanges(sourceOf(bytes), !isClean, false);
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
    const isLeft = ({ start, end }: KnownPlace): boolean => !this.inStructure.has(text.slice(start, end));
    if (this.known.find(text).some(isLeft)) {
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

  private async jsonChanges(
    source: JsonSource,
    scans: boolean,
    isContent: boolean,
  ): Promise<readonly JsonChange[]> {
    const changes: JsonChange[] = [];
    const names = new ChangedNames();
    await visitJson(source, scans ? this.find : findNothing, (found, surroundings) => {
      const { token, value } = found;
      const change = (redacted: string): void => {
        if (redacted !== value) {
          // Accepted names are different by themselves.
          const unique =
            token.kind === 'name' && this.options.partOf === undefined
              ? names.unique(redacted, () => surroundings.names())
              : redacted;
          changes.push({ start: token.start, end: token.end, json: JSON.stringify(unique) });
        }
      };
      if (hasValues(value)) {
        return this.redactedInside(value, isContent || isContentInside(found, surroundings)).then(change);
      }
      change(this.redactedValue(found, surroundings, isContent));
      return undefined;
    });
    return changes;
  }

  /** A text without secrets in its JSON and around it. */
  private async redactedInside(text: string, isContent: boolean): Promise<string> {
    const parts: string[] = [];
    for (const part of partsOf(text)) {
      parts.push(await (part.isJson ? this.jsonText(part.text, isContent) : this.text(part.text)));
    }
    return parts.join('');
  }

  private redactedValue(found: FoundValue, surroundings: JsonSurroundings, isContent: boolean): string {
    const { value } = found;
    const known = this.known.find(value);
    if (known.length === 0 && found.found.length === 0) {
      return value;
    }
    const part = this.partOf(found, surroundings, isContent);
    switch (part) {
      case 'structure':
      case 'id': {
        for (const { start, end } of known) {
          this.inStructure.add(value.slice(start, end));
        }
        const isSecret = part === 'id' && found.foundAlone.length > 0;
        return isSecret
          ? this.acceptedName(value, masked(value, [...found.foundAlone, ...known.map(rangeOf)]))
          : value;
      }
      case 'name':
        return this.acceptedName(value, masked(value, [...found.found, ...known.map(rangeOf)]));
      case 'text':
        return masked(value, [...found.found, ...known.map(rangeOf)]);
    }
  }

  /**
   * A name or id without secrets and, if it changes, with only the characters that providers accept. Equal names stay
   * equal, and different ones stay different.
   */
  async name(name: string): Promise<string> {
    return this.acceptedName(name, await this.text(name));
  }

  private acceptedName(name: string, redacted: string): string {
    return redacted === name
      ? name
      : entryOf(
          this.names,
          name,
          () => `${redacted.replace(/\W+/g, '_').slice(0, longestName)}${this.names.size}`,
        );
  }

  private masked(text: string, found: readonly MaskedRange[]): string {
    return masked(text, [...found, ...this.known.find(text).map(rangeOf)]);
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

/** True if the values in a text are judged one by one. */
function hasValues(text: string): boolean {
  return isJsonText(text) || isEventText(text);
}

function partsOf(text: string): ReturnType<typeof eventParts> | readonly { text: string; isJson: boolean }[] {
  return isJsonText(text) ? [{ text, isJson: true }] : eventParts(text);
}

/** A text with the name of a rule in place of each finding. */
function masked(text: string, found: readonly MaskedRange[]): string {
  return found.length === 0
    ? text
    : maskText(text, found)
        .map(segment => ('text' in segment ? segment.text : redactionMark(segment.rule)))
        .join('');
}

function rangeOf({ start, end, rule }: KnownPlace): MaskedRange {
  return { start, end, rule, label: 'restricted' };
}

/** The members with the arguments of a call, as an object. */
const argumentNames: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'params', 'rawInput']);
/** The members whose JSON in a string comes from a tool or a model. */
const contentNames: ReadonlySet<string> = new Set([
  ...argumentNames,
  'content',
  'output',
  'result',
  'stdout',
  'stderr',
  'text',
  'thinking',
]);
/** The members with a message between programs, whose body may be a JSON text. */
const messageNames: ReadonlySet<string> = new Set(['postData', 'request', 'response']);

function isArgument(found: FoundValue, surroundings: JsonSurroundings): boolean {
  for (const { name, isObject } of surroundings.around(found)) {
    if (isObject && argumentNames.has(name)) {
      return true;
    }
  }
  return false;
}

/** True if the JSON in a string is content, and not a part of the format. */
function isContentInside(found: FoundValue, surroundings: JsonSurroundings): boolean {
  if (found.token.kind === 'name' || isArgument(found, surroundings)) {
    return true;
  }
  const around = Array.from(surroundings.around(found), ({ name }) => name);
  return contentNames.has(found.name) && !around.some(name => messageNames.has(name));
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
