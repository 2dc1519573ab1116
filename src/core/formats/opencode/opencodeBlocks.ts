import { arrayAt, member, numberAt, objectAt, stringAt } from '../../base/json';
import {
  mediaBlock,
  partBlock,
  textBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import { classifyReminder, clientText, replyText, type TextClass } from '../../content/classification';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { below, type FoundText, literalText, partOfText, type Place, textAt } from '../../content/place';
import { clearedNotice } from '../../content/pruneNotices';
import type { NewBlock } from '../../content/transcriptBuilder';

/** The text that opencode sends for a part without a text of its own (opencode, session/message-v2.ts). */
const compactionPrompt = 'What did we do so far?';
const subtaskPrompt = 'The following tool was executed by the user';
const interruptedNotice = '[Tool execution was interrupted]';

/** The part of a result in the request for a summary, in UTF-16 units (opencode, session/compaction.ts). */
export const summarizedOutput = 2000;

/** A block of a result, and when and how pruning changes it. */
export interface PartBlock {
  readonly block: NewBlock;
  /** When the result was pruned, in milliseconds since 1970. */
  readonly prunedAt?: number | undefined;
  /** The block that replaces this one after pruning. An image has no replacement. */
  readonly notice?: NewBlock | undefined;
  /** The shorter form of the block in the request for a summary, if there is one. */
  readonly shortened?: NewBlock | undefined;
}

/** The blocks of a part of a user message; the reason if it has none, or `undefined` for an unknown part. */
export function userPartBlocks(part: unknown, place: Place): readonly NewBlock[] | string | undefined {
  switch (stringAt(part, 'type') ?? '') {
    case 'text': {
      if (member(part, 'ignored') === true) {
        return 'text that is shown but not sent';
      }
      const found = textAt(part, place, 'text');
      const isClients = member(part, 'synthetic') === true;
      return found.content === ''
        ? []
        : textBlocks(
            found,
            place,
            'user',
            undefined,
            isClients ? classifyReminder(found.content) : undefined,
          );
    }
    case 'file': {
      const mime = stringAt(part, 'mime') ?? '';
      return mime === 'text/plain' || mime === 'application/x-directory'
        ? 'attached file, whose text stands in a part of its own'
        : [partBlock(part, place, 'user')];
    }
    case 'compaction':
      return [textBlock(literalText(compactionPrompt), place, 'user', clientText)];
    case 'subtask':
      return [textBlock(literalText(subtaskPrompt), place, 'user', clientText)];
    case 'agent':
      return 'agent part';
    default:
      return undefined;
  }
}

/** A text or reasoning of the model. `textClass` is set if the whole message is a summary. */
export function replyBlock(part: unknown, place: Place, textClass: TextClass = replyText): NewBlock {
  const found = textAt(part, place, 'text');
  return stringAt(part, 'type') === 'reasoning'
    ? thinkingBlock(found, place)
    : textBlock(found, place, 'assistant', textClass);
}

export function callBlock(part: unknown, place: Place, calls: KnownCalls): NewBlock {
  return toolCallBlock(
    {
      toolName: stringAt(part, 'tool') ?? 'unknown',
      callId: stringAt(part, 'callID'),
      input: member(objectAt(part, 'state'), 'input'),
      place: below(place, 'state', 'input'),
      callPlace: place,
    },
    calls,
  );
}

/** The result of a call and the images in it; none while the tool still runs. */
export function resultBlocks(
  part: unknown,
  stillRunning: boolean,
  place: Place,
  calls: KnownCalls,
): readonly PartBlock[] {
  const state = objectAt(part, 'state');
  const status = stringAt(state, 'status');
  const isUnfinished = status === 'pending' || status === 'running';
  if (isUnfinished && stillRunning) {
    return [];
  }
  const at = below(place, 'state');
  const callId = stringAt(part, 'callID');
  const call = answeredCall(calls, callId, stringAt(part, 'tool'));
  const result = { callId, call, isError: isUnfinished || status === 'error' };
  const found = isUnfinished ? literalText(interruptedNotice) : outputOf(state, status, at);
  const short = found.content.length > summarizedOutput ? partOfText(found, 0, summarizedOutput) : undefined;
  const compacted = numberAt(objectAt(state, 'time'), 'compacted');
  const prunedAt = compacted === 0 ? undefined : compacted;
  const attachments = arrayAt(state, 'attachments').flatMap((attachment, index): PartBlock[] => {
    const block = mediaBlock(attachment, below(at, 'attachments', index), 'tool', result);
    return block === undefined ? [] : [{ block, prunedAt }];
  });
  return [
    {
      block: toolResultBlock(found, place, result),
      prunedAt,
      notice: prunedAt === undefined ? undefined : toolResultBlock(literalText(clearedNotice), place, result),
      shortened: short === undefined ? undefined : toolResultBlock(short, place, result),
    },
    ...attachments,
  ];
}

function outputOf(state: unknown, status: string | undefined, place: Place): FoundText {
  if (status !== 'error') {
    return textAt(state, place, 'output');
  }
  const metadata = objectAt(state, 'metadata');
  return member(metadata, 'interrupted') === true && stringAt(metadata, 'output') !== undefined
    ? textAt(metadata, below(place, 'metadata'), 'output')
    : textAt(state, place, 'error');
}
