import { cpus, totalmem } from 'node:os';
import { median, ratioOf, type Row } from './measure';

/** A row of the report; one that could not be measured says why. */
export type Outcome =
  | { readonly kind: 'measured'; readonly bench: string; readonly row: Row }
  | { readonly kind: 'failed'; readonly bench: string; readonly reason: string };

const heading = `# Benchmarks

Each row compares our figure with that of the named program, in one run on one machine and on the same generated file. Both run in turn. The figures are medians of the rounds, with the least and the greatest in brackets. The ratio matters more than the times, because times differ between machines and days. Rows against a fixed time therefore also show the time of the floor, a program that only splits a file of 100 MB into lines and parses them. On the machine below the floor took 315 ms on 2026-11-22, when the fixed times were set.

\`npm run bench\` measures everything. \`npm run bench -- WORD\` measures only rows whose name contains the word. \`-- --size small\` uses smaller files, \`medium\` leaves out the largest, and \`-- --rounds 3\` changes the number of rounds from five. Files are generated from a seed and removed afterwards. The sessions of \`all-sessions\` are copies of recorded ones with new ids, if there are recorded sessions beside the repository. Other programs are installed on demand. A run replaces its own rows as soon as they are measured and keeps the others. If a package cannot be installed, for example without a network, its rows are skipped and named.
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
