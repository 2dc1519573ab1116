import { IndexedTexts, type TextList, type TextTable } from './textTable';

/**
 * The texts of a table at the time when the list was made. Texts that no shown column refers to read as empty: a label
 * that was found to contain a secret stays in the table, but is never passed on.
 */
export class VisibleTexts extends IndexedTexts {
  readonly length: number;

  constructor(
    private readonly table: TextTable,
    /** By number of a text: 1 if it is shown. */
    private readonly isShown: Uint8Array,
  ) {
    super();
    this.length = isShown.length;
  }

  at(index: number): string | undefined {
    return this.isShown[index] === 1
      ? this.table.at(index)
      : index >= 0 && index < this.length
        ? ''
        : undefined;
  }

  /** The bytes of a text in the form of `TextTable`. */
  bytesOf(index: number): Uint8Array {
    return this.isShown[index] === 1 ? this.table.bytesOf(index) : noBytes;
  }

  /** The numbers, below the other list's length, of texts that differ from it. */
  changedSince(before: TextList): readonly number[] {
    const changed: number[] = [];
    const isSameTable = before instanceof VisibleTexts && before.table === this.table;
    for (let index = 0; index < before.length; index += 1) {
      if (
        isSameTable
          ? before.isShown[index] !== this.isShown[index]
          : before.at(index) !== (this.at(index) ?? '')
      ) {
        changed.push(index);
      }
    }
    return changed;
  }
}

const noBytes = new Uint8Array();
