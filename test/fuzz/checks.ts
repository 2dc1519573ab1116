import { isArray, isObject } from '../../src/core/base/json';
import type { Credential } from './credentials';
import { markupDefect } from './markupChecks';
import type { Form, Produced } from './outputs';

/** A property that must be true of everything that leaves the program. A new check is one entry below. */
interface Check {
  readonly name: string;
  /** The forms of text to check; all by default. */
  readonly forms?: readonly Form[];
  /** Returns the defect without parts that differ between inputs, or nothing. */
  readonly find: (text: string, planted: readonly Credential[], form: Form) => string | undefined;
}

/** Control characters that a terminal acts on, and marks that turn the direction of a line. */
const terminalControl = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const textChecks: readonly Check[] = [
  {
    name: 'credential',
    forms: ['data', 'copy', 'page', 'drawing', 'terminal', 'workflow'],
    find: (text, planted, form) => {
      const found = planted.find(({ secret }) => holds(text, secret));
      return found && (form === 'data' ? placeOf(JSON.parse(text), found.secret, '') : found.kind);
    },
  },
  {
    name: 'control character',
    forms: ['terminal', 'workflow'],
    find: text => {
      const found = terminalControl.exec(text)?.[0].codePointAt(0);
      return found === undefined ? undefined : `U+${found.toString(16)}`;
    },
  },
  {
    name: 'workflow command',
    forms: ['terminal'],
    find: text => /^[ \t]*(?:::|##\[)\S*/m.exec(text)?.[0],
  },
  {
    name: 'workflow command',
    forms: ['workflow'],
    find: text =>
      text
        .split('\n')
        .find(
          line =>
            /^[ \t]*(?:::|##\[)/.test(line) &&
            !/^::(?:error|notice) file=FILE,line=\d+,title=\w+::/.test(line),
        ),
  },
  { name: 'markup', forms: ['page', 'drawing'], find: markupDefect },
  {
    name: 'bad number',
    forms: ['page', 'drawing', 'terminal'],
    find: text => /(?<![\w"'])(?:NaN|-?Infinity|-?∞|undefined|\[object Object\])(?![\w"'])/.exec(text)?.[0],
  },
];

/** True if a text contains a secret, or its first half, which redaction of truncated text would leave. */
function holds(text: string, secret: string): boolean {
  return text.includes(secret.slice(0, Math.max(16, secret.length >> 1)));
}

/** The path of the first text with a secret. It is the same for every input. */
function placeOf(value: unknown, secret: string, path: string): string | undefined {
  if (typeof value === 'string') {
    return holds(value, secret) ? path : undefined;
  }
  for (const [key, item] of isObject(value) || isArray(value) ? Object.entries(value) : []) {
    const place = holds(key, secret)
      ? `${path} (key)`
      : placeOf(item, secret, isArray(value) ? `${path}[]` : `${path}.${key}`);
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

/** Members that may be negative or not a number, with the meaning of that. */
const signedMembers =
  /\.(?:pair|firstRequest|diagnosisTokens|predictedFrom|totalError|leftAt|jump|frozenPrefixLen|timestamp|firstTime|lastTime|(?:gained|foreseen)\.\w+|dollarsSaved|difference|byRequest|recordedByRequest|recordedCost|(?:money|tokens)?[Nn]et\w*)(?:\[\])?$/;

function badNumber(value: unknown, path: string, depth = 0): string | undefined {
  if (typeof value === 'number') {
    return (Number.isFinite(value) && value >= 0) || signedMembers.test(path)
      ? undefined
      : `${path} is ${Number.isFinite(value) ? 'negative' : String(value)}`;
  }
  if (depth > 8 || (!isObject(value) && !Array.isArray(value) && !ArrayBuffer.isView(value))) {
    return undefined;
  }
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  // Without the keys of a list: keys for a text's bytes would take a hundred times as much memory.
  const items: readonly unknown[] = Object.values(value);
  const keys = isList ? [] : Object.keys(value);
  for (const [index, item] of items.entries()) {
    const found = badNumber(item, isList ? `${path}[]` : `${path}.${keys[index] ?? ''}`, depth + 1);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** A failed check with its defect. */
export interface Failure {
  readonly check: string;
  readonly detail: string;
  /** The place in the output, for a person. */
  readonly context?: string | undefined;
}

/** @param source the input as text, because its own words are not evidence about figures */
export function failuresOf(
  { texts, figures }: Produced,
  planted: readonly Credential[],
  source: () => string,
): readonly Failure[] {
  const found = texts.flatMap(({ form, text }) =>
    textChecks.flatMap(({ name, forms, find }): Failure[] => {
      const detail = forms === undefined || forms.includes(form) ? find(text, planted, form) : undefined;
      return detail === undefined || (name === 'bad number' && source().includes(detail))
        ? []
        : [{ check: name, detail, context: contextOf(text, name, detail, planted) }];
    }),
  );
  const number = badNumber(figures, '');
  return number === undefined ? found : [...found, { check: 'bad number', detail: number }];
}

function contextOf(
  text: string,
  check: string,
  detail: string,
  planted: readonly Credential[],
): string | undefined {
  const sought =
    check === 'credential' ? planted.find(({ secret }) => holds(text, secret))?.secret.slice(0, 12) : detail;
  const at = text.indexOf(sought ?? detail);
  return at < 0 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}
