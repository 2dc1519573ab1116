// Bundles unit tests with esbuild, and runs them in two processes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { binariesPlugin } from './binariesPlugin.mjs';
import { nodeTarget } from './currentNode.mjs';

/** The paths of all test files. */
export const allTests = () =>
  ['test/unit', 'research/unit'].flatMap(folder =>
    readdirSync(folder, { recursive: true })
      .filter(path => path.endsWith('.test.ts'))
      .map(path => join(folder, path).replaceAll('\\', '/'))
      .sort(),
  );

/** Processes that run test files at the same time. */
const processes = 2;

/** The file that tests import if they need the bundles of the programs. */
export const usesProgram = 'test/fixtures/program.ts';

/** Defines the globals of CommonJS modules in an ES module. */
const commonJs = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

/** The name of a test file's bundle. All bundles are in one folder, as those of the programs that they start. */
export const bundleOf = file => `${file.replace(/\.ts$/, '').replaceAll('/', '+')}.mjs`;

/**
 * Bundles the files into a folder. They share their modules, each compiled once. Resolves with esbuild's metafile.
 * @param plugins besides those that every bundle needs
 */
export async function buildTests(files, outdir, plugins = []) {
  const { metafile } = await build({
    entryPoints: Object.fromEntries(files.map(file => [bundleOf(file).slice(0, -'.mjs'.length), file])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    target: nodeTarget,
    format: 'esm',
    banner: { js: commonJs },
    external: ['esbuild', 'oxc-parser', '@vscode/vsce'],
    plugins: [binariesPlugin, ...plugins],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
  return metafile;
}

/** The test files that import a file of `wanted`, directly or through other files, or are one. */
export function testsReaching(files, wanted, { inputs }) {
  return files.filter(file => {
    const seen = new Set([file]);
    for (const path of seen) {
      if (wanted.has(path)) {
        return true;
      }
      inputs[path]?.imports.forEach(({ path: imported }) => seen.add(imported));
    }
    return false;
  });
}

/**
 * Builds all bundles beside the tests, if a file starts or reads one. Returns whether it could.
 * @param words further arguments of esbuild.mjs
 */
export function buildPrograms(files, outdir, metafile, words = []) {
  if (testsReaching(files, new Set([usesProgram]), metafile).length === 0) {
    return true;
  }
  const command = ['esbuild.mjs', '--outdir', outdir, ...words];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

/**
 * Runs bundled test files in a few processes, of which each takes the next file when it has finished one. Returns the
 * exit code, and the processor seconds of each file.
 */
export function runTests(files, outdir, metafile, { deep = false, seed = '1' } = {}) {
  if (!buildPrograms(files, outdir, metafile)) {
    return { code: 1, seconds: new Map() };
  }
  const taken = join(outdir, 'taken');
  rmSync(taken, { recursive: true, force: true });
  mkdirSync(taken);
  const tests = files.map((name, number) => ({
    name,
    bundle: resolve(outdir, bundleOf(name)),
    record: join(taken, String(number)),
  }));
  const runner = pathToFileURL(join(import.meta.dirname, 'unitProcess.mjs'));
  const programs = Array.from({ length: Math.min(processes, files.length) }, (_, number) => {
    const path = join(outdir, `process-${number}.mjs`);
    writeFileSync(path, `import { runFiles } from '${runner}';\nawait runFiles(${JSON.stringify(tests)});\n`);
    return path;
  });
  // The default concurrency, one less than the number of cores, would be one on two cores.
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${processes}`, '--test-reporter=spec'];
  const env = { ...process.env, TEST_DEEP: deep ? 'yes' : '', TEST_SEED: seed };
  const { status } = spawnSync(process.execPath, [...flags, ...programs], { stdio: 'inherit', env });
  const finished = tests.filter(({ record }) => existsSync(record) && readFileSync(record, 'utf8') !== '');
  return {
    code: finished.length === tests.length ? (status ?? 1) : 1,
    seconds: new Map(finished.map(({ name, record }) => [name, Number(readFileSync(record, 'utf8'))])),
  };
}
