import { defined } from '../../base/defined';
import { countAt, numberAt, objectAt, optionalCountAt, stringAt, timeAt } from '../../base/json';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { type RecordedWindow, recordedWindow } from '../../model/contextWindow';
import type { Attribution, RecordedUsage } from '../../model/transcript';
import type { RequestDraft } from '../common/history';
import { addCompaction, type CompactionDraft } from '../common/notes';
import { readUsage, tokensOf } from '../../wire/usage';
import type { CodexItems } from './codexItems';
import type { CodexHistory } from './codexHistory';

/** The requests of a Codex session. Each begins with the model's first item and ends with its usage. */
export class CodexRequests {
  /** The model of the turn. */
  model: string | undefined;
  private attribution: Attribution | undefined;
  private readonly responses = new Set<string>();
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private isReplying = false;
  private compaction: CompactionDraft | undefined;
  private window: RecordedWindow | undefined;
  private hasUsageRecords = false;
  private total = 0;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly history: CodexHistory,
    private readonly items: CodexItems,
  ) {}

  /** True while the records are those of a session that this one continues. Its requests are not this session's. */
  private get isInherited(): boolean {
    return this.builder.inheritance !== undefined;
  }

  /** Prepares for an item of the model. It belongs to the open request, or to a new one if none is open. */
  beginReply(timestamp: number | undefined, range: SourceRange): void {
    if (this.isInherited) {
      this.isReplying = false;
      return;
    }
    if (!this.isReplying) {
      this.history.settle(callId => this.items.addInterrupted(callId, range));
      this.open(timestamp, range);
    }
    this.isReplying = true;
  }

  addReply(blocks: readonly number[]): void {
    for (const block of blocks) {
      this.reply.push(block);
    }
  }

  /** The model's next item answers another request. */
  endReply(): void {
    this.isReplying = false;
  }

  /** @param line the record of the file that holds the usage record */
  readUsageRecord(record: unknown, line: unknown, range: SourceRange): void {
    this.hasUsageRecords = true;
    const id = stringAt(record, 'response_id');
    const usage = readUsage(objectAt(record, 'usage'), 'codex');
    if (this.isInherited) {
      this.builder.leaveOut('usage of the session that this one continues', range);
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
   * Reads the usage of the last request. A running total that has not changed shows that the count is a repeat.
   * @param line the record of the file that holds the event
   */
  readTokenCount(event: unknown, line: unknown, range: SourceRange): void {
    const info = objectAt(event, 'info');
    this.readLimits(objectAt(event, 'rate_limits'), timeAt(line, 'timestamp'));
    const last = objectAt(info, 'last_token_usage');
    const usage = readUsage(last, 'codex');
    this.readWindow(info);
    if (this.draft !== undefined && this.window !== undefined && !this.isInherited) {
      this.draft.window = this.window;
    }
    const total = countAt(objectAt(info, 'total_token_usage'), 'total_tokens');
    const isFresh = usage !== undefined && total !== this.total;
    const isEmpty = usage !== undefined && tokensOf(usage) === 0;
    this.total = usage === undefined ? this.total : total;
    if (isEmpty && this.compaction !== undefined && this.compaction.tokensAfter === undefined) {
      this.compaction.tokensAfter = countAt(last, 'total_tokens');
      this.builder.leaveOut('token_count event after a compaction', range);
    } else if (this.isInherited && usage !== undefined) {
      this.builder.leaveOut('usage of the session that this one continues', range);
    } else if (this.hasUsageRecords || !isFresh || isEmpty) {
      this.builder.leaveOut('token_count event that says nothing new', range);
    } else {
      this.setUsage(usage, line, range);
    }
  }

  /** Codex writes the limits of the subscription beside the tokens; `resets_in_seconds` until 0.46. */
  private readLimits(limits: unknown, at: number | undefined): void {
    const windows = ['primary', 'secondary'].flatMap(name => {
      const window = objectAt(limits, name);
      const [used, minutes] = [numberAt(window, 'used_percent'), numberAt(window, 'window_minutes')];
      const [ends, left] = [numberAt(window, 'resets_at'), numberAt(window, 'resets_in_seconds')];
      const resetsAt =
        ends === undefined
          ? at !== undefined && left !== undefined
            ? at + 1000 * left
            : undefined
          : 1000 * ends;
      return used === undefined || minutes === undefined || used < 0 || minutes <= 0
        ? []
        : [{ minutes, used: used / 100, ...defined({ resetsAt }) }];
    });
    if (windows.length > 0 && !this.isInherited) {
      this.builder.noteQuota({ windows, ...defined({ at }) });
    }
  }

  /** Takes the reasoning effort of the turns that follow. */
  setEffort(effort: string | undefined): void {
    if (effort !== this.attribution?.effort) {
      this.attribution = effort === undefined ? undefined : { effort };
    }
  }

  /** Reads the window of a turn or of a token count. It also applies to the following requests. */
  readWindow(holder: unknown): void {
    const window = recordedWindow(optionalCountAt(holder, 'model_context_window'));
    if (window !== undefined && window.tokens !== this.window?.tokens) {
      this.window = window;
    }
  }

  noteCompaction(payload: unknown, range: SourceRange, isReset: boolean): void {
    const { draft } = this;
    const summaryCall = stringAt(payload, 'compaction_response_id');
    // Before 0.171 only the usage of the call for the summary is recorded.
    const isBare = summaryCall === undefined && !isReset && this.reply.length === 0;
    if (draft !== undefined && (isBare || (draft.id !== undefined && draft.id === summaryCall))) {
      // The text that asked for the summary is not recorded.
      draft.complete = false;
      draft.summarizes = true;
    }
    const before = draft?.usage;
    const tokensBefore = before === undefined ? undefined : tokensOf(before);
    this.compaction = addCompaction(this.builder, {
      line: range.line,
      tokensBefore,
      isReset: isReset ? true : undefined,
    });
    this.isReplying = false;
  }

  /** Gives the open request its usage. If it has one, this is the usage of a request that is not recorded otherwise. */
  private setUsage(usage: RecordedUsage, line: unknown, range: SourceRange): RequestDraft {
    this.builder.leaveOut('usage of a request', range);
    let { draft } = this;
    if (draft === undefined || draft.usage !== undefined) {
      // This is the request for a summary, or a request whose reply was lost.
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
      {
        line: range.line,
        complete: this.history.isCompleteFor(this.model),
        timestamp,
        model: this.model,
        window: this.window,
        attribution: this.attribution,
      },
      this.reply,
    );
    return this.draft;
  }
}
