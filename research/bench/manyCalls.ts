import type { Session } from '../../src/core/model/columns';
import { type MadeBlock, makeColumns, makeSummary } from '../../test/webview/sessionBuilder';

const files = 4_000;
const commands = 6_000;
const programs = ['npm', 'git', 'node', 'cargo', 'pytest', 'docker', 'make', 'rg', 'curl', 'sed'];
const servers = ['github', 'figma', 'playwright', 'linear', 'sentry', 'postgres'];

/**
 * A session of one context in which replies, calls and results take turns: files are read again and again, commands run
 * again, servers' tools are called. Requests are spread evenly over the blocks and read most of their input from the cache.
 */
export function manyCalls(blockCount: number, requestCount: number): Session {
  const blocks: MadeBlock[] = [];
  for (let turn = 0; blocks.length < blockCount; turn += 1) {
    blocks.push(...turnBlocks(turn));
  }
  blocks.length = blockCount;
  const share = blockCount / requestCount;
  return {
    summary: makeSummary(),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      Array.from({ length: requestCount }, (_, request) => ({
        length: Math.round((request + 1) * share),
        usage: { input: 10, cacheRead: Math.round(request * share * 190), cacheWrite: 8_000 },
      })),
    ),
  };
}

function turnBlocks(turn: number): readonly MadeBlock[] {
  const callId = `call ${turn}`;
  const { tool, object, path } = callOf(turn);
  const label = `${tool} ${object}`;
  const call = { label, tool, callId, tokens: 20 + (turn % 60), ...(path === undefined ? {} : { path }) };
  const said = {
    kind: turn % 4 === 0 ? 'thinking' : 'assistant',
    label: `step ${turn % 900}`,
    tokens: 40,
  } as const;
  return [
    said,
    { ...call, kind: 'toolCall' },
    { ...call, kind: 'toolResult', tokens: 5 + ((turn * 7919) % 900) },
  ];
}

function callOf(turn: number): { readonly tool: string; readonly object: string; readonly path?: string } {
  // A prime factor spreads the turns over files and commands.
  const spread = turn * 7919;
  switch (turn % 5) {
    case 0:
    case 1: {
      const file = spread % files;
      return {
        tool: 'Read',
        object: `part${file}.ts`,
        path: `/work/shop/src/area${file % 400}/part${file}.ts`,
      };
    }
    case 2:
    case 3: {
      const command = spread % commands;
      return { tool: 'Bash', object: `${programs[command % programs.length] ?? ''} run step${command}` };
    }
    default:
      return { tool: `mcp__${servers[turn % servers.length] ?? ''}__tool${turn % 10}`, object: '' };
  }
}
