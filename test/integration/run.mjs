// Runs the integration tests in a real VS Code with the packaged and installed extension, see launch.mjs. Arguments: words; only test files whose
// path contains one of them are run; `--version minimum|newest`: only the windows of one version. What stands before ".test.ts" says where a file runs:
//   nothing    in the oldest version, all in one window
//   untrusted  in the oldest version, in a window with a folder that is not trusted
//   both       in the oldest version and in the newest, with a window of its own in each
//   newest     in the newest version, with a window of its own
//   pseudo     in the newest version, in a window whose language has an accent on every letter
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NotInstalled } from '../../scripts/lib/packages.mjs';
import { pseudoLanguage } from '../../scripts/lib/pseudoLanguage.mjs';
import { versions } from '../../scripts/lib/vscodeServer.mjs';
import { packageExtension, runInVscode } from './launch.mjs';

const folder = import.meta.dirname;
const { values, positionals: words } = parseArgs({
  options: { version: { type: 'string' } },
  allowPositionals: true,
});
const files = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .filter(name => words.length === 0 || words.some(word => name.includes(word)));

const placeOf = name => /\.(untrusted|both|newest|pseudo)\.test\.ts$/.exec(name)?.[1] ?? 'minimum';
const at = place => files.filter(name => placeOf(name) === place);

const windows = [
  { version: 'minimum', names: at('minimum') },
  {
    version: 'minimum',
    names: at('untrusted'),
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
    },
  },
  ...at('both').flatMap(name => [
    { version: 'minimum', names: [name] },
    { version: 'newest', names: [name] },
  ]),
  ...at('newest').map(name => ({ version: 'newest', names: [name] })),
  ...at('pseudo').map(name => ({ version: 'newest', names: [name], language: pseudoLanguage })),
].filter(({ names, version }) => names.length > 0 && (values.version ?? version) === version);

/** One bundle of the registry and the test files, so a new test file needs no registration. */
function runWindow({ version, names, settings, language }, file) {
  const contents = [...names.map(name => `import './${name}';`), "export { run } from './index';"].join('\n');
  console.log(`\nVS Code ${versions[version].name}: ${names.join(' ')}`);
  return runInVscode(contents, folder, { file, version, settings, language });
}

const file = packageExtension();
for (const each of windows) {
  try {
    await runWindow(each, file);
  } catch (error) {
    if (each.version === 'newest' && error instanceof NotInstalled) {
      console.log(
        `VS Code ${versions.newest.name} could not be installed from the npm registry, so its tests did not run.`,
      );
      console.log(`# skipped ${each.names.length}`);
    } else {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
