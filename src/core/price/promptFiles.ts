import { isArray, isObject, member, objectAt, parseJson, stringAt } from '../base/json';

// The texts of a repository's files in the requests of agents, in the form of recorded requests (docs/price.md).

export const pricedAgents = ['Claude Code', 'Codex', 'opencode'] as const;
export type PricedAgent = (typeof pricedAgents)[number];

export const promptFileKinds = [
  'memory',
  'rule',
  'skill',
  'agent',
  'command',
  'server',
  'settings',
  'tools',
] as const;
export type PromptFileKind = (typeof promptFileKinds)[number];

/** A file that changes what agents send. */
export interface PromptFile {
  readonly kind: PromptFileKind;
  readonly agents: readonly PricedAgent[];
  /** True if the agent adds it only when it works on files near it. */
  readonly isOnDemand?: true;
}

const forms: readonly (PromptFile & { readonly path: RegExp })[] = [
  { path: /^(?:\.claude\/)?CLAUDE(?:\.local)?\.md$/, kind: 'memory', agents: ['Claude Code'] },
  { path: /^AGENTS(?:\.override)?\.md$/, kind: 'memory', agents: ['Codex', 'opencode'] },
  { path: /\/CLAUDE(?:\.local)?\.md$/, kind: 'memory', agents: ['Claude Code'], isOnDemand: true },
  { path: /\/AGENTS(?:\.override)?\.md$/, kind: 'memory', agents: ['Codex', 'opencode'], isOnDemand: true },
  { path: /^\.claude\/rules\/.+\.md$/, kind: 'rule', agents: ['Claude Code'] },
  { path: /^\.claude\/skills\/[^/]+\/SKILL\.md$/, kind: 'skill', agents: ['Claude Code', 'opencode'] },
  { path: /^\.agents\/skills\/[^/]+\/SKILL\.md$/, kind: 'skill', agents: ['Codex', 'opencode'] },
  { path: /^\.opencode\/skills?\/[^/]+\/SKILL\.md$/, kind: 'skill', agents: ['opencode'] },
  { path: /^\.claude\/agents\/.+\.md$/, kind: 'agent', agents: ['Claude Code'] },
  { path: /^\.claude\/commands\/.+\.md$/, kind: 'command', agents: ['Claude Code'] },
  { path: /^\.mcp\.json$/, kind: 'server', agents: ['Claude Code'] },
  { path: /^\.claude\/settings(?:\.local)?\.json$/, kind: 'settings', agents: ['Claude Code'] },
  { path: /^\.codex\/config\.toml$/, kind: 'settings', agents: ['Codex'] },
  { path: /^(?:\.opencode\/)?opencode\.jsonc?$/, kind: 'settings', agents: ['opencode'] },
];

/** A file of tool definitions may have any name. */
const mayHoldTools = /(?:^|[/._-])(?:tools?|schemas?)(?:[._-][^/]*)?\.json$/i;

/** The meaning of a file for agents, by its path from the root of the repository; undefined if it has none. */
export function promptFileOf(path: string): PromptFile | undefined {
  const form = forms.find(each => each.path.test(path));
  if (form !== undefined) {
    const { path: _, ...file } = form;
    return file;
  }
  return mayHoldTools.test(path) ? { kind: 'tools', agents: pricedAgents } : undefined;
}

/** The part of a file that each request of an agent carries. */
export interface CarriedText {
  /** Empty if nothing. */
  readonly text: string;
  /** True if a part cannot be told from the file: the tools of a server, the effect of a setting. */
  readonly isPartly: boolean;
}

const nothing: CarriedText = { text: '', isPartly: false };

/**
 * The text that every request of an agent carries of a file, with the words around it.
 * @param text the content; undefined if the file does not exist
 * @param root the folder of the repository, as the agent names it
 */
export function carriedText(
  agent: PricedAgent,
  { kind, isOnDemand }: PromptFile,
  path: string,
  text: string | undefined,
  root: string,
): CarriedText {
  if (text === undefined || isOnDemand === true) {
    return nothing;
  }
  switch (kind) {
    case 'memory':
    case 'rule':
      return kind === 'rule' && frontMatter(text).has('paths')
        ? nothing
        : { text: memoryText(agent, `${root}/${path}`, text, root), isPartly: false };
    case 'skill':
    case 'agent':
    case 'command':
      return { text: listedText(agent, kind, path, text, root), isPartly: false };
    case 'server':
    case 'settings':
      return { text: '', isPartly: true };
    case 'tools':
      return { text: toolsText(text), isPartly: false };
  }
}

