import { translate } from '../../core/base/translate';
import { oneLine } from '../../core/finder/sessionText';
import type { Transcript } from '../../core/model/transcript';
import { maskLabelAlone } from '../../core/sensitivity/maskLabel';
import { requests as describeCount } from './words';

/** One line of `inspect --list`. */
export interface ListedConversation {
  /** The number for `--conversation`. */
  readonly number: number;
  readonly title: string;
  readonly requests: number;
}

/** All conversations of a file, including those of its subagents. */
export function listConversations(transcript: Transcript): readonly ListedConversation[] {
  const { requests, conversations, subagents, title } = transcript;
  const titles = new Map<number, string>([[0, title ?? '']]);
  for (const { thread, id, description } of subagents) {
    if (thread !== undefined) {
      titles.set(thread, description ?? id);
    }
  }
  conversations.forEach(conversation => titles.set(conversation.thread, conversation.title));
  const counts = new Map<number, number>([
    [0, 0],
    ...conversations.map(({ thread }) => [thread, 0] as const),
  ]);
  for (const { thread } of requests) {
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  return [...counts]
    .map(([number, count]) => ({
      number,
      title: oneLine(maskLabelAlone(titles.get(number) ?? '')),
      requests: count,
    }))
    .sort((first, second) => first.number - second.number);
}

/** The list for a person at a terminal: number, title, requests. */
export function describeConversations(conversations: readonly ListedConversation[]): string {
  const width = Math.max(...conversations.map(({ number }) => String(number).length));
  return conversations
    .map(
      ({ number, title, requests }) =>
        `${String(number).padStart(width)}  ${title === '' ? translate('(no title)') : title}  ${describeCount(requests)}\n`,
    )
    .join('');
}
