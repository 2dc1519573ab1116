/** Shorter lines are everywhere: a brace, a bracket. */
const leastLine = 4;

/** A line number and the sign that agents write after it: an arrow, a bar, a colon or a tab. */
const lineNumber = /^\s*\d+(?:\s*[|:→]|[^\S\t]*\t)/;

/** The hash of each line that is not very short, without indentation and line number. */
export function lineHashes(text: string): Float64Array {
  return Float64Array.from(
    text
      .split('\n')
      .map(line => line.replace(lineNumber, '').trim())
      .filter(line => line.length >= leastLine),
    hashOf,
  );
}

/** 53 bits of a text. */
export function hashOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x9e3779b1;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 15);
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}
