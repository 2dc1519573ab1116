import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import type { HashText } from '../base/sha256';
import { isHighSurrogate, isLowSurrogate } from '../base/unicodeText';
import type { Block, SourceRange, TextSize } from '../model/block';
import { begunWindows, isSameWindow, type QuotaWindow, type RecordedQuota } from '../model/quota';
import { BlockCollector } from '../model/blockList';
import { contentLabel, contentWords, digestText } from '../model/contentHash';
import type {
  AfterNewest,
  Compaction,
  RecordedConversation,
  LeftOut,
  Problem,
  ProblemKind,
  RecordedRequest,
  Subagent,
  TextPart,
  Transcript,
  TranscriptMessage,
  VersionRun,
} from '../model/transcript';
import { isPruneNotice } from './pruneNotices';
import { textKindOf } from './textKind';
import { textParts } from './textParts';

type Optional = 'toolName' | 'callId' | 'path' | 'isError' | 'cleared' | 'useless' | 'inherited' | 'image';

/**
 * A block as a format adapter returns it, before its message is known (see `blockFactory`). Its text is measured and
 * hashed when it is added, and then released.
 */
export type NewBlock = Omit<Block, 'size' | 'contentHash' | 'message' | Optional> & {
  readonly content: string;
} & { readonly [Name in Optional]?: Block[Name] | undefined };

/** A message as an adapter gives it. */
export type NewMessage = {
  readonly [Name in keyof TranscriptMessage]: TranscriptMessage[Name] | undefined;
} & Pick<TranscriptMessage, 'role'>;

/**
 * Receives the text of every block when it is added: what is counted there need not be read again. `first` is the
 * number of the first block with the same content; its own number if there is none before it.
 */
export type TextVisitor = (block: NewBlock, number: number, first: number) => void;

export interface BuilderTools {
  readonly visitText?: TextVisitor | undefined;
  readonly hashText?: HashText | undefined;
  /**
   * True if more may be read after the transcript is built; `false` keeps none of the state needed to continue reading.
   */
  readonly mayGrow?: boolean | undefined;
}

/** The state of a builder at one moment. */
export interface BuilderMark {
  readonly blocks: number;
  readonly lengths: readonly number[];
  readonly contexts: readonly number[];
  readonly subagents: readonly (readonly [string, Subagent])[];
  readonly problems: readonly Counted<ProblemKind>[];
  readonly leftOut: readonly Counted<string>[];
  readonly title: string | undefined;
}

type Counted<Name> = readonly [name: Name, line: number, count: number];

/** Windows of a limit that are kept. Half a year of five-hour windows has fewer; a damaged file can name one in each record. */
const mostWindows = 1000;

/**
 * Collects what a format adapter finds and builds the finished transcript. Blocks, messages and contexts are numbered
 * in the order in which they are added.
 */
export class TranscriptBuilder {
  readonly blocks = new BlockCollector();
  readonly messages: TranscriptMessage[] = [];
  readonly contexts: number[][] = [];
  readonly requests: RecordedRequest[] = [];
  readonly compactions: Compaction[] = [];
  readonly subagents = new Map<string, Subagent>();
  readonly conversations: RecordedConversation[] = [];
  readonly parts: TextPart[] = [];
  /** The agent's versions, with their numbers. */
  private readonly versions = new Map<string, number>();
  private readonly versionRuns: VersionRun[] = [];
  private version = '';
  private quota: RecordedQuota | undefined;
  /** By their length; those of one length follow each other. */
  private readonly quotaWindows = new Map<number, QuotaWindow[]>();
  agentName = '';
  title: string | undefined;
  sessionId: string | undefined;
  workingDirectory: string | undefined;
  bytesRead = 0;
  /**
   * The source of the records that are being read, while they belong to the session that this fork continues.
   * `shared`: from the beginning of the fork's own file. `copied`: likewise, but their requests are left out.
   * `elsewhere`: from the other session's file, without their requests.
   */
  inheritance: 'shared' | 'copied' | 'elsewhere' | undefined;
  /** The last replacement of the main conversation's history and the last choice of its model. */
  private replaced:
    | { readonly blocks: () => readonly number[]; readonly elsewhere: number; readonly requests: number }
    | undefined;
  private chosenModel: { readonly name: string; readonly requests: number } | undefined;
  /** True if the file begins in the middle of a conversation. */
  beganElsewhere = false;
  /** See `Problem.bytes`, for `missingHistory`. */
  missingBytes: number | undefined;
  private readonly problems = new Map<ProblemKind, { line: number; count: number }>();
  private readonly leftOut = new Map<string, { line: number; count: number }>();

