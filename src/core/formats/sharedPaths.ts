import type { TextReference, ValuePath } from '../model/transcript';

/** How many different paths, and beginnings of paths, are remembered. */
const most = 10_000;

/** Longer paths lead to places that hardly any other text has. */
const longest = 6;

/** The paths that begin with the same keys. */
interface Branch {
  readonly path: ValuePath;
  readonly next: Map<string | number, Branch>;
}

/** Most texts of a format stand at the same few paths: one list of keys serves them all. */
export class SharedPaths {
  private readonly root: Branch = { path: [], next: new Map() };
  private branches = 0;

  /** The same reference, with a path that other texts have too. */
  share(text: TextReference): TextReference {
    if (!('path' in text) || text.path.length > longest) {
      return text;
    }
    const path = this.shared(text.path);
    return path === text.path ? text : { ...text, path };
  }

  private shared(path: ValuePath): ValuePath {
    let branch = this.root;
    for (let index = 0; index < path.length; index += 1) {
      const key = path[index] ?? '';
      let next = branch.next.get(key);
      if (next === undefined) {
        if (this.branches === most) {
          return path;
        }
        this.branches += 1;
        next = { path: index + 1 === path.length ? path : path.slice(0, index + 1), next: new Map() };
        branch.next.set(key, next);
      }
      branch = next;
    }
    return branch.path;
  }
}
