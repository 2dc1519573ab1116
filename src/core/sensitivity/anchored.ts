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
  /** The character before each place; any if absent. */
  readonly precededBy?: string;
  /** The conditions at each literal. Without an entry, the literal always counts. */
  readonly checks?: LiteralChecks;
  /**
   * Returns the sensitive range near a literal or place that begins at `at`, or several in text order. Must examine a
   * bounded part of the text.
   */
  readonly find: (text: string, at: number) => TextRange | readonly TextRange[] | undefined;
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

/** The result for a text in which nothing was found. */
export const nothingFound: Scanned = { findings: [], rules: new Set(), places: {} };

/** Separates texts that are searched together. No detector sees it. */
const between = '\n';

/** Runs all the detectors, and checks the conditions of another scanner, in one pass over a text. */
export function anchoredScan(
  detectors: readonly AnchoredDetector[],
  conditions: readonly ScanCondition[] = [],
): (text: string) => Scanned {
  const scan = anchoredScans(detectors, conditions);
  return text => scan([text])[0] ?? nothingFound;
}

/**
 * The same for several texts in one pass, which is faster than a pass for each. Only the search for literals passes over
 * all of them: a detector sees only the text with the literal, so nothing that it finds depends on another text.
 */
export function anchoredScans(
  detectors: readonly AnchoredDetector[],
  conditions: readonly ScanCondition[] = [],
): (texts: readonly string[]) => readonly Scanned[] {
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
  return texts => {
    const results: Scanned[] = texts.map(() => nothingFound);
    const together = texts.length === 1 ? (texts[0] ?? '') : texts.join(between);
    let number = 0;
    /** The range of the current text. */
    let start = 0;
    let end = texts[0]?.length ?? 0;
    let current: TextScan | undefined;
    const finish = (): void => {
      if (current !== undefined) {
        placed.forEach(detector => current?.lookAtPlaces(detector));
        results[number] = current;
        current = undefined;
      }
    };
    /** The scan of the text with a place. All places of a text come together. */
    const scanAt = (at: number): TextScan => {
      if (at > end) {
        finish();
        while (at > end) {
          number += 1;
          start = end + between.length;
          end = start + (texts[number]?.length ?? 0);
        }
      }
      // V8 compiles each pattern once for texts with one byte per character and once for others, and parts of a text are
      // of its kind.
      return (current ??= new TextScan(together.slice(start, end), detectors.length));
    };
    search().search(
      together,
      (value, at) => {
        const scan = scanAt(at);
        if ('pattern' in value) {
          scan.check(value, at - start);
        } else {
          scan.look(value, at - start);
        }
      },
      (kind, at) => scanAt(at).addPlace(kind, at - start),
    );
    finish();
    return results;
  };
}

/** The scan of one text. */
class TextScan implements Scanned {
  readonly findings: SensitivityFinding[] = [];
  private met: Set<string> | undefined;
  readonly places: Partial<Record<PlaceKind, number[]>> = {};
  /** A detector does not search again inside its own finding, because its literals may be close together there. */
  private ends: Uint32Array | undefined;

  constructor(
    private readonly text: string,
    private readonly detectors: number,
  ) {}

  get rules(): ReadonlySet<string> {
    return this.met ?? nothingFound.rules;
  }

  look({ number, rule, label, message, find }: NumberedDetector, at: number): void {
    if (this.ends !== undefined && at < (this.ends[number] ?? 0)) {
      return;
    }
    const found = find(this.text, at);
    if (found === undefined) {
      return;
    }
    for (const range of 'start' in found ? [found] : found) {
      if (range.end > (this.ends?.[number] ?? 0)) {
        this.findings.push({ rule, label, ...range, message });
        this.ends ??= new Uint32Array(this.detectors);
        this.ends[number] = range.end;
      }
    }
  }

  check({ rule, pattern }: ScanCondition, at: number): void {
    if (this.met?.has(rule) === true) {
      return;
    }
    pattern.lastIndex = at;
    if (pattern.test(this.text)) {
      this.met = (this.met ?? new Set()).add(rule);
    }
  }

  addPlace(kind: PlaceKind, at: number): void {
    (this.places[kind] ??= []).push(at);
  }

  lookAtPlaces(detector: NumberedDetector): void {
    const { place = 'run', precededBy } = detector;
    for (const at of this.places[place] ?? []) {
      if (precededBy === undefined || this.text[at - 1] === precededBy) {
        this.look(detector, at);
      }
    }
  }
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
