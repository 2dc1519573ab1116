import { arrayAt, epochAt, isArray, isObject, member, numberAt, objectAt, stringAt } from '../../base/json';
import { textBlocks, thinkingBlock, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { typedPrompt } from '../../content/classification';
import { type FoundText, type Place, below, joinTexts, sourceOf, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat } from '../../reading/format';
import type { RequestFacts } from '../common/history';
import { Thread } from '../common/thread';
import { readUsage } from '../common/usage';
import { addUnsentReply, promptPieces, taggedPieces } from './copilotPrompt';
import { toolResultText } from './promptTsx';

/**
 * A chat of VS Code: the session file, the log of its changes (replayed by a decoder), or what "Export Chat" writes.
 * What the model saw stands in each answer's metadata; the parts of the response are what was shown.
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
  read(record, locate, builder) {
    const reader = new ChatReader(builder);
    const { value, range } = record;
    builder.agentName = stringAt(value, 'responderUsername') ?? 'VS Code chat';
    builder.title = stringAt(value, 'customTitle');
    builder.sessionId = stringAt(value, 'sessionId');
    arrayAt(value, 'requests').forEach((request, index) => {
      reader.read(request, { record: range, path: ['requests', index], locate });
    });
    return builder.build(this.id);
  },
};

class ChatReader {
  private readonly timeline: Thread;

  constructor(private readonly builder: TranscriptBuilder) {
    this.timeline = new Thread(builder, 0);
  }

  /** Reads one turn: a prompt and all requests that answered it. */
  read(turn: unknown, place: Place): void {
    const typed = stringAt(objectAt(turn, 'message'), 'text') ?? stringAt(turn, 'message') ?? '';
    const version = stringAt(objectAt(turn, 'agent'), 'extensionVersion');
    const metadata = objectAt(objectAt(turn, 'result'), 'metadata');
    const metadataPlace = below(place, 'result', 'metadata');
    this.builder.title ??= typed === '' ? undefined : typed.replace(/\s+/g, ' ').trim().slice(0, 120);
    this.builder.sessionId ??= stringAt(metadata, 'sessionId');
    if (version !== undefined) {
      this.builder.versions.add(version);
    }
    if (this.timeline.blocks.length === 0) {
      this.addRendered(metadata, 'renderedGlobalContext', metadataPlace, undefined);
    }
    const timestamp = epochAt(turn, 'timestamp');
    if (!this.addRendered(metadata, 'renderedUserMessage', metadataPlace, timestamp)) {
      const key = objectAt(turn, 'message') === undefined ? ['message'] : ['message', 'text'];
      this.timeline.add({
        role: 'user',
        blocks: promptPieces(typed, typed, typedPrompt, below(place, ...key)),
        timestamp,
      });
    }
    const rounds = arrayAt(metadata, 'toolCallRounds');
    const facts = factsOf(turn, place);
    if (rounds.length === 0) {
      this.addShownResponse(turn, place, facts);
      return;
    }
    const usage = readUsage(turn, 'vscodeChat');
    rounds.forEach((round, index) => {
      const isLast = index === rounds.length - 1;
      this.addRound(round, below(metadataPlace, 'toolCallRounds', index), {
        ...facts,
        ...(isLast && usage !== undefined ? { usage } : {}),
      });
      this.addResults(round, objectAt(metadata, 'toolCallResults'), below(metadataPlace, 'toolCallResults'));
    });
    arrayAt(turn, 'response').forEach((part, index) => {
      const kind = stringAt(part, 'kind') ?? 'markdown';
      this.builder.leaveOut(`shown response: ${kind}`, sourceOf(below(place, 'response', index)));
    });
  }

  /** The parts of a rendered message: texts, and marks of where the cache was to break. */
  private addRendered(
    metadata: unknown,
    key: 'renderedGlobalContext' | 'renderedUserMessage',
    place: Place,
    timestamp: number | undefined,
  ): boolean {
    const blocks = arrayAt(metadata, key).flatMap((part, index): readonly NewBlock[] => {
      const text = stringAt(part, 'text');
      return text === undefined ? [] : taggedPieces(text, below(place, key, index, 'text'));
    });
    if (blocks.length > 0) {
      this.timeline.add({ role: 'user', blocks, ...(timestamp === undefined ? {} : { timestamp }) });
    }
    return blocks.length > 0;
  }

  private addRound(round: unknown, place: Place, facts: RequestFacts): void {
    const blocks: NewBlock[] = [];
    const response = stringAt(round, 'response') ?? '';
    if (response !== '') {
      blocks.push(...textBlocks(textOf(response, below(place, 'response')), place, 'assistant'));
    }
    arrayAt(round, 'toolCalls').forEach((call, index) => {
      const input = member(call, 'arguments');
      const callPlace = below(place, 'toolCalls', index, 'arguments');
      const toolName = stringAt(call, 'name') ?? 'unknown';
      blocks.push(
        toolCallBlock(
          { toolName, callId: stringAt(call, 'id'), input, place: callPlace },
          this.timeline.calls,
        ),
      );
    });
    const id = stringAt(round, 'id');
    const timestamp = epochAt(round, 'timestamp') ?? facts.timestamp;
    const reply = this.timeline.addReply(
      { role: 'assistant', blocks, ...(timestamp === undefined ? {} : { timestamp }) },
      {
        ...facts,
        id,
        timestamp,
      },
    );
    const thinking = member(objectAt(round, 'thinking'), 'text');
    if ((typeof thinking === 'string' && thinking !== '') || isArray(thinking)) {
      const at = below(place, 'thinking', 'text');
      const found = isArray(thinking)
        ? joinTexts(thinking.map((text, index) => textOf(text, below(at, index))))
        : textOf(thinking, at);
      addUnsentReply(this.builder, [thinkingBlock(found, place)], reply);
    }
  }

  private addResults(round: unknown, results: unknown, place: Place): void {
    for (const call of arrayAt(round, 'toolCalls')) {
      const callId = stringAt(call, 'id');
      const result = callId === undefined ? undefined : objectAt(results, callId);
      if (callId !== undefined && result !== undefined) {
        const at = below(place, callId);
        const known = this.timeline.calls.get(callId);
        const block = toolResultBlock(toolResultText(result, at), at, { callId, call: known });
        this.timeline.add({ role: 'tool', blocks: [block] });
      }
    }
  }

  /** A participant that keeps no rounds: what was shown is all there is of its answer, as one request. */
  private addShownResponse(turn: unknown, place: Place, facts: RequestFacts): void {
    const texts: FoundText[] = [];
    const thoughts: FoundText[] = [];
    arrayAt(turn, 'response').forEach((part, index) => {
      const at = below(place, 'response', index);
      const kind = stringAt(part, 'kind');
      const value = member(part, 'value');
      const name = member(objectAt(part, 'inlineReference'), 'name');
      if (kind === undefined && typeof value === 'string') {
        texts.push(textOf(value, below(at, 'value')));
      } else if (
        kind === undefined &&
        isObject(part) &&
        stringAt(objectAt(part, 'value'), 'value') !== undefined
      ) {
        texts.push(textOf(member(objectAt(part, 'value'), 'value'), below(at, 'value', 'value')));
      } else if (kind === 'inlineReference' && typeof name === 'string') {
        texts.push(textOf(name, below(at, 'inlineReference', 'name')));
      } else if (kind === 'thinking' && typeof value === 'string' && value !== '') {
        thoughts.push(textOf(value, below(at, 'value')));
      } else {
        this.builder.leaveOut(`shown response: ${kind ?? 'markdown'}`, sourceOf(at));
      }
    });
    if (texts.length === 0 && thoughts.length === 0) {
      return;
    }
    const at = below(place, 'response');
    const usage = readUsage(turn, 'vscodeChat');
    const reply = this.timeline.addReply(
      { role: 'assistant', blocks: texts.length === 0 ? [] : textBlocks(joinTexts(texts), at, 'assistant') },
      { ...facts, ...(usage === undefined ? {} : { usage }) },
    );
    if (thoughts.length > 0) {
      addUnsentReply(this.builder, [thinkingBlock(joinTexts(thoughts), at)], reply);
    }
  }
}

function factsOf(turn: unknown, place: Place): RequestFacts {
  const model = stringAt(turn, 'modelId')?.replace(/^copilot\//, '');
  const timestamp = epochAt(turn, 'timestamp');
  return {
    complete: false,
    line: sourceOf(place).line,
    model,
    timestamp,
  };
}
