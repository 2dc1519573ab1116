import {
  arrayAt,
  epochAt,
  isArray,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  valueAt,
} from '../../base/json';
import { textBlocks, textBlocksAt, thinkingBlock, toolResultBlock } from '../../content/blockFactory';
import { typedPrompt } from '../../content/classification';
import { callBlocks } from '../../wire/generic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { below, type FoundText, joinTexts, type Place, sourceOf, textAt, textOf } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { type RecordedWindow, recordedWindow } from '../../model/contextWindow';
import type { DocumentFormat } from '../../reading/format';
import type { RequestFacts } from '../common/history';
import { Thread } from '../common/thread';
import { readUsage } from '../../wire/usage';
import { promptPieces, taggedPieces, titleOf } from './copilotPrompt';
import { toolResultText } from './promptTsx';

/**
 * A chat of VS Code: the session file, the log of its changes (replayed by a decoder), or the output of "Export Chat".
 * The content that the model saw is in the metadata of each answer; the parts of the response are the content that was
 * shown.
 */
export const vscodeChat: DocumentFormat = {
  kind: 'document',
  id: 'vscode-chat',
  name: 'VS Code chat session or export',
  matches: document => {
    const requests = member(document, 'requests');
    return (
      isArray(requests) &&
      (stringAt(document, 'responderUsername') !== undefined ||
        numberAt(document, 'creationDate') !== undefined) &&
      requests.every(
        request => objectAt(request, 'message') !== undefined || stringAt(request, 'requestId') !== undefined,
      )
    );
  },
  read({ value, range }, locate, builder) {
    const selected = objectAt(objectAt(value, 'inputState'), 'selectedModel');
    const window = recordedWindow(optionalCountAt(objectAt(selected, 'metadata'), 'maxInputTokens'));
    const model = stringAt(selected, 'identifier')?.replace(/^copilot\//, '');
    const reader = new ChatReader(
      builder,
      new Map(window === undefined || model === undefined ? [] : [[model, window]]),
    );
    builder.agentName = stringAt(value, 'responderUsername') ?? 'VS Code chat';
    builder.title = stringAt(value, 'customTitle');
    builder.sessionId = stringAt(value, 'sessionId');
    arrayAt(value, 'requests').forEach((request, index) => {
      reader.read(request, { record: range, path: ['requests', index], locate });
    });
  },
};

class ChatReader {
  private readonly timeline: Thread;

  /** @param windows the largest inputs of models, by model */
  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly windows: ReadonlyMap<string, RecordedWindow>,
  ) {
    this.timeline = new Thread(builder);
  }

  /** Reads one turn: a prompt and all requests that answered it. */
  read(turn: unknown, place: Place): void {
    const [holder, holderPlace, key] =
      objectAt(turn, 'message') === undefined
        ? [turn, place, 'message']
        : [member(turn, 'message'), below(place, 'message'), 'text'];
    const found = textAt(holder, holderPlace, key);
    const metadata = objectAt(objectAt(turn, 'result'), 'metadata');
    const at = below(place, 'result', 'metadata');
    this.builder.title ??= titleOf(found.content);
    this.builder.sessionId ??= stringAt(metadata, 'sessionId');
    this.builder.addVersion(stringAt(objectAt(turn, 'agent'), 'extensionVersion'));
    if (this.timeline.blocks.length === 0) {
      this.addRendered(metadata, 'renderedGlobalContext', at, undefined);
    }
    const timestamp = epochAt(turn, 'timestamp');
    if (!this.addRendered(metadata, 'renderedUserMessage', at, timestamp)) {
      const blocks = promptPieces(found, found.content, typedPrompt, below(holderPlace, key));
      this.timeline.add({ role: 'user', blocks, timestamp });
    }
    const model = stringAt(turn, 'modelId')?.replace(/^copilot\//, '');
    const facts = { line: sourceOf(place).line, model, timestamp, window: this.windows.get(model ?? '') };
    const usage = readUsage(turn, 'vscodeChat');
    const rounds = arrayAt(metadata, 'toolCallRounds');
    if (rounds.length === 0) {
      this.addShownResponse(turn, below(place, 'response'), { ...facts, usage });
      return;
    }
    rounds.forEach((round, index) => {
      const isLast = index === rounds.length - 1;
      this.addRound(round, below(at, 'toolCallRounds', index), isLast ? { ...facts, usage } : facts);
      this.addResults(round, objectAt(metadata, 'toolCallResults'), below(at, 'toolCallResults'));
    });
    arrayAt(turn, 'response').forEach((part, index) => {
      this.leaveOutShown(part, below(place, 'response', index));
    });
  }

  private leaveOutShown(part: unknown, place: Place): void {
    this.builder.leaveOut(`shown response: ${stringAt(part, 'kind') ?? 'markdown'}`, sourceOf(place));
  }

  /** Adds the texts of a rendered message. Its other parts mark cache breakpoints. */
  private addRendered(
    metadata: unknown,
    key: 'renderedGlobalContext' | 'renderedUserMessage',
    place: Place,
    timestamp: number | undefined,
  ): boolean {
    const blocks = arrayAt(metadata, key).flatMap((part, index) => {
      const at = below(place, key, index);
      return stringAt(part, 'text') === undefined
        ? []
        : taggedPieces(textAt(part, at, 'text'), below(at, 'text'));
    });
    if (blocks.length > 0) {
      this.timeline.add({ role: 'user', blocks, timestamp });
    }
    return blocks.length > 0;
  }

  private addRound(round: unknown, place: Place, facts: RequestFacts): void {
    const blocks = [
      ...textBlocksAt(round, place, 'response', 'assistant'),
      ...callBlocks(member(round, 'toolCalls'), below(place, 'toolCalls'), this.timeline.calls),
    ];
    const timestamp = epochAt(round, 'timestamp') ?? facts.timestamp;
    const thought = valueAt(round, ['thinking', 'text']);
    const at = below(place, 'thinking');
    const thinking = isArray(thought)
      ? joinTexts(thought.map((text, index) => textOf(text, below(at, 'text', index))))
      : textAt(objectAt(round, 'thinking'), at, 'text');
    this.timeline.addReply(
      { role: 'assistant', blocks, timestamp },
      { ...facts, id: stringAt(round, 'id'), timestamp },
      isArray(thought) || thinking.content !== '' ? [thinkingBlock(thinking, place)] : [],
    );
  }

  private addResults(round: unknown, results: unknown, place: Place): void {
    for (const toolCall of arrayAt(round, 'toolCalls')) {
      const callId = stringAt(toolCall, 'id') ?? '';
      const result = objectAt(results, callId);
      if (result !== undefined) {
        const at = below(place, callId);
        const call = answeredCall(this.timeline.calls, callId);
        const block = toolResultBlock(toolResultText(result, at), at, { callId, call });
        this.timeline.add({ role: 'tool', blocks: [block] });
      }
    }
  }

  /** Some participants store no rounds. Their whole shown answer counts as one request. */
  private addShownResponse(turn: unknown, place: Place, facts: RequestFacts): void {
    const texts: FoundText[] = [];
    const thoughts: FoundText[] = [];
    arrayAt(turn, 'response').forEach((part, index) => {
      const at = below(place, index);
      const kind = stringAt(part, 'kind') ?? 'markdown';
      const path = shownPaths.get(kind)?.find(keys => typeof valueAt(part, keys) === 'string');
      const found = path === undefined ? undefined : textOf(valueAt(part, path), below(at, ...path));
      if (found === undefined || (kind === 'thinking' && found.content === '')) {
        this.leaveOutShown(part, at);
      } else {
        (kind === 'thinking' ? thoughts : texts).push(found);
      }
    });
    if (texts.length > 0 || thoughts.length > 0) {
      this.timeline.addReply(
        {
          role: 'assistant',
          blocks: texts.length === 0 ? [] : textBlocks(joinTexts(texts), place, 'assistant'),
        },
        facts,
        thoughts.length === 0 ? [] : [thinkingBlock(joinTexts(thoughts), place)],
      );
    }
  }
}

/** The paths to the text of a shown part, by kind. A part without a kind is Markdown. */
const shownPaths: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['markdown', [['value'], ['value', 'value']]],
  ['inlineReference', [['inlineReference', 'name']]],
  ['thinking', [['value']]],
]);
