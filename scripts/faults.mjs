// Measures what the unit tests notice: plants small faults one at a time, runs the tests that reach each, and prints
// which test catches it. Arguments: AREA, a folder (default: the logic), and N, a number of faults (default: 100).
// `--seed` chooses the same faults again; `--limit` is the processor time for one fault, in seconds.
import './lib/currentNode.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { faultPlaces } from './lib/faultPlaces.mjs';
import { plantedFaults } from './lib/plantedFaults.mjs';
import {
  allTests,
  buildPrograms,
  buildTests,
  bundleOf,
  testsReaching,
  usesProgram,
} from './lib/unitTests.mjs';

const logic = ['src/core', 'src/app', 'webview/state'];

/** Texts for another compiler, and tables of data. */
const excluded = /\.d\.ts$|\/assembly\/|\/tokens\/models\/|\/checkedVersions\.ts$/;

const {
  values: { seed, limit },
  positionals,
} = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    limit: { type: 'string', default: '60' },
  },
});
const count = Number(positionals.find(word => /^\d+$/.test(word)) ?? 100);
const areas = positionals.filter(word => !/^\d+$/.test(word));

/** The file at a path, or the files in a folder, that can have faults. */
function filesBelow(path) {
  return statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true })
        .map(name => join(path, name).replaceAll('\\', '/'))
        .filter(name => /\.tsx?$/.test(name) && !excluded.test(name))
        .sort();
}

/** A generator of the numbers from 0 up to 1 of a seed (mulberry32). */
function randomNumbers(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random faults, of which none is in the text of another. */
function chosenFaults() {
  const left = (areas.length > 0 ? areas : logic)
    .flatMap(filesBelow)
    .flatMap(path => faultPlaces(path, readFileSync(path, 'utf8')));
  const random = randomNumbers(Number(seed));
  const chosen = [];
  while (chosen.length < count && left.length > 0) {
    const [fault] = left.splice(Math.floor(random() * left.length), 1);
    const { path, start, end } = fault;
    if (!chosen.some(other => other.path === path && start < other.end && other.start < end)) {
      chosen.push(fault);
    }
  }
  return chosen
    .sort((one, other) =>
      one.path === other.path ? one.start - other.start : one.path < other.path ? -1 : 1,
    )
    .map(({ edit, ...fault }, index) => ({ ...fault, id: index + 1, edit: edit(index + 1) }));
}

const [runner, reporter] = ['faultRunner.cjs', 'faultReporter.cjs'].map(name =>
  join(import.meta.dirname, 'lib', name),
);
const folder = `dist/faults-${process.pid}`;
const faults = chosenFaults();

/** Builds the tests and the programs that they start, with all faults. Resolves with the tests that may reach one. */
async function builtTests() {
  const tests = allTests();
  const metafile = await buildTests(tests, folder, [plantedFaults(folder)]);
  if (!buildPrograms(tests, folder, metafile, ['--planted', folder])) {
    throw new Error('The programs cannot be built.');
  }
  const paths = faults.map(({ path }) => path);
  // The programs have no code of pages.
  const wanted = paths.some(path => path.startsWith('src/')) ? [...paths, usesProgram] : paths;
  return testsReaching(tests, new Set(wanted), metafile);
}

/**
 * Runs test files in one process.
 * @param milliseconds the processor time that it may take
 */
async function run(files, milliseconds) {
  const child = spawn(process.execPath, ['--test-reporter', reporter, runner], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      TEST_DEEP: '',
      TEST_SEED: '1',
      PLANTED_FILES: JSON.stringify(files.map(file => [file, resolve(folder, bundleOf(file))])),
      PLANTED_FOLDER: resolve(folder),
      PLANTED_LIMIT: String(Math.ceil(milliseconds)),
    },
    // A group of processes, which ends as one.
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  // For what waits and takes no processor time, on a machine that is busy with other work.
  const timer = setTimeout(end, 60_000 + 15 * milliseconds);
  const output = [];
  child.stdout.setEncoding('utf8').on('data', text => output.push(text));
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  end();
  const said = (output.join('').match(/^\{"(file|milliseconds)":.*\}$/gm) ?? []).map(line =>
    JSON.parse(line),
  );
  return {
    isPassed: code === 0,
    // Killed from inside or outside.
    isLate: code === null,
    test: `ended with ${code}`,
    ...Object.assign({}, ...said),
  };
}

const activate = id => writeFileSync(join(folder, 'active'), String(id));

/** Runs each test file without a fault: its time, and the faults that would change a value. */
async function dryRun(files) {
  const runs = [];
  for (const file of files) {
    writeFileSync(join(folder, 'reached'), '');
    const { isPassed, milliseconds, test } = await run([file], 300_000);
    const reached = new Set(readFileSync(join(folder, 'reached'), 'utf8').split('\n').map(Number));
    if (isPassed) {
      runs.push({ file, milliseconds, reached });
    } else {
      console.log(`Left out, because it fails without a fault: ${file}: ${test}`);
    }
  }
  const seconds = runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  console.log(`${runs.length} test files, ${Math.round(seconds)} s of processor time`);
  return runs;
}

/** The number of folders that a test has in its path with a file of the program. */
function nearness(test, path) {
  const names = new Set(dirname(path).split('/'));
  return dirname(test)
    .split('/')
    .filter(name => names.has(name)).length;
}

/** The number of test files that run first. */
const nearest = 4;

/** Runs the tests that reach a fault, until one fails. */
async function outcomeOf({ id, path }, runs) {
  const reaching = runs
    .filter(({ reached }) => reached.has(id))
    .sort(
      (one, other) =>
        nearness(other.file, path) - nearness(one.file, path) || one.milliseconds - other.milliseconds,
    );
  const by = reaching.length === 0 ? 'no test reaches it' : `${reaching.length} test files reach it`;
  let left = Number(limit) * 1000;
  activate(id);
  // Most faults are caught by the nearest tests. To load all takes longer than to run these.
  const groups = [reaching.slice(0, nearest), reaching.slice(nearest)].filter(({ length }) => length > 0);
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    const usual = 10_000 + 4 * group.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const { isPassed, isLate, file, test, milliseconds } = await run(
      group.map(each => each.file),
      Math.min(left, usual),
    );
    if (isLate) {
      return usual < left ? { kind: 'caught', by: 'time limit' } : { kind: 'undecided', by };
    }
    // Alone once more: a busy machine must not catch faults.
    if (!isPassed && (file === undefined || !(await run([file], usual)).isPassed)) {
      return { kind: 'caught', by: `${file?.replace(/^.*unit\//, '') ?? ''} › ${test}` };
    }
    left -= milliseconds;
    if (!isPassed) {
      const rest = group.slice(group.findIndex(each => each.file === file) + 1);
      groups.unshift(...(rest.length > 0 ? [rest] : []));
    }
  }
  return { kind: 'survived', by };
}

try {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'faults.json'), JSON.stringify(faults));
  activate(0);
  console.log(`${faults.length} faults, --seed ${seed}`);
  const runs = await dryRun(await builtTests());
  const counts = { caught: 0, survived: 0, undecided: 0 };
  for (const fault of faults) {
    const { kind, by } = await outcomeOf(fault, runs);
    counts[kind] += 1;
    console.log(`${kind.padEnd(9)}  ${fault.path}:${fault.line}  ${fault.fault}  (${by})`);
  }
  const { caught, survived, undecided } = counts;
  console.log(
    `${caught} caught, ${survived} survived, ${undecided} undecided: ` +
      `${Math.round((100 * caught) / (caught + survived))} % of the decided ones are caught`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
