import { type ValuePath, arrayAt, epochAt, isArray, isObject, member, numberAt, objectAt, optionalCountAt, stringAt, timeAt, toJson } from '../../base/json';
import { schemaBlock } from '../../content/blockFactory';
import { labelOfText, objectOfCall, pathOfCall } from '../../content/blockLabels';
import { type TextClass, compactionSummary, partitionOfTool, provenanceOfTool } from '../../content/classification';
import type { KnownCall } from '../../content/knownCalls';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { LineFormatReader, SourceRecord } from '../../reading/format';
import type { HistoryItem } from '../common/history';
import { TreeHistory } from '../common/treeHistory';
import { listUnpairedResults } from '../common/unpairedResults';
import { readUsage } from '../common/usage';
import { type PiOwner, type PiPlace, type Piece, below, imageBlock, joinedBlock, literal, otherBlock, piece, textBlock, thinkingBlock } from './piBlocks';

interface Item extends HistoryItem {
  readonly id: string;
  readonly isSystem: boolean;
  /** Holds schemas of tools. */
  readonly hasTools: boolean;
}

interface Node {
  readonly id: string;
  readonly parent: string | undefined;
  readonly record: SourceRange;
}

/** Words that pi puts around what it recorded (pi coding agent, messages.ts). */
const wrappers = {
  compaction: [
    'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
    '\n</summary>',
  ],
  branch: [
    'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n',
    '</summary>',
  ],
} as const;

const clientRecord: TextClass = { kind: 'injected', partition: 'history', provenance: 'user' };
const extensionText: TextClass = { kind: 'injected', partition: 'history', provenance: 'developer' };
const systemText: TextClass = { kind: 'systemPrompt', partition: 'system', provenance: 'system' };
const replyText: TextClass = { kind: 'assistant', partition: 'history', provenance: 'developer' };

