import type { Conversation, ConversationPart } from '../model/conversation';
import type { PruneOptions } from '../model/pruneConfig';
import type { PrunePlan } from '../prune/plan';
import { prunePreview } from '../prune/prunePreview';
import { truncateOutput } from '../prune/replacement';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { buildRequestView } from '../view/requestView';
import { conversationOf, replyPartsOf, type SentBlock } from './conversationOf';
import { redactConversation } from './redactConversation';

export interface SentConversationOptions {
  /** Prunes like the preview with these options. Without them, sends the context as recorded. */
  readonly prune?: PruneOptions | undefined;
  /** The scanner whose credentials are removed; undefined sends everything unchanged. */
  readonly redactWith: SecretScanner | undefined;
  /** The blocks to send in place of the request's own, in wire order. */
  readonly blocks?: readonly number[] | undefined;
  /** True for a receiver with its own prompt and tools: none are inferred, and none are missing. */
  readonly withoutTools?: boolean | undefined;
}

/**
 * The content to send when a request of the transcript is repeated: its blocks in wire order, as recorded or pruned.
 * @param request index into the transcript's requests
 * @returns undefined if there is no such request
 */
export async function sentConversation(
  session: TranscriptSession,
  request: number,
  { prune, redactWith, blocks: given, withoutTools = false }: SentConversationOptions,
): Promise<Conversation | undefined> {
  const { blocks, contexts, requests } = session.transcript;
  const recorded = requests[request];
  if (recorded === undefined) {
    return undefined;
  }
  const numbers = given ?? (contexts[recorded.context] ?? []).slice(0, recorded.length);
  const plan = prune === undefined ? undefined : planOf(session, request, prune);
  const pruned = new Set<number>();
  plan?.decisions.forEachPruned(block => pruned.add(block));
  const clearedCalls = new Set(
    prune?.replacement === 'clear' ? [...pruned].map(number => blocks.at(number)?.callId) : [],
  );
  const read = new Map<number, SentBlock>();
  for await (const { block: number, text, record } of session.textsOf([...new Set(numbers)])) {
    const block = blocks.at(number);
    if (block === undefined) {
      continue;
    }
    const isReplaced = pruned.has(number);
    read.set(number, {
      number,
      block,
      text:
        prune !== undefined && isReplaced ? replacedText(text, prune, plan?.notices.get(number) ?? '') : text,
      record,
      isReplaced,
    });
  }
  const sources = numbers.flatMap(number => {
    const source = read.get(number);
    // The pictures of a cleared result are removed with it.
    const isGone = source?.block.kind === 'image' && clearedCalls.has(source.block.callId ?? '');
    return source === undefined || isGone ? [] : [source];
  });
  const conversation = conversationOf(sources, {
    complete: withoutTools || recorded.complete,
    withoutTools,
    breakpoints: (recorded.breakpoints ?? []).flatMap(position => numbers[position] ?? []),
  });
  return redactWith === undefined ? conversation : redactConversation(conversation, redactWith);
}

/** The recorded reply to a request, for comparison with another; empty if none was recorded. */
export async function recordedReply(
  session: TranscriptSession,
  request: number,
): Promise<readonly ConversationPart[]> {
  const { blocks, requests } = session.transcript;
  const numbers = requests[request]?.reply ?? [];
  const read = new Map<number, SentBlock>();
  for await (const { block: number, text, record } of session.textsOf(numbers)) {
    const block = blocks.at(number);
    if (block !== undefined) {
      read.set(number, { number, block, text, record, isReplaced: false });
    }
  }
  return replyPartsOf(numbers.flatMap(number => read.get(number) ?? []));
}

function planOf(session: TranscriptSession, request: number, options: PruneOptions): PrunePlan {
  const { columns } = session.toSession();
  return prunePreview(columns, buildRequestView(columns, request), options).plan;
}

function replacedText(text: string, options: PruneOptions, notice: string): string {
  switch (options.replacement) {
    case 'clear':
      return notice;
    case 'truncate':
      return truncateOutput(text, options.toolOutputMaxChars);
  }
}
