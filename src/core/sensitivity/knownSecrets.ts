import { escapeMarkup } from '../base/escapeMarkup';
import { isPlaceholder } from './placeholder';

/** Minimum length of a secret that is searched elsewhere, in UTF-16 units. Shorter ones would remove ordinary words. */
const shortestKnown = 8;

/** Roles of messages are in every record, also of JSON inside texts. Without them it would mean something else. */
const roles: ReadonlySet<string> = new Set(['assistant', 'developer', 'function', 'observation']);

/** Up to this many written forms of secrets are searched one after the other. */
const fewSecrets = 16;

const factor = 0x01000193;
/** `factor` to the power of `shortestKnown`: the multiplier of the unit that leaves the window. */
const leavingFactor = power(factor, shortestKnown);
/**
 * The filter has 2 to this power entries, far more than there are secrets, so it hardly ever lets other text through.
 */
const filterBits = 20;

/** A place of a known secret, in UTF-16 offsets. */
export interface KnownPlace {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** The number of the secret, the same for all its written forms. */
  readonly secret: number;
}

type KnownSecret = Pick<KnownPlace, 'rule' | 'secret'>;

/**
 * Secrets found in one place, to be found everywhere. A search is one pass, whatever their number: a hash of the last
 * eight units and a filter show where a secret may begin, and a binary search finds which one it is.
 */
export class KnownSecrets {
  /** By written form. */
  private readonly secrets = new Map<string, KnownSecret>();
  private count = 0;
  private index: SecretIndex | undefined;

  get size(): number {
    return this.secrets.size;
  }

  /** UTF-16 units of the longest secret. */
  get longest(): number {
    return this.search().longest;
  }

  /**
   * Adds the text of a finding, and the credential inside it. Ignores short ones.
   * @returns the number of the secret; undefined for a short one
   */
  add(found: string, rule: string): number | undefined {
    const forms = secretsIn(found);
    let known: KnownSecret | undefined;
    for (const form of forms) {
      known ??= this.secrets.get(form);
    }
    for (const form of forms) {
      if (!this.secrets.has(form)) {
        known ??= { rule, secret: this.count++ };
        this.secrets.set(form, known);
        this.index = undefined;
      }
    }
    return known?.secret;
  }

  /**
   * All places of known secrets, in text order and without overlaps. If several begin at one place, the longest is
   * used.
   */
  find(text: string): readonly KnownPlace[] {
    if (this.secrets.size === 0 || text.length < shortestKnown || this.isWithout(text)) {
      return [];
    }
    const index = this.search();
    const places: KnownPlace[] = [];
    let hash = 0;
    let from = 0;
    for (let place = 0; place < text.length; place += 1) {
      hash = (Math.imul(hash, factor) + text.charCodeAt(place)) | 0;
      const begin = place + 1 - shortestKnown;
      if (begin > 0) {
        hash = (hash - Math.imul(text.charCodeAt(begin - 1), leavingFactor)) | 0;
      }
      if (begin >= from && index.mayBegin(hash)) {
        const secret = index.longestAt(text, begin);
        if (secret !== undefined && !isPartOfNumber(text, begin, secret)) {
          from = begin + secret.length;
          places.push({ start: begin, end: from, ...this.known(secret) });
        }
      }
    }
    return places;
  }

  /**
   * The place of the beginning of a known secret at the end of a truncated text.
   * @param least minimum number of its UTF-16 units
   */
  cutOff(text: string, least: number): KnownPlace | undefined {
    if (this.secrets.size === 0) {
      return undefined;
    }
    const index = this.search();
    for (let start = Math.max(0, text.length - index.longest); start <= text.length - least; start += 1) {
      const secret = index.continuing(text.slice(start));
      if (secret !== undefined) {
        return { start, end: text.length, ...this.known(secret) };
      }
    }
    return undefined;
  }

  /**
   * True if a text contains none of a few secrets. Each secret is found faster alone than together with others, but
   * only if there are few.
   */
  private isWithout(text: string): boolean {
    if (this.secrets.size > fewSecrets) {
      return false;
    }
    for (const form of this.secrets.keys()) {
      if (text.includes(form)) {
        return false;
      }
    }
    return true;
  }

