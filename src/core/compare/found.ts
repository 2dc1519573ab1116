import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import type { Difference, Differences, Have } from './comparison';
import type { Side } from './side';

/** A named thing of a session, such as a tool or a file. */
interface Found {
  readonly name: string;
  /** Its contents. Two sessions have the same thing if they have it in the same forms. */
  readonly forms: Set<string>;
  readonly blocks: number[];
  tokens: number;
  times: number;
}

/** The things of one kind in a session, by name. */
export class FoundThings {
  readonly things = new Map<string, Found>();

  /** @param form the content of the thing; without it, two things with the same name are the same */
  add(name: string, blocks: readonly number[], tokens: number, form = ''): void {
    const found = entryOf(this.things, name, () => ({
      name,
      forms: new Set<string>(),
      blocks: [],
      tokens: 0,
      times: 0,
    }));
    found.forms.add(form);
    found.blocks.push(...blocks);
    found.tokens += tokens;
    found.times += 1;
  }

  /** The same for content sent with each request: a form counts only once. */
  addOnce(name: string, block: number, tokens: number, form: string): void {
    if (this.things.get(name)?.forms.has(form) !== true) {
      this.add(name, [block], tokens, form);
    }
  }
}

/** The things of one kind that only one of two sessions has, or each in another form. */
export function differencesOf(
  [one, other]: readonly [Side, Side],
  [first, second]: readonly [FoundThings, FoundThings],
  recorded: readonly [boolean, boolean] = [true, true],
): Differences {
  const rows: Difference[] = [];
  let same = 0;
  if (recorded[0] && recorded[1]) {
    for (const key of new Set([...first.things.keys(), ...second.things.keys()])) {
      const [left, right] = [first.things.get(key), second.things.get(key)];
      if (left !== undefined && right !== undefined && areEqual(left.forms, right.forms)) {
        same += 1;
      } else {
        rows.push({
          name: (left ?? right)?.name ?? key,
          ...defined({
            first: left === undefined ? undefined : haveOf(one, left),
            second: right === undefined ? undefined : haveOf(other, right),
          }),
        });
      }
    }
  }
  const size = ({ first: left, second: right }: Difference): number =>
    Math.max(left?.tokens.value ?? 0, right?.tokens.value ?? 0);
  return {
    rows: rows.sort((left, right) => size(right) - size(left)),
    same,
    recorded: [recorded[0], recorded[1]],
  };
}

function haveOf(side: Side, { blocks, tokens, times }: Found): Have {
  return {
    tokens: side.figureOf(blocks, tokens),
    times,
    ...defined({ place: side.placeOf(blocks[0] ?? -1) }),
  };
}

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every(form => other.has(form));
