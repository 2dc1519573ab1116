import { classifyInjectedText, classifyReminder, type TextClass } from '../context/classifyText';
import type { MessageBlock } from './chatMessage';
import { labelOfText } from './labels';
import { sourceOf, type Place } from './place';

/**
 * A prompt as it was sent, in blocks: what Copilot put before the typed words, they themselves, and what it put behind
 * them. The pieces follow one another without a gap. `place` is that of the text.
 */
export function promptPieces(
  text: string,
  typed: string,
  typedClass: TextClass,
  place: Place,
): readonly MessageBlock[] {
  const at = typed.trim() === '' ? -1 : text.lastIndexOf(typed);
  const spans =
    at < 0
      ? [{ start: 0, end: text.length, isTyped: false }]
      : [
          { start: 0, end: at, isTyped: false },
          { start: at, end: at + typed.length, isTyped: true },
          { start: at + typed.length, end: text.length, isTyped: false },
        ].filter(({ start, end }) => end > start);
  return spans.map(({ start, end, isTyped }) => {
    const content = text.slice(start, end);
    const textClass = isTyped
      ? (classifyInjectedText(content) ?? typedClass)
      : at < 0
        ? (classifyInjectedText(content) ?? typedClass)
        : classifyReminder(content);
    return {
      ...textClass,
      role: 'user',
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: {
        kind: 'string',
        record: place.record,
        path: place.path,
        ...(spans.length === 1 ? {} : { start, end }),
      },
      source: sourceOf(place),
    };
  });
}