  private known(form: string): KnownSecret {
    return this.secrets.get(form) ?? { rule: '', secret: -1 };
  }

  private search(): SecretIndex {
    this.index ??= new SecretIndex([...this.secrets.keys()]);
    return this.index;
  }
}

/** Sorted secrets. A binary search finds the one that begins at a place of a text. */
class SecretIndex {
  readonly longest: number;
  private readonly sorted: readonly string[];
  /** For each secret, the longest other secret that it begins with, or -1. */
  private readonly shorter: Int32Array;
  private readonly filter = new Uint8Array(1 << (filterBits - 3));

  constructor(secrets: readonly string[]) {
    this.sorted = [...secrets].sort((first, second) => (first < second ? -1 : 1));
    this.shorter = new Int32Array(this.sorted.length).fill(-1);
    this.longest = 0;
    const begun: number[] = [];
    for (const [number, secret] of this.sorted.entries()) {
      while (begun.length > 0 && !secret.startsWith(this.sorted[begun.at(-1) ?? 0] ?? '')) {
        begun.pop();
      }
      this.shorter[number] = begun.at(-1) ?? -1;
      begun.push(number);
      this.longest = Math.max(this.longest, secret.length);
      let hash = 0;
      for (let place = 0; place < shortestKnown; place += 1) {
        hash = (Math.imul(hash, factor) + secret.charCodeAt(place)) | 0;
      }
      const bit = bitOf(hash);
      this.filter[bit >> 3] = (this.filter[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** True if a secret may begin with the eight units of this hash. */
  mayBegin(hash: number): boolean {
    const bit = bitOf(hash);
    return ((this.filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  /** The longest secret at a place of a text. */
  longestAt(text: string, place: number): string | undefined {
    const rest = text.slice(place, place + this.longest);
    for (let number = this.firstAfter(rest) - 1; number >= 0; number = this.shorter[number] ?? -1) {
      const secret = this.sorted[number] ?? '';
      if (rest.startsWith(secret)) {
        return secret;
      }
    }
    return undefined;
  }

  /** A secret that begins with the text and is longer. */
  continuing(text: string): string | undefined {
    const secret = this.sorted[this.firstAfter(text)];
    return secret?.startsWith(text) === true ? secret : undefined;
  }

  /** The number of the first secret that is sorted after a text. */
  private firstAfter(text: string): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') <= text) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** True if a secret of digits has more digits next to it, so that it is part of another number. */
function isPartOfNumber(text: string, start: number, secret: string): boolean {
  return /^\d+$/.test(secret) && /\d/.test(text.charAt(start - 1) + text.charAt(start + secret.length));
}

function bitOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - filterBits);
}

function power(base: number, exponent: number): number {
  return Array.from({ length: exponent }).reduce<number>(product => Math.imul(product, base), 1);
}

/** The name before an assigned value, with the quotes around both; they may be escaped. */
const assigned = /^(?:\\*["'`])?[\w.-]{1,80}\\*["'`]?\s*(?::=|=>|[:=])\s*\\*["'`]?(.+)$/s;
const urlPassword = /:\/\/[^\s:/@]*:([^\s/@]+)@/;
/** The characters at the end of a value that belong to the text around it: quotes and brackets. */
const closing = /(?:\\*["'`]|[\]}),;\s])+$/;

/** The texts to search for after a finding: all of it, the value alone, and both as JSON and markup write them. */
export function secretsIn(found: string): readonly string[] {
  const whole = found.trim();
  const bare = whole.replace(closing, '');
  const values = [assigned.exec(bare)?.[1], urlPassword.exec(whole)?.[1]].flatMap(value =>
    value === undefined || isPlaceholder(value) ? [] : value,
  );
  return [...new Set([whole, bare, ...values].flatMap(writtenForms))].filter(
    form => form.length >= shortestKnown && !roles.has(form),
  );
}

/** The written forms of a text: plain, in JSON, in JSON inside JSON, and in markup. */
function writtenForms(text: string): readonly string[] {
  if (!/["'\\&<>\p{Cc}]/u.test(text)) {
    return [text];
  }
  const once = JSON.stringify(text).slice(1, -1);
  return [text, once, JSON.stringify(once).slice(1, -1), escapeMarkup(text)];
}
