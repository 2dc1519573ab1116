import { isArray, member, objectAt, stringAt } from '../base/json';
import { dataBlock, textBlock, thinkingBlock, toolResultBlock } from '../content/blockFactory';
import { compactionSummary, retrieved } from '../content/classification';
import { callBlock, contentBlocks, readChatMessage } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { mediaOfData } from '../content/media';
import {
  below,
  eachAt,
  flatMapAt,
  joinTexts,
  literalText,
  type Place,
  sourceOf,
  textAt,
} from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/** Continue's sessions, `~/.continue/sessions/<id>.json`. Requests are built like in constructMessages.ts. */
export const continueSession: DocumentFormat = {
  kind: 'document',
  id: 'continue',
  name: 'Continue session',
  matches: document =>
    stringAt(document, 'sessionId') !== undefined &&
    isArray(member(document, 'history')) &&
    stringAt(document, 'workspaceDirectory') !== undefined,
  read({ value, range }, locate, builder) {
    builder.agentName = 'Continue';
    builder.sessionId = stringAt(value, 'sessionId');
    builder.workingDirectory = stringAt(value, 'workspaceDirectory')?.replace(/^file:\/\//, '');
    const reader = new SessionReader(builder, stringAt(value, 'chatModelTitle'));
    eachAt(value, { record: range, locate, path: [] }, 'history', (item, place) => reader.read(item, place));
    if (objectAt(value, 'usage') !== undefined) {
      builder.leaveOut('token counts of the whole session', locate(['usage']));
    }
    builder.title = stringAt(value, 'title') ?? builder.firstPrompt;
  },
};

class SessionReader {
  private readonly thread: Thread;
  /** Thinking is a separate item before its reply. */
  private thinking: readonly NewBlock[] = [];

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly model: string | undefined,
  ) {
    this.thread = new Thread(builder);
  }

  read(item: unknown, place: Place): void {
    const message = objectAt(item, 'message');
    const at = below(place, 'message');
    const { line } = sourceOf(place);
    switch (stringAt(message, 'role') ?? '') {
      case 'user': {
        const said = this.saidBlocks(message, at);
        this.thread.add({ role: 'user', blocks: [...this.contextBlocks(item, place), ...said] });
        break;
      }
      case 'thinking':
        this.thinking = [thinkingBlock(textAt(message, at, 'content'), at)];
        break;
      case 'assistant':
        this.readReply(item, place);
        break;
      case 'system':
      case 'tool':
        // These messages are built again for each request, from the rules and from the states of the calls.
        this.builder.leaveOut('a message that is not sent again', sourceOf(place));
        break;
      default:
        this.builder.addProblem('malformedRecord', line);
    }
    if (isArray(member(item, 'promptLogs'))) {
      this.builder.leaveOut("a prompt's log, which repeats the conversation", sourceOf(place));
    }
    const summary = textAt(item, place, 'conversationSummary');
    if (summary.content !== '') {
      const number = this.builder.addMessage({ role: 'user', summary: true });
      const block = textBlock(summary, below(place, 'conversationSummary'), 'user', compactionSummary);
      this.thread.noteCompaction({ line });
      this.thread.replace([{ blocks: [this.builder.addBlock(block, number)] }]);
    }
  }

  private saidBlocks(message: unknown, place: Place): readonly NewBlock[] {
    const content = member(message, 'content');
    return (isArray(content) ? content : [content]).flatMap((part, index) => {
      const at = below(place, 'content', ...(isArray(content) ? [index] : []));
      const image = textAt(objectAt(part, 'imageUrl'), below(at, 'imageUrl'), 'url');
      return image.content === ''
        ? contentBlocks(part, at, 'user', this.thread.calls)
        : [dataBlock(mediaOfData(image, { isImage: true }), at, 'user')];
    });
  }

  /** Attachments of the user come before the typed words. */
  private contextBlocks(item: unknown, place: Place): readonly NewBlock[] {
    return flatMapAt(item, place, 'contextItems', (context, at) => {
      const found = textAt(context, at, 'content');
      const sent = joinTexts([found, literalText('\n')]);
      return found.content.trim() === '' ? [] : [textBlock(sent, at, 'user', retrieved)];
    });
  }

  private readReply(item: unknown, place: Place): void {
    const message = objectAt(item, 'message');
    const at = below(place, 'message');
    const { calls } = this.thread;
    const read = readChatMessage(message, at, calls, { role: 'assistant' });
    const own = flatMapAt(message, at, 'toolCalls', (call, callPlace) => callBlock(call, callPlace, calls));
    const said = own.length > 0 ? read.blocks.filter(({ content }) => content !== '') : read.blocks;
    const usage = objectAt(message, 'usage');
    this.thread.addReply(
      { role: 'assistant', blocks: [...this.thinking, ...said, ...own] },
      {
        line: sourceOf(place).line,
        model: stringAt(usage, 'model') ?? this.model,
        usage: readUsage(usage, 'continue'),
      },
    );
    this.thinking = [];
    eachAt(item, place, 'toolCallStates', (state, statePlace) => {
      const callId = stringAt(state, 'toolCallId') ?? stringAt(objectAt(state, 'toolCall'), 'id');
      const status = stringAt(state, 'status');
      const result = { callId, call: answeredCall(calls, callId), isError: status === 'errored' };
      const outputs = flatMapAt(state, statePlace, 'output', (output, at, index) => [
        ...(index === 0 ? [] : [literalText('\n\n')]),
        textAt(output, at, 'content'),
      ]);
      const made = literalText(status === 'canceled' ? canceled : noOutput);
      const found = outputs.length > 0 ? joinTexts(outputs) : made;
      this.thread.add({ role: 'tool', blocks: [toolResultBlock(found, statePlace, result)] });
    });
  }
}

/** The text that the model gets if there is no output (Continue, gui/src/redux/util/constructMessages.ts). */
const noOutput = 'No tool output';
const canceled = 'The user cancelled this tool call.';
