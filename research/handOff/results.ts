import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { formatExactShare, formatNumber } from '../../src/core/base/format';
import { parseJson } from '../../src/core/base/json';
import { agentsUnderTest } from '../agents/agents';
import { median } from '../bench/measure';
import { type Direction, directions, nameOf } from './plan';

const pairSchema = v.object({ predicted: v.number(), sent: v.number() });
/** The manifest's figures for a session, and those of the request that was sent. */
export type Pair = v.InferOutput<typeof pairSchema>;

const measuredSchema = v.object({
  /** Blocks of the manifest, and those of them that were sent as predicted. */
  blocks: v.number(),
  asPredicted: v.number(),
  /** Tokens of o200k_base, without the next prompt and without images. */
  tokens: pairSchema,
  /** The agent's own prompt, tools and notes, and everything else that no block predicts. */
  own: pairSchema,
  /** US dollars for the request with an empty cache, and for the same request again. */
  cold: v.optional(pairSchema),
  warm: v.optional(pairSchema),
});
export type Measured = v.InferOutput<typeof measuredSchema>;

const sessionSchema = v.object({
  file: v.string(),
  /** A sentence if the agent sent nothing that can be compared. */
  measured: v.union([measuredSchema, v.string()]),
});
export type MeasuredSession = v.InferOutput<typeof sessionSchema>;

/** Results stay here, so that directions can be measured one at a time. */
export const resultsFolder = join('.vscode-test', 'hand-offs');

export function keepResults(direction: string, results: readonly MeasuredSession[]): void {
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(join(resultsFolder, `${direction}.json`), JSON.stringify(results, null, 1));
}

function resultsOf(direction: Direction): readonly MeasuredSession[] {
  const path = join(resultsFolder, `${nameOf(direction)}.json`);
  return existsSync(path) ? v.parse(v.array(sessionSchema), parseJson(readFileSync(path, 'utf8'))) : [];
}

/** The path of the transcript in a sample or in the folder of a recorded run; what is packed is unpacked into a folder. */
export function transcriptOf(folder: string, file: string, copy: string): string {
  const path = join(folder, file);
  if (statSync(path).isFile()) {
    return path;
  }
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter(name => main.test(name) && !name.includes('subagents'))
    .map(name => ({
      name: join(path, name),
      export: Number(/export-after-(?<number>\d+)/.exec(name)?.groups?.['number'] ?? 0),
    }))
    .sort(
      (one, other) => other.export - one.export || statSync(other.name).size - statSync(one.name).size,
    )[0];
  if (found === undefined) {
    throw new Error(`No transcript in ${file}`);
  }
  if (!found.name.endsWith('.gz')) {
    return found.name;
  }
  const unpacked = join(copy, `session.${found.export > 0 ? 'json' : 'jsonl'}`);
  writeFileSync(unpacked, gunzipSync(readFileSync(found.name)));
  return unpacked;
}

/** The session of a run, as the agent or its export has it. */
const main =
  /(?:sessions|projects)\/.*\.jsonl(?:\.gz)?$|\/export-after-\d+\.json(?:\.gz)?$|^exports\/export-after-\d+\.json(?:\.gz)?$|opencode\.db$/;

const errorOf = ({ predicted, sent }: Pair): number => (predicted - sent) / sent;

export function lineOf({ blocks, asPredicted, tokens, own, cold, warm }: Measured): string {
  const cost = [cold, warm].map(pair => (pair === undefined ? '–' : formatExactShare(errorOf(pair))));
  const [total, predictedOwn, sentOwn] = [tokens.sent, own.predicted, own.sent].map(formatNumber);
  return `${asPredicted} of ${blocks} blocks; ${total} tokens, ${formatExactShare(errorOf(tokens))}; own ${predictedOwn}, sent ${sentOwn}; cost ${cost.join(', ')}`;
}

/** The row of a direction in the table of docs/hand-off.md. */
export function rowOf(direction: Direction, results: readonly MeasuredSession[]): string {
  const { from, to, trim } = direction;
  const measured = results.flatMap(result => (typeof result.measured === 'string' ? [] : [result.measured]));
  const sum = (figure: (each: Measured) => number): number =>
    measured.reduce((before, each) => before + figure(each), 0);
  const blocks = sum(each => each.blocks);
  const asPredicted = sum(each => each.asPredicted);
  const errors = (figure: (each: Measured) => Pair | undefined): string => {
    const all = measured.flatMap(each => {
      const pair = figure(each);
      return pair === undefined ? [] : [Math.abs(errorOf(pair))];
    });
    return all.length === 0 ? '–' : `${formatExactShare(median(all))}, ${formatExactShare(Math.max(...all))}`;
  };
  const cells = [
    names[from] ?? from,
    `${names[to] ?? to}${trim === undefined ? '' : `, \`--trim ${trim}\``}`,
    String(measured.length),
    `${formatNumber(asPredicted)} of ${formatNumber(blocks)} (${formatExactShare(asPredicted / blocks)})`,
    errors(({ tokens }) => tokens),
    errors(({ cold }) => cold),
    errors(({ warm }) => warm),
  ];
  return `| ${cells.join(' | ')} |`;
}

const names: Readonly<Record<string, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  pi: 'pi',
};

const [begin, end] = ['<!-- measured -->', '<!-- end of measured -->'];

/** Writes the rows of all directions with results to the docs. */
export function writeTable(): void {
  const path = join('docs', 'hand-off.md');
  const before = readFileSync(path, 'utf8');
  const rows = directions.flatMap(direction => {
    const results = resultsOf(direction);
    return results.length === 0 ? [] : [rowOf(direction, results)];
  });
  const versions = agentsUnderTest
    .filter(({ name }) => names[name] !== undefined)
    .map(agent => `${names[agent.name] ?? ''} ${agent.package.slice(agent.package.lastIndexOf('@') + 1)}`);
  const text = [
    `Agents: ${versions.join(', ')}.`,
    '',
    '| Origin | To | Sessions | Blocks as predicted | Error of the total tokens: median, largest | Error of the cost with an empty cache | Error of the cost from the cache |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const head = before.slice(0, before.indexOf(begin) + begin.length);
  writeFileSync(path, `${head}\n\n${text}\n\n${before.slice(before.indexOf(end))}`);
}
