import { groupBy } from '../base/groupBy';
import { isArray, isObject, member, objectAt, parseJson, stringAt } from '../base/json';
import { loadMemory } from './claudeMemory';
import { claudeAgent, claudeSkill, codexSkill, type ListedText, opencodeSkill } from './listedTexts';

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
  { path: /^CLAUDE\.md$/, kind: 'memory', agents: ['Claude Code', 'opencode'] },
  {
    path: /^(?:\.claude\/CLAUDE|CLAUDE\.local|\.claude\/AGENTS)\.md$/,
    kind: 'memory',
    agents: ['Claude Code'],
  },
  { path: /^AGENTS\.md$/, kind: 'memory', agents: pricedAgents },
  { path: /^AGENTS\.override\.md$/, kind: 'memory', agents: ['Codex'] },
  { path: /^CONTEXT\.md$/, kind: 'memory', agents: ['opencode'] },
  { path: /\/CLAUDE(?:\.local)?\.md$/, kind: 'memory', agents: ['Claude Code'], isOnDemand: true },
  { path: /\/AGENTS(?:\.override)?\.md$/, kind: 'memory', agents: ['Codex', 'opencode'], isOnDemand: true },
  { path: /^\.claude\/rules\/.+\.md$/, kind: 'rule', agents: ['Claude Code'] },
  { path: /^\.claude\/skills\/[^/]+\/SKILL\.md$/, kind: 'skill', agents: ['Claude Code', 'opencode'] },
  {
    path: /^\.agents\/skills\/(?:[^/.][^/]*\/){0,6}SKILL\.md$/,
    kind: 'skill',
    agents: ['Codex', 'opencode'],
  },
  { path: /^\.codex\/skills\/(?:[^/.][^/]*\/){0,6}SKILL\.md$/, kind: 'skill', agents: ['Codex'] },
  { path: /^\.(?:claude|agents)\/skills\/(?:.+\/)?SKILL\.md$/, kind: 'skill', agents: ['opencode'] },
  { path: /^\.opencode\/skills?\/(?:.+\/)?SKILL\.md$/, kind: 'skill', agents: ['opencode'] },
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

/** The version of each agent whose requests were compared with the texts here. */
export const comparedVersions: Readonly<Record<PricedAgent, string>> = {
  'Claude Code': '2.1.332',
  Codex: '0.171.0',
  opencode: '1.18.33',
};

/** The part of a file that each request of an agent carries, with the words around it. */
export interface CarriedText {
  /** Empty if nothing. */
  readonly text: string;
  /** True if a part cannot be told from the file: the tools of a server, the effect of a setting. */
  readonly isPartly: boolean;
  /** True if the agent was seen to load this form so. */
  readonly isCompared: boolean;
}

/** The texts that the files of a repository add to each request of an agent. */
export interface Carried {
  /** The text of each file, with what it imports. */
  readonly texts: ReadonlyMap<string, CarriedText>;
  /** Other files whose text or settings are in these. */
  readonly others: ReadonlySet<string>;
  /** Words that the first memory file or skill adds, and the last takes away. */
  readonly frames: Readonly<Record<'memory' | 'skill', string>>;
  /** False if no instructions of the repository are in a request; then those of the user decide about the words around. */
  readonly hasMemory: boolean;
}

/** Settings of a repository that change what is loaded. Their effect was not compared. */
const doubtful: Readonly<Record<PricedAgent, RegExp>> = {
  'Claude Code': /claudeMdExcludes|skill|additionalDirectories/i,
  Codex: /project_doc|project_root|skills/,
  opencode: /instructions|skills/,
};

/** Characters of a list of skills below which no agent was seen to leave any out. */
const longestLists: Readonly<Record<PricedAgent, number>> = {
  'Claude Code': 2500,
  Codex: 20_000,
  opencode: Infinity,
};

/**
 * The parts of a repository's files that every request of an agent carries.
 * @param root the folder of the repository, as the agent names it
 */
export function carriedBy(agent: PricedAgent, files: ReadonlyMap<string, string>, root: string): Carried {
  const own = [...files].flatMap(([path, text]) => {
    const file = promptFileOf(path);
    return file?.agents.includes(agent) === true && file.isOnDemand !== true
      ? [{ path, text, kind: file.kind }]
      : [];
  });
  const { texts: memory, others } = memoryOf(agent, files, root);
  const listed = own.flatMap(({ path, text, kind }) => {
    const line = listedText(agent, kind, path, text, files, root);
    return line === undefined ? [] : [{ path, kind, ...line }];
  });
  const isLong =
    listed.reduce((sum, { kind, text }) => sum + (kind === 'agent' ? 0 : text.length), 0) >
    longestLists[agent];
  const isDoubtful = own.some(({ kind, text }) => kind === 'settings' && doubtful[agent].test(text));
  const texts = new Map<string, CarriedText>();
  for (const [path, carried] of memory) {
    texts.set(path, { ...carried, isCompared: carried.isCompared && !isDoubtful });
  }
  const listOf = ({ kind, name }: { readonly kind: PromptFileKind; readonly name: string }): string =>
    `${kind === 'agent'} ${name}`;
  const byName = groupBy(
    listed.filter(({ text }) => text !== ''),
    listOf,
  );
  for (const { path, kind, name, text, isCompared } of listed) {
    const same = byName.get(listOf({ kind, name })) ?? [];
    const isFirst = same.every(other => rank(other.path) >= rank(path));
    const isClear = same.every(other => other.path === path || rank(other.path) !== rank(path));
    texts.set(path, {
      text: isFirst ? text : '',
      isPartly: false,
      isCompared: isCompared && isClear && !isDoubtful && !(isLong && kind !== 'agent'),
    });
  }
  for (const { path, text, kind } of own) {
    if (kind === 'server' || kind === 'settings') {
      texts.set(path, { text: '', isPartly: true, isCompared: false });
    } else if (kind === 'tools') {
      texts.set(path, { text: toolsText(text), isPartly: false, isCompared: false });
    }
  }
  const hasMemory = [...memory.values()].some(({ text }) => text !== '');
  const roots = agent === 'Codex' ? codexSkills : [];
  const folders = roots.filter(folder =>
    listed.some(({ path, text }) => text !== '' && path.startsWith(`${folder}/`)),
  );
  const settings = listed
    .map(({ path }) => codexSettings(path))
    .filter(path => agent === 'Codex' && files.has(path));
  return {
    texts,
    others: new Set([...others, ...settings]),
    frames: {
      memory: hasMemory && agent === 'Claude Code' ? claudeFrame : '',
      skill: folders.map(folder => `- \`r1\` = \`${root}/${folder}\`\n`).join(''),
    },
    hasMemory,
  };
}

