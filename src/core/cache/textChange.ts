import { findVolatileValues, withoutVolatileValues } from '../stability/volatileValues';

/** The differences between two versions of a text. */
export interface TextChange {
  /** Names of the volatile values that differ; empty if none differs. */
  readonly volatile: readonly string[];
  /** True if more than these values differs. */
  readonly isRewritten: boolean;
}

/** Stands for texts that were not read. */
export const unreadChange: TextChange = { volatile: [], isRewritten: true };

const number = /\d+/g;

/**
 * Distinguishes a rewritten text from one in which only a time, an id or a counter changed. A counter is a number that
 * grew while the words around it stayed.
 */
export function compareTexts(before: string, after: string): TextChange {
  const values = movedValues(before, after);
  const first = withoutVolatileValues(before);
  const second = withoutVolatileValues(after);
  if (first === second) {
    return { volatile: values, isRewritten: false };
  }
  const counters = hasCounted(first, second) ? ['counter'] : [];
  return {
    volatile: [...values, ...counters],
    isRewritten: counters.length === 0 || first.replace(number, '') !== second.replace(number, ''),
  };
}

/** Kinds of the volatile values that differ, if both texts have the same kinds in the same order. */
function movedValues(before: string, after: string): readonly string[] {
  const first = findVolatileValues(before);
  const second = findVolatileValues(after);
  if (first.length !== second.length || first.some((value, index) => value.name !== second[index]?.name)) {
    return [];
  }
  const moved = first.flatMap((value, index) => {
    const other = second[index];
    return other !== undefined && before.slice(value.start, value.end) !== after.slice(other.start, other.end)
      ? [value.name.replaceAll('_', ' ')]
      : [];
  });
  return [...new Set(moved)];
}

function hasCounted(before: string, after: string): boolean {
  const first = before.match(number) ?? [];
  const second = after.match(number) ?? [];
  const moved = first.flatMap((value, index) => {
    const other = second[index] ?? value;
    return other === value ? [] : [Number(other) - Number(value)];
  });
  return first.length === second.length && moved.length > 0 && moved.every(difference => difference > 0);
}