export class PiReader implements LineFormatReader {
  private readonly history: TreeHistory<Item>;
  private readonly calls = new Map<string, KnownCall>();
  /** Ids of the records by their number in the file, for the first version's compactions. */
  private readonly ids: string[] = [];
  private readonly order = new Map<string, number>();
  private last: string | undefined;
  private givenTitle: string | undefined;
  private firstPrompt: string | undefined;
  /** Whether a message has brought schemas of tools, on whichever branch. */
  private hasTools = false;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'pi';
    this.history = new TreeHistory(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type') ?? '';
    const id = stringAt(value, 'id') ?? `#${this.ids.length}`;
    this.order.set(id, this.ids.length);
    this.ids.push(id);
    if (type === 'session') {
      this.readHeader(value, range);
      return;
    }
    // The first version has no tree: every record follows the one before it.
    const isTree = isObject(value) && Object.hasOwn(value, 'parentId');
    const parent = isTree ? stringAt(value, 'parentId') : this.last;
    this.last = id;
    const place = { id, parent, record: range };
    switch (type) {
      case 'message':
      case 'message_end':
        // The second is that of `pi --mode json`, which prints the same messages among its events.
        this.readMessage(value, place);
        break;
      case 'custom_message':
        this.addContent(value, [], 'user', extensionText, place);
        break;
      case 'branch_summary':
        this.addWrapped(value, ['summary'], wrappers.branch, place);
        break;
      case 'compaction':
        this.compact(value, place);
        break;
      case 'session_info':
        this.givenTitle = stringAt(value, 'name') ?? this.givenTitle;
        this.skip('session_info record', place);
        break;
      case '':
        this.builder.addProblem('unknownRecord', range.line);
        this.skip('a record without a type', place);
        break;
      default:
        this.skip(`${type} record`, place);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    listUnpairedResults(this.builder);
    this.builder.title = this.givenTitle ?? this.firstPrompt;
    return this.builder.build('pi');
  }

  /** What finishing adds is the builder's alone. */
  resume(): boolean {
    return true;
  }

  private readHeader(value: unknown, range: SourceRange): void {
    this.builder.sessionId ??= stringAt(value, 'id');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const version = numberAt(value, 'version');
    if (version !== undefined) {
      this.builder.versions.add(`session format ${version}`);
    }
    this.builder.leaveOut('session record', range);
  }

  private skip(reason: string, { id, parent, record }: Node): void {
    this.history.addNode({ id, parent });
    this.builder.leaveOut(reason, record);
  }

  private readMessage(value: unknown, node: Node): void {
    const message = objectAt(value, 'message');
    switch (stringAt(message, 'role')) {
      case 'system':
        this.readSystem(message, value, node);
        break;
      case 'user':
        this.addContent(message, ['message'], 'user', undefined, node);
        break;
      case 'assistant':
        this.readReply(message, value, node);
        break;
      case 'toolResult':
        this.readResult(message, node);
        break;
      case 'bashExecution':
        this.readCommand(message, node);
        break;
      case 'custom':
        this.addContent(message, ['message'], 'user', extensionText, node);
        break;
      case 'branchSummary':
        this.addWrapped(value, ['message', 'summary'], wrappers.branch, node);
        break;
      case 'compactionSummary':
        this.addWrapped(value, ['message', 'summary'], wrappers.compaction, node);
        break;
      case undefined:
      default:
        this.builder.addProblem('unknownRecord', node.record.line);
        this.skip('a message of an unknown role', node);
    }
  }

  private add(
    blocks: readonly NewBlock[],
    { id, parent, record }: Node,
    isSystem = false,
  ): readonly number[] {
    const numbers = blocks.map(block => {
      if (block.kind === 'prompt') {
        this.firstPrompt ??= labelOfText(block.content);
      }
      return this.builder.addBlock(block);
    });
    if (numbers.length === 0) {
      this.builder.leaveOut('a message without content', record);
    }
    const hasTools = isSystem && blocks.some(({ kind }) => kind === 'toolSchema');
    this.hasTools ||= hasTools;
    this.history.addNode({ id, parent, item: { id, blocks: numbers, isSystem, hasTools } });
    return numbers;
  }

  private addMessage(role: 'system' | 'user' | 'assistant' | 'tool', value: unknown, { id }: Node): number {
    const timestamp = timeAt(value, 'timestamp') ?? epochAt(value, 'timestamp');
    return this.builder.addMessage({ role, id, timestamp });
  }

  /** The prompt in sections, which are sent with an empty line between them, and the tools from here on. */
  private readSystem(message: unknown, value: unknown, node: Node): void {
    const place = { record: node.record, message: this.addMessage('system', value, node) };
    const tools = arrayAt(message, 'toolsAdded').map((tool, index) => ({
      ...schemaBlock(tool, { record: node.record, path: ['message', 'toolsAdded', index] }),
      message: place.message,
    }));
    const sections = Object.entries(objectAt(message, 'sections') ?? {}).flatMap(
      ([name, text]): readonly Piece[] =>
        typeof text === 'string' && text !== ''
          ? [piece(text, node.record, ['message', 'sections', name])]
          : [],
    );
    const content = stringAt(message, 'content') ?? '';
    const pieces = [
      ...(content === '' ? [] : [piece(content, node.record, ['message', 'content'])]),
      ...sections,
    ].flatMap((part, index) => (index === 0 ? [part] : [literal('\n\n'), part]));
    const text = pieces.length === 0 ? [] : [joinedBlock(pieces, 'system', systemText, place)];
    this.add([...tools, ...text], node, true);
  }

  private addContent(
    holder: unknown,
    path: ValuePath,
    role: 'user' | 'assistant',
    textClass: TextClass | undefined,
    node: Node,
  ): readonly number[] {
    const place = { record: node.record, message: this.addMessage(role, holder, node) };
    return this.add(this.contentBlocks(holder, path, role, textClass, place), node);
  }

  private contentBlocks(
    holder: unknown,
    path: ValuePath,
    role: 'user' | 'assistant',
    textClass: TextClass | undefined,
    place: PiOwner,
  ): NewBlock[] {
    const content = member(holder, 'content');
    const at = { ...place, path: [...path, 'content'] };
    if (typeof content === 'string') {
      return content === '' ? [] : [textBlock(content, role, textClass, at)];
    }
    return (isArray(content) ? content : []).map((part, index): NewBlock => {
      const partPlace = { ...at, path: [...at.path, index] };
      switch (stringAt(part, 'type')) {
        case 'text':
          return textBlock(stringAt(part, 'text') ?? '', role, textClass, below(partPlace, 'text'));
        case 'thinking':
          return thinkingBlock(part, partPlace);
        case 'toolCall':
          return this.callBlock(part, partPlace);
        case 'image':
          return imageBlock(part, role, partPlace);
        case undefined:
        default:
          return otherBlock(part, role, partPlace);
      }
    });
  }

  private readReply(message: unknown, value: unknown, node: Node): void {
    this.history.moveTo(node.parent);
    const sent = this.history.sent();
    const complete = this.hasTools && this.history.items.some(({ hasTools }) => hasTools);
    const reply = this.addContent(message, ['message'], 'assistant', replyText, node);
    const usage = readUsage(objectAt(message, 'usage'), 'pi');
    const isEmpty =
      usage === undefined || usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0;
    if (reply.length === 0 && isEmpty) {
      // Broken off before anything came back.
      return;
    }
    const facts = {
      complete,
      line: node.record.line,
      id: stringAt(message, 'responseId'),
      model: stringAt(message, 'model'),
      timestamp: timeAt(value, 'timestamp') ?? epochAt(message, 'timestamp'),
      usage: isEmpty ? undefined : usage,
    };
    this.history.open(facts, reply, sent);
  }

  private callBlock(part: unknown, place: PiPlace): NewBlock {
    const toolName = stringAt(part, 'name') ?? 'unknown';
    const callId = stringAt(part, 'id');
    const input = member(part, 'arguments');
    const object = objectOfCall(input);
    const path = pathOfCall(input);
    if (callId !== undefined) {
      this.calls.set(callId, { toolName, object, path });
    }
    return {
      role: 'assistant',
      contentType: 'text',
      source: place.record,
      message: place.message,
      kind: 'toolCall',
      provenance: 'developer',
      partition: partitionOfTool(toolName) === 'state' ? 'state' : 'history',
      label: `${toolName} ${object}`.trim(),
      toolName,
      callId,
      path,
      content: toJson(input),
      text: { kind: 'json', record: place.record, path: [...place.path, 'arguments'] },
    };
  }

  private readResult(message: unknown, node: Node): void {
    const callId = stringAt(message, 'toolCallId');
    const call = callId === undefined ? undefined : this.calls.get(callId);
    const toolName = call?.toolName ?? stringAt(message, 'toolName');
    const path = ['message', 'content'];
    const place = { record: node.record, message: this.addMessage('tool', message, node), path };
    const content = member(message, 'content');
    const parts = isArray(content) ? content : [];
    const texts = parts.flatMap(part => stringAt(part, 'text') ?? []);
    const provenance = provenanceOfTool(toolName);
    const partition = partitionOfTool(toolName);
    const result: NewBlock = {
      role: 'tool',
      contentType: 'tool_result',
      kind: 'toolResult',
      provenance,
      partition,
      label: `${toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
      source: node.record,
      message: place.message,
      toolName,
      callId,
      path: call?.path,
      isError: member(message, 'isError') === true ? true : undefined,
      useless: member(message, 'useless') === true ? true : undefined,
      content: typeof content === 'string' ? content : texts.join('\n'),
      text: { kind: typeof content === 'string' ? 'string' : 'parts', record: node.record, path },
    };
    const images = parts.flatMap((part, index) =>
      stringAt(part, 'type') === 'image'
        ? [
            {
              ...imageBlock(part, 'tool', { ...place, path: [...path, index] }),
              provenance,
              partition,
              toolName,
              callId,
              path: call?.path,
            },
          ]
        : [],
    );
    this.add([result, ...images], node);
  }

  /** A command that the user ran; the model is told of it unless it was kept from it. */
  private readCommand(message: unknown, node: Node): void {
    if (member(message, 'excludeFromContext') === true) {
      this.skip('a command that was kept from the model', node);
      return;
    }
    const output = stringAt(message, 'output') ?? '';
    const exitCode = numberAt(message, 'exitCode') ?? 0;
    const isCancelled = member(message, 'cancelled') === true;
    const fullOutput = stringAt(message, 'fullOutputPath');
    const pieces = [
      literal('Ran `'),
      piece(stringAt(message, 'command') ?? '', node.record, ['message', 'command']),
      literal('`\n'),
      ...(output === ''
        ? [literal('(no output)')]
        : [literal('```\n'), piece(output, node.record, ['message', 'output']), literal('\n```')]),
      ...(isCancelled ? [literal('\n\n(command cancelled)')] : []),
      ...(!isCancelled && exitCode !== 0 ? [literal(`\n\nCommand exited with code ${exitCode}`)] : []),
      ...(member(message, 'truncated') === true && fullOutput !== undefined
        ? [literal(`\n\n[Output truncated. Full output: ${fullOutput}]`)]
        : []),
    ];
    const place = { record: node.record, message: this.addMessage('user', message, node) };
    this.add([joinedBlock(pieces, 'user', clientRecord, place)], node);
  }

  private addWrapped(
    value: unknown,
    path: readonly [string, ...string[]],
    [before, after]: readonly [string, string],
    node: Node,
  ): void {
    this.add([this.wrappedBlock(value, path, before, after, node)], node);
  }

  private wrappedBlock(
    value: unknown,
    path: readonly [string, ...string[]],
    before: string,
    after: string,
    node: Node,
  ): NewBlock {
    const holder = path.length === 1 ? value : member(value, path[0]);
    const summary = stringAt(holder, path.at(-1) ?? '') ?? '';
    const timestamp = timeAt(value, 'timestamp');
    const message = this.builder.addMessage({ role: 'user', id: node.id, summary: true, timestamp });
    const pieces = [literal(before), piece(summary, node.record, path), literal(after)];
    return {
      ...joinedBlock(pieces, 'user', compactionSummary, { record: node.record, message }),
      label: labelOfText(summary),
    };
  }

  /** The summary, and what is kept word for word, come in the place of everything but the system prompt. */
  private compact(value: unknown, node: Node): void {
    const [before, after] = wrappers.compaction;
    this.history.moveTo(node.parent);
    const block = this.builder.addBlock(this.wrappedBlock(value, ['summary'], before, after, node));
    const keptIndex = numberAt(value, 'firstKeptEntryIndex');
    const firstKept =
      stringAt(value, 'firstKeptEntryId') ?? (keptIndex === undefined ? undefined : this.ids[keptIndex]);
    const summary: Item = { id: node.id, blocks: [block], isSystem: false, hasTools: false };
    const usage = readUsage(objectAt(value, 'usage'), 'pi');
    if (usage !== undefined) {
      // The text that the model was given to sum up is not recorded.
      const sent = { context: this.builder.startContext(), length: 0 };
      this.history.open({ line: node.record.line, usage }, [block], sent);
    }
    const tokensBefore = optionalCountAt(value, 'tokensBefore');
    this.history.noteCompaction({ line: node.record.line, tokensBefore });
    const { order } = this;
    const from = firstKept === undefined ? Infinity : (order.get(firstKept) ?? Infinity);
    this.history.addNode({
      id: node.id,
      parent: node.parent,
      change: items => [
        ...items.filter(({ isSystem }) => isSystem),
        summary,
        ...items.filter(({ id, isSystem }) => !isSystem && (order.get(id) ?? -1) >= from),
      ],
    });
  }
}
