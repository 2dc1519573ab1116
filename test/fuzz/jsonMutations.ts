import { isArray, isObject } from '../../src/core/base/json';
import type { Random } from '../generator/random';
import { hostileNumbers, hostileTexts, hostileTimes, otherTypes } from './hostileValues';
import {
  type ChangeJson,
  changeJsonIn,
  type JsonPlace,
  placesIn,
  RawJson,
  removeAt,
  setAt,
  writeJson,
} from './jsonText';
import type { Mutation } from './mutations';

const raw = (texts: readonly string[], random: Random): RawJson =>
  new RawJson(texts[random.below(texts.length)] ?? 'null');

const hostileText = (random: Random): string => hostileTexts[random.below(hostileTexts.length)] ?? '';

/** Changes one of the suitable places. */
interface PlaceMutation {
  readonly name: string;
  readonly weight?: number;
  readonly fits?: (place: JsonPlace) => boolean;
  /** @param others suitable places in another line, or in the same document, to take values from */
  readonly change: (place: JsonPlace, random: Random, others: readonly JsonPlace[]) => void;
}

const isText = ({ value }: JsonPlace): boolean => typeof value === 'string';
const isNumber = ({ value }: JsonPlace): boolean => typeof value === 'number';
const isList = ({ value }: JsonPlace): boolean => isArray(value);
const isRecord = ({ value }: JsonPlace): boolean => isObject(value);
const isTime = ({ key, value }: JsonPlace): boolean =>
  /time|date|created|updated|^ts$|_at$/i.test(key) &&
  (typeof value === 'string' || typeof value === 'number');
const isId = ({ key, value }: JsonPlace): boolean =>
  /id$|parent|uuid|hash/i.test(key) && typeof value === 'string';

const nested = (depth: number, open: string, inner: string, close: string): RawJson =>
  new RawJson(`${open.repeat(depth)}${inner}${close.repeat(depth)}`);

/** A new kind of change to a JSON value is one entry here. */
const placeMutations: readonly PlaceMutation[] = [
  { name: 'another type', weight: 2, change: (place, random) => setAt(place, raw(otherTypes, random)) },
  { name: 'missing member', weight: 2, change: place => removeAt(place) },
  {
    name: 'hostile number',
    weight: 2,
    fits: isNumber,
    change: (place, random) => setAt(place, raw(hostileNumbers, random)),
  },
  {
    name: 'hostile text',
    weight: 2,
    fits: isText,
    change: (place, random) => setAt(place, hostileText(random)),
  },
  {
    name: 'hostile text inside another',
    fits: isText,
    change: (place, random) => setAt(place, `${String(place.value)}\n${hostileText(random)}`),
  },
  {
    name: 'wrong time',
    weight: 2,
    fits: isTime,
    change: (place, random) => setAt(place, raw(hostileTimes, random)),
  },
  {
    name: 'time of another record',
    fits: isTime,
    change: (place, random, others) =>
      setAt(place, others[random.below(others.length)]?.value ?? place.value),
  },
  {
    name: 'id of another record',
    weight: 2,
    fits: isId,
    change: (place, random, others) =>
      setAt(place, others[random.below(others.length)]?.value ?? place.value),
  },
  { name: 'empty list', fits: isList, change: place => setAt(place, []) },
  {
    name: 'repeated element',
    fits: isList,
    change: (place, random) => {
      const items = isArray(place.value) ? place.value : [];
      setAt(
        place,
        items.flatMap(item => (random.chance(0.5) ? [item, item] : [item])),
      );
    },
  },
  {
    name: 'shuffled elements',
    fits: isList,
    change: (place, random) => {
      const items = isArray(place.value) ? [...place.value] : [];
      setAt(
        place,
        items.toSorted(() => random.next() - 0.5),
      );
    },
  },
  {
    name: 'repeated key',
    fits: isRecord,
    change: (place, random) => {
      const entries = Object.entries(isObject(place.value) ? place.value : {});
      const key = entries[random.below(entries.length)]?.[0] ?? 'type';
      const inner = writeJson(place.value).slice(1, -1);
      const repeated = `${JSON.stringify(key)}:${raw(otherTypes, random).text}`;
      setAt(place, new RawJson(`{${[inner, repeated].filter(part => part !== '').join(',')}}`));
    },
  },
  {
    name: 'hostile key',
    fits: isRecord,
    change: (place, random) => {
      const holder = isObject(place.value) ? place.value : {};
      setAt({ holder, key: hostileText(random), value: undefined }, raw(otherTypes, random));
    },
  },
  {
    name: 'value of another place',
    weight: 2,
    change: (place, random, others) => {
      // Serialised now, so that no value contains itself.
      setAt(place, new RawJson(writeJson(others[random.below(others.length)]?.value ?? null)));
    },
  },
  {
    name: 'deep nesting',
    weight: 0.2,
    change: (place, random) => {
      const depth = [60, 600, 3000, 20_000][random.below(4)] ?? 60;
      setAt(
        place,
        random.chance(0.5) ? nested(depth, '[', '1', ']') : nested(depth, '{"content":', '"deep"', '}'),
      );
    },
  },
  {
    name: 'huge text',
    weight: 0.05,
    fits: isText,
    change: (place, random) => {
      const pieces = ['a', 'word ', '0', '\n', '{"a":', 'é', '😀', '/path', 'a@b.', '"\\'];
      setAt(place, (pieces[random.below(pieces.length)] ?? 'a').repeat(random.between(10_000, 100_000)));
    },
  },
  {
    name: 'many elements',
    weight: 0.1,
    fits: isList,
    change: (place, random) => {
      const items = isArray(place.value) ? place.value : [];
      const item = new RawJson(writeJson(items[0] ?? null));
      setAt(
        place,
        Array<unknown>(Math.min(random.between(100, 3000), Math.ceil(200_000 / item.text.length))).fill(item),
      );
    },
  },
  {
    name: 'JSON in a string',
    weight: 0.5,
    change: place => setAt(place, writeJson(place.value)),
  },
];

function applied({ fits = () => true, change }: Pick<PlaceMutation, 'fits' | 'change'>): ChangeJson {
  return (value, random, neighbour) => {
    const fitting = placesIn(value).filter(fits);
    const place = fitting[random.below(fitting.length)];
    if (place === undefined) {
      return value;
    }
    if (typeof place.value === 'string' && /^\s*[[{]/.test(place.value) && random.chance(0.5)) {
      setAt(place, changeJsonIn(place.value, random, applied({ fits, change })));
    } else {
      change(place, random, neighbour === value ? fitting : placesIn(neighbour).filter(fits));
    }
    return value;
  };
}

function textMutation(
  name: string,
  weight: number | undefined,
  change: (text: string, random: Random) => string,
): Mutation {
  return {
    name,
    weight: weight ?? 1,
    change: (bytes, random) => new TextEncoder().encode(change(new TextDecoder().decode(bytes), random)),
  };
}

const idMember = /"(\w*(?:[iI]d|uuid|parent\w*))"(\s*:\s*)"([^"\\]*)"/g;

export const jsonMutations: readonly Mutation[] = [
  ...placeMutations.map(mutation =>
    textMutation(mutation.name, mutation.weight, (text, random) =>
      changeJsonIn(text, random, applied(mutation)),
    ),
  ),
  textMutation('one id for all records', 1, (text, random) => {
    const members = [...text.matchAll(idMember)];
    const [, chosen, , id = ''] = members[random.below(members.length)] ?? [];
    return text.replace(idMember, (whole, key: string, colon: string) =>
      key === chosen ? `${JSON.stringify(key)}${colon}"${id}"` : whole,
    );
  }),
];
