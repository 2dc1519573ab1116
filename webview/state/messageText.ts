import { at } from '../../src/core/base/numbers';
import type { SessionColumns } from '../../src/core/model/columns';
import type { pageQuestions } from '../../src/protocol/questions';
import type { Ask } from '../../src/protocol/rpc';
import type { AnswerState } from './answerState';
import { useInspector } from './inspector';
import { type ShownText, shownText } from './shownText';
import { useAnswer } from './useAnswer';

/** A row that is scrolled past does not ask. In milliseconds. */
const pause = 90;
/** Number of texts that are kept for rows that come back into view. */
const mostKept = 400;

const kept = new WeakMap<Ask<typeof pageQuestions>, Map<string, ShownText>>();

/** The kept masked texts of a page's session, by content. */
function keptTexts(ask: Ask<typeof pageQuestions>): Map<string, ShownText> {
  const known = kept.get(ask) ?? new Map<string, ShownText>();
  kept.set(ask, known);
  return known;
}

export interface MessageText {
  /** Undefined until it is known. */
  readonly text: ShownText | undefined;
  readonly failure: Extract<AnswerState<unknown>, { readonly kind: 'failed' }> | undefined;
}

/** The beginning of a block's text for a row in view: masked, unless the user reveals it. `block` is -1 for none. */
export function useMessageText(columns: SessionColumns, block: number, isRevealed: boolean): MessageText {
  const { ask } = useInspector();
  const texts = keptTexts(ask);
  const { findings, characters, hashHigh, hashLow } = columns.blocks;
  const key =
    block < 0
      ? ''
      : [at(hashHigh, block), at(hashLow, block), at(characters, block), at(findings, block)].join(' ');
  const known = texts.get(key);
  const isAsked = block >= 0 && (isRevealed || known === undefined);
  const { answer } = useAnswer(
    isAsked ? { name: 'blockText', params: { block, offset: 0, reveal: isRevealed } } : undefined,
    { since: key, pause: isRevealed ? 0 : pause },
  );
  if (answer.kind !== 'known') {
    return { text: known, failure: isAsked && answer.kind === 'failed' ? answer : undefined };
  }
  if (isRevealed) {
    return { text: shownText(answer.value), failure: undefined };
  }
  const text = shownText(answer.value);
  texts.set(key, text);
  const oldest = texts.size > mostKept ? texts.keys().next().value : undefined;
  if (oldest !== undefined) {
    texts.delete(oldest);
  }
  return { text, failure: undefined };
}