/** Of two of the same name, a skill of Claude Code goes before a command, one of opencode before others. */
const rank = (path: string): number => (/^\.(?:opencode|claude\/skills)\//.test(path) ? 0 : 1);

/** The words above all instructions. */
const claudeFrame =
  '<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n\n</system-reminder>';

/** The bytes of instructions that Codex sends. */
const mostInstructions = 32 * 1024;

function memoryOf(
  agent: PricedAgent,
  files: ReadonlyMap<string, string>,
  root: string,
): Pick<Carried, 'texts' | 'others'> {
  const only = (
    path: string | undefined,
    form: (text: string) => string,
  ): Pick<Carried, 'texts' | 'others'> => {
    const text = path === undefined ? undefined : files.get(path);
    const texts = new Map(
      path === undefined || text === undefined
        ? []
        : [[path, { text: form(text), isPartly: false, isCompared: text !== '' }]],
    );
    return { texts, others: new Set() };
  };
  switch (agent) {
    case 'Claude Code':
      return claudeMemory(files, root);
    case 'Codex':
      return only(
        ['AGENTS.override.md', 'AGENTS.md'].find(path => files.has(path)),
        text => {
          const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
            new TextEncoder().encode(text).slice(0, mostInstructions),
          );
          return cut.trim() === ''
            ? ''
            : `# AGENTS.md instructions for ${root}\n\n<INSTRUCTIONS>\n${cut}\n</INSTRUCTIONS>`;
        },
      );
    case 'opencode': {
      const path = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'].find(name => files.has(name));
      return only(path, text => `Instructions from: ${root}/${path ?? ''}\n${text}\n`);
    }
  }
}

function claudeMemory(files: ReadonlyMap<string, string>, root: string): Pick<Carried, 'texts' | 'others'> {
  const loaded = new Set<string>();
  const texts = new Map<string, CarriedText>();
  const others = new Set<string>();
  const load = (path: string, isRule = false): void => {
    const words =
      path === 'CLAUDE.local.md'
        ? "user's private project instructions, not checked in"
        : 'project instructions, checked into the codebase';
    const found = loadMemory(path, name => files.get(name), root, loaded).filter(
      ({ waits }) => !(isRule && waits),
    );
    found.forEach(file => others.add(file.path));
    texts.set(path, {
      text: found
        .filter(({ text }) => text !== '')
        .map(file => `Contents of ${root}/${file.path} (${words}):\n\n${file.text}\n\n`)
        .join(''),
      isPartly: false,
      isCompared: found.every(({ isCompared }) => isCompared),
    });
  };
  load('CLAUDE.md');
  load('.claude/CLAUDE.md');
  const rules = [...files.keys()].filter(path => promptFileOf(path)?.kind === 'rule').sort();
  rules.forEach(path => load(path, true));
  load('CLAUDE.local.md');
  const isAlone = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'].every(
    path => texts.get(path)?.text === '',
  );
  if (isAlone) {
    load('AGENTS.md');
    load('.claude/AGENTS.md');
  }
  return { texts, others };
}

/** The folders of a repository's skills for Codex. */
const codexSkills = ['.agents/skills', '.codex/skills'];
/** The settings of a skill for Codex. */
const codexSettings = (path: string): string => path.replace(/SKILL\.md$/, 'agents/openai.yaml');

/** The line of a skill, a subagent or a command; undefined for other files. */
function listedText(
  agent: PricedAgent,
  kind: PromptFileKind,
  path: string,
  text: string,
  files: ReadonlyMap<string, string>,
  root: string,
): ListedText | undefined {
  switch (kind) {
    case 'agent':
      return claudeAgent(text);
    case 'command':
      return claudeSkill(kind, path, text);
    case 'skill':
      return skillText(agent, path, text, files, root);
    case 'memory':
    case 'rule':
    case 'server':
    case 'settings':
    case 'tools':
      return undefined;
  }
}

function skillText(
  agent: PricedAgent,
  path: string,
  text: string,
  files: ReadonlyMap<string, string>,
  root: string,
): ListedText {
  switch (agent) {
    case 'Claude Code':
      return claudeSkill('skill', path, text);
    case 'Codex':
      return codexSkill(
        path,
        codexSkills.find(folder => path.startsWith(folder)) ?? '',
        text,
        files.get(codexSettings(path)),
      );
    case 'opencode':
      return opencodeSkill(path, text, root);
  }
}

/** The files that are read for prices, besides those that memory files import. */
export const isPriced = (path: string): boolean =>
  promptFileOf(path) !== undefined ||
  path.endsWith('.md') ||
  /^\.(?:agents|codex)\/skills\/.*\/agents\/openai\.yaml$/.test(path);

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
