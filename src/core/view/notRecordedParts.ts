import { tokens } from '../base/countWords';
import { translate } from '../base/translate';
import { blockKinds } from '../model/block';
import { kindOf, roleOf } from '../model/blockWords';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { agentSizeOf } from '../tokens/agentOwn';
import { perContext } from './perContext';
import type { RequestView } from './requestView';

/** The reason why a request no longer contains a block, without a record of it. */
export type Departure = 'thinking' | 'cleared' | 'unsent';

/** The blocks that a request is the first to omit, in wire order. */
export interface LeftBlocks {
  readonly departure: Departure;
  readonly blocks: readonly number[];
  readonly tokens: number;
}

/** Facts about the part of a request that the transcript does not contain. */
export interface NotRecordedParts {
  /** The agent's own prompt and tools, as measured with another session of this agent; undefined if it was not measured. */
  readonly own: { readonly tokens: number; readonly version: string } | undefined;
  /** Tokens added without a record up to this request that are still there. */
  readonly came: number;
  /** The part of them that searches of the provider probably found, because their results are not in the transcript. */
  readonly found: number;
  /** The rest: MCP servers, memory, instructions; undefined if `own` is undefined. */
  readonly yours: number | undefined;
  /** True if `yours` also holds the beginning of the conversation, which another session's file has. */
  readonly lacksHistory: boolean;
  /** Tokens added (positive) or removed (negative) with this request without a record; 0 if none. */
  readonly jump: number;
  /** The probable cause of added tokens. */
  readonly cause: ArrivalCause;
  readonly left: readonly LeftBlocks[];
}

/** The probable cause of tokens added without a record, judged by the calls next to them. */
export type ArrivalCause = 'search' | 'tools' | 'mode' | 'unknown';

const arrivalTools: readonly (readonly [RegExp, ArrivalCause])[] = [
  [/^web_?search/i, 'search'],
  [/^tool_?search/i, 'tools'],
  [/^(?:enter|exit)_?plan_?mode$/i, 'mode'],
];

const schemaKind = blockKinds.indexOf('toolSchema');
const promptKind = blockKinds.indexOf('systemPrompt');

/** The facts about a context that decide the unrecorded parts of its requests. */
interface Hints {
  /** Positions of the blocks that later requests do not carry, ascending. */
  readonly leaving: readonly number[];
  /** The first position of a schema and of a system prompt; -1 if the request has none. */
  readonly tools: number;
  readonly prompt: number;
}

const hintsOf = perContext(({ blocks: rows }, context): Hints => {
  const leaving: number[] = [];
  context.forEach((block, position) => {
    if ((rows.leftAt[block] ?? -1) >= 0) {
      leaving.push(position);
    }
  });
  return {
    leaving,
    tools: context.findIndex(block => rows.kind[block] === schemaKind),
    prompt: context.findIndex(block => rows.kind[block] === promptKind),
  };
});

/** Splits the unrecorded part of a request. */
export function notRecordedParts(
  columns: SessionColumns,
  { agent, model, problems }: Pick<SessionSummary, 'agent' | 'model' | 'problems'>,
  view: Pick<RequestView, 'request' | 'blocks' | 'notRecorded'>,
): NotRecordedParts {
  const { blocks: rows, requests } = columns;
  const { leaving, tools, prompt } = hintsOf(columns, requests.context[view.request] ?? 0);
  const holds = (position: number): boolean => position >= 0 && position < view.blocks.length;
  const gone = leaving.filter(holds).map(position => view.blocks[position] ?? 0);
  const left = new Map<
    Departure,
    { readonly departure: Departure; readonly blocks: number[]; tokens: number }
  >();
  for (const block of gone) {
    if (rows.leftAt[block] === view.request) {
      const departure = departureOf(columns, block);
      const entry = left.get(departure) ?? { departure, blocks: [], tokens: 0 };
      left.set(departure, entry);
      entry.blocks.push(block);
      entry.tokens += rows.tokens[block] ?? 0;
    }
  }
  const { value } = view.notRecorded;
  const arrived = arrivals(columns, view.request, gone);
  const came = Math.min(value, arrived.came);
  const size = agentSizeOf(agent.name, agent.versions, model);
  const measured =
    size === undefined
      ? 0
      : Math.round(
          ((holds(prompt) ? 0 : size.system) + (holds(tools) ? 0 : size.tools)) *
            (requests.scale[view.request] ?? 1),
        );
  const own =
    size === undefined || measured === 0 || value === 0
      ? undefined
      : { tokens: Math.min(measured, value - came), version: size.version };
  return {
    own,
    came,
    found: Math.min(came, arrived.found),
    yours: own === undefined ? undefined : value - came - own.tokens,
    lacksHistory: problems.some(({ kind }) => kind === 'missingHistory'),
    jump: requests.jump[view.request] ?? 0,
    cause: arrived.cause,
    left: [...left.values()],
  };
}

