/** Strings by number: what columns hold in their place. 0 is the empty string, and a string keeps its number. */
export class StringTable {
  private strings: string[] = [''];
  private readonly indices = new Map([['', 0]]);
  /** Given out, and still as it was. */
  private shared = false;

  /** One more than the largest number. */
  get length(): number {
    return this.strings.length;
  }

  index(text: string): number {
    const known = this.indices.get(text);
    if (known !== undefined) {
      return known;
    }
    this.own();
    const index = this.strings.push(text) - 1;
    this.indices.set(text, index);
    return index;
  }

  /** Empties the strings that none of the columns names: a label that has turned out to hold a secret must not stay. */
  dropAllBut(columns: readonly Uint32Array[]): void {
    const used = new Uint8Array(this.strings.length);
    for (const column of columns) {
      column.forEach(index => {
        used[index] = 1;
      });
    }
    this.own();
    this.strings.forEach((text, index) => {
      if (used[index] === 0 && text !== '') {
        this.indices.delete(text);
        this.strings[index] = '';
      }
    });
  }

  current(): readonly string[] {
    this.shared = true;
    return this.strings;
  }

  private own(): void {
    if (this.shared) {
      this.strings = [...this.strings];
      this.shared = false;
    }
  }
}
