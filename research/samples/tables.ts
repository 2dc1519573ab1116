type Row = readonly (string | number)[];

const row = (cells: Row): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown. */
export const table = (heads: readonly string[], rows: readonly Row[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
