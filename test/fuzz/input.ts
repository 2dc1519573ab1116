import type { SiblingFiles } from '../../src/core/reading/format';
import { Random } from '../generator/random';
import { type Container, containerOf } from './containers';
import { type Credential, foundCredentials } from './credentials';
import { pickMutation } from './mutations';
import { plantIn } from './plant';
import { loadSeeds, type Seed } from './seeds';

/** A file to try. */
export interface FuzzInput {
  readonly bytes: Uint8Array;
  readonly siblings?: SiblingFiles | undefined;
  readonly format: string;
  /** Format and name of the seed, and the mutations. */
  readonly story: string;
  /** Credentials that no output may contain. */
  readonly planted: readonly Credential[];
}

/** The seeds of the inputs, in a fixed order. */
export interface SeedSet {
  /** The formats, used in turn. */
  readonly formats: readonly string[];
  readonly seeds: ReadonlyMap<string, readonly Seed[]>;
  /** The credentials that may be planted. */
  readonly credentials: readonly Credential[];
}

/** @param format restricts inputs to this format */
export async function loadSeedSet(format?: string): Promise<SeedSet> {
  const seeds = await loadSeeds();
  const formats = format === undefined ? [...seeds.keys()] : [format];
  return { formats, seeds, credentials: await foundCredentials() };
}

/** Maximum size of an input after repeated mutations, in bytes. */
const longestInput = 1_000_000;

/**
 * The input with a number. It depends only on the seed and the number, so every worker makes the same input. Formats
 * are used in turn.
 */
export async function makeInput(
  { formats, seeds, credentials }: SeedSet,
  seed: number,
  number: number,
): Promise<FuzzInput> {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const format = formats[number % formats.length] ?? '';
  const chosen = pickSeed(seeds, format, random);
  const all = [...seeds.keys()];
  const other = pickSeed(
    seeds,
    random.chance(0.5) ? format : (all[random.below(all.length)] ?? format),
    random,
  );
  const done: string[] = [];
  const planted: Credential[] = [];
  const change = (bytes: Uint8Array): Uint8Array => {
    let changed = bytes;
    // Few inputs are unchanged. Most are changed in one place, because a single change reaches the deepest code.
    const count = random.chance(0.03) ? 0 : Math.min(6, 1 + Math.floor(-Math.log2(1 - random.next())));
    for (let left = count; left > 0 && changed.length > 0 && changed.length < longestInput; left -= 1) {
      const mutation = pickMutation(random);
      if (mutation !== undefined) {
        changed = mutation.change(changed, random, other.bytes);
        done.push(mutation.name);
      }
    }
    return random.chance(0.4) ? plant(changed) : changed;
  };
  // Planted last, so that no mutation removes something that a detector needs.
  const plant = (bytes: Uint8Array): Uint8Array => {
    let text = new TextDecoder().decode(bytes);
    for (let left = random.between(1, 3); left > 0; left -= 1) {
      const result = plantIn(text, random, credentials);
      text = result.text;
      planted.push(result.planted);
      done.push(`plant ${result.planted.kind}`);
    }
    return new TextEncoder().encode(text);
  };
  const container = containerOf(chosen.bytes);
  const bytes =
    container === undefined
      ? change(chosen.bytes)
      : random.chance(0.75)
        ? await changeInside(container, chosen.bytes, random, change)
        : damage(chosen.bytes, random, other.bytes, done);
  const story = `${chosen.format} (${chosen.name}): ${done.join(', ')}`;
  return { bytes, siblings: chosen.siblings, format: chosen.format, story, planted };
}

/** Mutates the content of a packed seed. Damaged packed seeds stay unchanged. */
async function changeInside(
  container: Container,
  bytes: Uint8Array,
  random: Random,
  change: (bytes: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  try {
    return await container.changeInside(bytes, random, change);
  } catch {
    return bytes;
  }
}

/** Mutates packed bytes themselves, without a planted credential, because nothing could find it. */
function damage(bytes: Uint8Array, random: Random, other: Uint8Array, done: string[]): Uint8Array {
  const mutation = pickMutation(random);
  done.push(mutation?.name ?? '');
  return mutation?.change(bytes, random, other) ?? bytes;
}

/** Small seeds are chosen most often: most defects show in them, and sooner. */
const smallSeed = 4000;

function pickSeed(seeds: SeedSet['seeds'], format: string, random: Random): Seed {
  const all = seeds.get(format) ?? [];
  const small = all.filter(({ bytes }) => bytes.length <= smallSeed);
  const own = small.length > 0 && random.chance(0.9) ? small : all;
  const seed = own[random.below(own.length)];
  if (seed === undefined) {
    throw new Error(`There is no seed of the format ${format}.`);
  }
  return seed;
}
