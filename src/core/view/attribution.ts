import { translate } from '../base/translate';
import type { BlockList } from '../model/blockList';
import { roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import type { Attribution, RecordedRequest } from '../model/transcript';

export const attributionNames = ['skill', 'plugin', 'agent', 'mcpServer', 'effort'] as const;
type AttributionName = (typeof attributionNames)[number];

const attributionWords: Readonly<Record<AttributionName, string>> = {
  skill: translate('Skill'),
  plugin: translate('Plugin'),
  agent: translate('Agent'),
  mcpServer: translate('MCP server'),
  effort: translate('Reasoning effort'),
};

const nothing: readonly (readonly [AttributionName, string])[] = [];
const mcpCall = /^mcp__(.+?)__/;

/**
 * The origin of a request as recorded by the agent. Its server is the last one used, even on later turns, so the calls
 * of the reply take precedence.
 */
export function attributionOf(
  { attribution, reply }: RecordedRequest,
  blocks: BlockList,
): readonly (readonly [AttributionName, string])[] {
  if (attribution === undefined) {
    return nothing;
  }
  return attributionNames.flatMap(name => {
    const value = name === 'mcpServer' ? serverOf(attribution, reply, blocks) : attribution[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

function serverOf(
  { mcpServer }: Attribution,
  reply: readonly number[],
  blocks: BlockList,
): string | undefined {
  const calls = reply.flatMap(number => {
    const block = blocks.at(number);
    return block?.kind === 'toolCall' ? [block.toolName ?? ''] : [];
  });
  return calls.length === 0
    ? mcpServer
    : calls.map(name => mcpCall.exec(name)?.[1]).find(server => server !== undefined);
}

/** The recorded attribution of a request, in the order of `attributionNames`. */
export function recordedAttribution(
  { requests, strings }: SessionColumns,
  request: number,
): readonly (readonly [AttributionName, string])[] {
  return attributionNames.flatMap(name => {
    const value = strings.at(requests[name][request] ?? 0) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
}

/** It in words: names that come from the transcript, which the caller makes visible. */
export function attributionText(columns: SessionColumns, request: number): string {
  return recordedAttribution(columns, request)
    .map(([name, value]) => `${attributionWords[name]} ${value}`)
    .join(' · ');
}

/** The request whose reply contains a block, found by the first request that sends the block back; -1 if unknown. */
export function repliedIn(columns: SessionColumns, block: number): number {
  const { thread, context } = columns.requests;
  const sentBack = columns.blocks.firstRequest[block] ?? -1;
  if (sentBack < 0 || roleOf(columns.blocks, block) !== 'assistant') {
    return -1;
  }
  let request = sentBack - 1;
  while (request >= 0 && (thread[request] !== thread[sentBack] || context[request] !== context[sentBack])) {
    request -= 1;
  }
  return request;
}
