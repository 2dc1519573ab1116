import { isArray, type JsonObject, stringAt, toJson } from '../../base/json';
import { derivedValue } from '../../wire/derivedValue';
import {
  below,
  decodedPlace,
  type FoundText,
  joinTexts,
  jsonText,
  literalText,
  type Place,
  textOf,
} from '../../content/place';

/** The list of answers as the CLI sends it: as JSON, without images, and without the middle of long answers. */
export function cutClineResults(content: readonly JsonObject[], place: Place): FoundText {
  return joinTexts(
    listed(
      content.map((answer, index) => [
        ...Object.entries(answer).flatMap(([key, value], position) => {
          const at = below(place, index, key);
          return [
            literalText(`${position === 0 ? '{' : ','}${toJson(key)}:`),
            ...(key === 'result' ? answerTexts(value, at) : [jsonText(value, at)]),
          ];
        }),
        literalText('}'),
      ]),
    ),
  );
}

function answerTexts(value: unknown, place: Place): readonly FoundText[] {
  if (typeof value === 'string') {
    return [textOf(derivedValue('clineResult', value), decodedPlace(place, 'clineResult'))];
  }
  if (!isArray(value)) {
    return [jsonText(value, place)];
  }
  return listed(
    value.flatMap((part, index) => {
      const text = stringAt(part, 'text');
      return text === undefined ? [] : [[jsonText(text, below(place, index, 'text'))]];
    }),
  );
}

/** The JSON of a list, put together from the JSON of its items. */
function listed(items: readonly (readonly FoundText[])[]): readonly FoundText[] {
  return [
    literalText('['),
    ...items.flatMap((item, index) => (index === 0 ? item : [literalText(','), ...item])),
    literalText(']'),
  ];
}
