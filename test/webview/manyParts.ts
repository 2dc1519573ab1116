import type { Session } from '../../src/core/model/columns';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';

const model = 'claude-sonnet-4-5';
const servers = ['browser', 'tracker', 'design', 'ledger', 'search', 'mail'];

/** A call or a result of one of many tools, files and commands. Some are used far more than others. */
function blockOf(index: number): MadeBlock {
  const use = index >> 1;
  // Low numbers are more frequent.
  const rank = (most: number): number => Math.floor(most * (((use * 7919) % 1009) / 1009) ** 3);
  const kind = index % 2 === 0 ? 'toolCall' : 'toolResult';
  const size = kind === 'toolCall' ? 40 + (index % 90) : 30 + ((index * 7919) % 900);
  const made = (tool: string, object: string, rest: Partial<MadeBlock> = {}): MadeBlock => ({
    kind,
    label: `${tool} ${object}`,
    tool,
    callId: `toolu_${use}`,
    tokens: size,
    ...(index % 997 === 0 ? { sensitivity: 'restricted' } : {}),
    ...rest,
  });
  switch (use % 6) {
    case 0:
    case 1: {
      const file = rank(4000);
      return made('Read', `file${file}.ts`, {
        path: `/work/shop/src/part${file % 190}/file${file}.ts`,
        tokens: 2 * size,
      });
    }
    case 2:
      return made('Bash', `program${rank(40)} --case ${rank(900)}`);
    case 3: {
      const tool = rank(120);
      return made(`mcp__${servers[tool % servers.length] ?? ''}__tool${tool}`, '');
    }
    case 4:
      return made('Grep', `word${rank(300)}`);
    default:
      return kind === 'toolCall'
        ? { kind: 'thinking', label: 'What next?', tokens: 200 }
        : { kind: 'assistant', label: `reply ${use}`, tokens: size };
  }
}

/** A session of one context with thousands of files, commands and tools, and requests spread evenly over it. */
export function manyParts(blockCount: number, requestCount: number): Session {
  const blocks = Array.from({ length: blockCount }, (_, index) => blockOf(index));
  const share = blockCount / requestCount;
  const row = lookUpModel(model);
  return {
    summary: makeSummary({ models: row === undefined ? [] : [{ id: model, row }] }),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      Array.from({ length: requestCount }, (_, request) => ({
        length: Math.round((request + 1) * share),
        usage: { input: 10, cacheRead: Math.round(request * share * 300), cacheWrite: 9000 },
      })),
    ),
  };
}
