import type { SourceRange } from '../../model/block';
import type { PromptRole } from '../../model/labels';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import { RequestTimeline, type RequestFacts } from '../common/requestTimeline';

/** The history of one OpenHands conversation: blocks by the events that they came from, which a condensation forgets. */
export class EventHistory {
  private readonly timeline: RequestTimeline;
  private readonly eventOfBlock = new Map<number, string>();
  private event = '';
  private hasSystem = false;
  private hasTools = false;
  private usesTools = false;
  private requests = 0;

  constructor(
    readonly builder: TranscriptBuilder,
    private readonly thread: number,
  ) {
    this.timeline = new RequestTimeline(builder, thread);
  }

  get calls(): RequestTimeline['calls'] {
    return this.timeline.calls;
  }

  get hasSpoken(): boolean {
    return this.requests > 0;
  }

  startEvent(id: string): void {
    this.event = id;
  }

  addSystem(prompt: readonly NewBlock[], tools: readonly NewBlock[]): void {
    this.hasSystem = prompt.length > 0;
    this.hasTools = tools.length > 0;
    this.add('system', [...tools, ...prompt]);
  }

  add(role: PromptRole, blocks: readonly NewBlock[], timestamp?: number): void {
    const numbers = this.timeline.add({ role, blocks, ...(timestamp === undefined ? {} : { timestamp }) });
    this.own(numbers);
    if (role === 'user') {
      const prompt = blocks.find(({ kind }) => kind === 'prompt');
      this.builder.title ??= prompt?.label;
    }
  }

  addReply(blocks: readonly NewBlock[], facts: Omit<RequestFacts, 'complete'>): void {
    this.usesTools ||= blocks.some(({ kind }) => kind === 'toolCall');
    this.requests += 1;
    const complete = this.hasSystem && (this.hasTools || !this.usesTools);
    const { timestamp } = facts;
    this.own(
      this.timeline.addReply(
        { role: 'assistant', blocks, ...(timestamp === undefined ? {} : { timestamp }) },
        { ...facts, complete },
      ),
    );
  }

  /** Takes the forgotten events out of the context and puts the summary in the place of the first of them. */
  condense(forgets: (event: string) => boolean, summary: readonly NewBlock[], source: SourceRange): void {
    const before = this.timeline.blocks;
    const isForgotten = (block: number): boolean => forgets(this.eventOfBlock.get(block) ?? '');
    const first = before.findIndex(isForgotten);
    const head = first < 0 ? before.slice() : before.slice(0, first);
    const rest = first < 0 ? [] : before.slice(first).filter(block => !isForgotten(block));
    this.timeline.rewrite(head);
    this.own(this.timeline.add({ role: 'user', blocks: summary, summary: true }));
    this.timeline.append(rest);
    this.builder.compactions.push({
      kind: 'compaction',
      request: this.builder.requests.length,
      thread: this.thread,
      line: source.line,
    });
    if (summary.length === 0) {
      this.builder.leaveOut('condensation without a summary', source);
    }
  }

  private own(blocks: readonly number[]): void {
    for (const block of blocks) {
      this.eventOfBlock.set(block, this.event);
    }
  }
}
