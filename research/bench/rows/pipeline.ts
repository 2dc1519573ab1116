import { type Bench, type BenchContext, type GeneratedFile } from '../context';
import { interleaved, type ProgramRun, type Row } from '../measure';

/** Reading, reconstruction and report without tokens: the figures are estimates from sizes, texts are not scanned. */
export const plain = ['--json', '--no-tokens', '--no-scan'] as const;

const floor = 'floor: 256 kB chunks, split at newlines, JSON.parse every line';

async function againstFloor(
  context: BenchContext,
  file: GeneratedFile,
  work: string,
  ours: () => Promise<ProgramRun>,
  most: number,
): Promise<Row> {
  const runs = await interleaved(context.rounds, ours, () => context.program('floor.mjs', [file.path]));
  const lines = Number(runs.theirs[0]?.output);
  if (lines !== file.facts.lines) {
    throw new Error(`The floor has read ${lines} of ${file.facts.lines} lines.`);
  }
  const workers = Math.max(...runs.ours.map(run => run.workers));
  return {
    work: `${work}, ${Math.round(file.megabytes)} MB`,
    against: `${floor}, Node ${process.versions.node}`,
    unit: 'ms',
    ours: runs.ours.map(({ milliseconds }) => milliseconds),
    theirs: runs.theirs.map(({ milliseconds }) => milliseconds),
    note: workers === 0 ? 'One thread' : `Threads beside the first: ${workers}`,
    target: { kind: 'share', most },
  };
}

export const pipeline: Bench = {
  name: 'pipeline',
  measure: async context => {
    const size = context.scaled(100);
    const files = [
      { name: 'Claude Code file', file: context.claudeCode(size) },
      {
        name: 'Claude Code file with request records',
        file: context.claudeCode(size, { requestRecords: true }),
      },
      { name: 'Codex file', file: context.codex(size) },
    ];
    const rows: Row[] = [];
    for (const { name, file } of files) {
      const work = `whole pipeline without exact tokens, ${name}`;
      rows.push(
        await againstFloor(context, file, work, () => context.cli('inspect', file.path, ...plain), 1.6),
      );
    }
    return rows;
  },
};

const withTokens = ['--json', '--no-scan'] as const;
const tokensWork = 'whole pipeline with exact tokens for every block, Claude Code file';

export const pipelineTokens: Bench = {
  name: 'pipeline-tokens',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const ours = (): Promise<ProgramRun> =>
      context.cli('inspect', file.path, ...withTokens, '--workers', '1');
    return [await againstFloor(context, file, tokensWork, ours, 3)];
  },
};

export const pipelineWorkers: Bench = {
  name: 'pipeline-workers',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const ours = (): Promise<ProgramRun> =>
      context.cli('inspect', file.path, ...withTokens, '--workers', '2');
    const work = `${tokensWork}, all cores`;
    return [await againstFloor(context, file, work, ours, 2.2)];
  },
};
