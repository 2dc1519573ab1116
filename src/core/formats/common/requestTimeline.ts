import type { ReadMessage } from '../../content/dialects/generic';
import type { KnownCall } from '../../content/knownCalls';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { contentHash, digestText } from '../../model/contentHash';
import { type NewRequest, requestDraft } from './requestDraft';

/** What is known of a request beside its context. */
export type RequestFacts = Omit<NewRequest, 'context' | 'length' | 'thread' | 'reply'>;

export interface TimelineMark {
  readonly context: number | undefined;
  readonly contexts: number;
}

/** How many of the latest contexts are looked at for one that a request goes on with. */
const contextsLookedAt = 8;

/**
 * One conversation of a transcript, while it is read. Either as a history that only grows (`add`, `addReply`), or from
 * records of which each repeats its whole context (`addRequest`): there, a message that stood in an earlier request is
 * the same block again, and a request that goes on with an earlier one shares its context.
 */
export class RequestTimeline {
  readonly calls = new Map<string, KnownCall>();
  private context: number | undefined;
  private readonly contexts: number[] = [];
  /** Blocks by content, with the times that the content stands in one context. */
  private readonly known = new Map<string, number[]>();

  constructor(
    private readonly builder: TranscriptBuilder,
    readonly thread: number,
  ) {}

  /** The blocks of the current context, in wire order. */
  get blocks(): readonly number[] {
    return this.current;
  }

  /** Adds a message to the history and gives the numbers of its blocks. */
  add(message: ReadMessage): readonly number[] {
    const numbers = this.write(message);
    this.current.push(...numbers);
    return numbers;
  }

  /** Adds the model's reply to all that stands before it, as a request. */
  addReply(message: ReadMessage, facts: RequestFacts): readonly number[] {
    const { length } = this.current;
    const reply = this.write(message);
    this.current.push(...reply);
    const context = this.currentContext();
    this.builder.requests.push(requestDraft({ ...facts, context, length, thread: this.thread, reply }));
    return reply;
  }

  /** Adds blocks that are known already to the current context. */
  append(blocks: readonly number[]): void {
    for (const block of blocks) {
      this.current.push(block);
    }
  }

  /** How far a history that only grows has come, for `restore`. */
  mark(): TimelineMark {
    return { context: this.context, contexts: this.contexts.length };
  }

  /** Takes back what was added since, as the builder does. */
  restore({ context, contexts }: TimelineMark): void {
    this.context = context;
    this.contexts.length = contexts;
  }

  /** Goes on with a rewritten history, after a compaction. */
  rewrite(blocks: readonly number[]): void {
    this.context = this.startContext(blocks);
  }

  /** Adds a request by the whole of its context, and its reply. */
  addRequest(messages: readonly ReadMessage[], reply: readonly ReadMessage[], facts: RequestFacts): void {
    const seen = new Map<string, number>();
    const context = messages.flatMap(message => this.recall(message, seen));
    this.builder.requests.push(
      requestDraft({
        ...facts,
        context: this.contextOf(context),
        length: context.length,
        thread: this.thread,
        reply: reply.flatMap(message => this.recall(message, seen)),
      }),
    );
  }

  private get current(): number[] {
    return this.builder.contexts[this.currentContext()] ?? [];
  }

  private currentContext(): number {
    this.context ??= this.startContext([]);
    return this.context;
  }

  private startContext(blocks: readonly number[]): number {
    const context = this.builder.startContext(blocks);
    this.contexts.push(context);
    return context;
  }

  private contextOf(blocks: readonly number[]): number {
    for (const context of this.contexts.slice(-contextsLookedAt).reverse()) {
      const list = this.builder.contexts[context] ?? [];
      const shared = Math.min(list.length, blocks.length);
      if (shared > 0 && list.slice(0, shared).every((block, index) => block === blocks[index])) {
        for (const block of blocks.slice(shared)) {
          list.push(block);
        }
        return context;
      }
    }
    return this.startContext(blocks);
  }

  private write(message: ReadMessage): number[] {
    return message.blocks.length === 0 ? [] : this.writeBlocks(message, this.builder.addMessage(message));
  }

  private writeBlocks({ blocks }: Pick<ReadMessage, 'blocks'>, message: number): number[] {
    return blocks.map(block => {
      if (block.kind === 'toolResult' && block.callId !== undefined && !this.calls.has(block.callId)) {
        this.builder.addProblem('resultWithoutCall', block.source.line);
      }
      return this.builder.addBlock({ ...block, message });
    });
  }

  private recall(message: ReadMessage, seen: Map<string, number>): number[] {
    const numbers: number[] = [];
    let added: number | undefined;
    for (const block of message.blocks) {
      const key = contentHash(
        [block.role, block.kind, block.callId ?? '', block.toolName ?? ''].join('\0'),
        digestText(block.content),
      );
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      const earlier = this.known.get(key) ?? [];
      this.known.set(key, earlier);
      if (earlier.length <= nth) {
        added ??= this.builder.addMessage(message);
        earlier.push(...this.writeBlocks({ blocks: [block] }, added));
      }
      numbers.push(...earlier.slice(nth, nth + 1));
    }
    const [first] = message.blocks;
    if (added === undefined && first !== undefined) {
      this.builder.leaveOut('repeat of an earlier message', first.source);
    }
    return numbers;
  }
}
