/** A part of a filled window. */
export interface Filled {
  readonly name: string;
  /** Tokens. */
  readonly count: number;
  /** The character that draws the part. */
  readonly fill: string;
}

/** Characters of a bar between its ends. */
const barLength = 60;

/** Draws how much of a window is filled by each part. A part smaller than a character may be missing. */
export function fillBar(parts: readonly Filled[], window: number): string {
  let sum = 0;
  let bar = '';
  for (const { count, fill } of parts) {
    sum += count;
    bar += fill.repeat(Math.max(0, Math.min(barLength, Math.round((sum / window) * barLength)) - bar.length));
  }
  return `▕${bar.padEnd(barLength, '·')}▏`;
}