function memoryText(agent: PricedAgent, path: string, text: string, root: string): string {
  if (text.trim() === '') {
    return '';
  }
  switch (agent) {
    case 'Claude Code':
      return `Contents of ${path} (project instructions, checked into the codebase):\n\n${text.trim()}\n\n`;
    case 'Codex':
      return `# AGENTS.md instructions for ${root}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
    case 'opencode':
      return `Instructions from: ${path}\n${text}\n`;
  }
}

/** Codex lists no more characters of a description. */
const longestDescription = 1024;

/** The folder of a repository's skills for Codex. */
const codexSkills = '.agents/skills';

/**
 * Only the name and the description of a skill, a subagent or a command are in each request, as a line of a list. The line
 * ends with its line break, which is one token with the sign before it.
 */
function listedText(
  agent: PricedAgent,
  kind: 'skill' | 'agent' | 'command',
  path: string,
  text: string,
  root: string,
): string {
  const facts = frontMatter(text);
  const description = facts.get('description') ?? '';
  const parts = path.split('/');
  const own = kind === 'skill' ? parts.at(-2) : parts.at(-1)?.replace(/\.md$/, '');
  const name = facts.get('name') ?? own ?? '';
  if (description === '') {
    return '';
  }
  switch (agent) {
    case 'Claude Code':
      if (kind === 'agent') {
        return `- ${name}: ${description} (Tools: ${facts.get('tools') ?? 'All tools'})\n`;
      }
      return facts.get('disable-model-invocation') === 'true'
        ? ''
        : `- ${name}: ${withoutTags(description)}\n`;
    case 'Codex':
      // The number of the root depends on the skills of the user; one of two digits is as many tokens.
      return `- ${name}: ${description.slice(0, longestDescription)} (file: r1/${path.slice(codexSkills.length + 1)})\n`;
    case 'opencode':
      return `  <skill>\n    <name>${name}</name>\n    <description>${description}</description>\n    <location>${withoutTags(`${root}/${path}`)}</location>\n  </skill>\n`;
  }
}

const withoutTags = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The row that Codex adds to its table of skill folders if it lists a skill of the repository; empty for other agents. */
export const skillRootText = (agent: PricedAgent, root: string): string =>
  agent === 'Codex' ? `- \`r1\` = \`${root}/${codexSkills}\`\n` : '';

/** The definitions of tools in a JSON file, as a list, in `tools`, or the reply of an MCP server; empty if it has none. */
function toolsText(text: string): string {
  const value = parseJson(text);
  const lists = [value, member(value, 'tools'), member(objectAt(value, 'result'), 'tools')];
  const tools = lists.find(isArray)?.filter(isTool) ?? [];
  return tools.map(tool => JSON.stringify(tool)).join(',');
}

function isTool(value: unknown): boolean {
  const tool = objectAt(value, 'function') ?? value;
  return (
    isObject(tool) &&
    stringAt(tool, 'name') !== undefined &&
    ['input_schema', 'inputSchema', 'parameters'].some(name => objectAt(tool, name) !== undefined)
  );
}

const longestFrontMatter = 20_000;

/**
 * The simple members of the front matter of a text; the lines of a folded one are joined. Not read as YAML, because many
 * descriptions are none: `description: Use when: …`.
 */
export function frontMatter(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const lines = text.slice(0, longestFrontMatter).split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0) {
    return members;
  }
  let last = '';
  for (const line of lines.slice(1, end)) {
    const found = /^([\w-]+):[ \t]*(.*)$/.exec(line);
    const [, name = '', value = ''] = found ?? [];
    if (found !== null) {
      last = name;
      members.set(name, /^[|>][+-]?$/.test(value.trim()) ? '' : unquoted(value.trim()));
    } else if (/^\s+\S/.test(line) && last !== '') {
      members.set(last, `${members.get(last) ?? ''} ${line.trim()}`.trim());
    }
  }
  return members;
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;

/** Number of nested imports that Claude Code follows. */
const deepest = 5;

/**
 * The text of a memory file of Claude Code and of the files that it imports with `@path`, in their order.
 * @param read the text of another file by its path from the root; undefined if there is none
 */
export function withImports(
  path: string,
  text: string,
  read: (path: string) => string | undefined,
  seen: ReadonlySet<string> = new Set([path]),
): readonly { readonly path: string; readonly text: string }[] {
  if (seen.size > deepest) {
    return [{ path, text }];
  }
  const folder = path.split('/').slice(0, -1);
  const shown = text.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, '');
  const imported = [...shown.matchAll(/(?:^|\s)@(?:\.\/)?([\w][\w./-]*)/g)].flatMap(([, name = '']) => {
    const other = joined(folder, name.replace(/\.+$/, ''));
    const content = other === undefined || seen.has(other) ? undefined : read(other);
    return other === undefined || content === undefined
      ? []
      : withImports(other, content, read, new Set([...seen, other]));
  });
  return [{ path, text }, ...imported];
}

/** A path in the repository; undefined if it leads out of it. */
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
