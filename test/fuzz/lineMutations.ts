import type { Random } from '../generator/random';
import type { Mutation } from './mutations';

/** A change of a file's lines. Lines are bytes, because they may be cut inside a character. */
function lineMutation(
  name: string,
  change: (lines: Buffer[], random: Random, other: readonly Buffer[]) => void,
  weight = 1,
): Mutation {
  return {
    name,
    weight,
    change: (bytes, random, other) => {
      const lines = linesOf(bytes);
      change(lines, random, linesOf(other));
      return new Uint8Array(Buffer.concat(lines));
    },
  };
}

/** The lines with their ends. */
function linesOf(bytes: Uint8Array): Buffer[] {
  const lines: Buffer[] = [];
  const buffer = Buffer.from(bytes);
  for (let from = 0; from < buffer.length;) {
    const end = buffer.indexOf(0x0a, from);
    const next = end < 0 ? buffer.length : end + 1;
    lines.push(buffer.subarray(from, next));
    from = next;
  }
  return lines.length === 0 ? [Buffer.alloc(0)] : lines;
}

const withoutEnd = (line: Buffer): Buffer => (line.at(-1) === 0x0a ? line.subarray(0, -1) : line);

const picked = (lines: readonly Buffer[], random: Random): Buffer =>
  lines[random.below(lines.length)] ?? Buffer.alloc(0);

export const lineMutations: readonly Mutation[] = [
  lineMutation('drop a line', (lines, random) => lines.splice(random.below(lines.length), 1)),
  lineMutation('repeat a line', (lines, random) => {
    lines.splice(random.below(lines.length + 1), 0, picked(lines, random));
  }),
  lineMutation('swap two lines', (lines, random) => {
    const [first, second] = [random.below(lines.length), random.below(lines.length)];
    const [one, two] = [lines[first] ?? Buffer.alloc(0), lines[second] ?? Buffer.alloc(0)];
    lines[first] = two;
    lines[second] = one;
  }),
  lineMutation('glue two lines', (lines, random) => {
    const at = random.below(lines.length);
    lines[at] = withoutEnd(lines[at] ?? Buffer.alloc(0));
  }),
  lineMutation('cut a line and glue the next one on', (lines, random) => {
    const at = random.below(lines.length);
    const line = lines[at] ?? Buffer.alloc(0);
    lines[at] = line.subarray(0, random.below(line.length + 1));
  }),
  lineMutation('cut a line in the middle', (lines, random) => {
    const at = random.below(lines.length);
    const line = lines[at] ?? Buffer.alloc(0);
    lines[at] = Buffer.concat([line.subarray(0, random.below(line.length + 1)), Buffer.from('\n')]);
  }),
  lineMutation('take a line of another file', (lines, random, other) => {
    lines.splice(random.below(lines.length + 1), 0, picked(other, random));
  }),
  lineMutation('insert a line that is no record', (lines, random) => {
    const odd = [
      '\n',
      'null\n',
      '[]\n',
      '{}\n',
      '0\n',
      '"text"\n',
      'Segmentation fault\n',
      '{"type":\n',
      '\r\n',
    ];
    lines.splice(random.below(lines.length + 1), 0, Buffer.from(odd[random.below(odd.length)] ?? ''));
  }),
  lineMutation(
    'repeat a line many times',
    (lines, random) => {
      const line = picked(lines, random);
      const times = Math.min(random.between(50, 2000), Math.ceil(300_000 / (line.length + 1)));
      lines.splice(random.below(lines.length + 1), 0, ...Array<Buffer>(times).fill(line));
    },
    0.05,
  ),
  lineMutation('reverse the lines', lines => lines.reverse(), 0.2),
];
