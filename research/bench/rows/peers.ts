import { chmodSync, linkSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Bench, BenchContext, GeneratedFile } from '../context';
import { interleaved, type ProgramRun, type Row, runProgram } from '../measure';
import { plain } from './pipeline';

const project = '-home-dev-work';
const session = '00000000-0000-4000-8000-000000000001';

/** A home folder in which a file is the only session of Claude Code. */
function homeWith(
  context: BenchContext,
  file: GeneratedFile,
  name: string,
): Readonly<Record<string, string>> {
  const home = context.scratch(name);
  const folder = context.scratch(join(name, '.claude', 'projects', project));
  linkSync(file.path, join(folder, `${session}.jsonl`));
  return { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') };
}

export const sessions: Bench = {
  name: 'sessions',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const peer = '@claude-sessions/core@0.1.3';
    const folder = await context.tools.installTool([peer]);
    const home = homeWith(context, file, 'sessions-home');
    const runs = await interleaved<ProgramRun>(
      context.rounds,
      () => context.cli('inspect', file.path, ...plain),
      () => context.program('readSession.mjs', [folder, project, session], home),
    );
    const lines = Number(runs.theirs[0]?.output);
    if (lines !== file.facts.lines) {
      throw new Error(`${peer} has read ${lines} of ${file.facts.lines} lines.`);
    }
    const work = `whole pipeline without exact tokens, ${Math.round(file.megabytes)} MB Claude Code file`;
    const of = (pick: (run: ProgramRun) => number): Pick<Row, 'ours' | 'theirs'> => ({
      ours: runs.ours.map(pick),
      theirs: runs.theirs.map(pick),
    });
    return [
      {
        work: `${work}: time`,
        against: `${peer} readSession`,
        unit: 'ms',
        ...of(({ milliseconds }) => milliseconds),
        target: { kind: 'better', least: 1 },
      },
      {
        work: `${work}: peak memory`,
        against: `${peer} readSession`,
        unit: 'MB',
        ...of(({ peakMegabytes }) => peakMegabytes),
        target: { kind: 'share', most: 0.5 },
      },
    ];
  },
};

const ourUsage = v.object({
  total: v.object({ input: v.number(), cacheRead: v.number(), cacheWrite: v.number(), output: v.number() }),
});
const theirUsage = v.pipe(
  v.object({
    totals: v.object({
      inputTokens: v.number(),
      cacheReadTokens: v.number(),
      cacheCreationTokens: v.number(),
      outputTokens: v.number(),
    }),
  }),
  v.transform(({ totals }) => ({
    input: totals.inputTokens,
    cacheRead: totals.cacheReadTokens,
    cacheWrite: totals.cacheCreationTokens,
    output: totals.outputTokens,
  })),
);

/** The sums of the peer that differ from what the generator wrote; ours must not differ. */
function compareUsage(file: GeneratedFile, ours: ProgramRun, theirs: ProgramRun): string {
  const { total } = v.parse(ourUsage, JSON.parse(ours.output));
  const other = v.parse(theirUsage, JSON.parse(theirs.output));
  const kinds = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;
  const wrong = kinds.filter(kind => total[kind] !== file.facts.usage[kind]);
  if (wrong.length > 0) {
    throw new Error(`Our sums are wrong: ${wrong.join(', ')}.`);
  }
  const different = kinds.filter(kind => other[kind] !== file.facts.usage[kind]);
  return different.length === 0
    ? 'All sums are equal'
    : `The other takes other lines of a message for: ${different.join(', ')}`;
}

export const usage: Bench = {
  name: 'usage',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const home = homeWith(context, file, 'usage-home');
    const words = ['session', '--json', '--offline'];
    const script = 'ccusage@18.0.11';
    const binary = `@ccusage/ccusage-${process.platform}-${process.arch}@20.0.24`;
    const [inScript, inBinary] = [
      await context.tools.installTool([script]),
      await context.tools.installTool([binary]),
    ];
    const program = join(
      inBinary,
      'node_modules',
      binary.slice(0, binary.lastIndexOf('@')),
      'bin',
      'ccusage',
    );
    // Its package's install scripts, which are not run, would make it executable.
    chmodSync(program, 0o755);
    const against = async (
      name: string,
      theirs: () => Promise<ProgramRun>,
      target: Row['target'],
    ): Promise<Row> => {
      const runs = await interleaved(
        context.rounds,
        () => context.cli('inspect', file.path, '--usage-only', '--json'),
        theirs,
      );
      const [our, their] = [runs.ours[0], runs.theirs[0]];
      return {
        work: `usage only, ${Math.round(file.megabytes)} MB Claude Code file`,
        against: name,
        unit: 'ms',
        ours: runs.ours.map(({ milliseconds }) => milliseconds),
        theirs: runs.theirs.map(({ milliseconds }) => milliseconds),
        target,
        ...(our === undefined || their === undefined ? {} : { note: compareUsage(file, our, their) }),
      };
    };
    const entry = join(inScript, 'node_modules', 'ccusage', 'dist', 'index.js');
    return [
      await against(`${script} (JavaScript)`, () => context.node(entry, words, home), {
        kind: 'better',
        least: 3,
      }),
      await against(`${binary} (Rust)`, () => runProgram(program, ['claude', ...words], home), {
        kind: 'share',
        most: 2.5,
      }),
    ];
  },
};
