import type { ReactNode } from 'react';
import type { DiffLine } from '../../state/editLines';
import type { ShownLine } from '../../state/shownText';
import { readingWords as words } from '../../words/conversation';
import { Words } from './Words';

const signWords = { '+': words.added, '−': words.removed } as const;

/** The lines of a change. */
export function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <div className="code-lines">
      {lines.map(({ sign, text }, index) => (
        <div
          key={index}
          className={`code-line code-line--${sign === '+' ? 'added' : sign === '−' ? 'removed' : 'kept'}`}
        >
          {sign !== '' && <span className="visually-hidden">{signWords[sign]}: </span>}
          <span className="code-line__sign" aria-hidden="true">
            {sign}
          </span>
          <Words text={text} />
          {'\n'}
        </div>
      ))}
    </div>
  );
}

/** Lines as the layout of a text has them: JSON in its levels, a diff with its signs. */
export function LaidOutLines({ lines }: { readonly lines: readonly ShownLine[] }) {
  return (
    <div className="code-lines">
      {lines.map(({ text, indent, sign }, index) => (
        <div
          key={index}
          className={`code-line${sign === undefined ? '' : ` code-line--${sign}`}`}
          style={indent === 0 ? undefined : { paddingLeft: `${Math.min(indent, 40) * 2}ch` }}
        >
          <JsonWords text={text} isJson={sign === undefined} />
        </div>
      ))}
    </div>
  );
}

/** A member's name, a string, or a number or word of JSON. */
const jsonToken = /("(?:[^"\\]|\\.){0,2000}")(\s*:)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\b(?:true|false|null)\b/gi;

/** A piece of JSON in its colours. */
export function JsonWords({ text, isJson = true }: { readonly text: string; readonly isJson?: boolean }) {
  if (!isJson) {
    return <Words text={text} />;
  }
  const parts: ReactNode[] = [];
  let start = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(jsonToken)) {
    if (index > start) {
      parts.push(<Words key={start} text={text.slice(start, index)} />);
    }
    const kind = quoted === undefined ? 'number' : colon === undefined ? 'string' : 'attribute';
    const end = index + token.length - (colon?.length ?? 0);
    parts.push(
      <span key={index} className={`code-${kind}`}>
        <Words text={text.slice(index, end)} />
      </span>,
    );
    start = end;
  }
  return [...parts, <Words key={start} text={text.slice(start)} />];
}
