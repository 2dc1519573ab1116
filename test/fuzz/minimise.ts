import type { FuzzInput } from './input';
import { placesIn, removeAt, setAt, writeJson } from './jsonText';
import { type Finding, tryInput } from './tryInput';

/** Maximum time spent on one finding, in milliseconds. */
const longest = 4000;

/**
 * A smaller input with the same finding: lines are left out, then parts of lines, then members of JSON values. It is
 * not the smallest possible one, because the time is limited. Packed files stay unchanged.
 */
export async function minimised(
  input: FuzzInput,
  { key, output }: Finding,
  turn: number,
  folder: string,
): Promise<Uint8Array> {
  const end = performance.now() + longest;
  const stays = async (bytes: Uint8Array): Promise<boolean> => {
    const { findings } = await tryInput({ ...input, bytes }, { turn, only: output, folder });
    return findings.some(finding => finding.key === key);
  };
  let best = input.bytes;
  /** Uses a smaller input if it has the same finding. */
  const take = async (bytes: Uint8Array): Promise<boolean> => {
    const isTaken = performance.now() < end && bytes.length < best.length && (await stays(bytes));
    best = isTaken ? bytes : best;
    return isTaken;
  };
  if (!(await stays(best))) {
    return best;
  }
  for (const separator of ['\n', ',']) {
    await withoutPieces(best, separator, take);
  }
  await withoutMembers(() => best, take);
  return best;
}

type Take = (bytes: Uint8Array) => Promise<boolean>;

/** Leaves out runs of pieces, long runs first. */
async function withoutPieces(bytes: Uint8Array, separator: string, take: Take): Promise<void> {
  // Latin-1 keeps every byte.
  let pieces = Buffer.from(bytes).toString('latin1').split(separator);
  for (let run = pieces.length >> 1; run >= 1; run >>= 1) {
    for (let from = 0; from < pieces.length;) {
      const rest = [...pieces.slice(0, from), ...pieces.slice(from + run)];
      if (await take(new Uint8Array(Buffer.from(rest.join(separator), 'latin1')))) {
        pieces = rest;
      } else {
        from += run;
      }
    }
  }
}

/** Leaves out members and shortens texts of each JSON line. */
async function withoutMembers(current: () => Uint8Array, take: Take): Promise<void> {
  const count = new TextDecoder().decode(current()).split('\n').length;
  for (let line = 0; line < count; line += 1) {
    for (let place = 0; ; place += 1) {
      const lines = new TextDecoder().decode(current()).split('\n');
      const smaller = [removeAt, shorten].map(change => changedAt(lines[line] ?? '', place, change));
      if (smaller[0] === undefined) {
        break;
      }
      for (const text of smaller) {
        if (text !== undefined && (await take(new TextEncoder().encode(lines.with(line, text).join('\n'))))) {
          place -= 1;
          break;
        }
      }
    }
  }
}

function shorten(place: Parameters<typeof removeAt>[0]): void {
  if (typeof place.value === 'string' && place.value.length > 20) {
    setAt(place, place.value.slice(0, place.value.length >> 1));
  }
}

/** The line with a change at one of its places; undefined if there is no such place. */
function changedAt(line: string, index: number, change: typeof removeAt): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const place = placesIn(value)[index];
    if (place === undefined) {
      return undefined;
    }
    change(place);
    return writeJson(value);
  } catch {
    return undefined;
  }
}
