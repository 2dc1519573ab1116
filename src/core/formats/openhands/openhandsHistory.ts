import type { NewBlock } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { PromptRole } from '../../model/labels';
import type { RequestFacts } from '../common/history';
import { Thread, type ThreadItem } from '../common/thread';

/** The history of one OpenHands conversation. A condensation names the messages to forget by their events. */
export class EventHistory extends Thread {
  private event = '';
  private hasSystem = false;
  private hasTools = false;
  private usesTools = false;
  hasSpoken = false;

  startEvent(id: string): void {
    this.event = id;
  }

  override append({ blocks }: ThreadItem): void {
    super.append({ id: this.event, blocks });
  }

  addSystem(prompt: readonly NewBlock[], tools: readonly NewBlock[]): void {
    this.hasSystem = prompt.length > 0;
    this.hasTools = tools.length > 0;
    this.addBlocks('system', [...tools, ...prompt]);
  }

  addBlocks(role: PromptRole, blocks: readonly NewBlock[], timestamp?: number): void {
    this.add({ role, blocks, timestamp });
    if (role === 'user') {
      this.builder.title ??= blocks.find(({ kind }) => kind === 'prompt')?.label;
    }
  }

  addReplyBlocks(blocks: readonly NewBlock[], facts: RequestFacts): void {
    this.usesTools ||= blocks.some(({ kind }) => kind === 'toolCall');
    this.hasSpoken = true;
    const complete = this.hasSystem && (this.hasTools || !this.usesTools);
    this.addReply({ role: 'assistant', blocks, timestamp: facts.timestamp }, { ...facts, complete });
  }

  /** Removes the forgotten events from the context and puts the summary where the first of them was. */
  condense(forgets: (event: string) => boolean, summary: readonly NewBlock[], source: SourceRange): void {
    const before = this.items;
    const isForgotten = ({ id = '' }: ThreadItem): boolean => forgets(id);
    const first = before.findIndex(item => item.blocks.length > 0 && isForgotten(item));
    const head = first < 0 ? before : before.slice(0, first);
    const rest = first < 0 ? [] : before.slice(first).filter(item => !isForgotten(item));
    this.replace(head);
    this.add({ role: 'user', blocks: summary, summary: true });
    rest.forEach(item => super.append(item));
    this.noteCompaction({ line: source.line });
    if (summary.length === 0) {
      this.builder.leaveOut('condensation without a summary', source);
    }
  }
}
