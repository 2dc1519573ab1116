import { isArray, isObject, parseJson, type ValuePath } from '../base/json';
import type { JsonEdit } from '../base/jsonEdits';
import { isRecord, type JsonValue, type JsonValueObject } from '../base/jsonValue';
import { maskText } from './maskText';
import { scanText } from './scanTexts';
import type { SecretScanner } from './scanner';

/** Shorter secrets are not searched for elsewhere, since that would remove ordinary words. In UTF-16 units. */
const shortestKnown = 8;

/** Data in base64 that no rule applies to: pictures, signatures, encrypted reasoning. */
const encoded = /^[A-Za-z0-9+/_=-]{2000,}$/;

/** The text that replaces a secret: the rule that found it, and nothing of the secret. */
export function redactionMark(rule: string): string {
  return `[redacted: ${rule}]`;
}

/**
 * Takes credentials out of JSON values. A secret that was found in one place is recognised by its text everywhere else,
 * even where the context that identified it is missing: `learn` everything first, then ask for the edits.
 */
export class Redactor {
  private readonly known = new Map<string, string>();

  /** @param takesOut which findings are removed; if only credentials are, the agent can still continue the transcript */
  constructor(
    private readonly scanner: SecretScanner,
    private readonly takesOut: 'credentials' | 'everything sensitive' = 'credentials',
  ) {}

  async learn(value: unknown): Promise<void> {
    for (const { text } of stringsOf(value, [])) {
      await this.findings(text);
    }
  }

  async edits(value: unknown): Promise<readonly JsonEdit[]> {
    const edits: JsonEdit[] = [];
    for (const { text, path } of stringsOf(value, [])) {
      const inner = innerJson(text);
      if (inner !== undefined) {
        const inside = await this.edits(inner);
        if (inside.length > 0) {
          edits.push({ kind: 'inner', path, edits: inside });
        }
        continue;
      }
      const redacted = await this.redact(text);
      if (redacted !== text) {
        edits.push({ kind: 'replace', path, json: JSON.stringify(redacted) });
      }
    }
    return edits;
  }

  /** A copy of a JSON value with redacted strings. */
  async redactJson(value: JsonValue): Promise<JsonValue> {
    if (typeof value === 'string') {
      return this.redact(value);
    }
    if (isArray(value)) {
      const items: JsonValue[] = [];
      for (const item of value) {
        items.push(await this.redactJson(item));
      }
      return items;
    }
    return isRecord(value) ? this.redactObject(value) : value;
  }

  async redactObject(value: JsonValueObject): Promise<JsonValueObject> {
    const copy: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(value)) {
      copy.push([key, await this.redactJson(item)]);
    }
    return Object.fromEntries(copy);
  }

  async redact(text: string): Promise<string> {
    let redacted = maskText(text, await this.findings(text))
      .map(segment => ('text' in segment ? segment.text : redactionMark(segment.rule)))
      .join('');
    for (const [secret, rule] of this.known) {
      redacted = redacted.replaceAll(secret, () => redactionMark(rule));
    }
    return redacted;
  }

  private async findings(text: string) {
    if (encoded.test(text)) {
      return [];
    }
    const found = (await scanText(text, this.scanner)).filter(
      ({ label }) => this.takesOut === 'everything sensitive' || label === 'restricted',
    );
    for (const { start, end, rule, label } of found) {
      const secret = text.slice(start, end);
      if (label === 'restricted' && secret.length >= shortestKnown) {
        this.known.set(secret, rule);
      }
    }
    return found;
  }
}

function* stringsOf(
  value: unknown,
  path: ValuePath,
): Generator<{ readonly text: string; readonly path: ValuePath }> {
  if (typeof value === 'string') {
    if (value.length >= shortestKnown) {
      yield { text: value, path };
    }
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* stringsOf(item, [...path, index]);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      yield* stringsOf(value[key], [...path, key]);
    }
  }
}

/** The object or list that a string is the JSON of. */
function innerJson(text: string): unknown {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return isObject(value) || isArray(value) ? value : undefined;
}
