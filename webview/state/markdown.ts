import { Lexer, type MarkedToken, type Token } from 'marked';

/** A part of a Markdown text. */
export type MarkdownPart = MarkedToken;

/** A text with more units than this is read in parts, so that no construct takes more than linear time. */
const longestPart = 4000;
/** Deeper quotes and lists are shown as written. */
export const deepest = 24;

/** The blocks of a Markdown text. A text that cannot be read is one paragraph as written. */
export function markdownOf(text: string): readonly MarkdownPart[] {
  return partsOf(text).flatMap(part => {
    // A whole part without an end of a paragraph is no prose.
    if (part.length > 2 * longestPart) {
      return [plain(part)];
    }
    try {
      return knownParts(new Lexer({ gfm: true, breaks: true }).lex(part));
    } catch {
      return [plain(part)];
    }
  });
}

const plain = (raw: string): MarkdownPart => ({ type: 'code', raw, text: raw });

const types: ReadonlySet<string> = new Set<MarkdownPart['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

const isKnown = (token: Token): token is MarkdownPart => types.has(token.type);

/** The parts inside a part. Only extensions, of which there are none, make parts of other types. */
export const knownParts = (tokens: readonly Token[]): readonly MarkdownPart[] => tokens.filter(isKnown);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  '#39': "'",
};

/** Text with its common character references resolved. It stays text. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(#39|[a-z]{2,4});/g, (written, name: string) => entities[name] ?? written);

/** Parts that end with a paragraph, outside of fenced code. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let fence: string | undefined;
  for (let line = 0; line < text.length;) {
    const next = text.indexOf('\n', line) + 1 || text.length;
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(line, line + 200)) ?? [];
    if (fence === undefined) {
      fence = mark;
    } else if (mark?.startsWith(fence) === true) {
      fence = undefined;
    }
    const isBetween = next - line <= 2 && fence === undefined && text.slice(line, next).trim() === '';
    if (isBetween && next - start >= longestPart) {
      parts.push(text.slice(start, next));
      start = next;
    }
    line = next;
  }
  return [...parts, text.slice(start)];
}
