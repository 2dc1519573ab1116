import { digestText } from '../model/contentHash';
import type {
  Block,
  Compaction,
  Conversation,
  LeftOut,
  Problem,
  ProblemKind,
  RecordedRequest,
  SourceRange,
  Subagent,
  TextSize,
  Transcript,
  TranscriptMessage,
} from '../model/transcript';
import { isPruneNotice } from '../prune/notices';

/** A block as an adapter gives it: the text itself is measured and hashed here, and then let go. */
export type NewBlock = Omit<Block, 'size' | 'contentHash'> & { readonly content: string };

/**
 * Collects what a format adapter finds and gives out the finished transcript. Blocks, messages and contexts are
 * numbered in the order in which they are added.
 */
export class TranscriptBuilder {
  readonly blocks: Block[] = [];
  readonly messages: TranscriptMessage[] = [];
  readonly contexts: number[][] = [];
  readonly requests: RecordedRequest[] = [];
  readonly compactions: Compaction[] = [];
  readonly subagents = new Map<string, Subagent>();
  readonly conversations: Conversation[] = [];
  readonly versions = new Set<string>();
  agentName = '';
  title: string | undefined;
  sessionId: string | undefined;
  workingDirectory: string | undefined;
  bytesRead = 0;
  private readonly problems = new Map<ProblemKind, { line: number; count: number }>();
  private readonly leftOut = new Map<string, { line: number; count: number }>();

  addMessage(message: TranscriptMessage): number {
    return this.messages.push(message) - 1;
  }

  addBlock({ content, ...block }: NewBlock): number {
    const { bytes, hash } = digestText(`${block.role} ${block.kind}`, content);
    return (
      this.blocks.push({
        ...block,
        ...(block.kind === 'toolResult' && isPruneNotice(content) ? { cleared: true } : {}),
        size: { characters: block.contentType === 'image' ? 0 : content.length, bytes },
        contentHash: hash,
      }) - 1
    );
  }

  /** Starts a context, with the given blocks at its head, and gives its number. */
  startContext(blocks: readonly number[] = []): number {
    return this.contexts.push([...blocks]) - 1;
  }

  addProblem(kind: ProblemKind, line: number): void {
    const seen = this.problems.get(kind);
    if (seen === undefined) {
      this.problems.set(kind, { line, count: 1 });
    } else {
      seen.count += 1;
    }
  }

  /** Counts a record that the model never saw, under the reason why. */
  leaveOut(reason: string, source: SourceRange): void {
    const seen = this.leftOut.get(reason);
    if (seen === undefined) {
      this.leftOut.set(reason, { line: source.line, count: 1 });
    } else {
      seen.count += 1;
    }
  }

  build(format: string): Transcript {
    return {
      format,
      agent: { name: this.agentName, versions: [...this.versions] },
      ...(this.title === undefined ? {} : { title: this.title }),
      ...(this.sessionId === undefined ? {} : { sessionId: this.sessionId }),
      ...(this.workingDirectory === undefined ? {} : { workingDirectory: this.workingDirectory }),
      blocks: this.blocks,
      messages: this.messages,
      contexts: this.contexts,
      requests: this.requests,
      compactions: this.compactions,
      subagents: [...this.subagents.values()],
      conversations: this.conversations,
      problems: [...this.problems].map(([kind, rest]): Problem => ({ kind, ...rest })),
      leftOut: [...this.leftOut].map(([reason, rest]): LeftOut => ({ reason, ...rest })),
      bytesRead: this.bytesRead,
    };
  }
}

/** UTF-16 units and UTF-8 bytes of a text; a lone surrogate counts as the three bytes of U+FFFD. */
export function measureText(text: string): TextSize {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      continue;
    }
    if (unit < 0x800) {
      bytes += 1;
    } else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else {
      bytes += 2;
    }
  }
  return { characters: text.length, bytes };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
