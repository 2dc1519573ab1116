import { entryOf } from '../base/entryOf';
import { clearedNotice } from '../content/pruneNotices';
import type { Conversation, ConversationPart } from '../model/conversation';
import { textFactsOf } from '../questions/wasteQuestion';
import type { TranscriptSession } from '../session/transcriptSession';
import { FilePaths } from '../sight/filePaths';
import { auditSight } from '../sight/sightOf';
import type { Claim } from '../waste/claims';
import { claimWaste } from '../waste/findWaste';
import type { WasteKind } from '../waste/wasteKinds';

/** The results of the newest replies stay, whatever the budget: the agent has just asked for them. */
const newestReplies = 3;

/** Why a result was cleared: as waste of this kind, or because it is old. */
export type ClearingKind = WasteKind | 'old';

/** Results that were cleared to meet a budget. */
export interface ClearedResults {
  readonly kind: ClearingKind;
  /** Numbers of the blocks of the origin. */
  readonly blocks: readonly number[];
  /** Tokens that they no longer take: theirs without those of the notice. Estimated. */
  readonly tokens: number;
}

interface BudgetInput {
  readonly session: TranscriptSession;
  readonly conversation: Conversation;
  /** Index into the transcript's requests: waste that it still needed stays. */
  readonly request: number;
  /** Tokens. */
  readonly budget: number;
  /** Tokens of a part in the next request. */
  readonly tokensOf: (part: ConversationPart) => number;
  /** Tokens of the next request with a conversation. */
  readonly totalOf: (conversation: Conversation) => number;
}

interface Candidate {
  readonly kind: ClearingKind;
  readonly blocks: readonly number[];
  readonly tokens: number;
  /** Decides the order: tokens times the number of results from this one on, so large and old ones come first. */
  readonly worth: number;
}

type Result = Extract<ConversationPart, { kind: 'result' }>;

/**
 * Clears results until the next request is within the budget: first those that are waste, then others, the largest and
 * oldest first. Results of the newest replies stay, and readings that edits rest on. Everything else is not touched, so
 * the budget may be missed.
 */
export async function withinBudget(
  input: BudgetInput,
): Promise<{ readonly conversation: Conversation; readonly cleared: readonly ClearedResults[] }> {
  const { conversation, budget, totalOf } = input;
  let excess = totalOf(conversation) - budget;
  if (excess <= 0) {
    return { conversation, cleared: [] };
  }
  const waiting = (await candidatesOf(input)).toReversed();
  const chosen: Candidate[] = [];
  let trimmed = conversation;
  // Texts that are joined later have slightly other tokens than their parts.
  while (excess > 0 && waiting.length > 0) {
    for (let left = excess; left > 0 && waiting.length > 0;) {
      const next = waiting.pop();
      if (next !== undefined) {
        chosen.push(next);
        left -= next.tokens;
      }
    }
    trimmed = withoutResults(input.session, conversation, chosen);
    excess = totalOf(trimmed) - budget;
  }
  const kinds = new Map<ClearingKind, { blocks: number[]; tokens: number }>();
  for (const { kind, blocks, tokens } of chosen) {
    const sum = entryOf(kinds, kind, () => ({ blocks: [], tokens: 0 }));
    sum.blocks.push(...blocks);
    sum.tokens += tokens;
  }
  return { conversation: trimmed, cleared: [...kinds].map(([kind, sum]) => ({ kind, ...sum })) };
}

/** The results that may be cleared, the first to clear first. */
async function candidatesOf(input: BudgetInput): Promise<readonly Candidate[]> {
  const { session, conversation, request, tokensOf } = input;
  const facts = await textFactsOf(session);
  const { claimed } = claimWaste(session.toSession(), facts);
  const claimOf = (block: number): Claim | undefined => {
    const claim = claimed.get(block);
    // Of a noisy output only a part is waste.
    return claim !== undefined && claim.since <= request && claim.share === 1 ? claim : undefined;
  };
  const stays = new Set([
    ...(conversation.pruned ?? []),
    ...(await neededByEdits(session, claimOf, result => facts.changing.has(result))),
  ]);
  const results = oldResults(conversation);
  return results
    .flatMap((part, place): readonly Candidate[] => {
      const { blocks } = part;
      const tokens = tokensOf(part) - tokensOf(clearedResult(session, part));
      if (tokens <= 0 || blocks.length === 0 || blocks.some(block => stays.has(block))) {
        return [];
      }
      const kind = blocks.map(block => claimOf(block)?.kind).find(each => each !== undefined) ?? 'old';
      return [{ kind, blocks, tokens, worth: tokens * (results.length - place) }];
    })
    .sort(
      (one, other) => Number(one.kind === 'old') - Number(other.kind === 'old') || other.worth - one.worth,
    );
}

/** The index of the first of the newest replies, before which everything is old; 0 if there are only few replies. */
export function endOfOld(turns: Conversation['turns']): number {
  const replies = turns.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
  return replies.at(-newestReplies) ?? 0;
}

/** The results before the newest replies, in order. */
function oldResults({ turns }: Conversation): readonly Result[] {
  return turns
    .slice(0, endOfOld(turns))
    .flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'result' ? [part] : [])));
}

/**
 * The blocks with the lines that an edit replaced, as the agent has seen them: what it knows of a file that it changes.
 * An outdated reading is replaced by the newer one, and a repeated one by the first.
 */
async function neededByEdits(
  session: TranscriptSession,
  claimOf: (block: number) => Claim | undefined,
  isChanging: (call: number) => boolean,
): Promise<ReadonlySet<number>> {
  const { report, readings } = await auditSight(session);
  const { pair } = session.toSession().columns.blocks;
  const needed = new Set<number>();
  const add = (block: number): void => {
    for (let current = block; !needed.has(current);) {
      const claim = claimOf(current);
      const isOther =
        claim?.kind === 'readAgain' ||
        (claim?.kind === 'staleReading' && !isChanging(pair[claim.evidence] ?? -1));
      if (claim === undefined || !isOther) {
        needed.add(current);
        return;
      }
      current = claim.evidence;
    }
  };
  // Lines that no single reading shows: all readings of the file.
  const pieced = new FilePaths(session.transcript.workingDirectory ?? '');
  for (const { path, verdict } of report.edits) {
    if (verdict.kind === 'seen') {
      add(verdict.block);
      if (verdict.isPieced) {
        pieced.add(path);
      }
    }
  }
  for (const [call, files] of readings) {
    if (files.some(({ path }) => pieced.find(path) !== undefined)) {
      add(pair[call] ?? -1);
    }
  }
  return needed;
}

function withoutResults(
  session: TranscriptSession,
  conversation: Conversation,
  chosen: readonly Candidate[],
): Conversation {
  const blocks = new Set(chosen.flatMap(each => each.blocks));
  const isChosen = (part: ConversationPart): part is Result =>
    part.kind === 'result' && part.blocks.some(block => blocks.has(block));
  return {
    ...conversation,
    turns: conversation.turns.map(turn => ({
      ...turn,
      parts: turn.parts.map(part => (isChosen(part) ? clearedResult(session, part) : part)),
    })),
    pruned: [...(conversation.pruned ?? []), ...blocks],
  };
}

/** The notice in place of a result. Its images are removed with it. */
function clearedResult({ transcript }: TranscriptSession, part: Result): Result {
  return {
    ...part,
    text: clearedNotice,
    pictures: [],
    native: undefined,
    blocks: part.blocks.filter(block => transcript.blocks.at(block)?.contentType !== 'image'),
  };
}
