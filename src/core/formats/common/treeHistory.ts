import { History, type HistoryItem } from './history';

/** A record of a transcript that is a tree. It adds to the history sent to the model, or changes it. */
export interface TreeNode<Item extends HistoryItem> {
  readonly id: string;
  /** The previous record on its branch; undefined for the first. */
  readonly parent: string | undefined;
  readonly item?: Item;
  /** Returns the history after this record, given the history before it. Present for a compaction. */
  readonly change?: (before: readonly Item[]) => readonly Item[];
}

/**
 * The history along the branch of the newest record; a record whose parent is not the last record starts another
 * branch.
 */
export class TreeHistory<Item extends HistoryItem = HistoryItem> extends History<Item> {
  private readonly nodes = new Map<string, TreeNode<Item>>();
  private last: string | undefined;

  /** Switches to the branch that ends with `parent`, because the next record continues it. */
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