  constructor(readonly tools: BuilderTools = {}) {}

  addMessage(message: NewMessage): number {
    return this.messages.push(compactMessage(message)) - 1;
  }

  /** Adds a block to a message and returns its number. */
  addBlock(found: NewBlock, message: number): number {
    const block = this.inherited(found);
    const { content, contentType, kind } = block;
    const digest = digestText(content);
    const number = this.blocks.add(block, message, {
      characters: contentType === 'image' ? 0 : content.length,
      bytes: digest.bytes,
      hash: contentWords(contentLabel(block), digest),
      cleared: block.cleared === true || (kind === 'toolResult' && isPruneNotice(content)),
      textKind: textKindOf(content),
    });
    const first = this.blocks.firstOccurrence(number);
    if (first === number && isOfParts(block)) {
      textParts(content).forEach(part => this.parts.push({ block: number, ...part }));
    }
    this.tools.visitText?.(block, number, first);
    return number;
  }

  /** Texts of other files are kept in memory, because blocks can refer only to the file that is read. */
  private inherited(block: NewBlock): NewBlock {
    switch (this.inheritance) {
      case undefined:
        return block;
      case 'shared':
      case 'copied':
        return { ...block, inherited: true };
      case 'elsewhere':
        return { ...block, inherited: true, text: { kind: 'literal', text: block.content } };
    }
  }

  /** Adds the blocks of a message and returns their numbers. */
  addBlocks(blocks: readonly NewBlock[], message: number): number[] {
    return blocks.map(block => this.addBlock(block, message));
  }

  /** True if the requests of the records that are read now are listed in this transcript. */
  get hasOwnRequests(): boolean {
    return this.inheritance === undefined || this.inheritance === 'shared';
  }

  /** The label of the first prompt, used as the title if none is recorded. */
  get firstPrompt(): string | undefined {
    for (const block of this.blocks) {
      if (block.kind === 'prompt') {
        return block.label;
      }
    }
    return undefined;
  }

  /** The label of the first prompt among these blocks. */
  promptAmong(numbers: readonly number[]): string | undefined {
    for (const number of numbers) {
      const block = this.blocks.at(number);
      if (block?.kind === 'prompt') {
        return block.label;
      }
    }
    return undefined;
  }

  /** Starts a context with the given blocks at its head and returns its number. */
  startContext(blocks: readonly number[] = []): number {
    return this.contexts.push([...blocks]) - 1;
  }

  /** Notes the limits of the subscription, which replace those noted before. */
  noteQuota(quota: RecordedQuota): void {
    this.quota = quota;
    for (const window of begunWindows(quota)) {
      const windows = entryOf(this.quotaWindows, window.minutes, () => []);
      const newest = windows.at(-1);
      if (newest !== undefined && isSameWindow(window, newest)) {
        windows.pop();
      }
      windows.push(window);
    }
  }

  /** Notes the version of the agent if a record names one. */
  addVersion(version: string | undefined): void {
    if (version !== undefined && version !== '' && version !== this.version) {
      this.version = version;
      const number = entryOf(this.versions, version, () => this.versions.size);
      this.versionRuns.push({ version: number, request: this.requests.length });
    }
  }

