import type { ReadMessage } from '../../wire/generic/blocks';
import type { KnownCall } from '../../content/knownCalls';
import type { NewBlock } from '../../content/transcriptBuilder';
import { contentHash, digestText } from '../../model/contentHash';
import { History, type HistoryItem, type RequestFacts } from './history';

/** A message of a thread, with the id that compactions and deletions use for it. */
export interface ThreadItem extends HistoryItem {
  readonly id?: string | undefined;
}

/** The number of latest contexts that are searched for the one that a request continues. */
const contextsLookedAt = 8;

/**
 * One conversation of a transcript while it is read. It is either a history that grows message by message (`add`,
 * `addReply`), or a series of records that each repeat their whole context (`addRequest`). In the latter, a message
 * that an earlier request had is the same block again, and a request that continues an earlier one shares its context.
 */
export class Thread extends History<ThreadItem> {
  readonly calls = new Map<string, KnownCall>();
  /** Contexts of requests that were added as a whole. */
  private readonly whole: number[] = [];
  /** Blocks by content, and by how often the content has occurred in one context. */
  private readonly known = new Map<string, number[]>();
  /** The number of times that each content occurs in the last request added as a whole, and in its reply. */
  private seen = new Map<string, number>();
  private last: Readonly<Record<'head' | 'talk' | 'reply', readonly number[]>> = {
    head: [],
    talk: [],
    reply: [],
  };

  /** The blocks of the current context, in wire order. */
  get blocks(): readonly number[] {
    return this.builder.contexts[this.sent().context] ?? [];
  }

  /** Adds a message that the next request sends, and returns the numbers of its blocks. */
  add(message: ReadMessage): readonly number[] {
    this.sent();
    const blocks = this.write(message);
    this.append({ id: message.id, blocks });
    return blocks;
  }

  /**
   * Puts the summary of a compaction in the place of everything so far, except for what is kept.
   * @param line the line of the compaction
   */
  compactTo(summary: ReadMessage, line: number, kept: readonly ThreadItem[] = []): void {
    this.noteCompaction({ line });
    const blocks = this.write({ ...summary, summary: true });
    this.replace([...(blocks.length === 0 ? [] : [{ id: summary.id, blocks }]), ...kept]);
  }

  /**
   * Adds the model's reply to everything before it, as a request. Later requests send the reply too.
   * @param unsent other parts of the reply, such as thinking, that no later request sends
   */
  addReply(message: ReadMessage, facts: RequestFacts, unsent: readonly NewBlock[] = []): readonly number[] {
    const sent = this.sent();
    const all = this.write(
      unsent.length === 0 ? message : { ...message, blocks: [...message.blocks, ...unsent] },
    );
    const reply = all.slice(0, message.blocks.length);
    this.append({ id: message.id, blocks: reply });
    this.open(facts, [...all.slice(reply.length), ...reply], sent);
    return reply;
  }

  /**
   * Adds a message in the order of the conversation. The model's messages are replies; their requests take id and time
   * from them.
   */
  addRecorded(message: ReadMessage, facts: RequestFacts): void {
    if (message.role === 'assistant') {
      this.addReply(message, { ...facts, id: message.id, timestamp: message.timestamp });
    } else {
      this.add(message);
    }
  }

  /** Adds a request with its whole context, and its reply. */
  addRequest(messages: readonly ReadMessage[], reply: readonly ReadMessage[], facts: RequestFacts): void {
    this.seen = new Map();
    const [head, own] = this.recallAll(messages, this.seen);
    this.openWhole(head, own, reply, facts);
  }

  /**
   * Adds a request that contains only the messages since the previous one. The provider, or the writer of the record,
   * has the others. If the request has its own head (system prompt, tools), it replaces the earlier head.
   * @param dropsThinking true if the request does not send the thinking of the reply before it
   */
  addContinuation(
    messages: readonly ReadMessage[],
    reply: readonly ReadMessage[],
    facts: RequestFacts,
    dropsThinking = false,
  ): void {
    const { last } = this;
    const [head, own] = this.recallAll(messages, new Map());
    const kept = head.length === 0 ? last.head : head;
    const kinds = this.builder.blocks;
    const said = dropsThinking ? last.reply.filter(each => kinds.at(each)?.kind !== 'thinking') : last.reply;
    this.openWhole(kept, [...last.talk, ...said, ...own], reply, facts);
  }

  /** The blocks of the leading system messages, and the blocks of all other messages. */
  private recallAll(
    messages: readonly ReadMessage[],
    seenInHead: Map<string, number>,
  ): readonly [readonly number[], readonly number[]] {
    const first = messages.findIndex(({ role }) => role !== 'system');
    const headOf = first < 0 ? messages : messages.slice(0, first);
    const head = headOf.flatMap(message => this.recall(message, seenInHead));
    return [head, messages.slice(headOf.length).flatMap(message => this.recall(message, this.seen))];
  }

  private openWhole(
    head: readonly number[],
    talk: readonly number[],
    replied: readonly ReadMessage[],
    facts: RequestFacts,
  ): void {
    const sent = { context: this.contextOf([...head, ...talk]), length: head.length + talk.length };
    const reply = replied.flatMap(message => this.recall(message, this.seen));
    this.last = { head, talk, reply };
    this.open(facts, reply, sent);
  }

  private contextOf(blocks: readonly number[]): number {
    for (const context of this.whole.slice(-contextsLookedAt).reverse()) {
      const list = this.builder.contexts[context] ?? [];
      const shared = Math.min(list.length, blocks.length);
      if (shared > 0 && list.slice(0, shared).every((block, index) => block === blocks[index])) {
        for (const block of blocks.slice(shared)) {
          list.push(block);
        }
        return context;
      }
    }
    const context = this.builder.startContext(blocks);
    this.whole.push(context);
    return context;
  }

  private write(message: ReadMessage): number[] {
    return message.blocks.length === 0 ? [] : this.writeBlocks(message, this.builder.addMessage(message));
  }

  private writeBlocks({ blocks }: Pick<ReadMessage, 'blocks'>, message: number): number[] {
    return blocks.map(block => {
      const { kind, callId, toolName = 'unknown' } = block;
      if (callId !== undefined && !this.calls.has(callId)) {
        if (kind === 'toolCall') {
          this.calls.set(callId, { toolName, object: '', path: undefined });
        } else if (kind === 'toolResult') {
          this.builder.addProblem('resultWithoutCall', block.source.line);
        }
      }
      return this.builder.addBlock(block, message);
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
