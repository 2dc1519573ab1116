import type { ReactNode } from 'react';

export interface FigureRow {
  readonly key: string | number;
  /** The first cell names the row, the others are figures. */
  readonly cells: readonly ReactNode[];
  /** The row is the sum of those above it. */
  readonly isSum?: boolean;
}

/** A table of named rows with figures. */
export function FigureTable({
  label,
  heads,
  rows,
}: {
  readonly label?: string;
  readonly heads: readonly ReactNode[];
  readonly rows: readonly FigureRow[];
}) {
  return (
    <table className="figures" aria-label={label}>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th key={column} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [name, ...figures], isSum = false }) => (
          <tr key={key} className={isSum ? 'figures__sum' : undefined}>
            <th scope="row">{name}</th>
            {figures.map((figure, column) => (
              <td key={column}>{figure}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
