import { memo, type ReactNode, useMemo } from 'react';
import { deepest, knownParts, type MarkdownPart, markdownOf, withoutEntities } from '../../state/markdown';
import { readingWords as words } from '../../words/conversation';
import { Code } from './Code';
import { Words } from './Words';

/**
 * Markdown as elements of React. Markup and addresses in it stay text: nothing is loaded, and no link can be pressed.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const parts = useMemo(() => markdownOf(text), [text]);
  return (
    <div className="markdown">
      <Parts parts={parts} depth={0} />
    </div>
  );
});

function Parts({ parts, depth }: { readonly parts: readonly MarkdownPart[]; readonly depth: number }) {
  return parts.map((part, index) => <Part key={index} part={part} depth={depth} />);
}

function Part({ part, depth }: { readonly part: MarkdownPart; readonly depth: number }): ReactNode {
  if (depth > deepest) {
    return <Words text={part.raw} />;
  }
  const inside = (tokens: Parameters<typeof knownParts>[0]): ReactNode => (
    <Parts parts={knownParts(tokens)} depth={depth + 1} />
  );
  switch (part.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{inside(part.tokens)}</p>;
    // Headings of the data are no headings of the page.
    case 'heading':
      return <p className={`markdown__heading markdown__heading--${part.depth}`}>{inside(part.tokens)}</p>;
    case 'code':
      return <Code text={part.text} language={part.lang ?? ''} />;
    case 'blockquote':
      return <blockquote>{inside(part.tokens)}</blockquote>;
    case 'list': {
      const items = part.items.map((item, index) => (
        <li key={index} className={item.task ? 'markdown__task' : undefined}>
          {inside(item.tokens)}
        </li>
      ));
      return part.ordered ? (
        <ol start={part.start === '' ? undefined : part.start}>{items}</ol>
      ) : (
        <ul>{items}</ul>
      );
    }
    case 'list_item':
      return inside(part.tokens);
    case 'checkbox':
      return <span aria-label={part.checked ? words.done : words.open}>{part.checked ? '☑ ' : '☐ '}</span>;
    case 'table':
      return (
        <div className="markdown__table">
          <table>
            <thead>
              <tr>
                {part.header.map((cell, index) => (
                  <th key={index} style={{ textAlign: cell.align ?? undefined }}>
                    {inside(cell.tokens)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {part.rows.map((row, number) => (
                <tr key={number}>
                  {row.map((cell, index) => (
                    <td key={index} style={{ textAlign: cell.align ?? undefined }}>
                      {inside(cell.tokens)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'hr':
      return <hr />;
    case 'html':
      return part.block ? (
        <p className="code">
          <Words text={part.text.trimEnd()} />
        </p>
      ) : (
        <Words text={part.text} />
      );
    case 'strong':
      return <strong>{inside(part.tokens)}</strong>;
    case 'em':
      return <em>{inside(part.tokens)}</em>;
    case 'del':
      return <del>{inside(part.tokens)}</del>;
    case 'codespan':
      return (
        <code>
          <Words text={part.text} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return (
        <span className="markdown__link" title={part.href}>
          {inside(part.tokens)}
        </span>
      );
    case 'image':
      return (
        <span className="markdown__link" title={part.href}>
          <Words text={words.picture(part.text)} />
        </span>
      );
    case 'escape':
      return <Words text={part.text} />;
    case 'text':
      return part.tokens === undefined || part.tokens.length === 0 ? (
        <Words text={withoutEntities(part.text)} />
      ) : (
        inside(part.tokens)
      );
  }
}
