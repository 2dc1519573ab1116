import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject, type JsonObject } from '../base/json';

/** The members of the front matter of a text, and the text below it. */
export interface FrontMatter {
  /** Undefined if there is none that can be read. */
  readonly facts: JsonObject | undefined;
  readonly body: string;
}

/** The form of an agent's front matter, and the values that it quotes to read a text that is no YAML. */
interface Rules {
  readonly form: RegExp;
  readonly isQuoted: RegExp;
}

/** Claude Code takes the next three hyphens as the end, wherever they are. */
const claudeCode: Rules = { form: /^\uFEFF?---\s*\n([\s\S]*?)---\s*\n?/, isQuoted: /[{}[\]*&#!|>%@`]|: / };
const byLines: Rules = {
  form: /^---[ \t]*\r?\n([\s\S]*?)(?:(?<=\n)|^)---[ \t]*(?:\r?\n|$)/,
  isQuoted: /: /,
};
export const frontMatterRules = { claudeCode, byLines };

/** More is not read, so that a hostile file costs no time. */
const longest = 20_000;

export function frontMatter(text: string, { form, isQuoted }: Rules): FrontMatter {
  const [all, yaml = ''] = form.exec(text.slice(0, longest)) ?? [];
  return all === undefined
    ? { facts: undefined, body: text }
    : { facts: yamlOf(yaml) ?? yamlOf(quoted(yaml, isQuoted)), body: text.slice(all.length) };
}

/** The members of a YAML text; undefined if it is none. */
export function yamlOf(yaml: string): JsonObject | undefined {
  try {
    const value = load(yaml, { schema: CORE_SCHEMA, json: true });
    return isObject(value) ? value : {};
  } catch {
    return undefined;
  }
}

/** Many descriptions are no YAML: `description: Use when: …`. Agents quote them and read again. */
const quoted = (yaml: string, isQuoted: RegExp): string =>
  yaml
    .split(/\r?\n/)
    .map(line => {
      const [, name = '', value = ''] = /^([\w-]+):\s+(\S.*)$/.exec(line) ?? [];
      const isText = name !== '' && !/^(["']).*\1$/.test(value) && isQuoted.test(value);
      // Only Claude Code keeps a comment as a part of the text.
      const kept = isQuoted === byLines.isQuoted ? value.replace(/\s+#.*$/, '') : value;
      return isText ? `${name}: ${JSON.stringify(kept)}` : line;
    })
    .join('\n');

/** A member of front matter that is a text or can be written as one. */
export function factText(facts: JsonObject | undefined, name: string): string | undefined {
  const value = facts?.[name];
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value).trim() || undefined : undefined;
}
