import { member } from '../base/json';
import { translate } from '../base/translate';
import type { Block } from '../model/block';
import { withCallId } from '../model/blockList';
import type { ConversationPart, ConversationTurn } from '../model/conversation';
import { isServedCall } from '../wire/writing/conversationParts';

/** Replaces a result that the transcript does not have. */
const missingResult = '[No result was recorded for this call.]';

/**
 * Gives every call an id, and every result the id of its call. A result without an id answers the oldest open call of
 * its tool. A call without an id gets the id of its result (Gemini CLI records only ids of responses), or a new one.
 */
export function withCallIds<Source extends { readonly block: Block }>(
  blocks: readonly Source[],
): readonly Source[] {
  const answered = answeredCalls(blocks);
  const resultOf = new Map([...answered].map(([result, call]) => [call, result]));
  const ids = new Map<number, string>();
  let made = 0;
  return blocks.map((source, index) => {
    const { block } = source;
    const call = answered.get(index);
    if (block.kind === 'toolCall') {
      const result = resultOf.get(index);
      const given = result === undefined ? undefined : blocks[result]?.block.callId;
      ids.set(index, block.callId ?? given ?? `call_${(made += 1)}`);
    }
    const id = call === undefined ? ids.get(index) : ids.get(call);
    return id === undefined || id === block.callId ? source : { ...source, block: withCallId(block, id) };
  });
}

/** The index of the answered call, by the index of the result. */
function answeredCalls(blocks: readonly { readonly block: Block }[]): ReadonlyMap<number, number> {
  const answered = new Map<number, number>();
  const open: { readonly index: number; readonly block: Block }[] = [];
  blocks.forEach(({ block }, index) => {
    if (block.kind === 'toolCall') {
      open.push({ index, block });
    } else if (block.kind === 'toolResult' && block.role === 'tool') {
      const isItsOwn = (call: Block): boolean => call.callId !== undefined && call.callId === block.callId;
      const mayBe = (call: Block): boolean =>
        (block.callId === undefined || call.callId === undefined) &&
        (block.toolName === undefined || call.toolName === block.toolName);
      const call = open.find(other => isItsOwn(other.block)) ?? open.find(other => mayBe(other.block));
      if (call !== undefined) {
        answered.set(index, call.index);
        open.splice(open.indexOf(call), 1);
      }
    }
  });
  return answered;
}

/**
 * Makes sure that every call is followed by its result before the next reply, and that every result has a call. Adds a
 * note to `notes` for each change.
 */
export function paired(turns: readonly ConversationTurn[], notes: string[]): readonly ConversationTurn[] {
  const calls = new Set(turns.flatMap(({ parts }) => callsIn(parts).map(({ id }) => id)));
  let orphans = 0;
  let missing = 0;
  const result = turns.flatMap((turn, index): readonly ConversationTurn[] => {
    const parts = turn.parts.map((part): ConversationPart => {
      if (part.kind !== 'result' || calls.has(part.callId)) {
        return part;
      }
      orphans += 1;
      return { kind: 'text', blocks: part.blocks, text: part.text };
    });
    const open = callsIn(turn.parts).filter(({ native }) => member(native?.item, 'type') !== serverCall);
    const given = open.length === 0 ? undefined : resultsAfter(turns, index);
    const lost = open.filter(({ id }) => given?.has(id) === false);
    // Only other APIs than its own need a result for such a call.
    missing += lost.filter(call => !isServedCall(call)).length;
    return lost.length === 0
      ? [{ ...turn, parts }]
      : [
          { ...turn, parts },
          { role: 'user', parts: lost.map(missingResultOf) },
        ];
  });
  if (orphans > 0) {
    notes.push(translate('Results sent as text because their calls are not in the request: {0}.', orphans));
  }
  if (missing > 0) {
    notes.push(
      translate('Calls sent with a placeholder because their result is not recorded: {0}.', missing),
    );
  }
  return result;
}

/** Type of a call that the provider runs itself; its result is in the same turn. */
const serverCall = 'server_tool_use';

type Call = Extract<ConversationPart, { kind: 'call' }>;

function callsIn(parts: readonly ConversationPart[]): readonly Call[] {
  return parts.filter(part => part.kind === 'call');
}

/** Ids of the results between a turn and the next reply. */
function resultsAfter(turns: readonly ConversationTurn[], index: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let at = index + 1; at < turns.length && turns[at]?.role !== 'assistant'; at += 1) {
    turns[at]?.parts.forEach(part => part.kind === 'result' && ids.add(part.callId));
  }
  return ids;
}

function missingResultOf({ id, name }: Call): ConversationPart {
  return {
    kind: 'result',
    blocks: [],
    callId: id,
    name,
    text: missingResult,
    isError: true,
    pictures: [],
  };
}
