import type { ReactNode } from 'react';

export interface FigureRow {
  readonly key: string | number;
  /** The first cell names the row, the others are figures. */
  readonly cells: readonly ReactNode[];
  /** The sum of the rows above, or the row in use among several choices. */
  readonly role?: 'sum' | 'chosen';
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
    <table className="figures tabular" aria-label={label}>
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
        {rows.map(({ key, cells: [name, ...figures], role }) => (
          <tr key={key} className={role === undefined ? undefined : `figures__${role}`}>
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
