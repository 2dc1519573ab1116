import type { Mutation } from './mutations';

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Byte sequences that are not UTF-8, or that have a meaning at the start of a file. */
const oddBytes: readonly Uint8Array[] = [
  [0x00],
  [0x00, 0x00, 0x00, 0x00],
  [0x80],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xff, 0xfe],
  [0xef, 0xbb, 0xbf],
  [0x0d],
  [0xe2, 0x80, 0xa8],
].map(bytes => Uint8Array.from(bytes));

function utf16(bytes: Uint8Array, bigEndian: boolean): Uint8Array {
  const text = Buffer.from(`\ufeff${new TextDecoder().decode(bytes)}`, 'utf16le');
  return new Uint8Array(bigEndian ? text.swap16() : text);
}

export const byteMutations: readonly Mutation[] = [
  {
    name: 'flip bits',
    change: (bytes, random) => {
      const changed = Uint8Array.from(bytes);
      for (let count = random.between(1, 8); count > 0; count -= 1) {
        const at = random.below(changed.length);
        changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      }
      return changed;
    },
  },
  {
    name: 'cut the end off',
    change: (bytes, random) => bytes.slice(0, random.below(bytes.length)),
  },
  {
    name: 'cut the beginning off',
    weight: 0.3,
    change: (bytes, random) => bytes.slice(random.below(bytes.length)),
  },
  {
    name: 'remove a part',
    change: (bytes, random) => {
      const from = random.below(bytes.length);
      return join(bytes.subarray(0, from), bytes.subarray(from + random.between(1, 200)));
    },
  },
  {
    name: 'repeat a part',
    change: (bytes, random) => {
      const from = random.below(bytes.length);
      const end = from + random.between(1, 400);
      return join(bytes.subarray(0, end), bytes.subarray(from, end), bytes.subarray(end));
    },
  },
  {
    name: 'splice with another file',
    change: (bytes, random, other) =>
      join(bytes.subarray(0, random.below(bytes.length)), other.subarray(random.below(other.length))),
  },
  {
    name: 'insert odd bytes',
    change: (bytes, random) => {
      const at = random.below(bytes.length);
      const odd = oddBytes[random.below(oddBytes.length)] ?? bytes;
      return join(bytes.subarray(0, at), odd, bytes.subarray(at));
    },
  },
  {
    name: 'insert a long run of bytes that are no text',
    weight: 0.5,
    change: (bytes, random) => {
      const at = random.below(bytes.length);
      const run = new Uint8Array(random.between(1_000, 200_000));
      // All bytes, only those above ASCII, or a single one repeated.
      const [least, most] = [[0, 255], [128, 255], [random.below(256)]][random.below(3)] ?? [];
      for (let index = 0; index < run.length; index += 1) {
        run[index] = random.between(least ?? 0, most ?? least ?? 0);
      }
      return join(bytes.subarray(0, at), run, bytes.subarray(at));
    },
  },
  {
    name: 'byte order mark',
    weight: 0.2,
    change: bytes => join(Uint8Array.of(0xef, 0xbb, 0xbf), bytes),
  },
  { name: 'UTF-16', weight: 0.2, change: (bytes, random) => utf16(bytes, random.chance(0.5)) },
  {
    name: 'zeros at the end',
    weight: 0.3,
    change: (bytes, random) => join(bytes, new Uint8Array(random.between(1, 5000))),
  },
];
