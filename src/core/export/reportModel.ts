import type { SensitivityLabel } from '../model/labels';

/** What a report says, without how it looks: a page, a terminal. */
export interface ReportDocument<Part = ReportPart> {
  readonly title: string;
  /** One line below the title. */
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

/** A sentence, and what it is made of. */
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

/** Rows whose cells belong to columns. Numbers are plain: the column says how they are written. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly heading: string;
  readonly unit: 'text' | 'count' | 'share' | 'money';
}

/** A number of the column's unit, undefined where it is not known; or texts, each on a line of its own. */
export type Cell = number | undefined | CellLine | readonly CellLine[];

export type CellLine =
  | string
  /** Said beside the other texts of the cell. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'advice'; readonly text: string; readonly code: string }
  /** A word for a person; `name` is the one that the program has. */
  | {
      readonly kind: 'word';
      readonly text: string;
      readonly name: string;
      readonly label?: SensitivityLabel;
    };

export function statement(text: string, below: readonly Statement[] = []): Statement {
  return { kind: 'statement', text, below };
}

/** A remark on what stands above it. */
export function remark(text: string): Statement {
  return { kind: 'statement', text, isQuiet: true };
}

/** @param headings those of columns of texts as they are, all others with their unit */
export function table(headings: readonly (string | Column)[], rows: Table['rows']): Table {
  const columns = headings.map((heading): Column =>
    typeof heading === 'string' ? { heading, unit: 'text' } : heading,
  );
  return { kind: 'table', columns, rows };
}

export const counts = (heading: string): Column => ({ heading, unit: 'count' });
export const shares = (heading: string): Column => ({ heading, unit: 'share' });
export const moneyIn = (heading: string): Column => ({ heading, unit: 'money' });
