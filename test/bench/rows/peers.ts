import { linkSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchContext, GeneratedFile } from '../context';
import { interleaved, runProgram, type ProgramRun, type Row } from '../measure';
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
    const ours = async (): Promise<number> =>
      (await context.cli('inspect', file.path, '--usage-only', '--json')).milliseconds;
    const work = `usage only, ${Math.round(file.megabytes)} MB Claude Code file`;
    return [
      {
        work,
        against: `${script} (JavaScript)`,
        unit: 'ms',
        ...(await interleaved(
          context.rounds,
          ours,
          async () =>
            (await context.node(join(inScript, 'node_modules', 'ccusage', 'dist', 'index.js'), words, home))
              .milliseconds,
        )),
        target: { kind: 'better', least: 3 },
      },
      {
        work,
        against: `${binary} (Rust)`,
        unit: 'ms',
        ...(await interleaved(
          context.rounds,
          ours,
          async () => (await runProgram(program, ['claude', ...words], home)).milliseconds,
        )),
        target: { kind: 'share', most: 2.5 },
      },
    ];
  },
};
