import { History, type HistoryItem } from './history';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';

/** A record of a transcript that is a tree: what it adds, or how it changes, what the model is sent. */
export interface TreeNode<Item extends HistoryItem> {
  readonly id: string;
  /** The record before it on its branch; undefined for the first. */
  readonly parent: string | undefined;
  readonly item?: Item;
  /** Gives the history behind this record from the one before it: a compaction. */
  readonly change?: (before: readonly Item[]) => readonly Item[];
}

/** The history along the branch of the newest record; a record with another parent than the last leaves the branch. */
export class TreeHistory<Item extends HistoryItem = HistoryItem> {
  private readonly nodes = new Map<string, TreeNode<Item>>();
  private readonly history: History<Item>;
  private last: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.history = new History(builder);
  }

  get items(): readonly Item[] {
    return this.history.items;
  }

  sent(): { readonly context: number; readonly length: number } {
    return this.history.sent();
  }

  /** Goes to the branch that ends with `parent`, as the record that comes next does. */
  moveTo(parent: string | undefined): void {
    if (parent === this.last) {
      return;
    }
    const branch: TreeNode<Item>[] = [];
    const seen = new Set<string>();
    for (let id = parent; id !== undefined && !seen.has(id);) {
      seen.add(id);
      const node = this.nodes.get(id);
      if (node !== undefined) {
        branch.push(node);
      }
      id = node?.parent;
    }
    let items: Item[] = [];
    for (const node of branch.reverse()) {
      if (node.item !== undefined) {
        items.push(node.item);
      }
      items = node.change === undefined ? items : [...node.change(items)];
    }
    this.history.replace(items);
    this.last = parent;
  }

  add(node: TreeNode<Item>): void {
    this.moveTo(node.parent);
    this.nodes.set(node.id, node);
    this.last = node.id;
    if (node.item !== undefined) {
      this.history.append(node.item);
    }
    if (node.change !== undefined) {
      this.history.replace(node.change(this.history.items));
    }
  }
}
