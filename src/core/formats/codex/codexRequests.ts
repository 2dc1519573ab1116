import type { SourceRange } from '../../model/block';
import { countAt, objectAt, stringAt, timeAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import type { CodexHistory } from './codexHistory';
import type { CopiedHistory } from './codexThreads';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { readUsage } from '../common/usage';
import { type RequestDraft } from '../common/history';
import { addCompaction, type CompactionDraft } from '../common/notes';

/** The requests of a Codex session: each begins with the first item that the model made, and ends with its usage. */
export class CodexRequests {
  /** The model of the turn. */
  model: string | undefined;
  private readonly responses = new Set<string>();
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private isReplying = false;
  private compaction: CompactionDraft | undefined;
  private hasUsageRecords = false;
  private total = 0;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly history: CodexHistory,
    private readonly copied: CopiedHistory,
  ) {}

  /** An item of the model comes next: of the request that is being answered, or else of a new one. */
  beginReply(timestamp: number | undefined, range: SourceRange): void {
    if (this.copied.isOpen) {
      this.isReplying = false;
      return;
    }
    if (!this.isReplying) {
      this.open(timestamp, range);
    }
    this.isReplying = true;
  }

  addReply(blocks: readonly number[]): void {
    for (const block of blocks) {
      this.reply.push(block);
    }
  }

  /** What the model makes next answers another request. */
  endReply(): void {
    this.isReplying = false;
  }

  /** @param line the record of the file that holds the usage record */
  readUsageRecord(record: unknown, line: unknown, range: SourceRange): void {
    this.hasUsageRecords = true;
    const id = stringAt(record, 'response_id');
    const usage = readUsage(objectAt(record, 'usage'), 'codex');
    if (this.copied.isOpen) {
      this.builder.leaveOut('usage of the session that this one goes on from', range);
    } else if (usage === undefined || (id !== undefined && this.responses.has(id))) {
      this.builder.leaveOut('usage that was recorded before', range);
    } else {
      const draft = this.setUsage(usage, line, range);
      if (id !== undefined) {
        draft.id = id;
        this.responses.add(id);
      }
    }
  }

  /**
   * The running total tells a new count from one that is only shown again; what counts is the last request's.
   * @param line the record of the file that holds the event
   */
  readTokenCount(event: unknown, line: unknown, range: SourceRange): void {
    const info = objectAt(event, 'info');
    const last = objectAt(info, 'last_token_usage');
    const usage = readUsage(last, 'codex');
    const total = countAt(objectAt(info, 'total_token_usage'), 'total_tokens');
    const isFresh = usage !== undefined && total !== this.total;
    const isEmpty =
      usage !== undefined && usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0;
    this.total = usage === undefined ? this.total : total;
    if (isEmpty && this.compaction !== undefined && this.compaction.tokensAfter === undefined) {
      this.compaction.tokensAfter = countAt(last, 'total_tokens');
      this.builder.leaveOut('token_count event after a compaction', range);
    } else if (this.copied.isOpen && usage !== undefined) {
      this.builder.leaveOut('usage of the session that this one goes on from', range);
    } else if (this.hasUsageRecords || !isFresh || isEmpty) {
      this.builder.leaveOut('token_count event that says nothing new', range);
    } else {
      this.setUsage(usage, line, range);
    }
  }

  noteCompaction(payload: unknown, range: SourceRange): void {
    const { draft } = this;
    const summaryCall = stringAt(payload, 'compaction_response_id');
    if (draft?.id !== undefined && draft.id === summaryCall) {
      // The text that asked for the summary is not recorded.
      draft.complete = false;
    }
    const before = draft?.usage;
    this.compaction = addCompaction(this.builder, {
      line: range.line,
      tokensBefore:
        before === undefined
          ? undefined
          : before.input + before.cacheRead + before.cacheWrite + before.output,
    });
    this.isReplying = false;
  }

  /** Gives the request that is being answered its usage, or where it has some, one of which nothing else is recorded. */
  private setUsage(usage: RecordedUsage, line: unknown, range: SourceRange): RequestDraft {
    this.builder.leaveOut('usage of a request', range);
    let { draft } = this;
    if (draft === undefined || draft.usage !== undefined) {
      // A summary that was asked for, or a reply that was lost.
      draft = this.open(timeAt(line, 'timestamp'), range);
      draft.complete = false;
    }
    draft.usage = usage;
    this.isReplying = false;
    return draft;
  }

  private open(timestamp: number | undefined, range: SourceRange): RequestDraft {
    this.reply = [];
    this.draft = this.history.open(
      { line: range.line, complete: this.history.isComplete, timestamp, model: this.model },
      this.reply,
    );
    return this.draft;
  }
}
