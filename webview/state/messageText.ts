import { useEffect, useMemo } from 'react';
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
  // Two questions, so that revealed text is never taken for masked text.
  const masked = useAnswer(
    block < 0 || known !== undefined
      ? undefined
      : { name: 'blockText', params: { block, offset: 0, reveal: false } },
    { since: key, pause },
  ).answer;
  const revealed = useAnswer(
    block >= 0 && isRevealed ? { name: 'blockText', params: { block, offset: 0, reveal: true } } : undefined,
    { since: key, pause: 0 },
  ).answer;
  const found = useMemo(() => (masked.kind === 'known' ? shownText(masked.value) : undefined), [masked]);
  const open = useMemo(() => (revealed.kind === 'known' ? shownText(revealed.value) : undefined), [revealed]);
  useEffect(() => {
    if (found !== undefined) {
      keep(texts, key, found);
    }
  }, [found, texts, key]);
  const wanted = isRevealed ? revealed : masked;
  return {
    text: (isRevealed ? open : undefined) ?? known ?? found,
    failure: wanted.kind === 'failed' ? wanted : undefined,
  };
}

/** Keeps a text, and forgets the oldest one if there are too many. */
function keep(texts: Map<string, ShownText>, key: string, text: ShownText): void {
  texts.set(key, text);
  const oldest = texts.size > mostKept ? texts.keys().next().value : undefined;
  if (oldest !== undefined) {
    texts.delete(oldest);
  }
}
