import { isTellingTool } from '../../content/classification';
import { isCredential, sensitiveIn } from '../../sensitivity/credentials';
import { lookUpModel } from '../../tokens/modelTable';
import { builtInTools, fileExtensions, keptWords } from './keptNames';
import { caselessMarkerSource, markerSource } from './markers';

/** A kept part of a text, in UTF-16 units. */
export interface KeptPart {
  readonly start: number;
  readonly end: number;
}

const idKey = /(?:^|[._])(?:id|ids|uuid|uuids|hash|tail)$|[a-z](?:Id|ID|Ids|IDs|Uuid|Uuids|Hash)$/;
const hex = '[0-9a-f]';
const idPrefixes =
  'toolu|tooluse|srvtoolu|call|msg|message|req|request|resp|response|chatcmpl|cmpl|gen|fc|rs|ws|item|ses|session|prt|evt|run|thread|turn|agent|step|trace|span|task|sample|T';
const onePart = `${hex}{8}-(?:${hex}{4}-){3}${hex}{12}|(?:${idPrefixes})[_-][\\w-]{1,80}|${hex}{7,64}|\\d{1,20}|[a-z_]{2,60}[_-]\\d{10,16}[_-]\\w{1,16}`;
const idForm = new RegExp(`^(?:${onePart})(?:\\|(?:${onePart}))?$`, 'i');
const uuidForm = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const timeKey = /time|date|^ts$|[a-z]At$|_at$|^at$|created|updated|started|ended|^start|^end/i;
const timeForm =
  /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const usageKey =
  /token|cost|price|^forgotten_events_|^(?:index|output_index|content_index|summary_index|sequence_number|v|time|ts|timestamp|width|height|version|input|output|cacheRead|cacheWrite|total|completion|prompt|read|write|reasoning|cached|thoughts|tool)$|time$|_at$|[a-z]At$|[tT]imestamp|UnixNano$|^cache/i;
const modelKey = /model/i;
/** Short parts: a key for a service is longer. */
const modelForm = /^(?:[A-Za-z\d]{1,14}(?:[-./:_@]+|$)){1,12}(?:\[1m\])?$/;
const versionKey = /version|^inspect_ai$/i;
const versionForm = /^(?:ATIF-)?v?\d+(?:\.[a-z\d]{1,9}){0,5}(?:[-+.][a-z\d]{1,10}){0,4}$/;
/** A key of several words with numbers between them: `gen_ai.prompt.0.role`. */
const dottedForm = /^[a-z][\w]*(?:\.\w+)+$/i;
const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const toolKey = /name$|^tool|^recipient$|^key$/i;

/** Largest kept number: token counts, sizes, indices. Of larger numbers, only times are kept. */
const largestCount = 1e9;
/** Times are between 2001 and 2065. */
const isSeconds = (seconds: number): boolean => seconds >= 1e9 && seconds < 3e9;

/** True if a member that readers know has a time or a fixed word as its value: nothing that anyone wrote. */
export function isFixedMember(name: string, value: string): boolean {
  return keptWords.has(name) && (keptWords.has(value) || (timeKey.test(name) && timeForm.test(value)));
}

/** True if a member that readers know has an identifier as its value, whatever its form. */
export function isIdMember(name: string, value: string): boolean {
  return keptWords.has(name) && idKey.test(name) && !/\s/.test(value);
}

/** True if a member has the name of a model or a tool as its value. */
export function isNameMember(name: string, value: string): boolean {
  return keptWords.has(name) && (modelKey.test(name) || (toolKey.test(name) && !/\s/.test(value)));
}

/** True if a number is a usage, an index or a time, judged by its key. `isStrict`: only if the key itself says so. */
export function isKeptNumber(number: string, key: string, isStrict: boolean): boolean {
  const value = Math.abs(Number(number));
  return (
    (isStrict ? usageKey.test(key) && keptWords.has(key) : keptWords.has(key) || usageKey.test(key)) &&
    (value < largestCount || [1, 1e3, 1e6, 1e9].some(unit => isSeconds(value / unit)))
  );
}

/**
 * The kept parts of a transcript: an allow-list of keys, of values by their keys, and of markers in texts. Ids are
 * learnt where a key names them; from then on, they are kept wherever they are a whole value.
 */
export class KeptParts {
  private readonly ids = new Set<string>();
  /** Keys and passwords in the form of an id. */
  private readonly secrets = new Set<string>();
  private readonly markers = new RegExp(
    [
      // If a document is cut off or damaged, a string ends with its line, as for the parser that repairs it.
      String.raw`(?<slashes>\\{0,16})"(?<quoted>[\w$<~@][^"\\\s]{0,99})(?:\k<slashes>"(?<colon>\s*:\s*)?|(?=[\r\n]|\\?(?![^])))`,
      String.raw`\\u[\da-fA-F]{4}`,
      String.raw`\bmcp__\w+`,
      `(?<=\\w)\\.(?:${fileExtensions.join('|')})(?!\\w)`,
      markerSource,
      String.raw`(?<tagStart></?)(?<tag>[A-Za-z][\w-]*)(?=[\s>])`,
    ].join('|'),
    'gmu',
  );
  private readonly caseless = new RegExp(caselessMarkerSource, 'giu');
  private readonly number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;

