import type { SensitivityFinding } from './finding';

/** Finds one kind of sensitive text in time that grows with the text's length. */
export interface Detector {
  readonly rule: string;
  readonly scan: (text: string) => readonly SensitivityFinding[];
}

/**
 * A detector from a pattern. The pattern must be global and have the indices flag (`gd`); what is reported is its group
 * `value`, where it has one, else the whole match. A text without a match of `needs` must have no match of the pattern;
 * this pays off if `needs` is much faster to search for.
 */
export function patternDetector(
  { rule, label, message }: Pick<SensitivityFinding, 'rule' | 'label' | 'message'>,
  pattern: RegExp,
  accept: (value: string, match: RegExpExecArray) => boolean,
  needs: (text: string) => boolean = () => true,
): Detector {
  return {
    rule,
    scan: text =>
      needs(text) && hasMatch(pattern, text)
        ? [...text.matchAll(pattern)].flatMap(match => {
            const [start, end] = match.indices?.groups?.['value'] ?? match.indices?.[0] ?? [0, 0];
            return accept(text.slice(start, end), match) ? [{ rule, label, start, end, message }] : [];
          })
        : [],
  };
}

/**
 * Whether a global pattern matches anywhere. Hardly any text has a match, so this quick check is usually the whole cost.
 */
function hasMatch(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  const found = pattern.test(text);
  pattern.lastIndex = 0;
  return found;
}
