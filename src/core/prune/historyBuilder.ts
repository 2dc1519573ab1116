import type { TextList } from '../model/textTable';
import type { PruneHistory, PruneResults } from './pruneInput';

const columns = [
  'block',
  'tool',
  'flags',
  'callHash',
  'contentHash',
  'path',
  'tokens',
  'characters',
  'bytes',
  'imageCount',
  'resultMessage',
  'endTokens',
  'endBytes',
  'pair',
  'position',
] as const;

interface HistoryColumns extends PruneResults {
  /** Block of the call, -1 where it is not on record. */
  readonly pair: Int32Array;
  /** Position in the context. */
  readonly position: Int32Array;
}

/** One row of the columns. */
export type HistoryRow = Readonly<Record<keyof HistoryColumns, number>>;

function emptyColumns(capacity: number): HistoryColumns {
  const numbers = (): Int32Array => new Int32Array(capacity);
  const figures = (): Float64Array => new Float64Array(capacity);
  return {
    block: numbers(),
    tool: numbers(),
    flags: numbers(),
    callHash: numbers(),
    contentHash: numbers(),
    path: numbers(),
    tokens: figures(),
    characters: figures(),
    bytes: figures(),
    imageCount: figures(),
    resultMessage: figures(),
    endTokens: figures(),
    endBytes: figures(),
    pair: numbers(),
    position: numbers(),
  };
}

/** A history that grows at its end. */
export class HistoryBuilder implements PruneHistory {
  results: HistoryColumns = emptyColumns(64);
  count = 0;
  readonly roles: number[] = [];
  readonly firstResults: number[] = [];
  readonly toolNames: string[] = [];
  private readonly tools = new Map<string, number>();

  constructor(readonly paths: TextList) {}

  get messageCount(): number {
    return this.roles.length;
  }

  /** The number of a tool. */
  toolOf(name: string): number {
    const known = this.tools.get(name);
    if (known !== undefined) {
      return known;
    }
    const tool = this.toolNames.push(name) - 1;
    this.tools.set(name, tool);
    return tool;
  }

  /** Begins a message of one of `messageRoles`. */
  open(role: number): void {
    this.roles.push(role);
    this.firstResults.push(this.count);
  }

  /** Adds a result to the last message, at a place in the order of the calls: `number` is at most `count`. */
  insert(number: number, row: HistoryRow): void {
    const { results, count } = this;
    if (count === results.block.length) {
      this.results = emptyColumns(2 * count);
      for (const name of columns) {
        this.results[name].set(results[name]);
      }
    }
    for (const name of columns) {
      const column = this.results[name];
      if (number < count) {
        column.copyWithin(number + 1, number, count);
      }
      column[number] = row[name];
    }
    this.count += 1;
  }
}
