import type { SensitivityLabel } from '../model/labels';

/** The content of a report without its presentation, for a page or a terminal. */
export interface ReportDocument<Part = ReportPart> {
  readonly title: string;
  /** A line below the title. */
  readonly about: string;
  readonly sections: readonly ReportSection<Part>[];
}

export interface ReportSection<Part = ReportPart> {
  readonly heading?: string;
  readonly parts: readonly Part[];
}

export type ReportPart =
  | Statement
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | Table
  /** An SVG element of this program's own. */
  | { readonly kind: 'drawing'; readonly svg: string };

/** A sentence and its details. */
export interface Statement {
  readonly kind: 'statement';
  readonly text: string;
  readonly isQuiet?: boolean;
  readonly below?: readonly Statement[];
}

export interface Figure {
  readonly name: string;
  /** With its unit. */
  readonly value: string;
}

/** Rows with a cell for each column. Numbers are plain; the column defines their format. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly heading: string;
  readonly unit: 'text' | 'count' | 'share' | 'money';
}

/** A number in the column's unit, undefined if unknown; or texts, each on its own line. */
export type Cell = number | undefined | CellLine | readonly CellLine[];

export type CellLine =
  | string
  /** An additional note in the cell. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'advice'; readonly text: string; readonly code: string }
  /** A display name; `name` is the internal name. */
  | {
      readonly kind: 'word';
      readonly text: string;
      readonly name: string;
      readonly label?: SensitivityLabel;
    };

export function statement(text: string, below: readonly Statement[] = []): Statement {
  return { kind: 'statement', text, below };
}

/** A remark about the content above it. */
export function remark(text: string): Statement {
  return { kind: 'statement', text, isQuiet: true };
}

/** @param headings names of text columns, or columns with a unit */
export function table(headings: readonly (string | Column)[], rows: Table['rows']): Table {
  const columns = headings.map((heading): Column =>
    typeof heading === 'string' ? { heading, unit: 'text' } : heading,
  );
  return { kind: 'table', columns, rows };
}

export const counts = (heading: string): Column => ({ heading, unit: 'count' });
export const shares = (heading: string): Column => ({ heading, unit: 'share' });
export const moneyIn = (heading: string): Column => ({ heading, unit: 'money' });
