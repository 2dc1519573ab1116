import { enlarged } from '../base/enlarged';
import { entryOf } from '../base/entryOf';
import { columnNames, makeColumns } from '../base/typedColumns';
import type { TextList } from '../model/textTable';
import { type PruneHistory, resultTypes } from './pruneInput';

const historyTypes = {
  ...resultTypes,
  /** Block of the call, -1 if it is not recorded. */
  pair: 'int32',
  /** Position in the context. */
  position: 'int32',
} as const;
const names = columnNames(historyTypes);

/** One row of the columns. */
export type HistoryRow = Readonly<Record<keyof typeof historyTypes, number>>;

/** A history that grows at its end. */
export class HistoryBuilder implements PruneHistory {
  results = makeColumns(historyTypes, type => new type(64));
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
    return entryOf(this.tools, name, () => this.toolNames.push(name) - 1);
  }

  /** Begins a message of one of `messageRoles`. */
  open(role: number): void {
    this.roles.push(role);
    this.firstResults.push(this.count);
  }

  /** Adds a result to the last message at its place in the order of the calls; `number` is at most `count`. */
  insert(number: number, row: HistoryRow): void {
    const { results, count } = this;
    if (count === results.block.length) {
      this.results = makeColumns(historyTypes, (type, name) => enlarged(type, results[name], 2 * count));
    }
    for (const name of names) {
      const column = this.results[name];
      if (number < count) {
        column.copyWithin(number + 1, number, count);
      }
      column[number] = row[name];
    }
    this.count += 1;
  }

  /** The rows of results. */
  rowsOf(numbers: Uint32Array): HistoryBuilder['results'] {
    return makeColumns(historyTypes, (type, name) => {
      const from = this.results[name];
      const column = new type(numbers.length);
      for (let place = 0; place < numbers.length; place += 1) {
        column[place] = from[numbers[place] ?? 0] ?? 0;
      }
      return column;
    });
  }
}
