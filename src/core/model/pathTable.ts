import type { ValuePath } from '../base/json';

/** Maximum number of different paths kept. */
const mostPaths = 10_000;

interface Place {
  number: number | undefined;
  readonly next: Map<string | number, Place>;
}

/** Distinct paths in records, by number. Most texts of a format are at the same few paths. */
export class PathTable {
  readonly paths: ValuePath[] = [];
  private readonly root: Place = { number: undefined, next: new Map() };
  private places = 0;

  /** The number of a path; `undefined` if there are too many paths. */
  number(path: ValuePath): number | undefined {
    let place = this.root;
    for (const key of path) {
      let next = place.next.get(key);
      if (next === undefined) {
        if (this.places === mostPaths) {
          return undefined;
        }
        this.places += 1;
        next = { number: undefined, next: new Map() };
        place.next.set(key, next);
      }
      place = next;
    }
    place.number ??= this.paths.push([...path]) - 1;
    return place.number;
  }
}
