import { cutText, visibleLabel } from '../../core/base/visibleText';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import { plainText } from '../messages/plainText';

export interface OpenSession {
  /** The address of the transcript. */
  readonly uri: string;
  readonly fileName: string;
  /** Undefined until the session has been read. The file's name if the session has no title. */
  readonly title?: string | undefined;
}

/** Longest title of a tab, in UTF-16 units. */
const longest = 40;

/**
 * The titles of the tabs of open sessions, in their order: the session's title, followed by the file's name if another
 * session has the same title. A session without a title has none here, and VS Code shows the file's name, with its
 * folder where another tab has the same name.
 */
export function tabTitles(sessions: readonly OpenSession[]): readonly (string | undefined)[] {
  const titles = sessions.map(({ title, fileName }) =>
    title === undefined || title === fileName ? undefined : shortTitle(title),
  );
  return sessions.map(({ uri, fileName }, index) => {
    const title = titles[index];
    const isShared = sessions.some((other, place) => other.uri !== uri && titles[place] === title);
    return title !== undefined && isShared ? `${title} · ${fileName}` : title;
  });
}

function shortTitle(title: string): string | undefined {
  const text = plainText(visibleLabel(withNamedMarks(title)));
  const short = text.length > longest ? `${cutText(text, longest - 1)}…` : text;
  return short === '' ? undefined : short;
}
