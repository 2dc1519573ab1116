// What the token counter is made of, for esbuild: its WebAssembly, compiled from AssemblyScript into the bundle, and the
// vocabularies, as files beside the bundle that are read when an encoding is first used.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const options = '-O3 --noAssert --runtime stub --enable simd --use abort= --initialMemory 1'.split(' ');

/** The compiler's answer is kept: loading it takes longer than everything else that a build does. */
async function compile(path) {
  const source = await readFile(path, 'utf8');
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const recipe = JSON.stringify([devDependencies.assemblyscript, options, source]);
  const key = createHash('sha256').update(recipe).digest('hex');
  const kept = join('node_modules', '.cache', 'context-inspector', `${key}.wasm`);
  try {
    return await readFile(kept);
  } catch {
    const { main } = await import('assemblyscript/asc');
    const name = basename(path);
    let binary;
    const { error, stderr } = await main([name, '--outFile', 'out.wasm', ...options], {
      readFile: asked => (asked === name ? source : null),
      writeFile: (_, contents) => (binary = Buffer.from(contents)),
      listFiles: () => [],
    });
    if (error !== null || binary === undefined) {
      throw new Error(`${path} does not compile:\n${stderr.toString()}`);
    }
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(`${kept}.${process.pid}`, binary);
    await rename(`${kept}.${process.pid}`, kept);
    return binary;
  }
}

const compiled = new Map();

function compileOnce(path) {
  if (!compiled.has(path)) {
    compiled.set(path, compile(path));
  }
  return compiled.get(path);
}

/** A module that makes an instance: `instantiate(imports)` resolves to its exports. */
function wasmModule(binary, name) {
  return `
    export default async imports => {
      const bytes = Uint8Array.from(atob('${binary.toString('base64')}'), letter => letter.charCodeAt(0));
      const { instance } = await WebAssembly.instantiate(bytes, { ${name}: imports });
      return instance.exports;
    };`;
}

/**
 * A vocabulary as the counter reads it: number of tokens (4 bytes), the length of each (1 byte), then their bytes, in
 * the order of their ranks. js-tiktoken has them in base64 behind `! <first rank>`.
 */
async function packVocabulary(encoding) {
  const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}`);
  const [mark, first, ...words] = ranks.bpe_ranks.split(' ');
  const tokens = words.map(word => Buffer.from(word, 'base64'));
  if (mark !== '!' || first !== '0' || !tokens.every(({ length }) => length > 0 && length < 256)) {
    throw new Error(`The ranks of ${encoding} have another form than is known.`);
  }
  const count = Buffer.alloc(4);
  count.writeUInt32LE(tokens.length);
  return Buffer.concat([count, Buffer.from(tokens.map(({ length }) => length)), ...tokens]);
}

/** A module whose function reads the file that lies beside the bundle. */
function vocabularyModule(encoding, { platform, format }) {
  const file = `import file from 'vocabulary-file:${encoding}';`;
  if (platform !== 'node') {
    return `${file}
      export default async () => new Uint8Array(await (await fetch(new URL(file, self.location.href))).arrayBuffer());`;
  }
  const path =
    format === 'esm' ? 'new URL(file, import.meta.url)' : "require('node:path').join(__dirname, file)";
  return `${file}
    import { readFile } from 'node:fs/promises';
    export default () => readFile(${path});`;
}

/** `./NAME?wasm` is the compiled NAME.ts; `vocabulary:ENCODING` is a function that reads the vocabulary. */
export const tokenizerPlugin = {
  name: 'tokenizer',
  setup({ initialOptions, onResolve, onLoad }) {
    initialOptions.assetNames ??= '[name]';
    onResolve({ filter: /\?wasm$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?wasm$/, '.ts')),
      namespace: 'wasm',
    }));
    onLoad({ filter: /./, namespace: 'wasm' }, async ({ path }) => ({
      contents: wasmModule(await compileOnce(path), basename(path, '.ts')),
      watchFiles: [path],
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
      contents: await packVocabulary(basename(path, '.tokens')),
      loader: 'file',
    }));
  },
};
