import type { NewBlock } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { RequestDraft } from '../common/history';
import type { RequestRecords } from './claudeCodeRecords';

/** A reply of the model, which further lines may still extend. */
export interface Reply {
  readonly draft: RequestDraft;
  blocks: readonly number[];
  /** Index of its message. */
  readonly message: number;
  /** Content blocks so far, kept only until the reply is hashed for the request records. */
  content: readonly unknown[];
}

/** Content that waits for the next request: it comes after the open reply's blocks, which may not be complete yet. */
export type PendingItem =
  | { readonly numbers: readonly number[] }
  /** `line` is the number of its line's id, -1 if the line has none; `undefined` if the content is on no line. */
  | {
      readonly attachment: readonly NewBlock[];
      readonly message: number;
      readonly line: number | undefined;
    };

/** One conversation: the main one, or a subagent's that was written into the same file. */
export interface Thread {
  readonly number: number;
  /** Index of the context that it is writing. */
  context: number;
  pending: PendingItem[];
  /** True if a tool result names tools whose schemas the next request carries. */
  readonly replies: Map<string, Reply>;
  openReply: Reply | undefined;
  /** User lines since the last request: on the wire they are one message. */
  run: RunLine[];
  /** Numbers of the lines that a compaction keeps word for word, until its summary has come. */
  preserved: readonly number[];
}

export interface RunLine {
  readonly content: readonly unknown[];
  readonly blocks: readonly number[];
}

export function createThread(number: number, context: number): Thread {
  return {
    number,
    context,
    pending: [],
    replies: new Map(),
    openReply: undefined,
    run: [],
    preserved: [],
  };
}

/** Adds a user line's content, a string or a list of content blocks, to the run. */
export function addToRun(thread: Thread, content: unknown, blocks: readonly number[]): void {
  const list: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  thread.run.push({ content: list, blocks });
}

/** A block that goes into a context, with the facts that decide its position. */
export interface PlacedBlock {
  readonly number: number;
  readonly role: PromptRole;
  readonly isAttachment: boolean;
}

/**
 * The order of a turn on the wire. Everything between two replies is one user message: tool results first, then
 * attachments with the role `user`, then the typed text. Content with the role `system` is a message after it.
 */
export function inWireOrder(blocks: readonly PlacedBlock[]): readonly number[] {
  if (blocks.length < 2) {
    return blocks.map(({ number }) => number);
  }
  const ordered: number[] = [];
  let turn: PlacedBlock[] = [];
  const close = (): void => {
    turn
      .sort((first, second) => placeInTurn(first) - placeInTurn(second))
      .forEach(({ number }) => ordered.push(number));
    turn = [];
  };
  for (const block of blocks) {
    if (block.role === 'assistant') {
      close();
      ordered.push(block.number);
    } else {
      turn.push(block);
    }
  }
  close();
  return ordered;
}

function placeInTurn({ role, isAttachment }: PlacedBlock): number {
  switch (role) {
    case 'tool':
      return 0;
    case 'system':
      return 3;
    case 'user':
    case 'assistant':
      return isAttachment ? 1 : 2;
  }
}

/** The content of a reply that needs no hash, or has already been hashed. */
export const noContent: readonly unknown[] = [];

/** Registers the finished reply and the content after it, for the request records that send them again. */
export function endTurn(thread: Thread, records: RequestRecords): void {
  const reply = thread.openReply;
  if (reply !== undefined && reply.content.length > 0) {
    if (records.areUsed) {
      records.addMessage('assistant', reply.content, [...reply.blocks]);
    }
    reply.content = noContent;
  }
  endRun(thread, records);
}

/**
 * Registers consecutive user lines in two forms: as one message, and one by one, because they are sent separately if
 * something is sent between them.
 */
export function endRun(thread: Thread, records: RequestRecords): void {
  const { run } = thread;
  if (run.length === 0) {
    return;
  }
  thread.run = [];
  if (!records.areUsed) {
    return;
  }
  for (const line of run) {
    records.addMessage('user', line.content, line.blocks);
  }
  if (run.length > 1) {
    records.addMessage(
      'user',
      run.flatMap(line => line.content),
      run.flatMap(line => line.blocks),
    );
  }
}
