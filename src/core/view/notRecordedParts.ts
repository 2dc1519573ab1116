import { tokens } from '../base/countWords';
import { translate } from '../base/translate';
import { blockKinds } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { agentSizeOf } from '../tokens/agentOwn';
import type { RequestView } from './requestView';

/** Why a request no longer carries a block, though no record says so. */
export type Departure = 'thinking' | 'cleared' | 'unsent';

/** The blocks that a request is the first not to carry, in wire order. */
export interface LeftBlocks {
  readonly departure: Departure;
  readonly blocks: readonly number[];
  readonly tokens: number;
}

/** What is known of the part of a request that the transcript does not hold. */
export interface NotRecordedParts {
  /** The agent's own prompt and tools, as measured with another session of this agent; undefined if it was not measured. */
  readonly own: { readonly tokens: number; readonly version: string } | undefined;
  /** The rest: MCP servers, memory, instructions; undefined where `own` is. */
  readonly yours: number | undefined;
  /** Tokens that came (positive) or left (negative) with this request without a record of it; 0 where none did. */
  readonly jump: number;
  readonly left: readonly LeftBlocks[];
}

const schemaKind = blockKinds.indexOf('toolSchema');
const promptKind = blockKinds.indexOf('systemPrompt');

/** Splits what is not recorded of a request. One pass over its blocks. */
export function notRecordedParts(
  columns: SessionColumns,
  { agent }: Pick<SessionSummary, 'agent'>,
  view: Pick<RequestView, 'request' | 'blocks' | 'notRecorded'>,
): NotRecordedParts {
  const { blocks: rows, requests } = columns;
  const found = { hasTools: false, hasPrompt: false };
  const left = new Map<Departure, { readonly departure: Departure; readonly blocks: number[]; tokens: number }>();
  for (const block of view.blocks) {
    found.hasTools ||= rows.kind[block] === schemaKind;
    found.hasPrompt ||= rows.kind[block] === promptKind;
    if (rows.leftAt[block] === view.request) {
      const departure = departureOf(columns, block);
      const entry = left.get(departure) ?? { departure, blocks: [], tokens: 0 };
      left.set(departure, entry);
      entry.blocks.push(block);
      entry.tokens += rows.tokens[block] ?? 0;
    }
  }
  const { value } = view.notRecorded;
  const size = agentSizeOf(agent.name, agent.versions);
  const measured =
    size === undefined
      ? 0
      : Math.round(
          ((found.hasPrompt ? 0 : size.system) + (found.hasTools ? 0 : size.tools)) *
            (requests.scale[view.request] ?? 1),
        );
  const own =
    size === undefined || measured === 0 || value === 0
      ? undefined
      : { tokens: Math.min(measured, value), version: size.version };
  return {
    own,
    yours: own === undefined ? undefined : value - own.tokens,
    jump: requests.jump[view.request] ?? 0,
    left: [...left.values()],
  };
}

/** Why a block left. */
export function departureOf({ blocks: rows }: SessionColumns, block: number): Departure {
  switch (kindOf(rows, block)) {
    case 'thinking':
      return 'thinking';
    case 'toolResult':
      return 'cleared';
    case 'systemPrompt':
    case 'toolSchema':
    case 'prompt':
    case 'injected':
    case 'assistant':
    case 'toolCall':
    case 'image':
    case 'summary':
    case 'structuredOutput':
    case 'other':
      return 'unsent';
  }
}

/** Words for blocks that are no longer carried. */
export const departureWords: Readonly<Record<Departure, string>> = {
  thinking: translate('thinking of an earlier turn, no longer sent'),
  cleared: translate('probably cleared by the agent'),
  unsent: translate('recorded, but not sent again'),
};

/** The finding of a request where tokens came or left that nothing on record explains; undefined where none did. */
export function jumpSentence({
  jump,
  left,
}: {
  readonly jump: number;
  readonly left: readonly { readonly departure: Departure }[];
}): string | undefined {
  if (jump === 0) {
    return undefined;
  }
  if (jump > 0) {
    return translate('About {0} came into the context here that the transcript does not show.', tokens(jump));
  }
  return left.some(({ departure }) => departure === 'cleared')
    ? translate(
        'About {0} left the context here, and nothing on record says so; probably old tool results.',
        tokens(-jump),
      )
    : translate('About {0} left the context here, and nothing on record says so.', tokens(-jump));
}

/** How what is not recorded is probably made up; empty where the agent was not measured. */
export function ownWords({ own, yours }: Pick<NotRecordedParts, 'own' | 'yours'>): readonly string[] {
  return own === undefined || yours === undefined
    ? []
    : [
        translate(
          'the agent’s own prompt and tools, about {0} (measured with version {1})',
          tokens(own.tokens),
          own.version,
        ),
        translate('yours: MCP servers, memory, instructions, about {0}', tokens(yours)),
      ];
}
