/** A small seeded generator (mulberry32): the example must come out the same, byte for byte, on every machine. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (low, high) => low + Math.floor(next() * (high - low + 1));
  const text = (alphabet, length) =>
    Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('');
  const hex = length => text('0123456789abcdef', length);
  return {
    next,
    int,
    hex,
    pick: list => list[int(0, list.length - 1)],
    chance: share => next() < share,
    id: (prefix, length = 24) =>
      prefix + text('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789', length),
    base64: length =>
      text('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length - 1) + '=',
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`,
  };
}
