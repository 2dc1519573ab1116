import {
  classifyInjectedText,
  classifyReminder,
  type TextClass,
  typedPrompt,
} from '../../content/classification';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import { labelOfText } from '../../content/blockLabels';
import { sourceOf, type Place } from '../../content/place';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly textClass: TextClass;
}

/**
 * A prompt as it was sent, in blocks: what Copilot put before the typed words, they themselves, and what it put behind
 * them. The pieces follow one another without a gap. `place` is that of the text.
 */
export function promptPieces(
  text: string,
  typed: string,
  typedClass: TextClass,
  place: Place,
): readonly NewBlock[] {
  const at = typed.trim() === '' ? -1 : text.lastIndexOf(typed);
  const end = at + typed.length;
  return at < 0
    ? blocksOf(
        text,
        [{ start: 0, end: text.length, textClass: classifyInjectedText(text) ?? typedClass }],
        place,
      )
    : blocksOf(
        text,
        [
          { start: 0, end: at, textClass: classifyReminder(text.slice(0, at)) },
          { start: at, end, textClass: classifyInjectedText(typed) ?? typedClass },
          { start: end, end: text.length, textClass: classifyReminder(text.slice(end)) },
        ],
        place,
      );
}

/** What stands in the parts of a prompt that Copilot Chat renders, by their tag; a plain signal otherwise. */
const sections: ReadonlyMap<string, TextClass> = new Map([
  ['attachments', { kind: 'injected', partition: 'knowledge', provenance: 'retrieval' }],
  ['attachment', { kind: 'injected', partition: 'knowledge', provenance: 'retrieval' }],
  ['workspace_info', { kind: 'injected', partition: 'knowledge', provenance: 'system' }],
  ['instructions', { kind: 'injected', partition: 'knowledge', provenance: 'developer' }],
  ['conversation-summary', { kind: 'summary', partition: 'history', provenance: 'memory' }],
  ['userRequest', typedPrompt],
]);

const signal: TextClass = { kind: 'injected', partition: 'state', provenance: 'system' };

/** A message of Copilot Chat, cut at its outermost tags; one without tags is a prompt as it stands. */
export function taggedPieces(text: string, place: Place): readonly NewBlock[] {
  const spans: Span[] = [];
  let from = 0;
  while (from < text.length) {
    const open = /^\s*<([A-Za-z][\w-]*)(?:\s[^>\n]*)?>/.exec(text.slice(from, from + 2_000));
    const tag = open?.[1];
    const close = tag === undefined ? -1 : text.indexOf(`</${tag}>`, from);
    if (tag === undefined || close < 0) {
      break;
    }
    const end = close + tag.length + 3;
    spans.push({ start: from, end, textClass: sections.get(tag) ?? signal });
    from = end;
  }
  const last = spans.at(-1);
  if (last !== undefined && text.slice(from).trim() === '') {
    spans[spans.length - 1] = { ...last, end: text.length };
  } else {
    const rest = text.slice(from);
    spans.push({ start: from, end: text.length, textClass: classifyInjectedText(rest) ?? typedPrompt });
  }
  return blocksOf(text, spans, place);
}

function blocksOf(text: string, spans: readonly Span[], place: Place): readonly NewBlock[] {
  const filled = spans.filter(({ start, end }) => end > start);
  return (filled.length === 0 ? spans.slice(0, 1) : filled).map(({ start, end, textClass }) => {
    const content = text.slice(start, end);
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
        ...(filled.length <= 1 ? {} : { start, end }),
      },
      source: sourceOf(place),
    };
  });
}

/** Adds blocks to the newest request's reply that were never sent again, and so stand in no context. */
export function addUnsentReply(
  builder: TranscriptBuilder,
  blocks: readonly NewBlock[],
  reply: readonly number[],
): void {
  const { requests } = builder;
  const last = requests.at(-1);
  if (blocks.length === 0 || last === undefined) {
    return;
  }
  const message = builder.blocks.at(reply[0] ?? -1)?.message ?? builder.addMessage({ role: 'assistant' });
  const added = blocks.map(block => builder.addBlock({ ...block, message }));
  requests[requests.length - 1] = { ...last, reply: [...added, ...reply] };
}
