// Gives esbuild our own WebAssembly, compiled from AssemblyScript into the bundle. Large data are files next to the
// bundle: the vocabularies of the token counter, which are read when an encoding is first used. Also generates the
// words that the readers look for, from their source.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { packVocabulary } from './packVocabulary.mjs';
import { readerSources, readerWords } from './readerWords.mjs';

const options = '-O3 --noAssert --runtime stub --enable simd --use abort= --initialMemory 1'.split(' ');

/** Caches the slowest results of a build, under the hash of all their inputs. */
async function kept(recipe, make) {
  const key = createHash('sha256').update(JSON.stringify(recipe)).digest('hex');
  const path = join('node_modules', '.cache', 'context-inspector', key);
  try {
    return await readFile(path);
  } catch {
    const made = await make();
    await mkdir(dirname(path), { recursive: true });
    // Two bundles of one build may make the same result at the same time, each in a separate file.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, made);
    await rename(unfinished, path);
    return made;
  }
}

/** The path by which the modules of all areas import their shared part. */
const sharedFolder = '../../base/assembly';

/** The sources in a folder, by the name that a file in another folder imports. */
async function sourcesIn(folder, shown) {
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts')).sort();
  return Promise.all(names.map(async name => [shown + name, await readFile(join(folder, name), 'utf8')]));
}

/** Compiles a file together with its neighbours and the shared files. */
async function compile(path) {
  const folder = dirname(path);
  const sources = new Map([
    ...(await sourcesIn(folder, '')),
    ...(await sourcesIn(join(folder, sharedFolder), `${sharedFolder}/`)),
  ]);
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  return kept([devDependencies.assemblyscript, options, basename(path), ...sources], async () => {
    const { main } = await import('assemblyscript/asc');
    let binary;
    const { error, stderr } = await main([basename(path), '--outFile', 'out.wasm', ...options], {
      readFile: name => sources.get(name) ?? null,
      writeFile: (_, contents) => (binary = Buffer.from(contents)),
      listFiles: () => [],
    });
    if (error !== null || binary === undefined) {
      throw new Error(`${path} does not compile:\n${stderr.toString()}`);
    }
    return binary;
  });
}

const compiled = new Map();

function compileOnce(path) {
  if (!compiled.has(path)) {
    compiled.set(path, compile(path));
  }
  return compiled.get(path);
}

/**
 * A module with `instantiate(imports)`, which resolves to the exports of a new instance, and `instantiateNow(imports)`,
 * which returns them: for a small module that compiles in less than a millisecond.
 */
function wasmModule(binary, { platform }) {
  const text = `'${binary.toString('base64')}'`;
  // Converting each letter takes milliseconds in every thread that starts.
  const bytes =
    platform === 'node'
      ? `Buffer.from(${text}, 'base64')`
      : `Uint8Array.from(atob(${text}), letter => letter.charCodeAt(0))`;
  return `
    const bytes = () => ${bytes};
    let compiling, compiled;
    export default async imports =>
      new WebAssembly.Instance(await (compiling ??= WebAssembly.compile(bytes())), imports).exports;
    export const instantiateNow = imports =>
      new WebAssembly.Instance((compiled ??= new WebAssembly.Module(bytes())), imports).exports;`;
}

async function vocabulary(encoding) {
  const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}`);
  const recipe = await readFile(new URL('packVocabulary.mjs', import.meta.url), 'utf8');
  return kept([recipe, ranks.bpe_ranks], () => packVocabulary(ranks.bpe_ranks));
}

/** A module with a function that reads the file beside the bundle. */
function vocabularyModule(encoding, { platform, format }) {
  const file = `import file from 'vocabulary-file:${encoding}';`;
  if (platform !== 'node') {
    return `${file}
      export default async () => new Uint8Array(await (await fetch(new URL(file, self.location.href))).arrayBuffer());`;
  }
  const path =
    format === 'esm' ? 'new URL(file, import.meta.url)' : "require('node:path').join(__dirname, file)";
  // Loaded late, because most runs of the guard read no vocabulary.
  return `${file}
    export default async () => (await import('node:fs/promises')).readFile(${path});`;
}

/** A module with the words that the readers look for. */
async function readerWordsModule() {
  const recipe = await readFile(new URL('readerWords.mjs', import.meta.url), 'utf8');
  const sources = await readerSources();
  const words = await kept([recipe, sources], () => readerWords(sources));
  return {
    contents: `export default ${JSON.stringify(String(words))};`,
    watchFiles: sources.map(({ path }) => path),
  };
}

/**
 * `./NAME?wasm` is the compiled NAME.ts, `vocabulary:ENCODING` a function that reads the vocabulary, and
 * `words:readers` the words that the readers look for.
 */
export const binariesPlugin = {
  name: 'binaries',
  setup({ initialOptions, onResolve, onLoad }) {
    initialOptions.assetNames ??= '[name]';
    onResolve({ filter: /\?wasm$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?wasm$/, '.ts')),
      namespace: 'wasm',
    }));
    onLoad({ filter: /./, namespace: 'wasm' }, async ({ path }) => ({
      contents: wasmModule(await compileOnce(path), initialOptions),
      watchDirs: [dirname(path), join(dirname(path), sharedFolder)],
    }));
    onResolve({ filter: /^vocabulary:/ }, ({ path }) => ({
      path: path.slice('vocabulary:'.length),
      namespace: 'vocabulary',
    }));
    onLoad({ filter: /./, namespace: 'vocabulary' }, ({ path }) => ({
      contents: vocabularyModule(path, initialOptions),
      resolveDir: process.cwd(),
    }));
    onResolve({ filter: /^vocabulary-file:/ }, ({ path }) => ({
      path: `${path.slice('vocabulary-file:'.length)}.tokens`,
      namespace: 'vocabulary-file',
    }));
    onLoad({ filter: /./, namespace: 'vocabulary-file' }, async ({ path }) => ({
      contents: await vocabulary(basename(path, '.tokens')),
      loader: 'file',
    }));
    onResolve({ filter: /^words:readers$/ }, ({ path }) => ({ path, namespace: 'words' }));
    onLoad({ filter: /./, namespace: 'words' }, readerWordsModule);
  },
};
