import type { Bench, GeneratedFile } from '../context';
import { interleaved, median, type Row } from '../measure';
import { plain } from './pipeline';

/** Peak memory in relation to the size of the file; one run each, because it hardly varies. */
export const memory: Bench = {
  name: 'memory',
  measure: async context => {
    // A small file only shows that the measurement works: an empty Node process has 40 MB.
    const [size, progressSize] = context.takesBigFiles
      ? [1000, 5000]
      : [context.scaled(100), context.scaled(500)];
    const rows: Row[] = [];
    const file = context.claudeCode(size);
    const add = (work: string, peak: number, limit: number, against: string, most: number): void => {
      rows.push({
        work,
        against,
        unit: 'MB',
        ours: [peak],
        theirs: [limit],
        target: { kind: 'share', most },
      });
    };
    const cli = await context.cli('inspect', file.path, '--json', '--no-scan');
    add(
      `peak memory of the command line, tokens counted, ${Math.round(file.megabytes)} MB Claude Code file`,
      cli.peakMegabytes,
      file.megabytes,
      'the size of the file',
      0.25,
    );
    const { run } = await context.worker('open', file.path);
    add(
      `peak memory of a process with the analysis worker, everything counted and scanned, ${Math.round(file.megabytes)} MB`,
      run.peakMegabytes,
      file.megabytes,
      'the size of the file',
      0.25,
    );
    const progress = context.claudeCode(progressSize, { progressLines: 600 });
    const lines = await context.cli('inspect', progress.path, '--json', '--no-scan');
    add(
      `peak memory, ${Math.round(progress.megabytes)} MB file, nearly all progress lines`,
      lines.peakMegabytes,
      300,
      '300 MB',
      1,
    );
    context.remove(progress);
    return rows;
  },
};

/** Time in relation to size: ten times the file takes ten times as long, not counting the start. */
export const linear: Bench = {
  name: 'linear',
  measure: async context => {
    const sizes = context.size === 'small' ? [2, 20] : [10, 100, ...(context.takesBigFiles ? [1000] : [])];
    const tiny = context.claudeCode(0.01);
    const time = async ({ path }: GeneratedFile): Promise<number> =>
      (await context.cli('inspect', path, ...plain)).milliseconds;
    const rows: Row[] = [];
    for (const [index, size] of sizes.slice(1).entries()) {
      const [small, big] = [context.claudeCode(sizes[index] ?? size), context.claudeCode(size)];
      const rounds = size >= 1000 ? Math.min(3, context.rounds) : context.rounds;
      const share = big.megabytes / small.megabytes;
      const starts: number[] = [];
      const figures = await interleaved(
        rounds,
        async () => {
          starts.push(await time(tiny));
          return time(big);
        },
        () => time(small),
      );
      const start = median(starts);
      rows.push({
        work: `whole pipeline without exact tokens, ${Math.round(big.megabytes)} MB, above the start-up of ${Math.round(start)} ms`,
        against: `the time of ${Math.round(small.megabytes)} MB, times ${share.toFixed(2)}`,
        unit: 'ms',
        ours: figures.ours.map(milliseconds => milliseconds - start),
        theirs: figures.theirs.map(milliseconds => (milliseconds - start) * share),
        target: { kind: 'share', most: 1.15 },
      });
    }
    return rows;
  },
};

/** The worker's time for a growing file: one megabyte more, compared with a file of one megabyte. */
export const growing: Bench = {
  name: 'growing',
  measure: async context => {
    const megabytes = context.takesBigFiles ? 500 : context.scaled(100);
    const more = context.scaled(1);
    const [file, ...growth] = context.growing(megabytes, more, context.rounds);
    const alone = Array.from({ length: context.rounds + 1 }, (_, number) =>
      context.claudeCode(more, { seed: 100 + number }),
    );
    const added = growth.flatMap(({ path }) => ['append', file.path, path]);
    // The first file only warms the worker up: the file that is measured later is read warm as well.
    const others = alone.flatMap(({ path }, number) => [number === 0 ? 'open' : 'again', path]);
    const ours = (await context.worker('open', file.path, ...added)).times.slice(1);
    const theirs = (await context.worker(...others)).times.slice(1);
    context.remove(file);
    return [
      {
        work: `${Math.round(more * 1000)} kB appended to ${Math.round(megabytes)} MB, until its final figures are shown`,
        against: 'opening a file of that size alone in the same warm worker',
        unit: 'ms',
        ours,
        theirs,
        target: { kind: 'share', most: 1.5 },
      },
    ];
  },
};
