import { isArray, stringAt, toJson, type JsonObject } from '../../base/json';
import { derivedValue } from '../../content/derivedValue';
import { below, joinTexts, literalText, type FoundText, type Place } from '../../content/place';

/** The CLI sends the list of answers as JSON: without images, and with the middle of long answers cut out. */
export function cutClineResults(content: readonly JsonObject[], place: Place): FoundText {
  const pieces = content.flatMap((answer, index) => [
    literalText(index === 0 ? '[' : ','),
    ...Object.entries(answer).flatMap(([key, value], position) => {
      const at = below(place, index, key);
      return [
        literalText(`${position === 0 ? '{' : ','}${toJson(key)}:`),
        ...(key !== 'result' ? [jsonText(value, at)] : answerTexts(value, at)),
      ];
    }),
    literalText('}'),
  ]);
  return joinTexts([...pieces, literalText(']')]);
}

function answerTexts(value: unknown, place: Place): FoundText[] {
  if (typeof value === 'string') {
    return [cutText(value, place)];
  }
  if (!isArray(value)) {
    return [jsonText(value, place)];
  }
  const texts = value.flatMap((part, index) => {
    const text = stringAt(part, 'text');
    return text === undefined ? [] : [jsonText(text, below(place, index, 'text'))];
  });
  const listed = texts.flatMap((text, index) => (index === 0 ? [text] : [literalText(','), text]));
  return [literalText('['), ...listed, literalText(']')];
}

function cutText(value: string, { record, path }: Place): FoundText {
  const via = 'clineResult';
  return {
    content: String(derivedValue(via, value)),
    text: { kind: 'derived', record, path, via, inner: [] },
  };
}

function jsonText(value: unknown, { record, path }: Place): FoundText {
  return { content: toJson(value), text: { kind: 'json', record, path } };
}
