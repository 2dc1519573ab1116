import { arrayAt, countAt, member, millisecondsAt, objectAt, stringAt } from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import { compactionSummary, systemPrompt } from '../../content/classification';
import type { KnownCall } from '../../content/knownCalls';
import { below, type Place, sourceOf, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { History } from '../common/history';
import { addSubagent } from '../common/notes';
import { readUsage, type UsageDialectName, withCost } from '../../wire/usage';
import { callBlock, type PartBlock, replyBlock, resultBlocks, userPartBlocks } from './opencodeBlocks';
import { isAborted, isContent, isLasting, startOf, stepsOf } from './opencodeSteps';

/** A position in the sent content. Pruning replaces or removes the block. */
interface Slot {
  block: number | undefined;
  readonly prunedAt?: number | undefined;
  readonly notice?: number | undefined;
  readonly shortened?: { readonly block: NewBlock; readonly message: number } | undefined;
}

/** A message, or one step of a reply, in the form in which later requests send it. */
interface Entry {
  readonly id: string;
  readonly slots: Slot[];
  readonly isSummary: boolean;
  /** The part that asks for a compaction, if the message has one. */
  readonly compaction?: unknown;
}

/** The place of a session's object. */
export interface SessionPlace extends Place {
  readonly thread: number;
  /** Threads of the sessions in the same document, by their ids. */
  readonly threads: ReadonlyMap<string, number>;
}

/**
 * Reads one session, `{info, messages: [{info, parts}]}`. Each reply is a request with the content that opencode builds
 * from the messages before it (session/message-v2.ts). Returns the label of the first prompt.
 */
export function readSession(
  session: unknown,
  place: SessionPlace,
  builder: TranscriptBuilder,
): string | undefined {
  return new SessionReader(session, place, builder).read();
}

class SessionReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();
  private readonly usageDialect: UsageDialectName;
  private readonly entries: Entry[] = [];
  /** The content of the next request, in wire order. */
  private window: Entry[] = [];
  private context: number;
  /** Slots at the end of the window that no request has sent yet. */
  private waiting: Slot[] = [];
  /** Slots that will be pruned, and the time of the first pruning. */
  private unpruned: Slot[] = [];
  private nextPruning = Infinity;
  private systemPrompt: { readonly text: string; readonly block: number } | undefined;
  private firstPrompt: string | undefined;

  constructor(
    private readonly session: unknown,
    private readonly place: SessionPlace,
    private readonly builder: TranscriptBuilder,
  ) {
    this.history = new History(builder, place.thread);
    this.context = builder.startContext();
    // Some versions include the reasoning in the output, others do not. One message that shows the difference decides.
    const isBeside = arrayAt(session, 'messages').some(message => {
      const tokens = objectAt(objectAt(message, 'info'), 'tokens');
      return (readUsage(tokens, 'opencode')?.output ?? 0) > countAt(tokens, 'output');
    });
    this.usageDialect = isBeside ? 'opencodeBeside' : 'opencode';
  }

  read(): string | undefined {
    const messages = arrayAt(this.session, 'messages');
    // A fork has copies of the messages of the other session, with their times.
    const began = createdAt(objectAt(this.session, 'info')) ?? Number.NEGATIVE_INFINITY;
    messages.forEach((message, index) => {
      const place = this.placeOf(below(this.place, 'messages', index));
      const created = createdAt(objectAt(message, 'info')) ?? began;
      this.builder.inheritance = created < began ? 'shared' : undefined;
      switch (stringAt(objectAt(message, 'info'), 'role') ?? '') {
        case 'user':
          this.readUser(message, place);
          break;
        case 'assistant':
          this.readAssistant(message, place, index === messages.length - 1);
          break;
        default:
          this.builder.addProblem('unknownRecord', sourceOf(place).line);
          this.builder.leaveOut('a message of neither user nor assistant', sourceOf(place));
      }
    });
    this.builder.inheritance = undefined;
    this.readEnd();
    return this.firstPrompt;
  }

  /** Applies what is recorded after the last message: pruned results, and an end that the user has taken back. */
  private readEnd(): void {
    this.prune(Number.MAX_VALUE, sourceOf(this.place));
    const reverted = stringAt(objectAt(objectAt(this.session, 'info'), 'revert'), 'messageID');
    const end = this.window.findIndex(({ id }) => id === reverted);
    if (end >= 0) {
      this.window = this.window.slice(0, end);
      this.restart();
    }
    // The next request will also send a prompt that has no reply yet, and new results.
    this.blocks.push(...numbersOf(this.waiting.splice(0)));
  }

  private readUser(message: unknown, place: Place): void {
    const info = objectAt(message, 'info');
    const parts = arrayAt(message, 'parts');
    const number = this.addMessage(info, 'user');
    const entry: Entry = {
      id: stringAt(info, 'id') ?? '',
      isSummary: false,
      compaction: parts.find(part => stringAt(part, 'type') === 'compaction'),
      slots: [],
    };
    this.readSystem(info, this.placeOf(below(place, 'info', 'system')), number);
    if (arrayAt(objectAt(info, 'summary'), 'diffs').length > 0) {
      const at = this.placeOf(below(place, 'info', 'summary'));
      this.builder.leaveOut('changes to files in a turn', sourceOf(at));
    }
    parts.forEach((part, index) => {
      const at = this.placeOf(below(place, 'parts', index));
      const blocks = userPartBlocks(part, at);
      if (blocks === undefined) {
        this.leavePartOut(part, sourceOf(at));
      } else if (typeof blocks === 'string') {
        this.builder.leaveOut(blocks, sourceOf(at));
      } else {
        for (const block of blocks) {
          this.firstPrompt ??= block.kind === 'prompt' ? block.label : undefined;
          entry.slots.push({ block: this.builder.addBlock(block, number) });
        }
      }
    });
    this.entries.push(entry);
    this.window.push(entry);
    this.waiting.push(...entry.slots);
  }

  /** Reads a message's system prompt, which comes first in every request from then on. */
  private readSystem(info: unknown, place: Place, message: number): void {
    const text = stringAt(info, 'system');
    if (text === undefined || text === '' || text === this.systemPrompt?.text) {
      return;
    }
    const block = textBlock(textOf(text, place), place, 'system', systemPrompt);
    this.systemPrompt = { text, block: this.builder.addBlock(block, message) };
    this.restart();
  }

  private readAssistant(message: unknown, place: Place, isLast: boolean): void {
    const info = objectAt(message, 'info');
    const range = sourceOf(place);
    const parts = arrayAt(message, 'parts').map((part, index) => ({
      part,
      place: this.placeOf(below(place, 'parts', index)),
    }));
    const failed = objectAt(info, 'error') !== undefined;
    if (failed && !parts.some(({ part }) => isContent(part))) {
      this.builder.leaveOut('a call that failed', range);
      parts.forEach(({ part, place: at }) => this.leavePartOut(part, sourceOf(at)));
      return;
    }
    // A message is stored before its request is sent. Stopped before that, it stays empty.
    if (parts.length === 0 && readUsage(objectAt(info, 'tokens'), 'opencode') === undefined) {
      this.builder.leaveOut('a call that was stopped before it was sent', range);
      return;
    }
    const number = this.addMessage(info, 'assistant');
    const isSummary = member(info, 'summary') === true;
    const steps = stepsOf(parts);
    const isSent = !failed || (isAborted(info) && parts.some(({ part }) => isLasting(part)));
    steps.forEach((step, index) => {
      const finish = step.find(({ part }) => stringAt(part, 'type') === 'step-finish')?.part;
      const used = steps.length > 1 ? finish : info;
      const started = index === 0 ? undefined : startOf(step.map(({ part }) => part));
      const reply: number[] = [];
      this.addRequest(info, range, started ?? createdAt(info), used, reply);
      const results = this.readStep(step, number, reply, isSummary, isLast && index === steps.length - 1);
      const entry: Entry = {
        id: stringAt(info, 'id') ?? '',
        isSummary,
        slots: isSent ? [...reply.map(block => ({ block })), ...results] : [],
      };
      this.entries.push(entry);
      if (isSent) {
        this.window.push(entry);
        if (!isSummary) {
          this.blocks.push(...reply);
        }
        // The request for a summary may have its own context, and a finished summary starts another one.
        this.waiting.push(...(isSummary ? entry.slots : results));
      }
    });
    if (isSummary && !failed && stringAt(info, 'finish') !== undefined) {
      this.compact(stringAt(info, 'parentID'), range);
    }
  }

  /** Adds the blocks of one step of a reply, and returns the slots of its results. */
  private readStep(
    parts: readonly { readonly part: unknown; readonly place: Place }[],
    message: number,
    reply: number[],
    isSummary: boolean,
    stillRunning: boolean,
  ): readonly Slot[] {
    const results: Slot[] = [];
    for (const { part, place } of parts) {
      switch (stringAt(part, 'type') ?? '') {
        case 'text':
        case 'reasoning':
          reply.push(
            this.builder.addBlock(
              replyBlock(part, place, isSummary ? compactionSummary : undefined),
              message,
            ),
          );
          break;
        case 'tool':
          reply.push(this.builder.addBlock(callBlock(part, place, this.calls), message));
          results.push(
            ...resultBlocks(part, stillRunning, place, this.calls).map(result =>
              this.addResult(result, message),
            ),
          );
          this.readSubagent(part);
          if (objectAt(objectAt(part, 'state'), 'metadata') !== undefined) {
            this.builder.leaveOut("a tool's metadata for the interface", sourceOf(place));
          }
          break;
        default:
          this.leavePartOut(part, sourceOf(place));
      }
    }
    return results;
  }

  private addResult({ block, prunedAt, notice, shortened }: PartBlock, message: number): Slot {
    const slot: Slot = {
      block: this.builder.addBlock(block, message),
      prunedAt,
      notice: notice === undefined ? undefined : this.builder.addBlock(notice, message),
      shortened: shortened && { block: shortened, message },
    };
    if (prunedAt !== undefined) {
      this.unpruned.push(slot);
      this.nextPruning = Math.min(this.nextPruning, prunedAt);
    }
    return slot;
  }

  private addRequest(
    info: unknown,
    range: SourceRange,
    timestamp: number | undefined,
    used: unknown,
    reply: readonly number[],
  ): void {
    this.prune(timestamp ?? 0, range);
    const isSummary = member(info, 'summary') === true;
    const summarized = isSummary ? this.summarized() : undefined;
    if (summarized === undefined) {
      this.blocks.push(...numbersOf(this.waiting.splice(0)));
    }
    const context = summarized ?? this.context;
    this.history.open(
      {
        line: range.line,
        id: stringAt(info, 'id'),
        timestamp,
        model: stringAt(info, 'modelID'),
        usage: withCost(readUsage(objectAt(used, 'tokens'), this.usageDialect), member(used, 'cost')),
        summarizes: isSummary ? true : undefined,
      },
      reply,
      { context, length: this.builder.contexts[context]?.length ?? 0 },
    );
  }

  /**
   * The context of a request for a summary. Versions that keep the newest messages send the messages before those with
   * shortened results, then the previous summary. Older versions send everything, as in any other request: `undefined`.
   */
  private summarized(): number | undefined {
    const part = this.window.at(-1)?.compaction;
    if (member(part, 'tail_start_id') === undefined) {
      return undefined;
    }
    const tail = stringAt(part, 'tail_start_id');
    const end = this.window.findIndex(({ id }) => id === tail);
    const head = this.window.slice(0, end < 0 ? -1 : end);
    const messages = head.filter(({ isSummary, compaction }) => !isSummary && compaction === undefined);
    const summaries = head.filter(({ isSummary }) => isSummary);
    return this.builder.startContext([
      ...messages.flatMap(({ slots }) =>
        slots.flatMap(({ block, notice, shortened }) => {
          const wasPruned = block === notice;
          return shortened === undefined || wasPruned
            ? (block ?? [])
            : this.builder.addBlock(shortened.block, shortened.message);
        }),
      ),
      ...numbersOf(summaries.flatMap(({ slots }) => slots)),
    ]);
  }

  /**
   * Compacts the context. After the summary, requests contain the message that asked for it, the summary, and the kept
   * messages.
   */
  private compact(markerId: string | undefined, range: SourceRange): void {
    const summary = this.entries.at(-1);
    const markerAt = this.entries.findLastIndex(
      ({ id, compaction }) => id === markerId && compaction !== undefined,
    );
    const marker = this.entries[markerAt];
    const part = marker?.compaction;
    const tail = stringAt(part, 'tail_start_id');
    const tailAt = tail === undefined ? -1 : this.entries.findIndex(({ id }) => id === tail);
    const kept = tailAt < 0 || tailAt > markerAt ? [] : this.entries.slice(tailAt, markerAt);
    this.window = [marker ?? [], summary ?? [], kept].flat();
    this.restart();
    const trigger = member(part, 'auto');
    this.history.noteCompaction({
      line: range.line,
      trigger: typeof trigger === 'boolean' ? (trigger ? 'auto' : 'manual') : undefined,
    });
  }

  /** Replaces every result pruned by this time with the notice, and starts a new context. */
  private prune(time: number, range: SourceRange): void {
    if (time < this.nextPruning) {
      return;
    }
    const pruned = new Set(this.unpruned.filter(({ prunedAt = 0 }) => prunedAt <= time));
    this.unpruned = this.unpruned.filter(slot => !pruned.has(slot));
    this.nextPruning = Math.min(...this.unpruned.map(({ prunedAt = 0 }) => prunedAt));
    const stood = this.window.some(({ slots }) => slots.some(slot => pruned.has(slot)));
    for (const slot of pruned) {
      slot.block = slot.notice;
    }
    if (!stood) {
      return;
    }
    this.restart();
    this.history.noteCompaction({
      kind: 'clearing',
      contextLength: this.blocks.length,
      line: range.line,
    });
  }

  /** Starts a context with everything in the window. */
  private restart(): void {
    this.waiting = [];
    const slots = this.window.flatMap(entry => entry.slots);
    const system = this.systemPrompt === undefined ? [] : [this.systemPrompt.block];
    if (this.blocks.length === 0) {
      this.blocks.push(...system, ...numbersOf(slots));
    } else {
      this.context = this.builder.startContext([...system, ...numbersOf(slots)]);
      if (this.place.thread === 0) {
        const { blocks } = this;
        this.builder.noteReplaced(() => blocks);
      }
    }
  }

  private readSubagent(part: unknown): void {
    const state = objectAt(part, 'state');
    const id =
      stringAt(objectAt(state, 'metadata'), 'sessionId') ??
      stringAt(objectAt(state, 'metadata'), 'sessionID');
    if (stringAt(part, 'tool') !== 'task' || id === undefined) {
      return;
    }
    addSubagent(this.builder, {
      id,
      thread: this.place.threads.get(id),
      callId: stringAt(part, 'callID'),
      description: stringAt(objectAt(state, 'input'), 'description'),
    });
  }

  private leavePartOut(part: unknown, source: SourceRange): void {
    const type = stringAt(part, 'type');
    if (type === undefined || !partsWithoutContent.has(type)) {
      this.builder.addProblem('unknownRecord', source.line);
    }
    this.builder.leaveOut(type === undefined ? 'a part without a type' : `${type} part`, source);
  }

  private addMessage(info: unknown, role: 'user' | 'assistant'): number {
    return this.builder.addMessage({
      role,
      id: stringAt(info, 'id'),
      timestamp: createdAt(info),
      summary: role === 'assistant' && member(info, 'summary') === true ? true : undefined,
    });
  }

  /** The place of a message or part. All its blocks get the bytes of the whole, which are located once. */
  private placeOf(place: Place): Place {
    let source: SourceRange | undefined;
    return { ...place, locate: () => (source ??= sourceOf({ ...place, locate: this.place.locate })) };
  }

  private get blocks(): number[] {
    return this.builder.contexts[this.context] ?? [];
  }
}

const partsWithoutContent: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
]);

function createdAt(info: unknown): number | undefined {
  return millisecondsAt(objectAt(info, 'time'), 'created');
}

function numbersOf(slots: readonly Slot[]): readonly number[] {
  return slots.flatMap(({ block }) => block ?? []);
}
