import { findChanges, type TestedSession } from '../../src/core/radar/changePoints';
import { Random } from '../../test/generator/random';
import { table } from './tables';

/** The generated sessions of an agent. */
export interface History {
  readonly versions: number;
  /** Compared sessions of each version. */
  readonly perVersion: number;
  /** Standard deviation of the logarithm of a figure between the sessions of a project. */
  readonly scatter: number;
  /** The share of sessions in which the figure is 0, as for losses. */
  readonly zeros: number;
  readonly figures: number;
  /** From version `at` on, the figure 0 is `factor` times as high. */
  readonly planted?: { readonly at: number; readonly factor: number };
}

const projects = 3;
/** As in radar.ts. */
const level = 0.005;

/** Projects have levels of their own and follow each other, half overlapping. */
export function historyOf(history: History, seed: number): readonly TestedSession[] {
  const { versions, perVersion, scatter, zeros, figures, planted } = history;
  const random = new Random(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const levels = Array.from({ length: projects }, () => Math.exp(0.5 * normal()));
  return Array.from({ length: versions * perVersion }, (_, number): TestedSession => {
    const version = Math.floor(number / perVersion);
    const phase = Math.floor((version / versions) * (projects - 1) + random.next());
    const project = Math.min(projects - 1, phase + (random.chance(0.25) ? 1 : 0));
    return {
      version,
      stratum: String(project),
      values: Array.from({ length: figures }, (__, figure) => {
        const factor = figure === 0 && planted !== undefined && version >= planted.at ? planted.factor : 1;
        return random.chance(zeros) ? 0 : factor * (levels[project] ?? 1) * Math.exp(scatter * normal());
      }),
    };
  });
}

export interface Proof {
  /** Histories in which the planted change was found, at its version, and within the stated versions. */
  readonly found: number;
  readonly right: number;
  readonly within: number;
  /** Histories with a change of another figure, or a second one. */
  readonly others: number;
}

export function proofOf(history: Omit<History, 'planted'>, factor: number, count: number, first = 1): Proof {
  const proof = { found: 0, right: 0, within: 0, others: 0 };
  for (let seed = first; seed < first + count; seed += 1) {
    // Not within two versions of an end.
    const at = 2 + new Random(seed * 7919).below(history.versions - 4);
    const planted = factor === 1 ? {} : { planted: { at, factor } };
    const changes = findChanges(
      historyOf({ ...history, ...planted }, seed),
      history.figures,
      history.versions,
      level,
    );
    const own = factor === 1 ? undefined : changes.find(({ figure, isHigher }) => figure === 0 && isHigher);
    proof.found += own === undefined ? 0 : 1;
    proof.right += own?.version === at ? 1 : 0;
    proof.within += own !== undefined && own.first <= at && at <= own.last ? 1 : 0;
    proof.others += changes.length > (own === undefined ? 0 : 1) ? 1 : 0;
  }
  return proof;
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

/** The table of docs/radar.md. */
export function radarProof(count: number, nulls: number): string {
  const base = { versions: 40, figures: 8 };
  const cases = [
    { scatter: 0.25, zeros: 0, factor: 1.5, perVersion: 15 },
    { scatter: 0.5, zeros: 0, factor: 1.5, perVersion: 50 },
    { scatter: 1, zeros: 0, factor: 1.5, perVersion: 200 },
    { scatter: 1, zeros: 0.25, factor: 3, perVersion: 60 },
  ];
  const rows = cases.map(each => {
    const { factor, ...sessions } = each;
    const { found, right, within, others } = proofOf({ ...base, ...sessions }, factor, count);
    const none = proofOf({ ...base, ...sessions }, 1, nulls);
    return [
      `${factor} ×`,
      each.scatter,
      percent(each.zeros, 1),
      each.perVersion,
      percent(found, count),
      percent(right, count),
      percent(within, count),
      percent(others, count),
      percent(none.others, nulls),
    ].map(String);
  });
  return table(
    [
      'Planted',
      'Scatter',
      'Zeros',
      'Sessions per version',
      'Found',
      'At its version',
      'Within the stated versions',
      'Others',
      'Alarms without a change',
    ],
    rows,
  );
}
