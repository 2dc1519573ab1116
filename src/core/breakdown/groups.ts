import { entryOf } from '../base/entryOf';
import type { Step } from './blockPlace';
import type { BreakdownKind } from './breakdownKinds';

/** The nodes of a breakdown above its leaves, by number, in the order in which they were met. Group 0 is the whole. */
export class Groups {
  /** -1 for group 0. */
  readonly parents: number[] = [-1];
  readonly kinds: BreakdownKind[] = ['all'];
  readonly names: string[] = [''];
  readonly threads: number[];
  private readonly known = new Map<string, number>();

  /** @param thread the thread whose tree the whole is */
  constructor(thread: number) {
    this.threads = [thread];
  }

  /**
   * The group below another one, which is made where there is none.
   * @param key tells groups of one kind apart; by default their names do
   */
  below(
    parent: number,
    kind: BreakdownKind,
    name = '',
    thread = this.threads[parent] ?? 0,
    key = name,
  ): number {
    return entryOf(this.known, `${parent} ${kind} ${key}`, () => {
      this.kinds.push(kind);
      this.names.push(name);
      this.threads.push(thread);
      return this.parents.push(parent) - 1;
    });
  }

  /** The group at the end of a way. */
  at(parent: number, steps: readonly Step[]): number {
    return steps.reduce((above, { kind, name }) => this.below(above, kind, name), parent);
  }
}
