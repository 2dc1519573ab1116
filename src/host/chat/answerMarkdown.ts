import { translate } from '../../core/base/translate';
import { visibleText } from '../../core/base/visibleText';
import type { AnswerLine, ToolAnswer } from '../../protocol/toolAnswer';
import type { ShownPlace } from '../../protocol/shownPlace';
import { showPlaceCommand } from '../manifest';

/** A place that a link of an answer shows. */
export interface LinkTarget {
  /** The address of the session. */
  readonly uri: string;
  readonly place: ShownPlace;
}

/** The addresses of the sessions in an answer. */
export interface AnswerAddresses {
  /** Of the session that the answer is about; undefined if it is about none. */
  readonly uri: string | undefined;
  readonly ofPath: (path: string) => string;
}

/** Every character that can begin something else than text in Markdown. */
const punctuation = /[!-/:-@[-`{-~]/g;

/** Foreign text as Markdown that shows exactly this text on one line: no link, not even of a bare address, and no picture. */
export function markdownText(text: string): string {
  return visibleText(text).replace(/\s+/gu, ' ').replace(punctuation, '\\$&');
}

/** An answer as Markdown: its first line, and the others as a list. A line about a place links to it. */
export function answerMarkdown(
  { lines, more }: Pick<ToolAnswer, 'lines' | 'more'>,
  addresses: AnswerAddresses,
): string {
  const [first, ...others] = lines.filter(({ text }) => text.trim() !== '');
  const least = Math.min(...others.map(levelOf));
  return [
    ...(first === undefined ? [] : [lineMarkdown(first, addresses), '']),
    ...others.map(line => `${'  '.repeat(levelOf(line) - least)}- ${lineMarkdown(line, addresses)}`),
    ...(more === 0 ? [] : ['', translate('{0, plural, one {# more line} other {# more lines}}', more)]),
    '',
  ].join('\n');
}

const levelOf = ({ text }: AnswerLine): number => Math.floor((text.length - text.trimStart().length) / 2);

/** The beginning of a line, which names its place: `Request 7: …`, `block 12: …`. */
const label = /^[^:·]*[^:·\s]/;

function lineMarkdown({ text, place }: AnswerLine, { uri, ofPath }: AnswerAddresses): string {
  const line = text.trim();
  const address = place?.path === undefined ? uri : ofPath(place.path);
  if (place === undefined || address === undefined) {
    return markdownText(line);
  }
  const { conversation, request, block } = place;
  const name = label.exec(line)?.[0] ?? line;
  const link = commandLink({
    uri: address,
    place: {
      conversation,
      ...(request === undefined ? {} : { request }),
      ...(block === undefined ? {} : { blockNumber: block }),
    },
  });
  return `[${markdownText(name)}](${link})${markdownText(line.slice(name.length))}`;
}

/** The address of a link that runs the command. */
function commandLink(target: LinkTarget): string {
  const query = encodeURIComponent(JSON.stringify([target]));
  // A parenthesis would end the address.
  return `command:${showPlaceCommand}?${query.replace(/[()]/g, found => (found === '(' ? '%28' : '%29'))}`;
}
