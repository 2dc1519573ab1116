/** Whether more than half of the records are of a kind: one damaged record must not hide what the others are. */
export function mostAre(records: readonly unknown[], is: (record: unknown) => boolean): boolean {
  return records.filter(is).length * 2 > records.length;
}
