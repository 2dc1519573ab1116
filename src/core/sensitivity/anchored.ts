import { lazy } from '../base/lazy';
import type { SensitivityFinding } from './finding';
import { type LiteralChecks, LiteralSearch, type PlaceKind } from './literalSearch';
import type { ScanCondition } from './scanner';

/** UTF-16 offsets into a text; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds one kind of sensitive text near a literal or a place of another kind. */
export interface AnchoredDetector extends Pick<SensitivityFinding, 'rule' | 'label' | 'message'> {
  /** A finding contains one of these literals or is next to one. */
  readonly literals: readonly string[];
  readonly place?: PlaceKind;
  /** The conditions at each literal. Without an entry, the literal always counts. */
  readonly checks?: LiteralChecks;
  /**
   * Returns the sensitive range near a literal or place that begins at `at`. Must examine a bounded part of the text.
   */
  readonly find: (text: string, at: number) => TextRange | undefined;
}

/** The result of one pass over a text. */
export interface Scanned {
  /** In the order of their literals; they may overlap. */
  readonly findings: readonly SensitivityFinding[];
  /** The rules of the other scanner whose conditions are met by the text. */
  readonly rules: ReadonlySet<string>;
  /** In text order. */
  readonly places: Readonly<Partial<Record<PlaceKind, readonly number[]>>>;
}

/** A detector with its number in the scan. */
interface NumberedDetector extends AnchoredDetector {
  readonly number: number;
}

const noRules: ReadonlySet<string> = new Set();

/** Runs all the detectors, and checks the conditions of another scanner, in one pass over a text. */
export function anchoredScan(
  detectors: readonly AnchoredDetector[],
  conditions: readonly ScanCondition[] = [],
): (text: string) => Scanned {
  const search = lazy(
    () =>
      new LiteralSearch<NumberedDetector | ScanCondition>([
        ...detectors.flatMap((detector, number) => {
          const value = { ...detector, number };
          return detector.literals.map(literal => ({ ...detector.checks, literal, value }));
        }),
        ...conditions.map(condition => ({ literal: condition.literal, value: condition })),
      ]),
  );
  const placed = detectors.flatMap((detector, number) =>
    detector.place === undefined ? [] : [{ ...detector, number }],
  );
  return text => {
    const findings: SensitivityFinding[] = [];
    let rules: Set<string> | undefined;
    // A detector does not search again inside its own finding, because its literals may be close together there.
    let ends: Uint32Array | undefined;
    const places: Partial<Record<PlaceKind, number[]>> = {};
    const look = ({ number, rule, label, message, find }: NumberedDetector, at: number): void => {
      if (ends !== undefined && at < (ends[number] ?? 0)) {
        return;
      }
      const range = find(text, at);
      if (range !== undefined && range.end > (ends?.[number] ?? 0)) {
        findings.push({ rule, label, ...range, message });
        ends ??= new Uint32Array(detectors.length);
        ends[number] = range.end;
      }
    };
    const visit = (value: NumberedDetector | ScanCondition, at: number): void => {
      if (!('pattern' in value)) {
        look(value, at);
        return;
      }
      value.pattern.lastIndex = at;
      if (rules?.has(value.rule) !== true && value.pattern.test(text)) {
        rules = (rules ?? new Set()).add(value.rule);
      }
    };
    search().search(text, visit, (kind, at) => (places[kind] ??= []).push(at));
    for (const detector of placed) {
      places[detector.place ?? 'run']?.forEach(at => look(detector, at));
    }
    return { findings, rules: rules ?? noRules, places };
  };
}

/** The match of a sticky pattern at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The range of a match's group `value`; the pattern has the indices flag. */
export function valueRange(match: RegExpExecArray | null): TextRange | undefined {
  const [start, end] = match?.indices?.groups?.['value'] ?? [];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/**
 * True if a token may begin at a place: not inside a longer word. The letter before it may belong to an escape such as
 * `\n`, `\u0022` or `%3D`. In `mcp__server__tool`, the tool's name follows two underscores.
 */
export function mayBegin(text: string, at: number): boolean {
  return (
    at === 0 ||
    !/[A-Za-z0-9_-]/.test(text.charAt(at - 1)) ||
    /(?:\\[nrtbfv]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\u\{[0-9A-Fa-f]{1,6}|%[0-9A-Fa-f]{2}|\[[\d;]{1,12}m|\/bot|[a-z0-9]__)$/.test(
      text.slice(Math.max(0, at - 16), at),
    ) ||
    // The plus or minus of a diff line.
    (text.charAt(at - 1) === '-' &&
      /(?:^|[\n\s"'`=:,(]|\\n)-{1,2}$/.test(text.slice(Math.max(0, at - 4), at)))
  );
}
