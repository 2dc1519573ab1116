import { requests as requestCount } from '../../../src/core/base/countWords';
import { Dropdown } from '../../controls/Dropdown';
import { SearchList } from '../../controls/SearchList';
import type { NamedThread } from '../../state/threads';
import { timelineWords as words } from '../../words/timeline';

/** Maximum entries of a dropdown. Longer lists have a search field. */
const mostInDropdown = 12;

/** A choice of one of the file's conversations. */
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
    detail: requestCount(requests),
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
