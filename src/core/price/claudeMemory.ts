import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { isArray } from '../base/json';
import { frontMatter, frontMatterRules } from './frontMatter';

// The memory files and rules that Claude Code 2.1.332 loads, as compared with its requests (docs/price.md).

/** The files of a memory file: itself and what it imports, without what was loaded before. */
export interface LoadedFile {
  readonly path: string;
  readonly text: string;
  /** True for a rule that waits for a file that its `paths` match. */
  readonly waits: boolean;
  readonly isCompared: boolean;
}

/** A memory file and four levels of imports. */
const deepest = 5;

/** Endings of files that can be imported. Others are no texts for Claude Code. */
const textEndings =
  /^(?:md|txt|json|ya?ml|toml|tsx?|jsx?|mjs|cjs|py|sh|html|css|rst|go|rs|lock|env|xml|csv|sql|cfg|adoc|java|log|ini)$/i;
const otherEndings = /^(?:png|pdf|svg|ipynb|mdx|mdc|zig|tf|dockerfile)$/i;

/** A longer text is not read as Markdown, so that a hostile file costs no time. */
const longest = 200_000;

/**
 * Loads a file with its imports, each file once.
 * @param loaded the files that were loaded before, by path; this adds to it
 */
export function loadMemory(
  path: string,
  read: (path: string) => string | undefined,
  root: string,
  loaded: Set<string>,
  depth = 0,
): readonly LoadedFile[] {
  const content = loaded.has(path) || depth >= deepest ? undefined : read(path);
  const ending = /[^/]\.([^./]*)$/.exec(path)?.[1];
  const isText = ending === undefined || textEndings.test(ending);
  if (content === undefined || (!isText && otherEndings.test(ending))) {
    return [];
  }
  loaded.add(path);
  const { facts, body } = frontMatter(content, frontMatterRules.claudeCode);
  const { text, imports } = withoutComments(body);
  if (text.trim() === '') {
    return [];
  }
  const file = {
    path,
    text: isText ? text.trim() : '',
    waits: hasPaths(facts?.['paths']),
    isCompared: isText && body.length <= longest,
  };
  const names = imports.flatMap(name => pathOf(name, path, root) ?? []);
  return [file, ...names.flatMap(name => loadMemory(name, read, root, loaded, depth + 1))];
}

/** The places that the imports of a file and of its imports name, without regard to what is there. */
export function importedPaths(path: string, text: string, root: string): readonly string[] {
  const { body } = frontMatter(text, frontMatterRules.claudeCode);
  return withoutComments(body).imports.flatMap(name => pathOf(name, path, root) ?? []);
}

/** True for `paths` that do not match everything. */
export function hasPaths(value: unknown): boolean {
  return (isArray(value) ? value : [value])
    .flatMap(each => (typeof each === 'string' ? each.split(',') : []))
    .map(pattern => pattern.trim().replace(/\/\*\*$/, ''))
    .some(pattern => pattern !== '' && pattern !== '**');
}

const comments = /<!--[\s\S]*?-->/g;

/** The text without comments that are blocks of their own, and what it imports. */
function withoutComments(body: string): { readonly text: string; readonly imports: readonly string[] } {
  if (body.length > longest || !/<!--|@/.test(body)) {
    return { text: body, imports: [] };
  }
  const source = body.replaceAll(/\r\n?/g, '\n');
  const blocks = new HtmlBlocks(source.length);
  const tokens = new Lexer({ gfm: false, tokenizer: blocks }).lex(source);
  let text = '';
  let end = 0;
  for (const token of tokens) {
    const start = blocks.starts.get(token);
    if (start !== undefined && isComment(token)) {
      // Empty lines below are part of the block.
      const [raw] = /^\n*/.exec(source.slice(start + token.raw.length)) ?? [''];
      const left = `${token.raw}${raw}`.replace(comments, '');
      text += source.slice(end, start) + (left.trim() === '' ? '' : left);
      end = start + token.raw.length + raw.length;
    }
  }
  return { text: end === 0 ? body : text + source.slice(end), imports: importsIn(tokens) };
}

/** Keeps where blocks of HTML begin. */
class HtmlBlocks extends Tokenizer {
  readonly starts = new Map<Token, number>();

  constructor(private readonly length: number) {
    super();
  }

  override html(rest: string): Tokens.HTML | undefined {
    const token = super.html(rest);
    if (token !== undefined) {
      this.starts.set(token, this.length - rest.length);
    }
    return token;
  }
}

const isComment = ({ raw }: Token): boolean => raw.trimStart().startsWith('<!--') && raw.includes('-->');

const isList = (token: Token): token is Tokens.List => token.type === 'list';

/** The names after `@` in texts, but not in code or comments. */
function importsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(token => {
    if (isList(token)) {
      // The text of an item is read also as a whole, with the code in it.
      return token.items.flatMap(item => [
        ...item.tokens.flatMap(({ type, raw }) => (type === 'paragraph' ? namesIn(raw) : [])),
        ...importsIn(item.tokens),
      ]);
    }
    switch (token.type) {
      case 'code':
      case 'codespan':
        return [];
      case 'html':
        return isComment(token) ? namesIn(token.raw.replace(comments, '')) : [];
      default: {
        const inner: readonly Token[] = 'tokens' in token ? (token.tokens ?? []) : [];
        return [...(token.type === 'text' ? namesIn(token.raw) : []), ...importsIn(inner)];
      }
    }
  });
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^|\s)@((?:[^\s\\]|\\ )+)/g)]
    .map(([, name = '']) => name.replace(/#.*$/, '').replaceAll('\\ ', ' '))
    .filter(name => /^(?:\.\/.|\/.|[\w.-])/.test(name));

/** The path in the repository that a file names; undefined if it leads out of it. */
function pathOf(name: string, from: string, root: string): string | undefined {
  if (name.startsWith('/')) {
    return name.startsWith(`${root}/`) ? joined([], name.slice(root.length + 1)) : undefined;
  }
  return joined(from.split('/').slice(0, -1), name);
}

function joined(folder: readonly string[], name: string): string | undefined {
  const parts = [...folder];
  for (const part of name.split('/')) {
    if (part === '..' && parts.pop() === undefined) {
      return undefined;
    }
    if (part !== '..' && part !== '.' && part !== '') {
      parts.push(part);
    }
  }
  return parts.length === 0 ? undefined : parts.join('/');
}
