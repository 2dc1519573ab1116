import { textBlock } from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import {
  classifyReminder,
  classOfText,
  compactionSummary,
  knowledge,
  memoryFile,
  retrieved,
  signal,
  type TextClass,
  type TextPiece,
  typedPrompt,
} from '../../content/classification';
import { type FoundText, partOfText, type Place } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/** A title made of the typed words; `undefined` if there are none. */
export function titleOf(typed: string | undefined): string | undefined {
  return typed === undefined ? undefined : labelOfText(typed) || undefined;
}

/**
 * The blocks of a prompt as it was sent: Copilot's additions before the typed words, the words themselves, and
 * Copilot's additions after them. The pieces follow one another without a gap.
 * @param typed the words that the person typed; empty if not recorded
 */
export function promptPieces(
  found: FoundText,
  typed: string,
  typedClass: TextClass,
  place: Place,
): readonly NewBlock[] {
  const text = found.content;
  const start = typed.trim() === '' ? -1 : text.lastIndexOf(typed);
  if (start < 0) {
    return [textBlock(found, place, 'user', classOfText(text, 'user', typedClass))];
  }
  const end = start + typed.length;
  const pieces = [
    { start: 0, end: start, class: classifyReminder(text.slice(0, start)) },
    { start, end, class: classOfText(typed, 'user', typedClass) },
    { start: end, end: text.length, class: classifyReminder(text.slice(end)) },
  ];
  return blocksOf(
    found,
    pieces.filter(piece => piece.end > piece.start),
    place,
  );
}

/** The class of each section of a prompt rendered by Copilot Chat, by tag. Any other section is a signal. */
const sections: ReadonlyMap<string, TextClass> = new Map([
  ['attachments', retrieved],
  ['attachment', retrieved],
  ['workspace_info', knowledge],
  ['instructions', memoryFile],
  ['conversation-summary', compactionSummary],
  ['userRequest', typedPrompt],
]);

/** The blocks of a message of Copilot Chat, cut at its outermost tags. A message without tags is one block. */
export function taggedPieces(found: FoundText, place: Place): readonly NewBlock[] {
  const text = found.content;
  const pieces: TextPiece[] = [];
  let start = 0;
  while (start < text.length) {
    const tag = /^\s*<([A-Za-z][\w-]*)(?:\s[^>\n]*)?>/.exec(text.slice(start, start + 2_000))?.[1];
    const close = tag === undefined ? -1 : text.indexOf(`</${tag}>`, start);
    if (tag === undefined || close < 0) {
      break;
    }
    const end = close + tag.length + 3;
    pieces.push({ start, end, class: sections.get(tag) ?? signal });
    start = end;
  }
  const rest = text.slice(start);
  const last = pieces.at(-1);
  if (last !== undefined && rest.trim() === '') {
    pieces[pieces.length - 1] = { ...last, end: text.length };
  } else {
    pieces.push({ start, end: text.length, class: classOfText(rest, 'user') });
  }
  return blocksOf(found, pieces, place);
}

function blocksOf(found: FoundText, pieces: readonly TextPiece[], place: Place): readonly NewBlock[] {
  return pieces.map(({ start, end, class: textClass }) => {
    const piece = pieces.length === 1 ? found : partOfText(found, start, end);
    return textBlock(piece ?? found, place, 'user', textClass);
  });
}
