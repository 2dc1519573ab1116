/**
 * Rows of cells as lines whose columns stand below each other.
 * @param names how many columns, from the first, hold names; those after them hold numbers, which end below each other
 */
export function tableLines(rows: readonly (readonly string[])[], names: number): readonly string[] {
  const widths: number[] = [];
  for (const cells of rows) {
    cells.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map(cells =>
    cells
      .map((cell, column) =>
        column < names ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