  /**
   * Notes that the history of the main conversation was replaced.
   * @param blocks returns the blocks that a request sent now would begin with
   * @param elsewhere tokens that it removed from a part of the conversation that is not in this file
   */
  noteReplaced(blocks: () => readonly number[], elsewhere = 0): void {
    this.replaced = { blocks, elsewhere, requests: this.requests.length };
  }

  /** Notes that the user or the agent chose a model for the next requests of the main conversation. */
  chooseModel(name: string | undefined): void {
    if (name !== undefined && name !== '') {
      this.chosenModel = { name, requests: this.requests.length };
    }
  }

  addProblem(kind: ProblemKind, line: number, count = 1): void {
    if (this.inheritance === 'elsewhere') {
      // It is a problem of the other file.
      return;
    }
    const seen = this.problems.get(kind);
    if (seen === undefined) {
      this.problems.set(kind, { line, count });
    } else {
      seen.count += count;
    }
  }

  /** Counts a record that the model never saw, under the reason. */
  leaveOut(reason: string, source: SourceRange): void {
    if (this.inheritance === 'elsewhere') {
      return;
    }
    const seen = this.leftOut.get(reason);
    if (seen === undefined) {
      this.leftOut.set(reason, { line: source.line, count: 1 });
    } else {
      seen.count += 1;
    }
  }

  /** Counts a record of an unknown kind, both as a problem and as left out. */
  leaveOutUnknown(source: SourceRange, reason = 'a record without a type'): void {
    this.addProblem('unknownRecord', source.line);
    this.leaveOut(reason, source);
  }

  /** Counts a record that the model never saw, under its type. A record without a type is a problem. */
  leaveRecordOut(type: string | undefined, source: SourceRange): void {
    if (type === undefined || type === '') {
      this.leaveOutUnknown(source);
    } else {
      this.leaveOut(`${type} record`, source);
    }
  }

  mark(): BuilderMark {
    return {
      blocks: this.blocks.length,
      lengths: this.lists.map(list => list.length),
      contexts: this.contexts.map(context => context.length),
      subagents: [...this.subagents],
      problems: [...this.problems].map(([kind, { line, count }]) => [kind, line, count]),
      leftOut: [...this.leftOut].map(([reason, { line, count }]) => [reason, line, count]),
      title: this.title,
    };
  }

  /** Removes what was added since. Changes to requests and compactions that already existed stay. */
  restore({ blocks, lengths, contexts, subagents, problems, leftOut, title }: BuilderMark): void {
    this.blocks.truncate(blocks);
    this.lists.forEach((list, index) => {
      list.length = lengths[index] ?? 0;
    });
    this.contexts.length = contexts.length;
    this.contexts.forEach((context, index) => {
      context.length = contexts[index] ?? 0;
    });
    this.subagents.clear();
    subagents.forEach(([id, subagent]) => this.subagents.set(id, subagent));
    this.problems.clear();
    problems.forEach(([kind, line, count]) => this.problems.set(kind, { line, count }));
    this.leftOut.clear();
    leftOut.forEach(([reason, line, count]) => this.leftOut.set(reason, { line, count }));
    this.title = title;
  }

  /** Usage can still change until the end, so its problems are counted last. */
  private allProblems(): readonly Problem[] {
    const bytes = this.missingBytes;
    const problems = [...this.problems].map(([kind, rest]): Problem => ({
      kind,
      ...rest,
      ...(kind === 'missingHistory' && bytes !== undefined && { bytes }),
    }));
    const damaged = this.requests.filter(({ usage }) => usage?.isDamaged === true);
    const [first] = damaged;
    return first === undefined
      ? problems
      : [...problems, { kind: 'impossibleCount', line: first.line, count: damaged.length }];
  }

