import {
  arrayAt,
  epochAt,
  isObject,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../../base/json';
import { resultBlocks, schemaBlock, textBlock } from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import {
  type TextClass,
  clientRecord,
  compactionSummary,
  developerText,
  systemPrompt,
} from '../../content/classification';
import { contentBlocks } from '../../wire/generic/blocks';
import { type KnownCall, answeredCall } from '../../content/knownCalls';
import { type FoundText, type Place, below, joinTexts, literalText, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { RecordedUsage } from '../../model/transcript';
import type { SourceRecord } from '../../reading/format';
import type { HistoryItem } from '../common/history';
import { TreeHistory } from '../common/treeHistory';
import { listUnpairedResults } from '../common/unpairedResults';
import { readUsage, withCost } from '../../wire/usage';

interface Item extends HistoryItem {
  readonly id: string;
  /** `tools`: a system prompt with the schemas of tools. */
  readonly part: 'tools' | 'system' | 'other';
}

/** A record and its place in the tree. */
interface Node {
  readonly id: string;
  readonly parent: string | undefined;
  readonly timestamp: number | undefined;
  readonly place: Place;
}

/** The texts that pi writes before and after a summary (pi coding agent, messages.ts). */
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

export class PiReader {
  private readonly history: TreeHistory<Item>;
  private readonly calls = new Map<string, KnownCall>();
  /** Ids of the records by their number in the file, for the first version's compactions. */
  private readonly ids: string[] = [];
  private readonly order = new Map<string, number>();
  private last: string | undefined;
  private givenTitle: string | undefined;
  /** The thinking level from here on. */
  private effort: string | undefined;
  /** True if a message of any branch contained tool schemas. */
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
      this.readHeader(value);
      this.builder.leaveRecordOut(type, range);
      return;
    }
    // The first version has no tree: every record follows the one before it.
    const isTree = isObject(value) && Object.hasOwn(value, 'parentId');
    const parent = isTree ? stringAt(value, 'parentId') : this.last;
    this.last = id;
    const place = { record: range, path: [] };
    const node = { id, parent, timestamp: timeOf(value), place };
    switch (type) {
      case 'message':
      case 'message_end':
        // `message_end` is from `pi --mode json`, which prints the same messages among its events.
        this.readMessage(objectAt(value, 'message'), below(place, 'message'), node);
        return;
      case 'custom_message':
        this.addContent(value, place, 'user', node, developerText);
        return;
      case 'branch_summary':
        this.addSummary(value, place, 'branch', node);
        return;
      case 'compaction':
        this.compact(value, node);
        return;
      case 'thinking_level_change':
        this.effort = stringAt(value, 'thinkingLevel') ?? this.effort;
        break;
      case 'model_change':
        this.builder.chooseModel(stringAt(value, 'modelId'));
        break;
      case 'session_info':
        this.givenTitle = stringAt(value, 'name') ?? this.givenTitle;
        break;
      default:
    }
    this.history.addNode({ id, parent });
    this.builder.leaveRecordOut(type, range);
  }

  end(): void {
    listUnpairedResults(this.builder);
    this.builder.title = this.givenTitle ?? this.builder.firstPrompt;
  }

  private readHeader(value: unknown): void {
    this.builder.sessionId ??= stringAt(value, 'id');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const version = numberAt(value, 'version');
    this.builder.addVersion(version === undefined ? undefined : `session format ${version}`);
  }

  private skip(reason: string, { id, parent, place }: Node): void {
    this.history.addNode({ id, parent });
    this.builder.leaveOut(reason, place.record);
  }

  private readMessage(message: unknown, place: Place, node: Node): void {
    switch (stringAt(message, 'role') ?? '') {
      case 'system':
        this.readSystem(message, place, node);
        break;
      case 'user':
        this.addContent(message, place, 'user', node);
        break;
      case 'assistant':
        this.readReply(message, place, node);
        break;
      case 'toolResult':
        this.readResult(message, place, node);
        break;
      case 'bashExecution':
        this.readCommand(message, place, node);
        break;
      case 'custom':
        this.addContent(message, place, 'user', node, developerText);
        break;
      case 'branchSummary':
        this.addSummary(message, place, 'branch', node);
        break;
      case 'compactionSummary':
        this.addSummary(message, place, 'compaction', node);
        break;
      default:
        this.builder.addProblem('unknownRecord', place.record.line);
        this.skip('a message of an unknown role', node);
    }
  }

  /** @param part `unsent` for content that no later request sends */
  private add(
    role: PromptRole,
    blocks: readonly NewBlock[],
    timestamp: number | undefined,
    { id, parent, place }: Node,
    part: Item['part'] | 'unsent' = 'other',
  ): readonly number[] {
    const numbers = this.builder.addBlocks(blocks, this.builder.addMessage({ role, id, timestamp }));
    if (numbers.length === 0) {
      this.builder.leaveOut('a message without content', place.record);
    }
    this.history.addNode({
      id,
      parent,
      ...(part === 'unsent' ? {} : { item: { id, blocks: numbers, part } }),
    });
    return numbers;
  }

  /**
   * Reads the prompt and the tools, which apply from here on. The prompt's sections are sent with an empty line between
   * them.
   */
  private readSystem(message: unknown, place: Place, node: Node): void {
    const tools = arrayAt(message, 'toolsAdded').map((tool, index) =>
      schemaBlock(tool, below(place, 'toolsAdded', index)),
    );
    const sections = objectAt(message, 'sections') ?? {};
    const texts = [
      textAt(message, place, 'content'),
      ...Object.keys(sections).map(name => textAt(sections, below(place, 'sections'), name)),
    ].filter(({ content }) => content !== '');
    const separated = texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n\n'), text]));
    const prompt = texts.length === 0 ? [] : [textBlock(joinTexts(separated), place, 'system', systemPrompt)];
    this.hasTools ||= tools.length > 0;
    this.add('system', [...tools, ...prompt], node.timestamp, node, tools.length > 0 ? 'tools' : 'system');
  }

  private addContent(
    holder: unknown,
    place: Place,
    role: 'user' | 'assistant',
    node: Node,
    textClass?: TextClass,
    part: Item['part'] | 'unsent' = 'other',
  ): readonly number[] {
    const content = member(holder, 'content');
    const blocks = contentBlocks(content, below(place, 'content'), role, this.calls, textClass);
    return this.add(role, blocks, timeOf(holder), node, part);
  }

  private readReply(message: unknown, place: Place, node: Node): void {
    this.history.moveTo(node.parent);
    const sent = this.history.sent();
    const complete = this.hasTools && this.history.items.some(({ part }) => part === 'tools');
    // pi does not send an interrupted reply again (transformMessages in pi-ai).
    const isBroken = ['aborted', 'error'].includes(stringAt(message, 'stopReason') ?? '');
    const reply = this.addContent(
      message,
      place,
      'assistant',
      node,
      undefined,
      isBroken ? 'unsent' : 'other',
    );
    const usage = usageAt(message);
    if (reply.length === 0 && usage === undefined) {
      // The request was interrupted before anything came back.
      return;
    }
    const facts = {
      complete,
      line: place.record.line,
      id: stringAt(message, 'responseId'),
      model: stringAt(message, 'model'),
      timestamp: node.timestamp ?? epochAt(message, 'timestamp'),
      usage,
      attribution: this.effort === undefined ? undefined : { effort: this.effort },
    };
    this.history.open(facts, reply, sent);
  }

  private readResult(message: unknown, place: Place, node: Node): void {
    const callId = stringAt(message, 'toolCallId');
    const blocks = resultBlocks(member(message, 'content'), below(place, 'content'), {
      callId,
      call: answeredCall(this.calls, callId, stringAt(message, 'toolName')),
      isError: member(message, 'isError') === true,
    });
    const useless = member(message, 'useless') === true;
    this.add('tool', useless ? blocks.map(block => ({ ...block, useless })) : blocks, timeOf(message), node);
  }

  /** Reads a command that the user ran. The model sees it unless the user excluded it. */
  private readCommand(message: unknown, place: Place, node: Node): void {
    if (member(message, 'excludeFromContext') === true) {
      this.skip('a command that was kept from the model', node);
      return;
    }
    const output = textAt(message, place, 'output');
    const exitCode = numberAt(message, 'exitCode') ?? 0;
    const isCancelled = member(message, 'cancelled') === true;
    const fullOutput = stringAt(message, 'fullOutputPath');
    const ending = isCancelled
      ? '\n\n(command cancelled)'
      : exitCode === 0
        ? ''
        : `\n\nCommand exited with code ${exitCode}`;
    const pieces = [
      literalText('Ran `'),
      textAt(message, place, 'command'),
      literalText('`\n'),
      ...(output.content === ''
        ? [literalText('(no output)')]
        : [literalText('```\n'), output, literalText('\n```')]),
      ...(ending === '' ? [] : [literalText(ending)]),
      ...(member(message, 'truncated') === true && fullOutput !== undefined
        ? [literalText(`\n\n[Output truncated. Full output: ${fullOutput}]`)]
        : []),
    ];
    this.add('user', [textBlock(joinTexts(pieces), place, 'user', clientRecord)], timeOf(message), node);
  }

  private addSummary(value: unknown, place: Place, wrapper: keyof typeof wrappers, node: Node): void {
    const { id, parent } = node;
    this.history.addNode({ id, parent, item: this.summaryItem(value, place, wrapper, node) });
  }

  private summaryItem(
    value: unknown,
    place: Place,
    wrapper: keyof typeof wrappers,
    { id, timestamp }: Node,
  ): Item {
    const [before, after] = wrappers[wrapper];
    const found = textAt(value, place, 'summary');
    const whole: FoundText = joinTexts([literalText(before), found, literalText(after)]);
    const block = textBlock(whole, place, 'user', compactionSummary, labelOfText(found.content));
    const message = this.builder.addMessage({ role: 'user', id, summary: true, timestamp });
    return { id, blocks: [this.builder.addBlock(block, message)], part: 'other' };
  }

  /** Replaces everything except the system prompt with the summary and the records that are kept unchanged. */
  private compact(value: unknown, node: Node): void {
    const { history, order } = this;
    const { id, parent, place } = node;
    const { line } = place.record;
    history.moveTo(parent);
    const summary = this.summaryItem(value, place, 'compaction', node);
    const usage = usageAt(value);
    if (usage !== undefined) {
      // The text to be summarized is not recorded.
      history.open({ line, usage }, summary.blocks, { context: this.builder.startContext(), length: 0 });
    }
    history.noteCompaction({ line, tokensBefore: optionalCountAt(value, 'tokensBefore') });
    const keptIndex = numberAt(value, 'firstKeptEntryIndex');
    const firstKept =
      stringAt(value, 'firstKeptEntryId') ?? (keptIndex === undefined ? undefined : this.ids[keptIndex]);
    const from = firstKept === undefined ? Infinity : (order.get(firstKept) ?? Infinity);
    history.addNode({
      id,
      parent,
      change: items => [
        ...items.filter(({ part }) => part !== 'other'),
        summary,
        ...items.filter(item => item.part === 'other' && (order.get(item.id) ?? -1) >= from),
      ],
    });
  }
}

function usageAt(value: unknown): RecordedUsage | undefined {
  const usage = objectAt(value, 'usage');
  return withCost(readUsage(usage, 'pi'), member(objectAt(usage, 'cost'), 'total'));
}

/** The time of a record, in ISO form, or of a message, in milliseconds. */
function timeOf(value: unknown): number | undefined {
  return timeAt(value, 'timestamp') ?? epochAt(value, 'timestamp');
}
