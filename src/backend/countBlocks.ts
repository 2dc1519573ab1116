import type { Conversation, ConversationPart } from '../core/model/conversation';
import type { ModelTarget, SendControl } from './modelTarget';

/** Tokens of the blocks of one part, found by counting the request with and without its text. */
export interface CountedBlocks {
  /** Numbers of the transcript's blocks in the part. */
  readonly blocks: readonly number[];
  /** Tokens that the request loses without the part; never below 0. */
  readonly tokens: number;
}

export interface CountedRequest {
  /** The whole request. */
  readonly tokens: number;
  readonly parts: readonly CountedBlocks[];
  /** Calls made to the counting service. */
  readonly calls: number;
}

/**
 * Lets the provider count a request, and as many of its blocks as the calls allow, one call each. A block's figure is
 * the difference made by its text; where texts meet, a few tokens may count for its neighbours. Calls run one at a
 * time. Rejects with AgentError; until then, `onCount` has reported the counts.
 * @param order the most important blocks first; blocks of the same part need one call
 * @param maximumCalls at least 1, for the whole request
 */
export async function countBlocks(
  target: ModelTarget,
  conversation: Conversation,
  order: readonly number[],
  maximumCalls: number,
  control: SendControl,
  onCount?: (counted: CountedRequest) => void,
): Promise<CountedRequest> {
  const tokens = await target.count(target.prepare(conversation), control);
  let counted: CountedRequest = { tokens, parts: [], calls: 1 };
  onCount?.(counted);
  const done = new Set<number>();
  for (const block of order) {
    if (counted.calls >= maximumCalls) {
      break;
    }
    if (done.has(block)) {
      continue;
    }
    const without = withoutBlock(conversation, block);
    if (without === undefined) {
      continue;
    }
    without.blocks.forEach(number => done.add(number));
    const rest = await target.count(target.prepare(without.conversation), control);
    const part = { blocks: without.blocks, tokens: Math.max(0, tokens - rest) };
    counted = { tokens, parts: [...counted.parts, part], calls: counted.calls + 1 };
    onCount?.(counted);
  }
  return counted;
}

/**
 * The conversation without the text of a block's part, in a form that providers accept: a result without text, a call
 * without arguments. Undefined if the block is in no part, or if its part is the whole turn.
 */
function withoutBlock(
  conversation: Conversation,
  block: number,
): { readonly conversation: Conversation; readonly blocks: readonly number[] } | undefined {
  const holds = ({ blocks }: { readonly blocks: readonly number[] }): boolean => blocks.includes(block);
  const tool = conversation.tools.find(holds);
  if (tool !== undefined) {
    return {
      conversation: { ...conversation, tools: conversation.tools.filter(other => other !== tool) },
      blocks: tool.blocks,
    };
  }
  const inSystem = conversation.system.find(holds);
  if (inSystem !== undefined) {
    return {
      conversation: { ...conversation, system: conversation.system.filter(part => part !== inSystem) },
      blocks: inSystem.blocks,
    };
  }
  const turn = conversation.turns.find(({ parts }) => parts.some(holds));
  const part = turn?.parts.find(holds);
  if (turn === undefined || part === undefined) {
    return undefined;
  }
  const emptied = emptiedPart(part);
  const parts = turn.parts.flatMap(other => (other === part ? emptied : [other]));
  return parts.length === 0
    ? undefined
    : {
        conversation: {
          ...conversation,
          turns: conversation.turns.map(other => (other === turn ? { ...turn, parts } : other)),
        },
        blocks: part.blocks,
      };
}

function emptiedPart(part: ConversationPart): readonly ConversationPart[] {
  switch (part.kind) {
    case 'result':
      return [{ ...part, text: '', pictures: [], native: undefined }];
    case 'call':
      return [{ ...part, input: {}, native: undefined }];
    case 'text':
    case 'thinking':
    case 'picture':
    case 'other':
      return [];
  }
}
