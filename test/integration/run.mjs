// Runs the integration tests in a real VS Code, see launch.mjs. Arguments: words; only test files whose path contains
// one of them are run.
import { readdirSync } from 'node:fs';
import { runInVscode } from './launch.mjs';

const folder = import.meta.dirname;
const words = process.argv.slice(2);
const files = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .filter(name => words.length === 0 || words.some(word => name.includes(word)));
/** Files of this name run in a window of their own, with a folder that is not trusted. */
const isUntrusted = name => name.endsWith('.untrusted.test.ts');
const trust = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** One bundle of the registry and every test file, so a new test file needs no registration. */
async function runFiles(names, settings) {
  if (names.length > 0) {
    const contents = [...names.map(name => `import './${name}';`), "export { run } from './index';"].join(
      '\n',
    );
    await runInVscode(contents, folder, {}, settings);
  }
}

const windows = [
  () =>
    runFiles(
      files.filter(name => !isUntrusted(name)),
      {},
    ),
  () => runFiles(files.filter(isUntrusted), trust),
];
for (const run of windows) {
  try {
    await run();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
