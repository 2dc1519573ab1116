import { arrayAt, member, objectAt, stringAt } from '../../base/json';
import {
  below,
  type FoundText,
  joinTexts,
  literalText,
  noText,
  type Place,
  textOf,
} from '../../content/place';

/** Maximum depth of an element that is read. */
const deepest = 200;

/**
 * The text of a tool result as VS Code stores it: `{content: [{value}]}`, where each value is a text or a tree of
 * prompt-tsx elements (`{node}`). A result without any text becomes JSON.
 */
export function toolResultText(result: unknown, place: Place): FoundText {
  const parts = arrayAt(result, 'content');
  const found = parts.flatMap((part, index) => partTexts(part, below(place, 'content', index)));
  if (found.length === 0) {
    return parts.length === 0 ? noText : textOf(parts, below(place, 'content'));
  }
  return joinTexts(found);
}

function partTexts(part: unknown, place: Place): readonly FoundText[] {
  const value = member(part, 'value');
  if (typeof value === 'string') {
    return [textOf(value, below(place, 'value'))];
  }
  const node = objectAt(value, 'node');
  const texts = node === undefined ? [] : nodeTexts(node, below(place, 'value', 'node'), 0);
  return texts.length > 0 ? texts : [textOf(value, below(place, 'value'))];
}

/** The texts of a tree in reading order. An element may ask to begin on a new line. */
function nodeTexts(node: unknown, place: Place, depth: number): readonly FoundText[] {
  const text = stringAt(node, 'text');
  const own = text === undefined ? [] : [textOf(text, below(place, 'text'))];
  const inner =
    depth > deepest
      ? []
      : arrayAt(node, 'children').flatMap((child, index) =>
          nodeTexts(child, below(place, 'children', index), depth + 1),
        );
  return member(node, 'lineBreakBefore') === true
    ? [literalText('\n'), ...own, ...inner]
    : [...own, ...inner];
}
