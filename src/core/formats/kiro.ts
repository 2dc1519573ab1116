import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../base/json';
import {
  otherBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../content/blockFactory';
import { type Place, below, joinTexts, literalText, noText, sourceOf, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';

/** Conversations of Kiro's command line (formerly Amazon Q): pairs of a message sent and the reply. */
export const kiro: DocumentFormat = {
  kind: 'document',
  id: 'kiro',
  name: 'Kiro conversation',
  matches: document =>
    stringAt(document, 'conversation_id') !== undefined && isArray(member(document, 'history')),
  read(record, locate, builder) {
    builder.agentName = 'Kiro';
    builder.sessionId = stringAt(record.value, 'conversation_id');
    const reader = new KiroReader(builder);
    arrayAt(record.value, 'history').forEach((pair, index) => {
      reader.readPair(pair, { record: record.range, locate, path: ['history', index] });
    });
    builder.title = builder.firstPrompt;
    return builder.build(kiro.id);
  },
};

class KiroReader {
  private readonly thread: Thread;

  constructor(private readonly builder: TranscriptBuilder) {
    this.thread = new Thread(builder, 0);
  }

  readPair(pair: unknown, place: Place): void {
    const [user, userPlace] = isArray(pair)
      ? [pair[0], below(place, 0)]
      : [member(pair, 'user'), below(place, 'user')];
    const [assistant, assistantPlace] = isArray(pair)
      ? [pair[1], below(place, 1)]
      : [member(pair, 'assistant'), below(place, 'assistant')];
    const sent = this.userBlocks(user, userPlace);
    this.thread.add({
      role: sent.some(({ role }) => role === 'tool') ? 'tool' : 'user',
      blocks: sent,
      timestamp: timeAt(user, 'timestamp'),
    });
    if (assistant === undefined || assistant === null) {
      return;
    }
    const { blocks, id } = this.replyBlocks(assistant, assistantPlace);
    this.thread.addReply({ role: 'assistant', blocks, id }, { id, line: sourceOf(assistantPlace).line });
  }

  private userBlocks(user: unknown, place: Place): NewBlock[] {
    const content = member(user, 'content');
    const blocks: NewBlock[] = [];
    const extra = stringAt(user, 'additional_context');
    if (extra !== undefined && extra !== '') {
      const at = below(place, 'additional_context');
      const textClass = { kind: 'injected', partition: 'knowledge', provenance: 'developer' } as const;
      blocks.push(...textBlocks(textOf(extra, at), at, 'user', textClass));
    }
    const kinds = isObject(content) ? Object.keys(content) : [];
    for (const kind of kinds) {
      const value = member(content, kind);
      const at = below(place, 'content', kind);
      const prompt = stringAt(value, 'prompt');
      arrayAt(value, 'tool_use_results').forEach((result, index) => {
        blocks.push(this.resultBlock(result, below(at, 'tool_use_results', index)));
      });
      if (prompt !== undefined) {
        blocks.push(...textBlocks(textOf(prompt, below(at, 'prompt')), at, 'user'));
      } else if (!isArray(member(value, 'tool_use_results'))) {
        blocks.push(otherBlock(value, at, 'user'));
      }
    }
    if (kinds.length === 0) {
      this.builder.addProblem('malformedRecord', sourceOf(place).line);
    }
    return blocks;
  }

  private resultBlock(result: unknown, place: Place): NewBlock {
    const callId = stringAt(result, 'tool_use_id');
    const call = callId === undefined ? undefined : this.thread.calls.get(callId);
    const texts = arrayAt(result, 'content').flatMap((part, index) =>
      (isObject(part) ? Object.keys(part) : []).map(key =>
        textOf(member(part, key), below(place, 'content', index, key)),
      ),
    );
    const joined = texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n'), text]));
    const isError = stringAt(result, 'status') === 'Error';
    return toolResultBlock(joined.length === 0 ? noText : joinTexts(joined), place, {
      callId,
      call,
      isError,
    });
  }

  private replyBlocks(
    assistant: unknown,
    place: Place,
  ): { readonly blocks: readonly NewBlock[]; readonly id: string | undefined } {
    const kind = objectAt(assistant, 'ToolUse') === undefined ? 'Response' : 'ToolUse';
    const value = objectAt(assistant, kind);
    const at = below(place, kind);
    if (value === undefined) {
      return { blocks: [otherBlock(assistant, place, 'assistant')], id: undefined };
    }
    const content = stringAt(value, 'content') ?? '';
    const thinking = stringAt(value, 'reasoning');
    const blocks = [
      ...(thinking === undefined ? [] : [thinkingBlock(textOf(thinking, below(at, 'reasoning')), at)]),
      ...(content === '' ? [] : textBlocks(textOf(content, below(at, 'content')), at, 'assistant')),
      ...arrayAt(value, 'tool_uses').map((use, index) => {
        const usePlace = below(at, 'tool_uses', index);
        return toolCallBlock(
          {
            toolName: stringAt(use, 'name') ?? 'unknown',
            callId: stringAt(use, 'id'),
            input: member(use, 'args'),
            place: below(usePlace, 'args'),
          },
          this.thread.calls,
        );
      }),
    ];
    return { blocks, id: stringAt(value, 'message_id') };
  }
}
