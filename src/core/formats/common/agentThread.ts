import type { KnownCall } from '../../content/knownCalls';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage, TranscriptMessage } from '../../model/transcript';
import { History, type HistoryItem } from './history';
import { requestDraft } from './requestDraft';

/** A message of the history, by the id that compactions and deletions name it by. */
export interface ThreadItem extends HistoryItem {
  readonly id: string | undefined;
}

/** What is recorded of a call beside its reply. */
export interface ReplyFacts {
  readonly line: number;
  readonly model?: string | undefined;
  readonly usage?: RecordedUsage | undefined;
  readonly complete?: boolean;
}

/** A conversation in which every message of the assistant is the reply to all that stands before it. */
export class AgentThread {
  readonly calls = new Map<string, KnownCall>();
  readonly history: History<ThreadItem>;

  constructor(
    private readonly builder: TranscriptBuilder,
    readonly number: number,
    head: readonly number[] = [],
  ) {
    this.history = new History<ThreadItem>(builder, () => head);
  }

  /** Adds a message that the next request sends. */
  add(message: TranscriptMessage, blocks: readonly NewBlock[]): ThreadItem {
    const item = { id: message.id, blocks: this.addNumbered(message, blocks) };
    this.history.append(item);
    return item;
  }

  /** Adds a request and its reply, which later requests send unless it came to nothing. */
  reply(message: TranscriptMessage, blocks: readonly NewBlock[], facts: ReplyFacts, isSent = true): void {
    const sent = this.history.sent();
    const reply = this.addNumbered(message, blocks);
    this.builder.requests.push(
      requestDraft({
        ...sent,
        thread: this.number,
        reply,
        complete: facts.complete ?? false,
        line: facts.line,
        id: message.id,
        timestamp: message.timestamp,
        model: facts.model === '' ? undefined : facts.model,
        usage: facts.usage,
      }),
    );
    if (isSent) {
      this.history.append({ id: message.id, blocks: reply });
    }
  }

  private addNumbered(message: TranscriptMessage, blocks: readonly NewBlock[]): readonly number[] {
    const number = this.builder.addMessage(message);
    return blocks.map(block => this.builder.addBlock({ ...block, message: number }));
  }
}

/** Members of a message that are left out where they are not known. */
export function messageOf(
  role: TranscriptMessage['role'],
  id: string | undefined,
  timestamp: number | undefined,
  summary = false,
): TranscriptMessage {
  return {
    role,
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(summary ? { summary } : {}),
  };
}
