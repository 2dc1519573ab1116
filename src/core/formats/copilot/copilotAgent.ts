import type { ReadMessage } from '../../wire/generic/blocks';
import type { RecordedUsage } from '../../model/transcript';
import type { HistoryMark } from '../common/history';
import { Thread, type ThreadItem } from '../common/thread';

/** The result of a tool call. `order` is the index of its call in the reply. */
interface WaitingResult {
  readonly order: number;
  readonly message: ReadMessage;
}

export interface AgentMark {
  readonly history: HistoryMark<ThreadItem>;
  readonly results: WaitingResult[];
  readonly said: ReadMessage[];
}

/**
 * The conversation of one agent in a Copilot event log. Every item of the history is one event. Events between two
 * replies wait until the next request: results in the order of their calls, then texts of people and of the client.
 */
export class CopilotAgent extends Thread {
  /** The usage of the next reply, if the usage event comes before the reply. */
  usage: RecordedUsage | undefined;
  private system: { readonly content: string; readonly item: ThreadItem } | undefined;
  private orderOfCall = new Map<string, number>();
  private results: WaitingResult[] = [];
  private said: ReadMessage[] = [];

  /** Sets the system prompt at the start of the history. Returns `false` if it is unchanged. */
  setSystem(content: string, message: ReadMessage): boolean {
    if (this.system?.content === content) {
      return false;
    }
    const { talk } = this;
    this.replace([]);
    const item = { blocks: this.add(message) };
    this.system = { content, item };
    if (talk.length > 0) {
      this.keep(talk);
    }
    return true;
  }

  say(message: ReadMessage): void {
    this.said.push(message);
  }

  addResult(callId: string | undefined, message: ReadMessage): void {
    const order = this.orderOfCall.get(callId ?? '') ?? this.orderOfCall.size;
    this.results.push({ order, message });
  }

  /** Notes the calls of a reply. Their results come in any order. */
  expectResults(callIds: readonly (string | undefined)[]): void {
    this.orderOfCall = new Map(callIds.flatMap((id, order) => (id === undefined ? [] : [[id, order]])));
  }

  /** Adds the events that wait for the next request. */
  settle(): void {
    const { results, said } = this;
    this.dropWaiting();
    const inOrder = [...results].sort((first, second) => first.order - second.order);
    for (const message of [...inOrder.map(result => result.message), ...said]) {
      this.add(message);
    }
  }

  /** Keeps the system prompt and the last messages, with the summary before them if there is one. */
  keepLast(count: number, talk = this.talk, summary: readonly ThreadItem[] = []): void {
    const messages = talk.filter(({ blocks }) => blocks.length > 0);
    this.keep([...summary, ...(count <= 0 ? [] : messages.slice(-count))]);
  }

  /** Keeps the system prompt and the items from lines of the log that `isKept` accepts. */
  keepLines(isKept: (line: number) => boolean): void {
    this.keep(this.talk.filter(({ blocks: [first = -1] }) => isKept(this.lineOf(first))));
  }

  /** Drops everything except the system prompt. */
  clear(): void {
    this.dropWaiting();
    this.keep([]);
  }

  markAll(): AgentMark {
    return { history: this.mark(), results: this.results, said: this.said };
  }

  restoreAll({ history, results, said }: AgentMark): void {
    this.restore(history);
    this.results = results;
    this.said = said;
  }

  /** The history without the system prompt. */
  get talk(): readonly ThreadItem[] {
    const blocks = this.system?.item.blocks;
    return this.items.filter(item => item.blocks !== blocks);
  }

  private keep(talk: readonly ThreadItem[]): void {
    this.replace(this.system === undefined ? talk : [this.system.item, ...talk]);
  }

  private dropWaiting(): void {
    this.results = [];
    this.said = [];
  }

  private lineOf(block: number): number {
    return this.builder.blocks.at(block)?.source.line ?? 0;
  }
}
