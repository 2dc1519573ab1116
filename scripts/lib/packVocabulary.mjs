// Writes a vocabulary in the counter's format (src/core/tokens/assembly/vocabulary.ts): each token as the pair of
// tokens that merge into it.

const bytes = 256;
const bucketBits = 16n;
const slotBits = 18;
const highestDisplacement = 255;

/**
 * The two tokens that byte pair encoding merges last to make a token. No other adjacent pair makes the same token, because
 * within a longer text the bytes of a token are merged in the same steps as alone.
 */
function lastPair(token, ranks) {
  const parts = [...token];
  while (parts.length > 2) {
    let lowest = Infinity;
    let place = -1;
    for (let at = 0; at + 1 < parts.length; at++) {
      const rank = ranks.get(parts[at] + parts[at + 1]) ?? Infinity;
      if (rank < lowest) {
        lowest = rank;
        place = at;
      }
    }
    if (place === -1) {
      throw new Error(`No merge leads to the token ${JSON.stringify(token)}.`);
    }
    parts.splice(place, 2, parts[place] + parts[place + 1]);
  }
  return parts;
}

/**
 * For each bucket, the smallest number that gives every pair a slot of its own when added to the hashes of its pairs.
 */
function displacementsOf(pairs) {
  const buckets = Array.from({ length: 2 ** Number(bucketBits) }, () => []);
  for (const [left, right] of pairs) {
    if (left >= bytes || right >= bytes) {
      const hash = BigInt.asUintN(64, ((BigInt(left) << 18n) | BigInt(right)) * 0x9e3779b97f4a7c15n);
      buckets[Number(hash >> (64n - bucketBits))].push(Number(BigInt.asUintN(32, hash >> 16n)));
    }
  }
  const taken = new Uint8Array(2 ** slotBits);
  const displacements = new Uint8Array(buckets.length);
  const order = buckets.map((_, index) => index).sort((a, b) => buckets[b].length - buckets[a].length);
  for (const index of order) {
    for (let displacement = 0; ; displacement++) {
      const slots = buckets[index].map(
        hash => Math.imul(hash + displacement, 0x9e3779b1) >>> (32 - slotBits),
      );
      if (slots.every(slot => taken[slot] === 0) && new Set(slots).size === slots.length) {
        slots.forEach(slot => (taken[slot] = 1));
        displacements[index] = displacement;
        break;
      }
      if (displacement === highestDisplacement) {
        throw new Error('There is no perfect hash of this size for the vocabulary.');
      }
    }
  }
  return displacements;
}

/**
 * The number of pairs (4 bytes). Then for each pair, in the order of the tokens that they make: the lower 16 bits of the
 * left token, the lower 16 bits of the right token, and the upper 4 bits of both (the left ones low). Then the displacements
 * of a perfect hash.
 * @param bpeRanks js-tiktoken's tokens: in base64, in the order of their ranks, after `! <first rank>`
 */
export function packVocabulary(bpeRanks) {
  const [mark, first, ...words] = bpeRanks.split(' ');
  const tokens = words.map(word => Buffer.from(word, 'base64').toString('latin1'));
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  if (
    mark !== '!' ||
    first !== '0' ||
    !tokens.every((token, rank) => (token.length === 1) === rank < bytes)
  ) {
    throw new Error('The ranks have another form than is known.');
  }
  const numberOf = part => (part.length === 1 ? part.charCodeAt(0) : ranks.get(part));
  const pairs = tokens.slice(bytes).map(token => lastPair(token, ranks).map(numberOf));
  if (!pairs.every(([left, right], index) => Math.max(left, right) < bytes + index)) {
    throw new Error('A pair makes a token of a lower rank than its own.');
  }
  const [lefts, rights] = [0, 1].map(side => Uint16Array.from(pairs, pair => pair[side]));
  const uppers = Uint8Array.from(pairs, ([left, right]) => (left >>> 16) | ((right >>> 16) << 4));
  return Buffer.concat(
    [Uint32Array.of(pairs.length), lefts, rights, uppers, displacementsOf(pairs)].map(({ buffer }) =>
      Buffer.from(buffer),
    ),
  );
}
