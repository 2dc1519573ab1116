import { arrayAt, epochAt, member, millisecondsAt, numberAt, objectAt, stringAt } from '../../base/json';
import {
  resultBlocks,
  textBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
} from '../../content/blockFactory';
import { replyText } from '../../content/classification';
import type { ReadMessage } from '../../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { below, type FoundText, joinTexts, literalText, type Place, textAt } from '../../content/place';

/** A model call in the stream of updates. */
interface Reply {
  readonly kind: 'reply';
  readonly time: number | undefined;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  readonly parts: {
    readonly kind: 'text' | 'thought';
    readonly pieces: FoundText[];
    readonly place: Place;
  }[];
  readonly calls: { readonly id: string; readonly update: unknown; readonly place: Place }[];
  readonly results: Map<string, { readonly update: unknown; readonly place: Place }>;
}

interface Prompt {
  readonly kind: 'prompt';
  readonly index: number | undefined;
  readonly pieces: FoundText[];
  readonly place: Place;
}

/** The totals of a prompt's model calls, from the stream of updates. */
interface Turn {
  readonly kind: 'turn';
  readonly prompt: string;
  readonly usage: unknown;
}

interface CompactionNote {
  readonly kind: 'compaction';
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
}

export type GrokEntry = Reply | Prompt | Turn | CompactionNote;

/**
 * The stream of updates that Grok Build keeps of a session (Agent Client Protocol), as prompts and replies in order.
 * Content removed by a rewind is left out.
 */
export function readGrokUpdates(document: unknown, root: Place): readonly GrokEntry[] {
  const entries: GrokEntry[] = [];
  /** The newest reply that made the call with an id. */
  const callers = new Map<string, Reply>();
  let model: string | undefined;
  let stream: number | undefined;
  arrayAt(document, 'updates').forEach((record, index) => {
    const params = objectAt(record, 'params');
    const update = objectAt(params, 'update');
    const meta = objectAt(params, '_meta');
    const place = below(root, 'updates', index, 'params', 'update');
    const callId = stringAt(update, 'toolCallId') ?? '';
    const reply = (): Reply => {
      const started = numberAt(meta, 'streamStartMs');
      const last = entries.at(-1);
      if (
        last?.kind === 'reply' &&
        started === stream &&
        (started !== undefined || last.results.size === 0)
      ) {
        return last;
      }
      stream = started;
      const time = millisecondsAt(meta, 'agentTimestampMs') ?? epochAt(record, 'timestamp');
      const prompt = stringAt(meta, 'promptId');
      const added: Reply = { kind: 'reply', time, prompt, model, parts: [], calls: [], results: new Map() };
      entries.push(added);
      return added;
    };
    switch (stringAt(update, 'sessionUpdate') ?? '') {
      case 'user_message_chunk': {
        const said = objectAt(update, '_meta');
        if (member(said, 'hostTurn') === true) {
          return;
        }
        model = stringAt(said, 'modelId') ?? model;
        const found = textAt(member(update, 'content'), below(place, 'content'), 'text');
        const last = entries.at(-1);
        if (last?.kind === 'prompt') {
          last.pieces.push(found);
        } else {
          entries.push({ kind: 'prompt', index: numberAt(said, 'promptIndex'), pieces: [found], place });
        }
        return;
      }
      case 'agent_message_chunk':
        addPiece(reply(), 'text', update, place);
        return;
      case 'agent_thought_chunk':
        addPiece(reply(), 'thought', update, place);
        return;
      case 'tool_call': {
        const caller = reply();
        caller.calls.push({ id: callId, update, place });
        callers.set(callId, caller);
        return;
      }
      case 'tool_call_update': {
        const status = stringAt(update, 'status');
        if (status === 'completed' || status === 'failed') {
          callers.get(callId)?.results.set(callId, { update, place });
        }
        return;
      }
      case 'turn_completed': {
        const usage = objectAt(update, 'usage');
        if (usage !== undefined) {
          entries.push({ kind: 'turn', prompt: stringAt(update, 'prompt_id') ?? '', usage });
        }
        return;
      }
      case 'auto_compact_completed': {
        const tokensBefore = numberAt(update, 'tokens_before');
        entries.push({ kind: 'compaction', tokensBefore, tokensAfter: numberAt(update, 'tokens_after') });
        return;
      }
      case 'rewind_marker':
        rewind(entries, numberAt(update, 'target_prompt_index'));
        return;
      default:
    }
  });
  return entries;
}

function addPiece({ parts }: Reply, kind: 'text' | 'thought', update: unknown, place: Place): void {
  const found = textAt(member(update, 'content'), below(place, 'content'), 'text');
  const last = parts.at(-1);
  if (last?.kind === kind) {
    last.pieces.push(found);
  } else {
    parts.push({ kind, pieces: [found], place });
  }
}

/** Removes everything from the prompt with the index on. */
function rewind(entries: GrokEntry[], target: number | undefined): void {
  const from = entries.findLastIndex(entry => entry.kind === 'prompt' && entry.index === target);
  if (target !== undefined && from >= 0) {
    entries.splice(from);
  }
}

/** A prompt in the form in which it is sent. */
export function promptOf({ pieces, place }: Prompt): ReadMessage {
  const found = joinTexts([literalText('<user_query>\n'), ...pieces, literalText('\n</user_query>')]);
  return { role: 'user', blocks: textBlocks(found, place, 'user') };
}

/** A reply, and the results of its calls in their order. */
export function replyOf({ parts, calls, results, time }: Reply, known: KnownCalls): readonly ReadMessage[] {
  const blocks = [
    ...parts.map(({ kind, pieces, place }) =>
      kind === 'thought'
        ? thinkingBlock(joinTexts(pieces), place)
        : textBlock(joinTexts(pieces), place, 'assistant', replyText),
    ),
    ...calls.map(({ id, update, place }) =>
      toolCallBlock(
        {
          toolName:
            stringAt(objectAt(objectAt(update, '_meta'), 'x.ai/tool'), 'name') ??
            stringAt(update, 'title') ??
            'unknown',
          callId: id,
          input: member(update, 'rawInput'),
          place: below(place, 'rawInput'),
          callPlace: place,
        },
        known,
      ),
    ),
  ];
  const answers = calls.flatMap(({ id }): readonly ReadMessage[] => {
    const found = results.get(id);
    if (found === undefined) {
      return [];
    }
    const { update, place } = found;
    const isError = stringAt(update, 'status') === 'failed';
    const parts = arrayAt(update, 'content').map(part => member(part, 'content'));
    const [only] = parts;
    const at = below(place, 'content', 0, 'content');
    const text = stringAt(only, 'text');
    const result = { callId: id, call: answeredCall(known, id), isError };
    return [
      {
        role: 'tool',
        blocks:
          parts.length === 1 && text !== undefined
            ? resultBlocks(text, below(at, 'text'), result)
            : resultBlocks(member(update, 'rawOutput'), below(place, 'rawOutput'), result),
      },
    ];
  });
  return [{ role: 'assistant', blocks, timestamp: time }, ...answers];
}
