import { entryOf } from '../base/entryOf';
import { serverToolOf, sourceOfTool } from '../content/toolSources';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import type { Claims } from './claims';

/** Minimum number of requests before an uncalled tool counts as unused. */
const leastRequests = 5;

/** Tools of a server, or of the agent itself. */
export interface ToolUse {
  /** Different tools that were sent, and those that were called. */
  readonly sent: Set<string>;
  readonly called: Set<string>;
}

/** Tools by server; the agent's own under the empty name. */
export function toolUse({ blocks, strings }: SessionColumns): ReadonlyMap<string, ToolUse> {
  const called = new Set<number>();
  blocks.tool.forEach((tool, block) => {
    if (kindOf(blocks, block) === 'toolCall') {
      called.add(tool);
    }
  });
  const names = new Set([...called].map(tool => strings.at(tool) ?? ''));
  const servers = new Map<string, ToolUse>();
  blocks.tool.forEach((tool, block) => {
    if (kindOf(blocks, block) === 'toolSchema') {
      const name = strings.at(tool) ?? '';
      const use = entryOf(servers, serverOf(name), () => ({
        sent: new Set<string>(),
        called: new Set<string>(),
      }));
      use.sent.add(name);
      if (names.has(name)) {
        use.called.add(name);
      }
    }
  });
  return servers;
}

export function serverOf(tool: string): string {
  return serverToolOf(tool)?.server ?? '';
}

/**
 * Claims tools of servers that were never called, and the agent's own tools outside its trade. Tools that read, write,
 * search or run commands count as needed.
 */
export function claimTools(
  { blocks, strings }: SessionColumns,
  servers: ReturnType<typeof toolUse>,
  claims: Claims,
): void {
  blocks.tool.forEach((tool, block) => {
    const name = strings.at(tool) ?? '';
    const server = serverOf(name);
    const use = servers.get(server);
    if (
      kindOf(blocks, block) !== 'toolSchema' ||
      name === '' ||
      use === undefined ||
      use.called.has(name) ||
      (blocks.requestCount[block] ?? 0) < leastRequests ||
      (server === '' && (use.called.size === 0 || isTrade(name)))
    ) {
      return;
    }
    claims.add({
      kind: server !== '' && use.called.size === 0 ? 'unusedServer' : 'unusedTools',
      group: server,
      block,
      since: 0,
      share: 1,
      evidence: -1,
    });
  });
}

function isTrade(tool: string): boolean {
  switch (sourceOfTool(tool)) {
    case 'files':
    case 'shell':
    case 'search':
    case 'you':
      return true;
    case 'notRecorded':
    case 'instructions':
    case 'memory':
    case 'notes':
    case 'model':
    case 'thinking':
    case 'mcp':
    case 'subagents':
    case 'tools':
      return false;
  }
}
