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
import {
  resultBlocks,
  roleOfMessage,
  schemaBlock,
  textBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import {
  type TextClass,
  clientRecord,
  clientText,
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
import { readUsage, withCost, withServiceTier } from '../../wire/usage';
import { serviceTierOf } from './serviceTier';

interface Item extends HistoryItem {
  readonly id: string;
  /** `tools`: a system prompt with the schemas of tools. */
  readonly part: 'tools' | 'system' | 'other';
  /** Of a system prompt in sections. */
  readonly prompt?: SystemPrompt;
  /** Ids of the calls of a reply, and of the call that a result answers. */
  readonly calls?: readonly string[];
  readonly answers?: string | undefined;
  /** Of a reply with thinking. Since pi 1.0, a request to another model does not send the thinking. */
  readonly thought?: {
    readonly model: string | undefined;
    readonly all: readonly number[];
    readonly rest: readonly number[];
  };
  readonly result?: ResultParts;
}

/** The blocks of a result. The chat API takes no images in results, so they follow in a message of their own. */
interface ResultParts {
  readonly all: readonly number[];
  readonly texts: readonly number[];
  readonly images: readonly number[];
  /** False if words are sent with the images that are not recorded: of a failed result, or one without a text. */
  readonly isPlain: boolean;
}

/** The parts of a system prompt by name. A later record holds only the parts that have changed. */
interface SystemPrompt {
  readonly sections: ReadonlyMap<string, FoundText>;
  readonly tools: ReadonlyMap<string, number>;
}

/** A record and its place in the tree. */
interface Node {
  readonly id: string;
  readonly parent: string | undefined;
  readonly timestamp: number | undefined;
  readonly place: Place;
}

/** The result that pi sends for a call that was interrupted (transformMessages in pi-ai). */
const missingResult = 'No result provided';

/** The API whose requests have this line and the images after the results of a reply. */
const chatApi = 'openai-completions';
const imagesLine = 'Attached image(s) from tool result:';

/** The other APIs whose results hold images as they are recorded. */
const resultsWithImages = /^(?:anthropic-messages|(?:azure-openai|openai|openai-codex)-responses)$/;

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
  /** The time at which the session was forked from another one. Older records are copies. */
  private forkTime = Number.NEGATIVE_INFINITY;
  /** The thinking level from here on. */
  private effort: string | undefined;
  /** The service tiers that oh-my-pi asks for from here on. */
  private tiers: unknown;
  /** True if a message of any branch contained tool schemas. */
  private hasTools = false;
  /** The models of the replies so far. */
  private readonly models = new Set<string | undefined>();
  /** The blocks of the line before images, by the id of the result before it. */
  private readonly imageLines = new Map<string, number>();
  /** The last reply's model, and the state of the history when thinking was left out for it. */
  private thinkingFor:
    | { readonly model: string | undefined; readonly replacements: number; readonly isLeft: boolean }
    | undefined;
  /** The last reply's API, and the state of the history when images were placed for it. */
  private imagesFor:
    | {
        readonly api: string | undefined;
        readonly replacements: number;
        /** Number of items of the history. */
        readonly length: number;
        readonly hasImages: boolean;
        readonly isPlain: boolean;
      }
    | undefined;

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
    this.builder.inheritance = (node.timestamp ?? Infinity) < this.forkTime ? 'shared' : undefined;
    this.noteVariant(type, value);
    switch (type) {
      case 'model_usage':
      case 'usage':
        this.readOtherCall(type, value, node);
        return;
      case 'context_edit':
        this.edit(value, node);
        return;
      case 'reset_boundary':
        this.reset(node);
        return;
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
      case 'service_tier_change':
        this.tiers = member(value, 'serviceTier');
        break;
      case 'model_change':
        this.builder.chooseModel(stringAt(value, 'modelId'));
        break;
      case 'session_info':
        this.givenTitle = stringAt(value, 'name') ?? this.givenTitle;
        break;
      case 'title':
      case 'title_change':
        // oh-my-pi keeps the current title before the header, and may leave that place empty.
        this.givenTitle = filled(stringAt(value, 'title')) ?? this.givenTitle;
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

  /** oh-my-pi, which is built on pi, writes records of its own, and the provider into the name of a model. */
  private noteVariant(type: string, value: unknown): void {
    const { builder } = this;
    // Command Code 1.64 writes pi's records with the content blocks of Anthropic.
    const isCommandCode =
      type === 'effort_change' ||
      arrayAt(objectAt(value, 'message'), 'content').some(part =>
        /^tool_(?:use|result)$/.test(stringAt(part, 'type') ?? ''),
      );
    const isOhMyPi =
      ownTypes.has(type) || (type === 'model_change' && stringAt(value, 'model') !== undefined);
    if (isCommandCode) {
      builder.agentName = 'Command Code';
    } else if (isOhMyPi && builder.agentName === 'pi') {
      builder.agentName = 'oh-my-pi';
    }
  }

  /** Reads a call that is no part of the conversation. Only its usage is recorded. */
  private readOtherCall(type: string, value: unknown, { id, parent, timestamp, place }: Node): void {
    this.history.addNode({ id, parent });
    const facts = {
      line: place.record.line,
      model: stringAt(value, 'model'),
      timestamp,
      usage: usageAt(value),
    };
    this.history.open(facts, [], { context: this.builder.startContext(), length: 0 });
    this.builder.leaveRecordOut(type, place.record);
  }

  /** Replaces the content of an earlier message from here on, or takes the message out of the context (pi 1.6). */
  private edit(value: unknown, { id, parent, timestamp, place }: Node): void {
    const { history, builder, calls } = this;
    history.moveTo(parent);
    const target = stringAt(value, 'targetId');
    const edited = history.items.find(item => item.id === target);
    const [before] = edited?.blocks.flatMap(number => builder.blocks.at(number) ?? []) ?? [];
    const replacement = objectAt(value, 'replacement');
    if (edited === undefined || before === undefined || replacement === undefined) {
      history.addNode({ id, parent, change: items => items.filter(item => item.id !== target) });
      builder.leaveRecordOut('context_edit', place.record);
      return;
    }
    const at = below(place, 'replacement', 'content');
    const content = member(replacement, 'content');
    const { role, callId, isError } = before;
    const blocks =
      role === 'tool'
        ? resultBlocks(content, at, { callId, call: answeredCall(calls, callId), isError })
        : contentBlocks(content, at, role === 'assistant' ? role : 'user', calls);
    const numbers = builder.addBlocks(blocks, builder.addMessage({ role, id, timestamp }));
    const item = { ...edited, blocks: numbers, ...resultOf(blocks, numbers) };
    history.addNode({ id, parent, change: items => items.map(each => (each.id === target ? item : each)) });
  }

  /** Empties the conversation, as `/clear` does. */
  private reset({ id, parent, place }: Node): void {
    const { history } = this;
    history.moveTo(parent);
    history.noteCompaction({ line: place.record.line, trigger: '/clear', isReset: true });
    history.addNode({ id, parent, change: items => items.filter(({ part }) => part !== 'other') });
    this.builder.leaveRecordOut('reset_boundary', place.record);
  }

  private readHeader(value: unknown): void {
    if (stringAt(value, 'parentSession') !== undefined) {
      this.forkTime = timeOf(value) ?? this.forkTime;
    }
    this.givenTitle ??= filled(stringAt(value, 'title'));
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
    node: Node,
    part: Item['part'] | 'unsent' = 'other',
    model?: string,
  ): readonly number[] {
    const { id, parent, place } = role === 'tool' || part !== 'other' ? node : this.answered(node);
    const numbers = this.builder.addBlocks(blocks, this.builder.addMessage({ role, id, timestamp }));
    if (numbers.length === 0) {
      this.builder.leaveOut('a message without content', place.record);
    }
    this.history.addNode({
      id,
      parent,
      ...(part === 'unsent'
        ? {}
        : {
            item: {
              id,
              blocks: numbers,
              part,
              ...pairsOf(blocks),
              ...thoughtOf(blocks, numbers, model),
              ...resultOf(blocks, numbers),
            },
          }),
    });
    return numbers;
  }

  /** Answers the interrupted calls before a record, as pi does when it sends them. Returns the record after them. */
  private answered(node: Node): Node {
    const { history, builder, calls } = this;
    history.moveTo(node.parent);
    const open = openCalls(history.items);
    if (open.length === 0) {
      return node;
    }
    const id = `${node.id} ${missingResult}`;
    const blocks = open.map(callId =>
      toolResultBlock(literalText(missingResult), node.place, {
        callId,
        call: answeredCall(calls, callId, undefined),
        isError: true,
      }),
    );
    const numbers = builder.addBlocks(
      blocks,
      builder.addMessage({ role: 'tool', id, timestamp: node.timestamp }),
    );
    history.addNode({ id, parent: node.parent, item: { id: node.id, blocks: numbers, part: 'other' } });
    return { ...node, parent: id };
  }

  /**
   * Reads the prompt and the tools, which apply from here on. The prompt's sections are sent with an empty line between
   * them. Since pi 1.0, a later record has only the sections that have changed, and the prompt at the beginning changes.
   */
  private readSystem(message: unknown, place: Place, node: Node): void {
    const { history, builder } = this;
    history.moveTo(node.parent);
    const recorded = objectAt(message, 'sections');
    const before =
      recorded === undefined
        ? undefined
        : history.items.findLast(({ prompt }) => prompt !== undefined)?.prompt;
    const sections = new Map(before?.sections);
    const own = textAt(message, place, 'content');
    if (own.content !== '') {
      sections.set('', own);
    }
    for (const name of Object.keys(recorded ?? {})) {
      sections.set(name, textAt(recorded, below(place, 'sections'), name));
    }
    const texts = [...sections.values()].filter(({ content }) => content !== '');
    const separated = texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n\n'), text]));
    const prompt = texts.length === 0 ? [] : [textBlock(joinTexts(separated), place, 'system', systemPrompt)];
    const to = builder.addMessage({ role: 'system', id: node.id, timestamp: node.timestamp });
    const tools = new Map(before?.tools);
    arrayAt(message, 'toolsRemoved').forEach(tool => {
      tools.delete(typeof tool === 'string' ? tool : (stringAt(tool, 'name') ?? ''));
    });
    arrayAt(message, 'toolsAdded').forEach((tool, index) => {
      const block = schemaBlock(tool, below(place, 'toolsAdded', index));
      tools.set(block.toolName ?? String(index), builder.addBlock(block, to));
    });
    const blocks = [...tools.values(), ...builder.addBlocks(prompt, to)];
    this.hasTools ||= tools.size > 0;
    if (blocks.length === 0) {
      builder.leaveOut('a message without content', place.record);
    }
    const item: Item = {
      id: node.id,
      blocks,
      part: tools.size > 0 ? 'tools' : 'system',
      ...(recorded === undefined ? {} : { prompt: { sections, tools } }),
    };
    history.addNode({
      id: node.id,
      parent: node.parent,
      ...(before === undefined
        ? { item }
        : { change: items => [item, ...items.filter(each => each.prompt === undefined)] }),
    });
  }

  private addContent(
    holder: unknown,
    place: Place,
    role: 'user' | 'assistant',
    node: Node,
    textClass?: TextClass,
    part: Item['part'] | 'unsent' = 'other',
    model?: string,
  ): readonly number[] {
    const content = member(holder, 'content');
    const blocks = contentBlocks(content, below(place, 'content'), role, this.calls, textClass);
    return this.add(roleOfMessage(role, blocks), blocks, timeOf(holder), node, part, model);
  }

  private readReply(message: unknown, place: Place, recorded: Node): void {
    const node = this.answered(recorded);
    const model = stringAt(message, 'model');
    this.history.moveTo(node.parent);
    const lacksThinking = this.leaveThinking(model);
    const hasAllImages = this.placeImages(stringAt(message, 'api'), node);
    const sent = this.history.sent();
    // Older versions send it as text, and the file does not say which version wrote it.
    const complete =
      !lacksThinking &&
      hasAllImages &&
      this.hasTools &&
      this.history.items.some(({ part }) => part === 'tools');
    // pi does not send an interrupted reply again (transformMessages in pi-ai).
    const isBroken = ['aborted', 'error'].includes(stringAt(message, 'stopReason') ?? '');
    const reply = this.addContent(
      message,
      place,
      'assistant',
      node,
      undefined,
      isBroken ? 'unsent' : 'other',
      model,
    );
    const usage = withServiceTier(usageAt(message), { service_tier: serviceTierOf(this.tiers, message) });
    if (reply.length === 0 && usage === undefined) {
      // The request was interrupted before anything came back.
      return;
    }
    const facts = {
      complete,
      line: place.record.line,
      id: stringAt(message, 'responseId'),
      model,
      timestamp: node.timestamp ?? epochAt(message, 'timestamp'),
      usage,
      attribution: this.effort === undefined ? undefined : { effort: this.effort },
    };
    this.history.open(facts, reply, sent);
  }

  /** Leaves the thinking of other models out of the history, and takes this model's in again. True if some is left out. */
  private leaveThinking(model: string | undefined): boolean {
    const { history, thinkingFor } = this;
    this.models.add(model);
    if (this.models.size < 2 || !this.hasTools) {
      return false;
    }
    // Since then, only replies of this model came.
    if (thinkingFor?.model === model && thinkingFor?.replacements === history.replacements) {
      return thinkingFor.isLeft;
    }
    const { items } = history;
    const sent = items.map(item => {
      const { thought } = item;
      const blocks =
        thought === undefined ? item.blocks : thought.model === model ? thought.all : thought.rest;
      return blocks === item.blocks ? item : { ...item, blocks };
    });
    if (sent.some((item, index) => item !== items[index])) {
      history.replace(sent);
    }
    const isLeft = sent.some(({ thought }) => thought !== undefined && thought.model !== model);
    this.thinkingFor = { model, replacements: history.replacements, isLeft };
    return isLeft;
  }

  /** Places the images of results as the API takes them. Returns whether they are then as they are sent. */
  private placeImages(api: string | undefined, node: Node): boolean {
    const { history, imagesFor: before } = this;
    // Only the results since the last reply are placed. After a switch of the API or of the branch, all are.
    const isSame = before?.api === api && before?.replacements === history.replacements;
    const from = isSame ? before.length : 0;
    const items = history.items.slice(from);
    const sent = this.withImages(items, api, node);
    if (sent.some((item, index) => item !== items[index])) {
      if (isSame) {
        history.replaceEnd(from, sent);
      } else {
        history.replace(sent);
      }
    }
    const images = items.flatMap(({ result }) =>
      result === undefined || result.images.length === 0 ? [] : [result],
    );
    const isPlain = (!isSame || before.isPlain) && images.every(result => result.isPlain);
    const hasImages = (isSame && before.hasImages) || images.length > 0;
    const { replacements } = history;
    this.imagesFor = { api, replacements, length: history.items.length, hasImages, isPlain };
    return !hasImages || (isPlain && (api === chatApi || resultsWithImages.test(api ?? '')));
  }

  /** Items with the images of their results where an API takes them. */
  private withImages(
    items: readonly Item[],
    api: string | undefined,
    { place, timestamp }: Node,
  ): readonly Item[] {
    const { builder, imageLines } = this;
    let images: number[] = [];
    return items.map((item, index) => {
      const { id, result } = item;
      if (result === undefined) {
        return item;
      }
      let blocks = result.all;
      if (api === chatApi) {
        images.push(...result.images);
        blocks = result.texts;
        if (images.length > 0 && items[index + 1]?.result === undefined) {
          const line =
            imageLines.get(id) ??
            builder.addBlock(
              textBlock(literalText(imagesLine), place, 'user', clientText),
              builder.addMessage({ role: 'user', timestamp }),
            );
          imageLines.set(id, line);
          blocks = [...blocks, line, ...images];
          images = [];
        }
      }
      const isSame =
        blocks.length === item.blocks.length && blocks.every((block, at) => block === item.blocks[at]);
      return isSame ? item : { ...item, blocks };
    });
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
    const { id, parent } = this.answered(node);
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
      history.open({ line, usage, summarizes: true }, summary.blocks, {
        context: this.builder.startContext(),
        length: 0,
      });
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

/** Types of records that only oh-my-pi writes. */
const ownTypes: ReadonlySet<string> = new Set([
  'title',
  'title_change',
  'model_usage',
  'reset_boundary',
  'service_tier_change',
  'credential_pin',
  'ttsr_injection',
]);

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The calls of a reply, and the call that a result answers. */
function pairsOf(blocks: readonly NewBlock[]): Pick<Item, 'calls' | 'answers'> {
  const calls = blocks.flatMap(({ kind, callId }) => (kind === 'toolCall' ? (callId ?? []) : []));
  const answers = blocks.find(({ kind }) => kind === 'toolResult')?.callId;
  return { ...(calls.length === 0 ? {} : { calls }), ...(answers === undefined ? {} : { answers }) };
}

/** The thinking of a reply. */
function thoughtOf(
  blocks: readonly NewBlock[],
  all: readonly number[],
  model: string | undefined,
): Pick<Item, 'thought'> {
  const rest = all.filter((_, index) => blocks[index]?.kind !== 'thinking');
  return rest.length === all.length ? {} : { thought: { model, all, rest } };
}

/** The parts of a result. */
function resultOf(blocks: readonly NewBlock[], all: readonly number[]): Pick<Item, 'result'> {
  if (!blocks.some(({ role }) => role === 'tool')) {
    return {};
  }
  const images = all.filter((_, index) => blocks[index]?.kind === 'image');
  const texts = all.filter((_, index) => blocks[index]?.kind !== 'image');
  const isPlain = texts.length > 0 && blocks.every(({ isError }) => isError !== true);
  return { result: { all, texts, images, isPlain } };
}

/** The calls of the newest reply without a result. Once another message follows, they are answered. */
function openCalls(items: readonly Item[]): readonly string[] {
  const answered = new Set<string>();
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const { calls, answers } = items[at] ?? {};
    if (calls !== undefined) {
      return calls.filter(id => !answered.has(id));
    }
    if (answers === undefined) {
      return [];
    }
    answered.add(answers);
  }
  return [];
}

function usageAt(value: unknown): RecordedUsage | undefined {
  const usage = objectAt(value, 'usage');
  return withCost(readUsage(usage, 'pi'), member(objectAt(usage, 'cost'), 'total'));
}

/** The time of a record, in ISO form, or of a message, in milliseconds. */
function timeOf(value: unknown): number | undefined {
  return timeAt(value, 'timestamp') ?? epochAt(value, 'timestamp');
}
