import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTranscript } from '../../src/core/formats/readTranscript';
import { documentFormats, lineFormats } from '../../src/core/formats/registry';
import type { SiblingFiles } from '../../src/core/reading/format';
import { decoderTools } from '../../src/node/databases/database';
import { fixturesOf } from '../fixtures/formats';
import { bytesSource } from '../fixtures/prunedCopies';
import { filesBelow, readUnpacked, shared } from '../fixtures/sharedFiles';
import { packZstd } from './containers';

/** A transcript as source of inputs. */
export interface Seed {
  readonly format: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly siblings?: SiblingFiles | undefined;
}

/**
 * Longer files of lines are cut at a line, and longer documents are left out, so that many inputs can be tried per
 * second.
 */
const longestSeed = 24_000;

const newline = 0x0a;

/**
 * The seeds of each format: the project's fixtures, pieces of the example session, and small recorded transcripts next
 * to the repository if there are any. In a fixed order, because the inputs depend on it.
 */
export async function loadSeeds(): Promise<ReadonlyMap<string, readonly Seed[]>> {
  const seeds = new Map<string, Seed[]>();
  const add = (seed: Seed): void => {
    seeds.set(seed.format, [...(seeds.get(seed.format) ?? []), seed]);
  };
  for (const { id } of [...lineFormats, ...documentFormats]) {
    fixturesOf(id).forEach(fixture => add({ format: id, ...fixture }));
  }
  const codex = seeds.get('codex')?.[0];
  if (codex !== undefined) {
    add({ ...codex, name: 'packed', bytes: packZstd(codex.bytes) });
  }
  const database = readFileSync(join('test', 'fixtures', 'sqlite', 'opencode.db'));
  add({ format: 'opencode', name: 'database', bytes: new Uint8Array(database) });
  for (const { name, bytes } of [...examplePieces(), ...sharedSamples()]) {
    const format = await formatOf(bytes);
    if (format !== undefined) {
      add({ format, name, bytes });
    }
  }
  return seeds;
}

interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function examplePieces(): readonly NamedBytes[] {
  const path = join('media', 'example', 'session.jsonl');
  const bytes = new Uint8Array(readFileSync(path));
  const middle = bytes.indexOf(newline, bytes.length / 2) + 1;
  return [
    { name: 'example', bytes: upToLine(bytes) },
    { name: 'middle of the example', bytes: upToLine(bytes.subarray(middle)) },
  ].filter(piece => piece.bytes.length > 0);
}

function sharedSamples(): readonly NamedBytes[] {
  const folders = [join(shared, 'samples'), join(shared, 'agent-runs')].filter(folder => existsSync(folder));
  const paths = folders.flatMap(folder =>
    filesBelow(folder, '.jsonl', '.json', '.jsonl.gz', '.json.gz', '.eval', '.db', '.traj', '.md', '.sse'),
  );
  return paths.flatMap(path => {
    const bytes = new Uint8Array(readUnpacked(path));
    const kept = /\.jsonl(\.gz)?$/.test(path) ? upToLine(bytes) : bytes;
    return kept.length > 0 && kept.length <= longestSeed
      ? [{ name: path.slice(shared.length + 1), bytes: kept }]
      : [];
  });
}

/** The whole lines at the beginning that fit into a seed. */
function upToLine(bytes: Uint8Array): Uint8Array {
  return bytes.length <= longestSeed ? bytes : bytes.slice(0, bytes.lastIndexOf(newline, longestSeed) + 1);
}

async function formatOf(bytes: Uint8Array): Promise<string | undefined> {
  const result = await readTranscript(bytesSource(bytes), { tools: decoderTools }).catch(() => undefined);
  return result?.ok === true ? result.transcript.format : undefined;
}
