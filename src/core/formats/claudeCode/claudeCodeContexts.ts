import { arrayAt, objectAt, optionalCountAt, stringAt } from '../../base/json';
import { literalText } from '../../content/place';
import { clearedNotice } from '../../content/pruneNotices';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { membersOf } from '../../model/blockList';
import { addCompaction } from '../common/notes';
import { inWireOrder, type PendingItem, type PlacedBlock, type Thread } from './claudeCodeThread';
import { LineBlocks } from './lineBlocks';
import { RecordIds } from './recordIds';

/** Writes the contexts of threads: appends pending content, and starts new contexts at compactions and clearings. */
export class ClaudeCodeContexts {
  /** The ids of all lines. */
  readonly ids = new RecordIds();
  /** The blocks of every line that has any, in file order. */
  readonly lines = new LineBlocks();

  constructor(private readonly builder: TranscriptBuilder) {}

  /** The context that a thread is writing. */
  of(thread: Thread): number[] {
    const context = this.builder.contexts[thread.context];
    if (context === undefined) {
      throw new Error('A thread always has a context.');
    }
    return context;
  }

  /** Moves the pending content into the thread's context. */
  flush(thread: Thread): void {
    this.appendPreserved(thread);
    if (thread.pending.length === 0) {
      return;
    }
    const placed: PlacedBlock[] = [];
    for (const item of thread.pending) {
      this.settle(item, placed);
    }
    const context = this.of(thread);
    for (const number of inWireOrder(placed)) {
      context.push(number);
    }
    thread.pending = [];
  }

  private settle(item: PendingItem, placed: PlacedBlock[]): void {
    const isAttachment = 'attachment' in item;
    const numbers = isAttachment ? this.builder.addBlocks(item.attachment, item.message) : item.numbers;
    if (isAttachment && item.line !== undefined) {
      this.lines.add(item.line, numbers);
    }
    for (const number of numbers) {
      placed.push({ number, role: this.builder.blocks.at(number)?.role ?? 'user', isAttachment });
    }
  }

  /**
   * Drops pending attachments instead of adding them to the context, e.g. when a request record itself says what was
   * sent.
   */
  dropAttachments(thread: Thread, reason: string): void {
    thread.pending = thread.pending.filter(item => {
      const source = 'attachment' in item ? item.attachment[0]?.source : undefined;
      // The text that the client adds to a result is not on a line, so no line is counted as left out.
      if ('attachment' in item && source !== undefined && item.line !== undefined) {
        this.builder.leaveOut(reason, source);
      }
      return 'numbers' in item;
    });
  }

  /** Everything before a boundary leaves the context, except for the messages that it names as preserved. */
  compact(value: unknown, thread: Thread, { line }: SourceRange): void {
    const metadata = objectAt(value, 'compactMetadata');
    this.dropAttachments(thread, 'attachment that a compaction dropped before it was sent');
    thread.pending = [];
    thread.openReply = undefined;
    thread.context = this.builder.startContext();
    thread.preserved = this.preservedLines(metadata);
    this.noteReplaced(thread);
    addCompaction(this.builder, {
      thread: thread.number,
      line,
      trigger: stringAt(metadata, 'trigger'),
      tokensBefore: optionalCountAt(metadata, 'preTokens'),
      tokensAfter: optionalCountAt(metadata, 'postTokens'),
    });
  }

  private noteReplaced(thread: Thread, elsewhere = 0): void {
    if (thread.number === 0) {
      const { builder } = this;
      const { context } = thread;
      builder.noteReplaced(() => builder.contexts[context] ?? [], elsewhere);
    }
  }

  /** Newer versions list the lines that stay; older ones name only the first and the last. */
  private preservedLines(metadata: unknown): readonly number[] {
    const listed = arrayAt(objectAt(metadata, 'preservedMessages'), 'uuids');
    if (listed.length > 0) {
      return listed.flatMap(uuid => (typeof uuid === 'string' ? this.ids.find(uuid) : []));
    }
    const segment = objectAt(metadata, 'preservedSegment');
    const head = stringAt(segment, 'headUuid') ?? '';
    const tail = stringAt(segment, 'tailUuid') ?? '';
    return this.lines.between(this.ids.find(head), this.ids.find(tail));
  }

  /** Adds the lines that a compaction keeps word for word. They come after its summary. */
  appendPreserved(thread: Thread): void {
    if (thread.preserved.length === 0) {
      return;
    }
    const numbers = thread.preserved.flatMap(line => this.lines.blocksOf(line));
    thread.preserved = [];
    if (numbers.length > 0) {
      thread.pending.push({ numbers });
    }
  }

  /** From here on, the named results were sent as a notice; their content stays in the file. */
  clearResults(value: unknown, thread: Thread, { line }: SourceRange): void {
    this.flush(thread);
    const metadata = objectAt(value, 'microcompactMetadata');
    const cleared = new Set(arrayAt(metadata, 'compactedToolIds'));
    const gone = new Set(
      arrayAt(metadata, 'clearedAttachmentUUIDs').flatMap(uuid =>
        typeof uuid === 'string' ? this.lines.blocksOf(this.ids.find(uuid)) : [],
      ),
    );
    const kept = this.of(thread).flatMap(number =>
      gone.has(number) ? [] : this.withoutResult(number, cleared),
    );
    const isElsewhere =
      cleared.size > 0 &&
      !this.of(thread).some(number => cleared.has(this.builder.blocks.at(number)?.callId));
    thread.context = this.builder.startContext(kept);
    const before = optionalCountAt(metadata, 'preTokens');
    const saved = optionalCountAt(metadata, 'tokensSaved');
    this.noteReplaced(thread, isElsewhere ? saved : 0);
    addCompaction(this.builder, {
      kind: 'clearing',
      contextLength: kept.length,
      thread: thread.number,
      line,
      tokensBefore: before,
      tokensAfter: before === undefined || saved === undefined ? undefined : Math.max(0, before - saved),
    });
  }

  /** The replacement for a block when the results of these calls are cleared. */
  private withoutResult(number: number, cleared: ReadonlySet<unknown>): readonly number[] {
    const block = this.builder.blocks.at(number);
    if (block?.callId === undefined || !cleared.has(block.callId) || block.role !== 'tool') {
      return [number];
    }
    if (block.cleared === true) {
      return [number];
    }
    if (block.contentType === 'image') {
      return [];
    }
    return [
      this.builder.addBlock(
        { ...membersOf(block), ...literalText(clearedNotice), cleared: true },
        block.message,
      ),
    ];
  }
}
