/** A run of a line; `kind` is a class of colour, empty for none. */
export interface CodeRun {
  readonly text: string;
  readonly kind: string;
}

/** The lines of a text in runs; undefined if the language cannot colour it. */
export type Highlight = (language: string, text: string) => readonly (readonly CodeRun[])[] | undefined;

/** The bundle with the languages names its function in an event of this name. */
export const loadedEvent = 'context-inspector-highlighting';

/** Languages by the extensions of files and the names that Markdown has for them. */
const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    typescript: 'ts tsx mts cts typescript',
    javascript: 'js jsx mjs cjs javascript node',
    python: 'py pyi python python3',
    bash: 'sh bash zsh shell console shellscript',
    json: 'json jsonc json5 jsonl ipynb webmanifest',
    rust: 'rs rust',
    go: 'go golang',
    java: 'java',
    kotlin: 'kt kts kotlin',
    swift: 'swift',
    csharp: 'cs csharp c#',
    cpp: 'c h cpp hpp cc cxx hh c++',
    css: 'css scss less',
    xml: 'xml html htm svg vue svelte xhtml plist xaml',
    yaml: 'yml yaml',
    sql: 'sql',
    ruby: 'rb ruby gemspec rakefile gemfile',
    php: 'php',
    diff: 'diff patch',
    ini: 'toml ini cfg conf properties editorconfig',
    markdown: 'md markdown mdx',
    dockerfile: 'dockerfile containerfile',
  }).flatMap(([language, names]) => names.split(' ').map(name => [name, language] as const)),
);

/** The language of a fence's name or of a file; undefined if it is not known. */
export function languageOf(name: string): string | undefined {
  const last = /[^./\\\s{]+(?=\s|\{|$)/.exec(name.trim().slice(-200))?.[0] ?? '';
  return languages.get(last.toLowerCase());
}
