import type { RequestRecords } from './claudeCodeRecords';
import type { Thread } from './claudeCodeThread';

/** Of a reply that is not to be hashed, or has been. */
export const noContent: readonly unknown[] = [];

/** The finished reply and what came after it become findable for the request records that send them back. */
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

/** Consecutive user lines go out as one message, unless something is sent between them: both are made findable. */
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
