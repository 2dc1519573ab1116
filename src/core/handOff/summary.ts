import type { Conversation, ConversationPart } from '../model/conversation';
import { endOfOld } from './budget';
import { callAsText, type FittedPart, type FittedSession, resultAsText } from './fitting';

/** The request for a summary, before the text of the conversation. */
const instruction = `Summarise the conversation below between a user and a coding agent, so that another agent can go on with the work.
Keep what the user asked for, in the user's words; decisions and their reasons; the files that were changed, and how; commands and results that still matter; errors; and what is left to do.
Write the summary only.`;

/** Makes a summary from a request for it. `planned`: it is made later, and has no text yet. */
export type SummaryMaker = 'planned' | ((request: string) => Promise<string>);

/** A conversation in which a summary stands for everything before the newest replies. */
export interface SummarisedConversation {
  readonly conversation: Conversation;
  /** The summary, as a part of the conversation. */
  readonly part: ConversationPart;
  /** The input of the model that writes it: the instruction and the older text. */
  readonly request: string;
  /** The parts that the target would receive without it. */
  readonly replaced: readonly FittedPart[];
}

/** Undefined if there is nothing before the newest replies. Rejects as `make` does. */
export async function withSummary(
  conversation: Conversation,
  make: SummaryMaker,
  fit: (conversation: Conversation) => FittedSession,
): Promise<SummarisedConversation | undefined> {
  const { turns } = conversation;
  const end = endOfOld(turns);
  const replaced = end === 0 ? [] : fit({ ...conversation, turns: turns.slice(0, end) }).parts;
  const texts = replaced.flatMap(each => textOf(each));
  if (texts.length === 0) {
    return undefined;
  }
  const request = `${instruction}\n\n${texts.join('\n\n')}\n`;
  const text = make === 'planned' ? '' : `[Summary of the conversation so far]\n${await make(request)}`;
  const part: ConversationPart = {
    kind: 'text',
    text,
    blocks: [...new Set(replaced.flatMap(each => each.part.blocks))],
  };
  return {
    conversation: {
      ...conversation,
      turns: [{ role: 'user', zone: 'compressed', parts: [part] }, ...turns.slice(end)],
    },
    part,
    request,
    replaced,
  };
}

function textOf({ role, part }: FittedPart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [`${role === 'user' ? 'User' : 'Agent'}: ${part.text}`];
    case 'call':
      return [callAsText(part.name, part.input)];
    case 'result':
      return [resultAsText(part.name, part)];
    case 'picture':
      return ['[Image]'];
    case 'thinking':
    case 'other':
      return [];
  }
}