/**
 * Tokens that came without a block in the requests of a context up to this one, less those that left without one; those that
 * the provider's searches found among them; and the cause of what came with this request.
 * @param gone the blocks of the request that a request before or after it does not carry
 */
function arrivals(
  columns: SessionColumns,
  request: number,
  gone: readonly number[],
): { readonly came: number; readonly found: number; readonly cause: ArrivalCause } {
  const { blocks: rows, requests } = columns;
  /** Tokens of the results that left, by request. */
  const cleared = new Map<number, number>();
  for (const block of gone) {
    const at = rows.leftAt[block] ?? -1;
    if (kindOf(rows, block) === 'toolResult') {
      cleared.set(at, (cleared.get(at) ?? 0) + (rows.tokens[block] ?? 0));
    }
  }
  let came = 0;
  let found = 0;
  let cause: ArrivalCause = 'unknown';
  let before = 0;
  for (let number = 0; number <= request; number += 1) {
    if (requests.context[number] === requests.context[request]) {
      const jump = requests.jump[number] ?? 0;
      cause = jump > 0 ? arrivalCause(columns, number, before) : 'unknown';
      came = Math.max(0, came + jump + (jump === 0 ? 0 : (cleared.get(number) ?? 0)));
      found = Math.min(came, found + (cause === 'search' ? jump : 0));
      before = requests.length[number] ?? 0;
    }
  }
  return { came, found, cause };
}

/**
 * By the calls that a request brought, and by those of its own reply: what a provider's tool finds counts at once.
 * @param from position of the first block that the request before did not hold
 */
function arrivalCause(
  { blocks: rows, contexts, requests, strings }: SessionColumns,
  request: number,
  from: number,
): ArrivalCause {
  const context = contexts[requests.context[request] ?? 0] ?? [];
  for (let position = from; position < context.length; position += 1) {
    const block = context[position] ?? 0;
    const isAfter = position >= (requests.length[request] ?? 0);
    if (isAfter && roleOf(rows, block) !== 'assistant') {
      break;
    }
    const name = strings.at(rows.tool[block] ?? 0) ?? '';
    const known = kindOf(rows, block) === 'toolCall' && arrivalTools.find(([pattern]) => pattern.test(name));
    if (known !== false && known !== undefined) {
      return known[1];
    }
  }
  return 'unknown';
}

/** The reasons why a block left the context. */
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
  cleared: translate('probably pruned by the agent'),
  unsent: translate('recorded, but no longer sent'),
};

const arrivalSentences: Readonly<Record<ArrivalCause, (size: string) => string>> = {
  search: size =>
    translate(
      'About {0} not shown in the transcript entered the context here, probably search results of the provider.',
      size,
    ),
  tools: size =>
    translate(
      'About {0} not shown in the transcript entered the context here, probably tool definitions.',
      size,
    ),
  mode: size =>
    translate(
      'About {0} not shown in the transcript entered the context here, probably mode instructions.',
      size,
    ),
  unknown: size => translate('About {0} not shown in the transcript entered the context here.', size),
};

/** The finding of a request with added or removed tokens that the record does not explain; undefined if there are none. */
export function jumpSentence({
  jump,
  cause,
  left,
}: {
  readonly jump: number;
  readonly cause: ArrivalCause;
  readonly left: readonly { readonly departure: Departure }[];
}): string | undefined {
  if (jump === 0) {
    return undefined;
  }
  if (jump > 0) {
    return arrivalSentences[cause](tokens(jump));
  }
  return left.some(({ departure }) => departure === 'cleared')
    ? translate(
        'About {0} disappeared from the context here, probably old tool results. The transcript does not say why.',
        tokens(-jump),
      )
    : translate(
        'About {0} disappeared from the context here. The transcript does not say why.',
        tokens(-jump),
      );
}

/** The probable parts of the unrecorded tokens; empty if the agent was not measured and nothing was added. */
export function ownWords({
  own,
  yours,
  lacksHistory,
  came,
  found,
}: Pick<NotRecordedParts, 'own' | 'yours' | 'lacksHistory' | 'came' | 'found'>): readonly string[] {
  return [
    ...(own === undefined || yours === undefined
      ? []
      : [
          translate(
            'prompt and tools of the agent: about {0} (measured with version {1})',
            tokens(own.tokens),
            own.version,
          ),
          lacksHistory
            ? translate(
                'missing history of the continued session, your MCP servers, memory and instructions: about {0}',
                tokens(yours),
              )
            : translate('your MCP servers, memory and instructions: about {0}', tokens(yours)),
        ]),
    ...(found === 0 ? [] : [translate('search results of the provider: about {0}', tokens(found))]),
    ...(came === found ? [] : [translate('added without a record: about {0}', tokens(came - found))]),
  ];
}