  /** True if a whole value is kept. */
  isKeptValue(value: string, key: string): boolean {
    if (keptWords.has(value)) {
      return true;
    }
    if (this.secrets.has(value)) {
      return false;
    }
    if (this.ids.has(value)) {
      return true;
    }
    if (value.length > 200) {
      return false;
    }
    if (idKey.test(key) && keptWords.has(key) && idForm.test(value)) {
      this.ids.add(value);
      return true;
    }
    return (
      (timeKey.test(key) && timeForm.test(value)) ||
      (numberForm.test(value) && isKeptNumber(value, key, true)) ||
      (modelKey.test(key) &&
        modelForm.test(value) &&
        (keptWords.has(key) || lookUpModel(value) !== undefined)) ||
      ((key === 'key' || key === 'name') && isDotted(value)) ||
      (versionKey.test(key) && versionForm.test(value)) ||
      (toolKey.test(key) && isBuiltInTool(value))
    );
  }

  /** Learns credentials that look like ids, because they must be removed everywhere, even without context. */
  private learnSecrets(text: string): void {
    for (const { start, end } of sensitiveIn(text).findings.filter(isCredential)) {
      for (const [id] of text.slice(start, end).matchAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi)) {
        this.secrets.add(id);
      }
    }
  }

  isKeptKey(key: string): boolean {
    return (
      keptWords.has(key) ||
      this.ids.has(key) ||
      builtInTools.has(key) ||
      isDotted(key) ||
      (modelForm.test(key) && lookUpModel(key) !== undefined)
    );
  }

  /** The kept parts of a text, in order and without overlap. */
  of(text: string): readonly KeptPart[] {
    const parts: KeptPart[] = [];
    let key = '';
    let keyEnd = -1;
    let isSearched = false;
    const { markers } = this;
    markers.lastIndex = 0;
    for (let found = markers.exec(text); found !== null; found = markers.exec(text)) {
      const { index, groups } = found;
      const quoted = groups?.['quoted'];
      if (quoted === undefined) {
        const tag = groups?.['tag'];
        if (tag === undefined) {
          const isId = uuidForm.test(found[0]);
          if (isId && !isSearched) {
            this.learnSecrets(text);
            isSearched = true;
          }
          if (!isId || !this.secrets.has(found[0])) {
            parts.push(...partsOfMarker(found[0], index));
          }
        } else if (keptWords.has(tag)) {
          parts.push({ start: index, end: index + found[0].length });
        } else {
          markers.lastIndex = index + (groups?.['tagStart'] ?? '').length;
        }
        markers.lastIndex += found[0] === '' ? 1 : 0;
        continue;
      }
      const start = index + (groups?.['slashes'] ?? '').length + 1;
      const isKey = groups?.['colon'] !== undefined;
      const stays = isKey ? this.isKeptKey(quoted) : this.isKeptValue(quoted, keyEnd === index ? key : '');
      if (stays) {
        parts.push({ start, end: start + quoted.length });
      }
      let value: string | undefined;
      if (isKey) {
        key = quoted;
        keyEnd = markers.lastIndex;
        value = this.keptNumberAfter(text, key, keyEnd);
      }
      if (value !== undefined) {
        parts.push({ start: keyEnd, end: keyEnd + value.length });
      } else if (!stays) {
        // Text that looks like a key may be a value in a damaged line.
        markers.lastIndex = start;
      }
    }
    const caseless = Array.from(text.matchAll(this.caseless), ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }));
    return caseless.length === 0 ? parts : merged([...parts, ...caseless]);
  }

  /** The number after a key, if it is kept. */
  private keptNumberAfter(text: string, key: string, keyEnd: number): string | undefined {
    this.number.lastIndex = keyEnd;
    const value = this.number.exec(text)?.[0];
    return value !== undefined && isKeptNumber(value, key, true) ? value : undefined;
  }
}

const keptSegments: ReadonlySet<string> = new Set([...keptWords].flatMap(word => word.split('.')));

function isDotted(key: string): boolean {
  return (
    dottedForm.test(key) &&
    key.split('.').every(segment => keptSegments.has(segment) || /^\d{1,4}$/.test(segment))
  );
}

function isBuiltInTool(name: string): boolean {
  return (
    builtInTools.has(name) || (/^\w{1,24}$/.test(name) && isTellingTool(name) && !name.startsWith('mcp__'))
  );
}

/** The kept parts of an MCP tool's name: the prefix, and the words by which results are classified. */
function partsOfMarker(marker: string, start: number): readonly KeptPart[] {
  if (!marker.startsWith('mcp__')) {
    return [{ start, end: start + marker.length }];
  }
  return Array.from(marker.matchAll(/^mcp|search|fetch|retriev|memory/gi), ({ 0: found, index }) => ({
    start: start + index,
    end: start + index + found.length,
  }));
}

function merged(parts: KeptPart[]): readonly KeptPart[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of parts.sort((first, second) => first.start - second.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      result.push({ start, end });
    }
  }
  return result;
}
