// Runs the integration tests in a real VS Code, see launch.mjs. Arguments: words; only test files whose path contains
// one of them are run.
import { readdirSync } from 'node:fs';
import { runInVscode } from './launch.mjs';

const folder = import.meta.dirname;
const words = process.argv.slice(2);
const files = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .filter(name => words.length === 0 || words.some(word => name.includes(word)));
// One bundle of the registry and every test file, so a new test file needs no registration.
const contents = [...files.map(name => `import './${name}';`), "export { run } from './index';"].join('\n');
try {
  await runInVscode(contents, folder);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
