import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { sessionPlaces } from '../../../src/core/finder/agentLocations';
import { parseWords } from '../../../src/core/index/wordQuery';
import { openIndex } from '../../../src/node/index/indexStore';
import { filesByKey, searchIndex } from '../../../src/node/index/searchIndex';
import { SessionFinder } from '../../../src/node/sessions/sessionFinder';
import type { Bench, BenchContext } from '../context';
import { claudeCodeFile } from '../../../test/generator/claudeCodeFile';
import { appendSteps } from '../../../test/generator/lines';
import { SampleCopies } from '../sampleCopies';
import { filesBelow, shared } from '../../../test/fixtures/sharedFiles';
import { interleaved, median, type ProgramRun, type Row, runProgram } from '../measure';

/** Sessions of one megabyte each, by the size of a run: copies of recorded ones where there are such beside the repository. */
const counts = { small: 50, medium: 500, full: 5000 } as const;
const megabyte = 2 ** 20;
const phrase = 'brass lantern of the quillfish';
/** Every so many sessions the phrase stands in one. */
const distance = 25;

interface Home {
  /** A description of its sessions. */
  readonly of: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** Output tokens of all sessions; undefined where nothing but the programs knows them. */
  readonly output: number | undefined;
  readonly megabytes: number;
}

/** A line that a session may end with. */
const lineWith = (text: string, number: number): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: `planted-${number}`,
    timestamp: '2026-04-12T12:00:00.000Z',
    message: { role: 'user', content: text },
  })}\n`;

/** Writes a session and returns its output tokens, if they are known. */
type WriteSession = (path: string, number: number) => number | undefined;

const writeGenerated: WriteSession = (path, number) => {
  const file = claudeCodeFile({ seed: number + 1 });
  appendSteps(path, file, megabyte);
  return file.facts.usage.output;
};

/** Copies recorded sessions in turn, which have a megabyte on the average. */
function copiesOf(folder: string): WriteSession {
  const samples = filesBelow(folder, '.jsonl').map(path => new SampleCopies(path));
  return (path, number) => {
    const copy = samples[number % samples.length]?.copy(number + 1) ?? '';
    writeFileSync(path, copy.endsWith('\n') ? copy : `${copy}\n`);
    return undefined;
  };
}

function homeOf(context: BenchContext, of: string, write: WriteSession): Home {
  const name = `all-sessions-${of}`;
  const folder = context.scratch(name);
  const paths: string[] = [];
  const outputs: (number | undefined)[] = [];
  let bytes = 0;
  context.log(`writing a home of ${counts[context.size]} ${of} sessions`);
  for (let number = 0; number < counts[context.size]; number += 1) {
    const project = context.scratch(join(name, '.claude', 'projects', `project-${number % 40}`));
    const path = join(project, `00000000-0000-4000-8000-${String(number).padStart(12, '0')}.jsonl`);
    outputs.push(write(path, number));
    if (number % distance === 0) {
      appendFileSync(path, lineWith(`Where is the ${phrase}?`, number));
    }
    bytes += statSync(path).size;
    paths.push(path);
  }
  const variables = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, '.claude'),
    CONTEXT_INSPECTOR_INDEX: join(folder, 'index'),
  };
  const output = outputs.reduce(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
  return { of, folder, variables, paths, output, megabytes: bytes / megabyte };
}

const sums = v.object({ total: v.object({ output: v.number() }) });

/** Searches a text without an index: ripgrep if it is installed, otherwise grep. */
function scanner(): readonly [name: string, ...words: readonly string[]] {
  try {
    const [version = 'rg'] = execFileSync('rg', ['--version'], { encoding: 'utf8' }).split('\n');
    return [version, 'rg', '--files-with-matches', '--fixed-strings'];
  } catch {
    return ['grep -rlF', 'grep', '-rlF'];
  }
}

export const allSessions: Bench = {
  name: 'all-sessions',
  measure: async context => {
    const samples = join(shared, 'samples', 'claude-code');
    const home = existsSync(samples)
      ? homeOf(context, 'recorded', copiesOf(samples))
      : homeOf(context, 'generated', writeGenerated);
    const sessions = `${home.paths.length} ${home.of} sessions, ${Math.round(home.megabytes)} MB`;
    const cli = (...words: readonly string[]): Promise<ProgramRun> =>
      context.cliWith(home.variables, ...words);
    const clear = (): void => rmSync(join(home.folder, 'index'), { recursive: true, force: true });
    const binary = `@ccusage/ccusage-${process.platform}-${process.arch}@20.0.24`;
    const installed = await context.tools.installTool([binary]);
    const program = join(
      installed,
      'node_modules',
      binary.slice(0, binary.lastIndexOf('@')),
      'bin',
      'ccusage',
    );
    chmodSync(program, 0o755);
    const ccusage = (): Promise<ProgramRun> =>
      runProgram(program, ['claude', 'daily', '--json', '--offline'], home.variables);
    const rows: Row[] = [];
    const compare = (
      work: string,
      against: string,
      runs: Runs,
      target: Row['target'],
      note?: string,
    ): void => {
      rows.push({
        work: `${work}, ${sessions}`,
        against,
        unit: 'ms',
        ours: runs.ours.map(({ milliseconds }) => milliseconds),
        theirs: runs.theirs.map(({ milliseconds }) => milliseconds),
        target,
        ...(note === undefined ? {} : { note }),
      });
    };

    const cold = await interleaved(
      Math.min(context.rounds, 3),
      () => {
        clear();
        return cli('usage', '--json');
      },
      ccusage,
    );
    for (const { output } of cold.ours) {
      const found = v.parse(sums, JSON.parse(output)).total.output;
      if (found !== (home.output ?? found)) {
        throw new Error('Our sum of the output is wrong.');
      }
    }
    compare('usage without an index', binary, cold, { kind: 'share', most: 2.5 });

    clear();
    const first = await cli('index');
    const share = home.megabytes / 5000;
    const firstIndex = `first index, ${sessions}`;
    rows.push(
      await timed(
        context,
        firstIndex,
        [first.milliseconds],
        120_000 * share,
        '2 minutes for 5 GB, in proportion',
      ),
      limited(`${firstIndex}: peak memory`, 'MB', [first.peakMegabytes], 300, '300 MB'),
    );
    compare(
      'usage with an index',
      binary,
      await interleaved(context.rounds, () => cli('usage', '--json'), ccusage),
      {
        kind: 'share',
        most: 1,
      },
    );

    const again: number[] = [];
    // The first start of each command is not measured: it keeps the program's code for those after it.
    for (let round = 0; round <= context.rounds; round += 1) {
      home.paths
        .slice(10 * round, 10 * round + 10)
        .forEach((path, place) => appendFileSync(path, lineWith('And then?', 100_000 + 10 * round + place)));
      const { milliseconds } = await cli('index');
      if (round > 0) {
        again.push(milliseconds);
      }
    }
    rows.push(
      await timed(context, `index again with ten changed files, ${sessions}`, again, 1000, '1 second'),
    );

    const [name, command = '', ...words] = scanner();
    const search = (...options: readonly string[]): Promise<ProgramRun> =>
      cli('search', `"${phrase}"`, ...options);
    await search();
    const searches = await interleaved(
      context.rounds,
      () => search('--limit', '1000', '--json'),
      () => runProgram(command, [...words, phrase, join(home.folder, '.claude')]),
    );
    // As it is typed: with as many places as are shown at once.
    const usual: ProgramRun[] = [];
    for (let round = 0; round < context.rounds; round += 1) {
      usual.push(await search());
    }
    const expected = Math.ceil(home.paths.length / distance);
    const found = v.parse(
      v.object({ hits: v.array(v.unknown()) }),
      JSON.parse(searches.ours[0]?.output ?? ''),
    );
    if (found.hits.length !== expected) {
      throw new Error(`The search has found ${found.hits.length} of ${expected} places.`);
    }
    compare(
      'search from the command line',
      name,
      searches,
      { kind: 'better', least: 1 },
      `${expected} places`,
    );
    rows.push(
      await timed(
        context,
        `search from the command line, ${sessions}`,
        searches.ours.map(({ milliseconds }) => milliseconds),
        500,
        '500 ms cold',
      ),
      await timed(
        context,
        `search from the command line as it is typed, ${sessions}`,
        usual.map(({ milliseconds }) => milliseconds),
        500,
        '500 ms cold',
      ),
      await timed(
        context,
        `search in a running program, ${sessions}`,
        await warmSearches(context, home),
        100,
        '100 ms warm',
      ),
    );
    return rows;
  },
};

interface Runs {
  readonly ours: readonly ProgramRun[];
  readonly theirs: readonly ProgramRun[];
}

function limited(
  work: string,
  unit: 'ms' | 'MB',
  ours: readonly number[],
  limit: number,
  against: string,
): Row {
  return { work, against, unit, ours, theirs: ours.map(() => limit), target: { kind: 'share', most: 1 } };
}

/** A row against a fixed time, with what another program takes at that moment on this machine. */
async function timed(
  context: BenchContext,
  work: string,
  ours: readonly number[],
  limit: number,
  against: string,
): Promise<Row> {
  const megabytes = 100;
  const { path } = context.claudeCode(megabytes);
  const floor: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    floor.push((await context.program('floor.mjs', [path])).milliseconds);
  }
  const note = `Meanwhile the floor takes ${Math.round(median(floor))} ms for ${megabytes} MB`;
  return { ...limited(work, 'ms', ours, limit, against), note };
}

/** Milliseconds of searches whose list of files is known, as an editor has it. The first one opens the index. */
async function warmSearches(context: BenchContext, home: Home): Promise<readonly number[]> {
  const machine = { platform: 'linux', home: home.folder, environment: {} } as const;
  const files = filesByKey(await new SessionFinder().list(sessionPlaces(machine)));
  const index = openIndex(join(home.folder, 'index'));
  const times: number[] = [];
  try {
    for (let round = 0; round <= context.rounds; round += 1) {
      const start = performance.now();
      await searchIndex(index, files, { query: parseWords(`"${phrase}"`) }, { most: 20 });
      times.push(performance.now() - start);
    }
  } finally {
    index.close();
  }
  return times.slice(1);
}
