import type { Random } from '../generator/random';
import { byteMutations } from './byteMutations';
import { jsonMutations } from './jsonMutations';
import { lineMutations } from './lineMutations';

/** One way to damage a transcript. The same random numbers make the same change. */
export interface Mutation {
  readonly name: string;
  /** The frequency of its choice relative to the others; 1 by default. */
  readonly weight?: number;
  /** @param other another seed, as a source of parts */
  readonly change: (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;
}

/** A new mutation is one entry in one of the lists. */
export const mutations: readonly Mutation[] = [...byteMutations, ...lineMutations, ...jsonMutations];

const total = mutations.reduce((sum, { weight = 1 }) => sum + weight, 0);

export function pickMutation(random: Random): Mutation | undefined {
  let left = random.next() * total;
  return mutations.find(({ weight = 1 }) => (left -= weight) < 0);
}
