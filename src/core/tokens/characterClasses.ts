/** The classes of assembly/pattern.ts, in the order of their numbers; the first that matches is used. */
const classes = [
  [/\p{Ll}/u, 3],
  [/[\p{Lu}\p{Lt}]/u, 2],
  [/\p{L}/u, 4],
  [/\p{M}/u, 5],
  [/\p{N}/u, 6],
  [/[\r\n]/u, 8],
  [/\s/u, 7],
] as const;
const other = 1;

/** Writes the classes of the code points from `first` on. They come from the running engine, as in js-tiktoken. */
export function classifyCharacters(first: number, into: Uint8Array): void {
  for (let index = 0; index < into.length; index++) {
    const character = String.fromCodePoint(first + index);
    into[index] = classes.find(([pattern]) => pattern.test(character))?.[1] ?? other;
  }
}
