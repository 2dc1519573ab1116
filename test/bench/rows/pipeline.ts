import { type Bench, type BenchContext, type GeneratedFile } from '../context';
import { interleaved, type Row } from '../measure';

/** Reading, reconstruction and report without tokens: the figures are estimates from sizes, texts are not scanned. */
export const plain = ['--json', '--no-tokens', '--no-scan'] as const;

const floor = 'floor: 256 kB chunks, split at newlines, JSON.parse every line';

async function againstFloor(
  context: BenchContext,
  file: GeneratedFile,
  work: string,
  options: readonly string[],
  most: number,
): Promise<Row> {
  const figures = await interleaved(
    context.rounds,
    async () => (await context.cli('inspect', file.path, ...options)).milliseconds,
    async () => (await context.program('floor.mjs', [file.path])).milliseconds,
  );
  return {
    work: `${work}, ${Math.round(file.megabytes)} MB ${file.path.includes('codex') ? 'Codex' : 'Claude Code'} file`,
    against: `${floor}, Node ${process.versions.node}`,
    unit: 'ms',
    ...figures,
    target: { kind: 'share', most },
  };
}

export const pipeline: Bench = {
  name: 'pipeline',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    return [
      await againstFloor(context, file, 'whole pipeline without exact tokens', plain, 1.6),
      await againstFloor(context, context.codex(context.scaled(100)), 'the same', plain, 1.6),
    ];
  },
};

export const pipelineTokens: Bench = {
  name: 'pipeline-tokens',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const work = 'whole pipeline with exact tokens for every block';
    return [await againstFloor(context, file, `${work}, one thread`, ['--json', '--no-scan'], 3)];
  },
};

export const pipelineWorkers: Bench = {
  name: 'pipeline-workers',
  measure: async context => {
    const file = context.claudeCode(context.scaled(100));
    const work = 'whole pipeline with exact tokens for every block';
    const options = ['--json', '--no-scan', '--workers', '2'];
    return [await againstFloor(context, file, `${work}, two workers`, options, 2.2)];
  },
};
