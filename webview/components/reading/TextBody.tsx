import { type ReactNode, useMemo } from 'react';
import { parseJson } from '../../../src/core/base/json';
import { plainLines } from '../../../src/core/sight/plainLines';
import { Link } from '../../controls/Link';
import { beginningOf, type ShownText } from '../../state/shownText';
import { conversationWords as words } from '../../words/conversation';
import { useRemembered } from '../conversation/rowMemory';
import { Code } from './Code';
import { JsonWords, LaidOutLines } from './Lines';
import { Markdown } from './Markdown';
import { MasksContext } from './reading';

/** Lines that are added by the first press of "more", and by each one after it. */
const firstStep = 40;
const nextStep = 300;
/** In UTF-16 units per line, so that a text without line breaks is cut too. */
const unitsPerLine = 160;

export interface TextBodyProps {
  readonly text: ShownText;
  /** Names the text among the others of the page. */
  readonly name: string;
  /** Prose is Markdown; the rest has the form of its lines. */
  readonly isProse: boolean;
  /** The name of the file, or of a language. */
  readonly language: string;
  /** Lines that are shown at first. */
  readonly lines: number;
  /** Shows the whole text elsewhere. */
  readonly onWhole: () => void;
}

/** The beginning of a text in its form, and a way to see more of it. */
export function TextBody({ text, name, isProse, language, lines, onWhole }: TextBodyProps) {
  const [limit, setLimit] = useRemembered(name, lines);
  const { content, left } = useMemo(
    () => contentOf(text, isProse, language, limit, limit === lines),
    [text, isProse, language, limit, lines],
  );
  return (
    <MasksContext.Provider value={text.masks}>
      {content}
      <Further
        left={left}
        isWhole={text.isWhole}
        isCut={limit > lines}
        onMore={() => setLimit(limit + (limit === lines ? firstStep : nextStep))}
        onLess={() => setLimit(lines)}
        onWhole={onWhole}
      />
    </MasksContext.Provider>
  );
}

/** The way to the rest of a text whose beginning is shown. */
export function Further({
  left,
  isWhole,
  isCut,
  onMore,
  onLess,
  onWhole,
}: {
  /** Lines that are left; undefined if they are not counted, 0 for none. */
  readonly left: number | undefined;
  readonly isWhole: boolean;
  /** True if the user has asked for more. */
  readonly isCut: boolean;
  readonly onMore: () => void;
  readonly onLess: () => void;
  readonly onWhole: () => void;
}) {
  const isMore = left !== 0;
  return (
    (isMore || isCut || !isWhole) && (
      <p className="further row gap-12 fine">
        {isMore && <Link onPress={onMore}>… {left === undefined ? words.moreText : words.more(left)}</Link>}
        {isCut && <Link onPress={onLess}>{words.less}</Link>}
        {!isMore && !isWhole && <Link onPress={onWhole}>{words.allText}</Link>}
      </p>
    )
  );
}

interface Content {
  readonly content: ReactNode;
  readonly left: number | undefined;
}

/** The first lines of a text in its form, and how many are left. */
export function contentOf(
  text: ShownText,
  isProse: boolean,
  language: string,
  limit: number,
  isShort: boolean,
): Content {
  if (text.text.trim() === '') {
    return { content: <p className="muted">{words.noText}</p>, left: 0 };
  }
  if (text.form === 'json') {
    return isShort
      ? {
          content: (
            <div className="code-lines code-lines--short">
              <JsonWords text={beginningOf(text.text, 100, 600)} />
            </div>
          ),
          left: text.text.length > 200 ? undefined : 0,
        }
      : laidOut(text, limit);
  }
  if (text.form === 'difference') {
    return laidOut(text, limit);
  }
  if (isProse) {
    const shown = beginningOf(text.text, limit, limit * unitsPerLine);
    return {
      content: <Markdown text={shown} />,
      left: shown.length < text.text.trimEnd().length ? undefined : 0,
    };
  }
  const { text: plain, numbers } = plainLines(text.text.replace(/\n$/, ''));
  const shown = beginningOf(plain, limit, limit * unitsPerLine * 2);
  const isNumbered = numbers.some(number => number > 0);
  const known = language === '' && isJson(plain) ? 'json' : language;
  const all = numbers.length;
  const count = shown.split('\n').length;
  return {
    content: <Code text={shown} language={known} {...(isNumbered ? { numbers } : {})} />,
    left: shown.length === plain.length ? 0 : count < all ? all - count : undefined,
  };
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && parseJson(text) !== undefined;

function laidOut({ lines }: ShownText, limit: number): Content {
  return { content: <LaidOutLines lines={lines.slice(0, limit)} />, left: Math.max(0, lines.length - limit) };
}
