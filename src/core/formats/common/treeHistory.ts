import { History, type HistoryItem } from './history';

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
export class TreeHistory<Item extends HistoryItem = HistoryItem> extends History<Item> {
  private readonly nodes = new Map<string, TreeNode<Item>>();
  private last: string | undefined;

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
    this.replace(items);
    this.last = parent;
  }

  addNode(node: TreeNode<Item>): void {
    this.moveTo(node.parent);
    this.nodes.set(node.id, node);
    this.last = node.id;
    if (node.item !== undefined) {
      this.append(node.item);
    }
    if (node.change !== undefined) {
      this.replace(node.change(this.items));
    }
  }
}
