import type { JsonValueObject } from '../../src/core/base/jsonValue';

/** The agreement of a file of golden cases with this program. A difference names its case. */
export interface GoldenReport {
  readonly passed: number;
  readonly failed: number;
  /** Cases that agree except for a member that could not be compared: neither passed nor failed. */
  readonly partial: number;
  readonly differences: readonly string[];
}

/** The differences by member: expected members must be present, and no others. */
export function compareMembers(expected: JsonValueObject, actual: JsonValueObject): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap(name => {
    const [wanted, got] = [expected[name], actual[name]].map(value =>
      value === undefined ? 'nothing' : JSON.stringify(value),
    );
    return wanted === got ? [] : [`${name}: ${describeDifference(wanted ?? '', got ?? '')}`];
  });
}

const excerptBefore = 40;
const excerptLength = 120;

export function describeDifference(expected: string, actual: string): string {
  let start = 0;
  while (start < expected.length && expected[start] === actual[start]) {
    start += 1;
  }
  const from = Math.max(0, start - excerptBefore);
  const excerpt = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + excerptLength)}`;
  return `expected ${excerpt(expected)}, got ${excerpt(actual)}`;
}
