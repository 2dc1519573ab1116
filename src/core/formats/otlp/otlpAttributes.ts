import { arrayAt, isObject, type JsonObject, member, stringAt } from '../../base/json';
import { below, type Place } from '../../content/place';

/** A value of a span with its place in the file. */
export interface Attribute {
  readonly value: unknown;
  readonly place: Place;
}

/** The attributes of a span by name. */
export class Attributes {
  private readonly byKey = new Map<string, Attribute>();

  add(key: string, attribute: Attribute): void {
    this.byKey.set(key, attribute);
  }

  /** Adds the attributes whose names are not known yet. */
  addMissing({ byKey }: Attributes): void {
    for (const [key, attribute] of byKey) {
      if (!this.byKey.has(key)) {
        this.byKey.set(key, attribute);
      }
    }
  }

  /** The first of these attributes that exists. */
  get(...keys: readonly string[]): Attribute | undefined {
    const key = keys.find(name => this.byKey.has(name));
    return key === undefined ? undefined : this.byKey.get(key);
  }

  /** The first of these attributes that is a string. */
  string(...keys: readonly string[]): string | undefined {
    return keys.map(key => this.byKey.get(key)?.value).find(value => typeof value === 'string');
  }

  /** The values that are numbers or strings with a number, by name. */
  numbers(): JsonObject {
    const numbers: Record<string, number> = {};
    for (const [key, { value }] of this.byKey) {
      const number = typeof value === 'string' && value !== '' ? Number(value) : value;
      if (typeof number === 'number') {
        numbers[key] = number;
      }
    }
    return numbers;
  }

  keys(): IterableIterator<string> {
    return this.byKey.keys();
  }

  /**
   * The items of a flattened list, in order: `llm.input_messages` is spread over `llm.input_messages.0.…`, `….1.…`. An
   * item's attributes are named by the text after its number.
   */
  list(prefix: string): readonly Attributes[] {
    const items = new Map<number, Attributes>();
    for (const [key, attribute] of this.byKey) {
      if (!key.startsWith(`${prefix}.`)) {
        continue;
      }
      const rest = key.slice(prefix.length + 1);
      const end = rest.indexOf('.');
      const number = Number(end < 0 ? rest : rest.slice(0, end));
      if (!Number.isInteger(number)) {
        continue;
      }
      const item = items.get(number) ?? new Attributes();
      items.set(number, item);
      item.add(end < 0 ? '' : rest.slice(end + 1), attribute);
    }
    return [...items].sort(([first], [second]) => first - second).map(([, item]) => item);
  }
}

const scalars = ['stringValue', 'intValue', 'doubleValue', 'boolValue'];

/** Reads OTLP's list of `{key, value: {stringValue | intValue | …}}`; lists and maps keep OTLP's own spelling. */
export function attributesOf(list: readonly unknown[], place: Place): Attributes {
  const attributes = new Attributes();
  list.forEach((item, index) => {
    const key = stringAt(item, 'key');
    const value = member(item, 'value');
    if (key !== undefined) {
      attributes.add(key, unwrapped(value, below(place, index, 'value')));
    }
  });
  return attributes;
}

function unwrapped(value: unknown, place: Place): Attribute {
  const kind = isObject(value) ? scalars.find(name => Object.hasOwn(value, name)) : undefined;
  return kind === undefined ? { value, place } : { value: member(value, kind), place: below(place, kind) };
}

/** The items of an attribute that is a list of OTLP values. */
export function listItems({ value, place }: Attribute): readonly Attribute[] {
  return arrayAt(member(value, 'arrayValue'), 'values').map((item, index) =>
    unwrapped(item, below(place, 'arrayValue', 'values', index)),
  );
}
