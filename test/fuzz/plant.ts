import type { Random } from '../generator/random';
import { type Credential, keyedSecret, secretKeys } from './credentials';
import { changeJsonIn, type JsonPlace, placesIn, setAt } from './jsonText';

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[random.below(items.length)];

/** One way to put a credential into a JSON value. A new place is one entry here. */
type PlantAt = (place: JsonPlace, text: string, random: Random) => void;

/** `value` is a piece of a reply in VS Code, which may follow a name without a blank. */
const pieceKeys = /^(?:text|thinking|content|delta|arguments|partial_json|value)$/;

const plantings: readonly PlantAt[] = [
  // Replaces a whole value. In a stream, this is a piece of a text, and nothing is recognised in the middle of a word.
  (place, text) => setAt(place, pieceKeys.test(place.key) ? `\n${text}\n` : text),
  // In the middle of a text.
  (place, text) =>
    setAt(place, `First this.\n${text}\nThen ${typeof place.value === 'string' ? place.value : 'that'}`),
  // At the end of a long line.
  (place, text) => setAt(place, `${'word '.repeat(70)}${text}`),
  // A command of a tool call.
  (place, text) => setAt(place, JSON.stringify({ command: `deploy --with ${text}` })),
  // JSON in strings, to several depths.
  (place, text, random) => {
    let value: unknown = { note: text };
    for (let depth = random.between(1, 3); depth > 0; depth -= 1) {
      value = { data: JSON.stringify(value) };
    }
    setAt(place, JSON.stringify(value));
  },
  // A key.
  (place, text) => setAt(place, { [text]: 'x' }),
];

/** Places whose texts become labels, titles and names in outputs. */
const shownKeys =
  /^(title|name|summary|description|command|file_path|path|prompt|model|query|text|content|tool)$/;

/** Plants one credential in a text: in a JSON value, in a damaged line, or as plain text if there is no JSON. */
export function plantIn(
  text: string,
  random: Random,
  credentials: readonly Credential[],
): { readonly text: string; readonly planted: Credential } {
  const planted = random.chance(0.1) ? keyedSecret : (pick(credentials, random) ?? keyedSecret);
  const kind = random.next();
  if (kind < 0.06 && planted !== keyedSecret) {
    const damaged = `{"type":"user","message":{"content":${JSON.stringify(planted.text)}\n`;
    const end = text === '' || text.endsWith('\n') ? '' : '\n';
    return { text: `${text}${end}${damaged}`, planted };
  }
  const changed = changeJsonIn(text, random, value => {
    const places = placesIn(value).filter(place => typeof place.value === 'string');
    const shown = places.filter(({ key }) => shownKeys.test(key));
    const place = pick(shown.length > 0 && random.chance(0.7) ? shown : places, random);
    if (place !== undefined && planted === keyedSecret) {
      setAt(place, JSON.stringify({ [pick(secretKeys, random) ?? 'password']: planted.text }));
    } else if (place !== undefined) {
      pick(plantings, random)?.(place, planted.text, random);
    }
    return value;
  });
  return { text: changed, planted };
}
