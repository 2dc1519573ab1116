/** Ids are roughly the second in which a file was written, counted from here. Newer files have higher ids. */
const firstSecond = Date.UTC(2020, 0, 1) / 1000;
const largestId = 2 ** 31 - 1;

/** The smallest id of a file that was written at a time, in milliseconds since 1970. */
export function idAt(modified: number): number {
  return Math.min(Math.max(Math.floor(modified / 1000) - firstSecond, 1), largestId);
}

/**
 * Finds ids for new files. Remembers used ids: otherwise, each of many files written in one second would have to check
 * the ids of all before it.
 */
export class FreeIds {
  /** For an id that was used once, the next one that may be free. */
  private readonly next = new Map<number, number>();

  /** An id that is not used yet. */
  take(modified: number, isTaken: (id: number) => boolean): number {
    const passed: number[] = [];
    let id = idAt(modified);
    for (let next = this.next.get(id); next !== undefined || isTaken(id); next = this.next.get(id)) {
      passed.push(id);
      id = next ?? id + 1;
    }
    passed.push(id);
    passed.forEach(each => this.next.set(each, id + 1));
    return id;
  }

  /** Notes that a file was removed. */
  release(id: number): void {
    this.next.delete(id);
  }
}
