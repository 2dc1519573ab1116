/**
 * True if more than half of the records are of a kind, so that one damaged record does not hide the kind of the others.
 */
export function mostAre(records: readonly unknown[], is: (record: unknown) => boolean): boolean {
  return records.filter(is).length * 2 > records.length;
}
