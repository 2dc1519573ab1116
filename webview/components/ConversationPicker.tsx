import { SearchList } from '../controls/SearchList';
import { Dropdown } from '../controls/Dropdown';
import type { NamedThread } from '../state/threads';
import { strings } from '../strings';

const words = strings.timeline;

/** More than this are searched rather than looked through. */
const mostInDropdown = 12;

/** Chooses among the conversations of a file. */
export function ConversationPicker({
  threads,
  chosen,
  onChoose,
}: {
  readonly threads: readonly NamedThread[];
  readonly chosen: number;
  readonly onChoose: (thread: number) => void;
}) {
  const options = threads.map(({ thread, name, requests }) => ({
    value: String(thread),
    label: name,
    detail: words.conversationSize(requests),
  }));
  return threads.length <= mostInDropdown ? (
    <Dropdown
      name={words.thread}
      value={String(chosen)}
      options={options}
      onChange={value => onChoose(Number(value))}
    />
  ) : (
    <SearchList
      name={words.thread}
      value={String(chosen)}
      options={options}
      empty={words.noConversation}
      more={words.moreConversations}
      onChange={value => onChoose(Number(value))}
    />
  );
}
