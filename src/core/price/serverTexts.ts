import { isObject, objectAt, parseJson } from '../base/json';
import { serverToolOf } from '../content/toolSources';
import type { TextBlock } from '../session/taskStateOf';

/** The texts of MCP servers in each request, by the name of the server, as a session recorded them. */
export type ServerTexts = ReadonlyMap<string, string>;

/** A line of the list that Claude Code sends in place of the tools that it loads when they are needed. */
const listedName = /^mcp__\S+$/;

/**
 * The texts of MCP servers in a prompt: the definitions of their tools, otherwise their names in the list of tools to load.
 * @param prompt the blocks of a request
 */
export function serverTextsIn(prompt: readonly TextBlock[]): ServerTexts {
  const definitions = new Map<string, string>();
  const names = new Map<string, string>();
  const add = (texts: Map<string, string>, tool: string, text: string): void => {
    const server = serverToolOf(tool)?.server;
    if (server !== undefined) {
      texts.set(server, `${texts.get(server) ?? ''}${text}`);
    }
  };
  for (const { block, text } of prompt) {
    if (block.kind === 'toolSchema') {
      add(definitions, block.toolName ?? '', text);
    } else if (block.kind === 'injected') {
      text
        .split('\n')
        .filter(line => listedName.test(line))
        .forEach(line => add(names, line, `${line}\n`));
    }
  }
  return new Map([...names, ...definitions]);
}

/** The servers of a `.mcp.json`: how each is started, by name. */
export function serversOf(text: string | undefined): ReadonlyMap<string, string> {
  const servers = objectAt(parseJson(text ?? ''), 'mcpServers');
  return new Map(
    Object.entries(isObject(servers) ? servers : {}).map(([name, start]) => [name, JSON.stringify(start)]),
  );
}

/** The servers that one of two states of a `.mcp.json` has, or that it starts in another way. */
export function changedServers(before: string | undefined, after: string | undefined): readonly string[] {
  const [old, now] = [serversOf(before), serversOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(name => old.get(name) !== now.get(name));
}

/** The texts of the servers that change, in each request before and after. `isPartly`: some of them are not known. */
export function serverChange(
  before: string | undefined,
  after: string | undefined,
  known: ServerTexts,
): { readonly before: string; readonly after: string; readonly isPartly: boolean } {
  const names = changedServers(before, after);
  const [old, now] = [serversOf(before), serversOf(after)];
  const carried = (servers: ReadonlyMap<string, string>): string =>
    names.map(name => (servers.has(name) ? (known.get(recordedName(name)) ?? '') : '')).join('');
  return {
    before: carried(old),
    after: carried(now),
    // A server that is started in another way may have other tools.
    isPartly:
      parseJson(before ?? '{}') === undefined ||
      parseJson(after ?? '{}') === undefined ||
      names.some(name => (old.has(name) && now.has(name)) || !known.has(recordedName(name))),
  };
}

/** The name of a server in the names of its tools. */
export const recordedName = (name: string): string => name.replaceAll(/[^\w-]/g, '_');
