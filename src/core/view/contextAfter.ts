import { tokens as tokenCount } from '../base/countWords';
import { defined } from '../base/defined';
import { translate } from '../base/translate';
import type { Session } from '../model/columns';
import { assertNever } from '../model/labels';
import type { AfterNewest } from '../model/transcript';
import { RequestTokens } from './requestTokens';

/** The state from which the next request of the main conversation starts, if it is not that of the newest request. */
export interface ContextAfter {
  readonly change?: NonNullable<AfterNewest['change']>;
  /** Tokens of the context that is left, with the unrecorded prompt and tools if they are estimated. */
  readonly tokens?: number;
  /** True if the transcript has the tokens; otherwise they are estimated from the blocks that are left. */
  readonly isRecorded: boolean;
  /** The model that was chosen, as the transcript names it. */
  readonly model?: string;
}

/**
 * Undefined if the conversation only grew after its newest request. Linear in the blocks that are left.
 * @param conversation the main one by default; of others no such change is known
 */
export function contextAfter(
  { columns, summary: { after } }: Session,
  conversation = 0,
): ContextAfter | undefined {
  const newest = columns.requests.thread.lastIndexOf(0);
  if (after === undefined || newest < 0 || conversation !== 0) {
    return undefined;
  }
  const { change, tokens, blocks, model } = after;
  const all = new RequestTokens(columns);
  return {
    ...defined({
      change,
      tokens:
        tokens ?? (blocks === undefined ? undefined : all.notRecorded(newest) + all.blocks(newest, blocks)),
      model,
    }),
    isRecorded: tokens !== undefined,
  };
}

/** Sentences without a full stop. */
export function afterSentences({ change, tokens, isRecorded, model }: ContextAfter): readonly string[] {
  const changed = change === undefined ? undefined : changeSentence(change);
  const left =
    tokens === undefined
      ? translate('the size of the rest is not recorded')
      : isRecorded
        ? translate('{0} left, as recorded', tokenCount(tokens))
        : translate('about {0} left', tokenCount(tokens));
  return [
    ...(changed === undefined ? [] : [`${changed}: ${left}`]),
    ...(model === undefined ? [] : [translate('The next request goes to another model: {0}', model)]),
  ];
}

function changeSentence(change: NonNullable<AfterNewest['change']>): string {
  switch (change) {
    case 'compaction':
      return translate('Compacted after the newest request');
    case 'clearing':
      return translate('Results pruned after the newest request');
    case 'rewind':
      return translate('Rewound after the newest request');
    default:
      return assertNever(change);
  }
}
