// Runs the integration tests in a real VS Code with the packaged and installed extension, see launch.mjs. Arguments:
// words; only test files whose path contains one of them are run; `--version minimum|newest`: only the windows of one
// version. Each window is a separate process (`--window NUMBER --package FILE`). `--deep` tests every variant, and
// everything in both versions; `--built`: the package already exists. The part of a name before ".test.ts" decides
// where a file runs. No such part: in the oldest version, in one of two windows. `untrusted`: in the oldest version, in
// a window with an untrusted folder. `both`: in the oldest version and in the newest, with a separate window in each.
// `newest`: in the newest version, all in one window. `alone`: in the newest version, with a separate window. `pseudo`:
// in the newest version, in a window whose language has an accent on every letter.
import '../../scripts/lib/currentNode.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenTests } from '../../scripts/lib/chosenTests.mjs';
import { NotInstalled } from '../../scripts/lib/packages.mjs';
import { pseudoLanguage } from '../../scripts/lib/pseudoLanguage.mjs';
import { versions } from '../../scripts/lib/vscodeServer.mjs';
import { executable, extensionPackage, packageExtension, runInVscode } from './launch.mjs';

const folder = import.meta.dirname;
const { values, positionals: words } = parseArgs({
  options: {
    version: { type: 'string' },
    window: { type: 'string' },
    package: { type: 'string' },
    deep: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const files = chosenTests(
  readdirSync(folder).filter(name => name.endsWith('.test.ts')),
  words,
);

const placeOf = name => /\.(untrusted|both|newest|alone|pseudo)\.test\.ts$/.exec(name)?.[1] ?? 'minimum';
const at = place => files.filter(name => placeOf(name) === place);

/** Deals files to two windows, the largest first, so that both have about as much to do. */
function halves(names) {
  const dealt = [
    { size: 0, names: [] },
    { size: 0, names: [] },
  ];
  const sized = names.map(name => ({ name, size: statSync(join(folder, name)).size }));
  for (const { name, size } of sized.toSorted((one, other) => other.size - one.size)) {
    const half = dealt[0].size <= dealt[1].size ? dealt[0] : dealt[1];
    half.size += size;
    half.names.push(name);
  }
  return dealt.map(half => half.names.toSorted());
}

/** The longest ones begin first. */
const windows = [
  ...at('alone').flatMap(name =>
    (values.deep ? ['newest', 'minimum'] : ['newest']).map(version => ({ version, names: [name] })),
  ),
  ...halves(at('minimum')).map(names => ({
    version: 'minimum',
    names,
    // Next to the chat, the page is narrow and a key opens no details. layout.newest.test.ts covers that.
    settings: { 'workbench.secondarySideBar.defaultVisibility': 'hidden' },
  })),
  { version: 'newest', names: at('newest') },
  ...at('both').flatMap(name => [
    { version: 'minimum', names: [name] },
    { version: 'newest', names: [name] },
  ]),
  { version: 'newest', names: at('pseudo'), language: pseudoLanguage },
  {
    version: 'minimum',
    names: at('untrusted'),
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
    },
  },
].filter(({ names, version }) => names.length > 0 && (values.version ?? version) === version);

/** One bundle of the registry and the test files, so a new test file needs no registration. */
function runWindow({ version, names, settings, language }, file) {
  const contents = [...names.map(name => `import './${name}';`), "export { run } from './index';"].join('\n');
  return runInVscode(contents, folder, {
    file,
    version,
    settings,
    language,
    environment: { TEST_DEEP: values.deep ? 'yes' : '' },
  });
}

/** Runs one window in a separate process, prints its output once it has ended, and resolves with true if it passed. */
async function runApart(number, file) {
  const { version, names } = windows[number];
  const child = spawn(
    process.execPath,
    [import.meta.filename, ...process.argv.slice(2), '--window', String(number), '--package', file],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const start = Date.now();
  const output = [];
  child.stdout.on('data', part => output.push(part));
  child.stderr.on('data', part => output.push(part));
  const [code] = await once(child, 'close');
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(
    `\nVS Code ${versions[version].name}: ${names.join(' ')}\n${Buffer.concat(output)}# ${seconds} s`,
  );
  return code === 0;
}

/** The numbers of the windows whose version is installed or can be installed. */
async function possibleWindows() {
  const missing = new Set();
  for (const version of new Set(windows.map(each => each.version))) {
    try {
      await executable(version);
    } catch (error) {
      if (version !== 'newest' || !(error instanceof NotInstalled)) {
        throw error;
      }
      missing.add(version);
      console.log(
        `VS Code ${versions.newest.name} could not be installed from the npm registry, so its tests did not run.`,
      );
    }
  }
  const isMissing = ({ version }) => missing.has(version);
  console.log(`# skipped ${windows.filter(isMissing).flatMap(({ names }) => names).length}`);
  return [...windows.keys()].filter(number => !isMissing(windows[number]));
}

if (values.window !== undefined) {
  await runWindow(windows[Number(values.window)], values.package).catch(error => {
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  const file = values.built ? extensionPackage : packageExtension();
  const left = await possibleWindows();
  // Tests wait for most of their time, so two windows share the machine.
  await Promise.all(
    Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for (let number = left.shift(); number !== undefined; number = left.shift()) {
        if (!(await runApart(number, file))) {
          process.exitCode = 1;
        }
      }
    }),
  );
}