  private afterNewest(): AfterNewest | undefined {
    const { requests, compactions, contexts, replaced, chosenModel } = this;
    const newest = requests.findLastIndex(({ thread, summarizes }) => thread === 0 && summarizes !== true);
    const request = requests[newest];
    if (request === undefined) {
      return undefined;
    }
    const last = compactions.findLast(each => each.thread === 0 && each.request > newest);
    const left = replaced !== undefined && replaced.requests > newest ? replaced.blocks() : undefined;
    const sent = contexts[request.context] ?? [];
    const isShorter =
      left !== undefined &&
      (left.length < request.length ||
        left.some((block, index) => index < request.length && block !== sent[index]));
    const model = chosenModel !== undefined && chosenModel.requests > newest ? chosenModel.name : undefined;
    const change: AfterNewest['change'] = last?.kind ?? (isShorter ? 'rewind' : undefined);
    const isFirst = compactions.every(
      each => each.thread !== 0 || each.kind !== 'compaction' || each.request > newest,
    );
    const began = this.beganElsewhere || this.problems.has('missingHistory');
    const after = defined({
      change,
      stated: last?.tokensAfter,
      removedElsewhere: left === undefined || replaced?.elsewhere === 0 ? undefined : replaced?.elsewhere,
      lacksHistory: change === 'compaction' && began && isFirst ? (true as const) : undefined,
      blocks: isShorter || last !== undefined ? left : undefined,
      // Some replies name the version of the model too.
      model: model === undefined || request.model?.startsWith(model) === true ? undefined : model,
    });
    return Object.keys(after).length === 0 ? undefined : after;
  }

  private get lists(): readonly unknown[][] {
    return [this.messages, this.requests, this.compactions, this.conversations, this.parts];
  }

  /** The transcript so far. If reading may continue, later additions do not change it. */
  build(format: string): Transcript {
    const { messages, contexts, requests } = this;
    const isFinal = this.tools.mayGrow === false;
    return {
      format,
      agent: {
        name: this.agentName,
        versions: [...this.versions.keys()],
        ...(this.versionRuns.length > 1 ? { runs: [...this.versionRuns] } : {}),
      },
      ...defined({ title: this.title, sessionId: this.sessionId, workingDirectory: this.workingDirectory }),
      blocks: this.blocks.list(),
      messages: isFinal ? messages : [...messages],
      contexts: isFinal ? contexts : contexts.map(context => [...context]),
      requests: isFinal ? requests : requests.map(request => ({ ...request, reply: [...request.reply] })),
      compactions: this.compactions.map(compaction => ({ ...compaction })),
      ...defined({ after: this.afterNewest(), quota: this.quota }),
      quotaWindows: [...this.quotaWindows.values()].flat().slice(-mostWindows),
      subagents: [...this.subagents.values()],
      conversations: [...this.conversations],
      parts: [...this.parts],
      problems: this.allProblems(),
      leftOut: [...this.leftOut].map(([reason, rest]): LeftOut => ({ reason, ...rest })),
      bytesRead: this.bytesRead,
    };
  }
}

function compactMessage({ role, id, timestamp, summary }: NewMessage): TranscriptMessage {
  if (summary !== undefined) {
    return {
      role,
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
      summary,
    };
  }
  if (id === undefined) {
    return timestamp === undefined ? { role } : { role, timestamp };
  }
  return timestamp === undefined ? { role, id } : { role, id, timestamp };
}

/** True if a text may contain instruction files or lists of the client. */
function isOfParts({ contentType, kind, partition, provenance }: NewBlock): boolean {
  return (
    contentType === 'text' &&
    (kind === 'systemPrompt' ||
      (kind === 'injected' && partition === 'knowledge' && provenance !== 'retrieval'))
  );
}

/** UTF-16 units and UTF-8 bytes of a text; a lone surrogate counts as the three bytes of U+FFFD. */
export function measureText(text: string): TextSize {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      continue;
    }
    if (unit < 0x800) {
      bytes += 1;
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else {
      bytes += 2;
    }
  }
  return { characters: text.length, bytes };
}
