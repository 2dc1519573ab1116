import { entryOf } from '../base/entryOf';
import { type BreakdownKind, breakdownKinds } from './breakdownKinds';

/** The nodes of a breakdown above its leaves, by number, in order of first appearance. Group 0 is the whole. */
export class Groups {
  /** -1 for group 0. */
  readonly parents: number[] = [-1];
  /** Indices into `breakdownKinds`. */
  readonly kinds: number[] = [breakdownKinds.indexOf('all')];
  readonly names: string[] = [''];
  readonly threads: number[];
  /** By kind and parent group, then by key. */
  private readonly known = new Map<number, Map<string, number>>();

  /** @param thread the thread whose tree is the whole */
  constructor(thread: number) {
    this.threads = [thread];
  }

  get count(): number {
    return this.parents.length;
  }

  /**
   * The group below another one; a missing group is made.
   * @param key distinguishes groups of one kind; by default their names do
   */
  below(
    parent: number,
    kind: BreakdownKind,
    name = '',
    thread = this.threads[parent] ?? 0,
    key = name,
  ): number {
    const number = breakdownKinds.indexOf(kind);
    const siblings = entryOf(
      this.known,
      parent * breakdownKinds.length + number,
      () => new Map<string, number>(),
    );
    return entryOf(siblings, key, () => this.add(parent, number, name, thread));
  }

  private add(parent: number, kind: number, name: string, thread: number): number {
    this.kinds.push(kind);
    this.names.push(name);
    this.threads.push(thread);
    return this.parents.push(parent) - 1;
  }
}
