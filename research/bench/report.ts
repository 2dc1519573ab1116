import { cpus, totalmem } from 'node:os';
import { median, ratioOf, type Row } from './measure';

/** A row of the report; one that could not be measured says why. */
export type Outcome =
  | { readonly kind: 'measured'; readonly bench: string; readonly row: Row }
  | { readonly kind: 'failed'; readonly bench: string; readonly reason: string };

const heading = `# Benchmarks

Each row is a ratio, measured in one run on one machine and on the same generated file: our figures against the named program's, in turn, medians of the rounds with the least and the most of them in brackets. A ratio of times says more than the times, which differ from machine to machine and from day to day. So a row against a fixed time says what the floor, which only splits a file of 100 MB into lines and parses them, takes at that moment: on the machine below it took 315 ms on 2026-11-22, when those times were set.

\`npm run bench\` measures everything; \`npm run bench -- WORD\` the rows of a name, \`-- --size small\` or \`medium\` with smaller files or without the largest, \`-- --rounds 3\` with other than five rounds. Files are generated from a seed and removed; the sessions of \`all-sessions\` are copies of recorded ones with new ids where there are such beside the repository. Other programs are installed on demand. A run replaces its own rows as soon as it has them and leaves the others; what needs a package that cannot be installed, as without a network, is skipped and named.
`;

const columns = ['Row', 'Work', 'Against', 'Ours', 'Theirs', 'Ratio', 'Target', 'Met', 'Day'] as const;

/** Three significant digits, with the unit. */
function figure(value: number, unit: Row['unit']): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

function spread(values: readonly number[], unit: Row['unit']): string {
  const middle = figure(median(values), unit);
  return values.length < 2
    ? middle
    : `${middle} (${figure(Math.min(...values), unit)} – ${figure(Math.max(...values), unit)})`;
}

function cellsOf(outcome: Outcome, day: string): readonly string[] {
  if (outcome.kind === 'failed') {
    return [outcome.bench, `not measured: ${outcome.reason}`, '', '', '', '', '', 'no', day];
  }
  const { row, bench } = outcome;
  const ratio = ratioOf(row);
  const { target } = row;
  return [
    bench,
    row.note === undefined ? row.work : `${row.work}. ${row.note}`,
    row.against,
    spread(row.ours, row.unit),
    spread(row.theirs, row.unit),
    `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} – ${ratio.most.toFixed(2)})`,
    target.kind === 'better' ? `${target.least} × better` : `at most ${target.most} ×`,
    ratio.isMet ? 'yes' : '**no**',
    day,
  ];
}

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map(cell => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;

/** The machine class, without its name. */
export function machine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

/**
 * The report updated with these outcomes. Rows of `before`, an earlier report, are kept if their bench was not run
 * again and the machine is the same: ratios of two machines do not belong in one table.
 * @param order the names of all benches
 * @param day in ISO form, e.g. 2026-03-01
 */
export function reportWith(
  outcomes: readonly Outcome[],
  before: string,
  {
    order,
    day,
    machine,
  }: { readonly order: readonly string[]; readonly day: string; readonly machine: string },
): string {
  const nameOf = (line: string): string => line.split(' | ')[0]?.slice(2) ?? '';
  const machineLine = `Machine: ${machine}.`;
  const measured = new Set(outcomes.map(({ bench }) => bench));
  const kept = before.includes(machineLine)
    ? before.split('\n').filter(line => order.includes(nameOf(line)) && !measured.has(nameOf(line)))
    : [];
  const table = [...kept, ...outcomes.map(outcome => lineOf(cellsOf(outcome, day)))].sort(
    (first, second) => order.indexOf(nameOf(first)) - order.indexOf(nameOf(second)),
  );
  const rule = lineOf(columns.map(() => '---'));
  return [heading, machineLine, '', lineOf(columns), rule, ...table, ''].join('\n');
}
