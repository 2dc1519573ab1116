/**
 * Rows of cells as aligned lines.
 * @param names number of leading columns with names, which are left-aligned; the columns after them have numbers, which
 * are right-aligned
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
