import { isAscii } from 'node:buffer';
import { hash, randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { workedChannel } from './bundleThread';

// V8 compiles a bundle in 50 to 90 ms, and each of its functions when it is first called. What it made of them is kept in a
// folder for the next start.

/** Code that was not made anew for so long belongs to a version of V8 that is gone, in milliseconds. */
const longestKept = 90 * 86_400_000;

/** It is loaded with other settings of V8 than it would be kept with. */
const neverKept: ReadonlySet<string> = new Set(['index.js']);

/** As in the wrapper of Node's own modules, but in a line of its own. */
const head = '(function (exports, require, module, __filename, __dirname) {\n';

/**
 * Runs a bundle of this program, and what it loads of the bundles beside it, from the code that is kept in a folder. Keeps what
 * is missing there once the thread has worked or the process ends; where it cannot be kept, everything is as without it.
 * @param folder only this program writes there; made where it is missing
 * @param use names what the bundle is run for, where the functions that run depend on it
 */
export function runBundle(bundle: string, folder: string, use = 'any'): void {
  new BundleRunner(folder, use).run(bundle);
}

class BundleRunner {
  private readonly modules = new Map<string, { readonly exports: unknown }>();
  private readonly fresh: { readonly name: string; readonly state: string; readonly script: Script }[] = [];

  constructor(
    private readonly folder: string,
    private readonly use: string,
  ) {
    const keep = (): void => {
      unsubscribe(workedChannel, keep);
      process.off('exit', keep);
      this.keep();
    };
    subscribe(workedChannel, keep);
    process.on('exit', keep);
  }

  run(bundle: string): unknown {
    const known = this.modules.get(bundle);
    if (known !== undefined) {
      return known.exports;
    }
    const name = nameOf(bundle, this.use);
    const { text, state } = readBundle(bundle);
    const source = `${head}${text}\n})`;
    const cachedData = readKept(join(this.folder, name), state);
    const script = new Script(source, { filename: bundle, lineOffset: -1, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.fresh.push({ name, state, script });
    }
    const loaded = { exports: {} };
    this.modules.set(bundle, loaded);
    const call: unknown = script.runInThisContext();
    if (typeof call !== 'function') {
      throw new Error(`${bundle} is no bundle.`);
    }
    Reflect.apply(call, undefined, [
      loaded.exports,
      this.requireFor(bundle),
      loaded,
      bundle,
      dirname(bundle),
    ]);
    return loaded.exports;
  }

  private requireFor(bundle: string): (name: string) => unknown {
    const require = createRequire(bundle);
    return name => {
      if (name.startsWith('./') && !neverKept.has(basename(name))) {
        return this.run(join(dirname(bundle), name));
      }
      const loaded: unknown = require(name);
      return loaded;
    };
  }

  private keep(): void {
    for (const { name, state, script } of this.fresh.splice(0)) {
      writeKept(this.folder, name, state, script.createCachedData());
    }
  }
}

/** V8 takes no code of another version of it, or of another kind of processor. */
const nameOf = (bundle: string, use: string): string =>
  `${basename(bundle)}.${use}.${process.versions.v8}.${process.arch}.code`;

/** The text of a bundle, and a state that changes whenever the file is written, moved or replaced. */
function readBundle(path: string): { readonly text: string; readonly state: string } {
  const file = openSync(path, 'r');
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
    const state = [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const bytes = readFileSync(file);
    // A bundle is ASCII, and reading it as such takes half the time: 2 ms instead of 4 for a megabyte.
    return { text: bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), state };
  } finally {
    closeSync(file);
  }
}

/**
 * V8 itself sees neither whether the code is damaged, which would end the process, nor whether it is that of this source.
 * @param state of the bundle
 */
function checksumOf(state: string, code: Uint8Array): string {
  return hash('sha256', state + hash('sha256', code));
}

const checksumLength = 64;

function readKept(path: string, state: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      // Who could write it could run what he wants.
      if (![fstatSync(file), statSync(dirname(path))].every(isOwn)) {
        return undefined;
      }
      const bytes = readFileSync(file);
      const code = bytes.subarray(checksumLength);
      return bytes.toString('latin1', 0, checksumLength) === checksumOf(state, code) ? code : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Whether only the user can write it, as far as the system says that. */
function isOwn({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function writeKept(folder: string, name: string, state: string, code: Buffer): void {
  const unfinished = join(folder, `${name}.${randomUUID()}.part`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, Buffer.concat([Buffer.from(checksumOf(state, code)), code]), {
      flag: 'wx',
      mode: 0o600,
    });
    renameSync(unfinished, join(folder, name));
    for (const path of readdirSync(folder).map(each => join(folder, each))) {
      if (Date.now() - statSync(path).mtimeMs > longestKept) {
        remove(path);
      }
    }
  } catch {
    remove(unfinished);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder is none.
  }
}
