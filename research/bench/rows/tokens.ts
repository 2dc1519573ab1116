import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Bench, BenchContext } from '../context';
import { Random } from '../../../test/generator/random';
import { Texts } from '../../../test/generator/texts';
import { interleaved, type Row } from '../measure';

/**
 * The counters that ours is compared with: the name in programs/tokens.mjs, packages, and how many times faster ours
 * must be.
 */
const peers = [
  { name: 'js-tiktoken', packages: ['js-tiktoken@1.0.21'], least: 30 },
  { name: 'gpt-tokenizer', packages: ['gpt-tokenizer@4.0.0'], least: 9 },
  { name: 'ai-tokenizer', packages: ['ai-tokenizer@1.0.6'], least: 6 },
  { name: 'hypertok', packages: ['hypertok@0.3.4', '@hypertok/vocab-o200k@1.0.0'], least: 1.4 },
  { name: 'hypertok by default', packages: ['hypertok@0.3.4', '@hypertok/vocab-o200k@1.0.0'], least: 1 },
] as const;
type Peer = (typeof peers)[number];

const mixFigures = v.object({ ours: v.number(), theirs: v.number(), different: v.number() });
const startFigures = v.object({ milliseconds: v.number() });
const runFigures = v.object({ ours: v.record(v.string(), v.number()), theirs: v.number() });

async function measured<Figures extends v.GenericSchema>(
  context: BenchContext,
  figures: Figures,
  what: string,
  { name, packages }: { readonly name: string; readonly packages: Peer['packages'] },
  texts = '',
): Promise<v.InferOutput<Figures>> {
  const folder = await context.tools.installTool(packages);
  const tokenizer = join(context.tools.bundles, 'tokenizer.cjs');
  const { output } = await context.program('tokens.mjs', [what, tokenizer, name, folder, texts]);
  return v.parse(figures, JSON.parse(output));
}

/**
 * A megabyte of blocks with the sizes of a transcript's, from 50 bytes on, and others made of other words for warming
 * up.
 */
function writeMix(context: BenchContext): { readonly path: string; readonly work: string } {
  const blocks = (seed: number, count: number): readonly string[] => {
    const random = new Random(seed);
    const texts = new Texts(random);
    return Array.from({ length: count }, () => texts.mixed(random.size(1200, 2.05, 50, 2 ** 20)));
  };
  const mix = blocks(20_260_412, Math.round(context.scaled(2000)));
  const bytes = mix.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const path = join(context.scratch('tokens'), 'mix.json');
  writeFileSync(path, JSON.stringify({ warm: blocks(7, 400), blocks: mix }));
  return {
    path,
    work: `exact o200k counts of ${mix.length} blocks, ${(bytes / 1e6).toFixed(1)} MB, first pass over unseen text, one thread`,
  };
}

async function mixRow(
  context: BenchContext,
  { path, work }: ReturnType<typeof writeMix>,
  peer: Peer,
): Promise<Row> {
  const rounds: v.InferOutput<typeof mixFigures>[] = [];
  while (rounds.length < context.rounds) {
    rounds.push(await measured(context, mixFigures, 'mix', peer, path));
  }
  const different = rounds[0]?.different ?? 0;
  return {
    work,
    against:
      peer.name === 'hypertok'
        ? 'hypertok@0.3.4, special tokens as text'
        : `${peer.packages[0]}${peer.name.slice(peer.packages[0].indexOf('@'))}`,
    unit: 'MB/s',
    ours: rounds.map(({ ours }) => ours),
    theirs: rounds.map(({ theirs }) => theirs),
    target: { kind: 'better', least: peer.least },
    note: different === 0 ? 'All counts are equal' : `${different} counts differ`,
  };
}

async function startRow(context: BenchContext): Promise<Row> {
  const [, gpt] = peers;
  const start = async (name: string): Promise<number> =>
    (await measured(context, startFigures, 'start', { name, packages: gpt.packages })).milliseconds;
  return {
    work: 'cold start to the first count',
    against: gpt.packages[0],
    unit: 'ms',
    ...(await interleaved(
      context.rounds,
      () => start('ours'),
      () => start(gpt.name),
    )),
    target: { kind: 'share', most: 1 },
  };
}

async function runRows(context: BenchContext): Promise<readonly Row[]> {
  const [tiktoken] = peers;
  const rounds: v.InferOutput<typeof runFigures>[] = [];
  while (rounds.length < context.rounds) {
    rounds.push(await measured(context, runFigures, 'runs', tiktoken));
  }
  return Object.keys(rounds[0]?.ours ?? {}).map(kind => ({
    work: `1 MB of ${kind}`,
    against: `${tiktoken.packages[0]} on 10 kB of spaces`,
    unit: 'ms',
    ours: rounds.map(({ ours }) => ours[kind] ?? Number.NaN),
    theirs: rounds.map(({ theirs }) => theirs),
    target: { kind: 'better', least: 10 },
    note: rounds.every(({ ours }) => (ours[kind] ?? Number.NaN) <= 500)
      ? 'Within half a second in each round'
      : 'Longer than half a second in some round',
  }));
}

/** The exact counter compared with others of its kind. */
export const tokens: Bench = {
  name: 'counter',
  measure: async context => {
    const mix = writeMix(context);
    const rows: Row[] = [];
    for (const peer of peers) {
      rows.push(await mixRow(context, mix, peer));
    }
    return [...rows, await startRow(context), ...(await runRows(context))];
  },
};
