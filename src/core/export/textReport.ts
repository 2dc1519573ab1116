import type { ReportDocument, Statement } from './reportModel';

/** A report of statements for a terminal: one per line, with its details below it and blank lines between sections. */
export function textReport({ title, about, sections }: ReportDocument<Statement>): string {
  const [first = [], ...others] = sections
    .filter(({ parts }) => parts.length > 0)
    .map(({ parts }) => parts.flatMap(part => linesOf(part)));
  return `${[title, about, ...first, ...others.flatMap(lines => ['', ...lines])].join('\n')}\n`;
}

function linesOf({ text, below = [] }: Statement): readonly string[] {
  return [text, ...below.flatMap(linesOf).map(line => `  ${line}`)];
}
