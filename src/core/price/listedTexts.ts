import { isArray, type JsonObject, member, objectAt } from '../base/json';
import { hasPaths } from './claudeMemory';
import { factText, frontMatter, frontMatterRules, yamlOf } from './frontMatter';

// Skills, subagents and commands in the lists that agents send. Only name and description are in each request. A line ends
// with its line break, which is one token with the sign before it.

/** A line of a list. */
export interface ListedText {
  /** Empty if the agent does not list it. */
  readonly text: string;
  /** The name that it has in the list; an agent lists a name once. */
  readonly name: string;
  /** True if the agent was seen to list this form so. */
  readonly isCompared: boolean;
}

const unlisted: ListedText = { text: '', name: '', isCompared: true };

/** Claude Code writes line breaks as spaces, and removes or replaces signs that cannot be seen. */
const unseen = /[^\P{C}\n\r\t]|(?! )\p{Z}/u;
const longestClaudeDescription = 1536;
const isYes = /^(?:true|yes|on|1)$/i;

/** A skill or a command of Claude Code. */
export function claudeSkill(kind: 'skill' | 'command', path: string, text: string): ListedText {
  const { facts, body } = frontMatter(text, frontMatterRules.claudeCode);
  const parts = path.split('/').slice(kind === 'skill' ? -2 : 2);
  const own = (parts.at(-1) === 'SKILL.md' ? parts.slice(0, -1) : parts).join(':').replace(/\.md$/, '');
  const isSkill = kind === 'skill';
  if (
    isYes.test(factText(facts, 'disable-model-invocation') ?? '') ||
    (isSkill && hasPaths(facts?.['paths']))
  ) {
    return unlisted;
  }
  const given = isSkill ? factText(facts, 'name') : undefined;
  const isOther = given !== undefined && given !== own && !/\s/.test(given);
  const description =
    factText(facts, 'description') ?? firstLine(body) ?? (isSkill ? 'Skill' : 'Custom command');
  const use = factText(facts, 'when_to_use');
  const all = use === undefined ? description : `${description} - ${use}`;
  const line = withoutTags(all.replaceAll(/[\n\r\t]+/g, ' '));
  const cut =
    line.length > longestClaudeDescription ? `${line.slice(0, longestClaudeDescription - 1)}…` : line;
  return {
    text: `- ${own}${isOther ? ` (${given})` : ''}: ${cut}\n`,
    name: own,
    isCompared:
      !unseen.test(all) &&
      (given === undefined || given === own || /^[\w-]+$/.test(given) || !isOther) &&
      (isSkill || facts?.['paths'] === undefined),
  };
}

/** A text without a description is described by its first line. */
function firstLine(body: string): string | undefined {
  const first = body
    .split('\n')
    .find(line => line.trim() !== '')
    ?.trim();
  const line = first?.replace(/^#+\s+(?=\S)/, '');
  return line !== undefined && line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

/** Subagents of the program itself, which one of the same name replaces. */
const builtIn = /^(?:claude|Explore|general-purpose|Plan|statusline-setup|claude-code-guide)$/;

export function claudeAgent(text: string): ListedText {
  const { facts } = frontMatter(text, frontMatterRules.claudeCode);
  const [name, description] = [factText(facts, 'name'), factText(facts, 'description')];
  if (name === undefined || description === undefined) {
    return unlisted;
  }
  const tools = toolNames(facts, 'tools').filter(tool => tool !== '*');
  const denied = toolNames(facts, 'disallowedTools');
  const left = tools.filter(tool => !denied.includes(tool));
  const shown =
    tools.length > 0
      ? left.join(', ') || 'None'
      : denied.length > 0
        ? `All tools except ${denied.join(', ')}`
        : 'All tools';
  return {
    text: `- ${name}: ${description} (Tools: ${shown})\n`,
    name,
    // With a memory of its own, a subagent has more tools.
    isCompared: !builtIn.test(name) && facts?.['memory'] === undefined,
  };
}

/** The names of a list, or of a text with commas; commas in brackets are part of a name. */
function toolNames(facts: JsonObject | undefined, name: string): readonly string[] {
  const value = facts?.[name];
  const texts = (isArray(value) ? value : [value]).filter(each => typeof each === 'string');
  return texts.flatMap(text => text.split(/,(?![^(]*\))/)).flatMap(each => each.trim() || []);
}

/** Codex lists no more characters of a description. */
const longestDescription = 1024;
const longestName = 64;

/**
 * A skill of Codex.
 * @param folder the folder of all skills
 * @param settings the text of `agents/openai.yaml` beside it
 */
export function codexSkill(path: string, folder: string, text: string, settings = ''): ListedText {
  const { facts } = frontMatter(text, frontMatterRules.byLines);
  const oneLine = (value: string | undefined): string => value?.replaceAll(/\s+/g, ' ').trim() ?? '';
  const name = oneLine(factText(facts, 'name')) || (path.split('/').at(-2) ?? '');
  const description = Array.from(oneLine(factText(facts, 'description')));
  const policy = objectAt(yamlOf(settings), 'policy');
  if (
    description.length === 0 ||
    name.length > longestName ||
    member(policy, 'allow_implicit_invocation') === false
  ) {
    return unlisted;
  }
  const shown =
    description.length > longestDescription
      ? `${description.slice(0, longestDescription - 3).join('')}...`
      : description.join('');
  return {
    // The number of the root depends on the skills of the user; one of two digits is as many tokens.
    text: `- ${name}: ${shown} (file: r1/${path.slice(folder.length + 1)})\n`,
    name: path,
    isCompared: typeof facts?.['description'] !== 'boolean' && member(policy, 'products') === undefined,
  };
}

export function opencodeSkill(path: string, text: string, root: string): ListedText {
  const { facts } = frontMatter(text.replace(/^\uFEFF/, ''), frontMatterRules.byLines);
  const [name, description] = [facts?.['name'], facts?.['description']];
  if (typeof name !== 'string' || typeof description !== 'string') {
    return unlisted;
  }
  return {
    text: `  <skill>\n    <name>${name}</name>\n    <description>${description}</description>\n    <location>${withoutTags(`${root}/${path}`)}</location>\n  </skill>\n`,
    name,
    isCompared: description.trim() !== '',
  };
}

const withoutTags = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
