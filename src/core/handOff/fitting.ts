import { arrayAt, stringAt, toJson } from '../base/json';
import type { Block } from '../model/block';
import type { Conversation, ConversationPart, ConversationTurn, NativeItem } from '../model/conversation';
import { isServedCall } from '../wire/writing/conversationParts';
import type { HandOffTarget, TargetFacts } from './targets';
import { type ConvertedCall, convertedCall } from './toolActions';

/** If a piece of the session is carried over as it is, in another form, or not at all. */
export type Fate = 'carried' | 'converted' | 'lost';

/** Why a piece is not carried as it is. */
export const handOffReasons = [
  'nearestTool',
  'toolAsText',
  'pruned',
  'opening',
  'summarised',
  'ownPrompt',
  'ownTools',
  'ownNotes',
  'ownMemory',
  'reasoning',
  'picture',
  'providerForm',
  'empty',
] as const;
export type HandOffReason = (typeof handOffReasons)[number];

/** A part of the session to write, and how it came about. */
export interface FittedPart {
  readonly role: 'user' | 'assistant';
  readonly part: ConversationPart;
  readonly fate: 'carried' | 'converted';
  readonly reason: HandOffReason | undefined;
}

/** A block of the origin that no part holds. */
export interface LostBlock {
  readonly block: number;
  readonly reason: HandOffReason;
}

export interface FittedSession {
  /** In the order in which the target sends them. */
  readonly parts: readonly FittedPart[];
  readonly turns: readonly ConversationTurn[];
  readonly lost: readonly LostBlock[];
}

/** How the blocks of the origin are looked up. */
interface Origin {
  readonly blocks: readonly number[];
  readonly blockAt: (number: number) => Block | undefined;
  /** True if the agent of the origin is the target. */
  readonly isOwn: boolean;
  /** The summary that stands for what was before it, if there is one. */
  readonly summary?: ConversationPart | undefined;
}

/** Turns a conversation into what an agent can resume, and says what becomes of each block. */
export function fitConversation(
  { turns, pruned = [] }: Conversation,
  target: HandOffTarget,
  facts: TargetFacts,
  origin: Origin,
): FittedSession {
  const fitting = new Fitting(target, facts, origin, new Set(pruned));
  const fitted = turns.flatMap(turn => fitting.turn(turn));
  const written = joined(fitted[0]?.role === 'assistant' ? [opening, ...fitted] : fitted);
  const parts = written.flat();
  const kept = new Set(parts.flatMap(({ part }) => part.blocks));
  const prunedCalls = new Set(pruned.map(number => origin.blockAt(number)?.callId));
  const lostBecause = (block: Block | undefined): HandOffReason =>
    block?.contentType === 'image' && block.callId !== undefined && prunedCalls.has(block.callId)
      ? 'pruned'
      : reasonOf(block);
  return {
    parts,
    turns: written.map(each => ({ role: each[0]?.role ?? 'user', parts: each.map(({ part }) => part) })),
    lost: [...new Set(origin.blocks)]
      .filter(block => !kept.has(block))
      .map(block => ({ block, reason: lostBecause(origin.blockAt(block)) })),
  };
}

/** A session begins with the user. */
const opening: FittedPart = {
  role: 'user',
  part: { kind: 'text', blocks: [], text: '[The beginning of this conversation is left out.]' },
  fate: 'converted',
  reason: 'opening',
};

/**
 * Parts of one role in a row, with results before everything else. A call that has become text is joined to the text
 * around it: some agents put the texts of a reply together without a space between them.
 */
function joined(parts: readonly FittedPart[]): readonly (readonly FittedPart[])[] {
  const turns: FittedPart[][] = [];
  for (const part of parts) {
    const last = turns.at(-1);
    if (last?.[0]?.role === part.role) {
      last.push(part);
    } else {
      turns.push([part]);
    }
  }
  return turns.map(turn => withTextsJoined(inOrder(turn)));
}

/** Results come first. Where a call has become text, calls come last: Claude Code sends texts before them. */
function inOrder(turn: readonly FittedPart[]): readonly FittedPart[] {
  const hasCallAsText = turn.some(({ reason }) => reason === 'toolAsText');
  const isLast = ({ part }: FittedPart): boolean => part.kind === 'call' && hasCallAsText;
  return [
    ...withResultsJoined(turn),
    ...turn.filter(each => each.part.kind !== 'result' && !isLast(each)),
    ...turn.filter(isLast),
  ];
}

/** The results of a turn, one for each call. pi sends the images of a result apart from it. */
function withResultsJoined(turn: readonly FittedPart[]): readonly FittedPart[] {
  const results = new Map<string, FittedPart>();
  for (const next of turn) {
    if (next.part.kind !== 'result') {
      continue;
    }
    const { callId, text, pictures, blocks } = next.part;
    const before = results.get(callId);
    results.set(
      callId,
      before?.part.kind === 'result'
        ? {
            ...before,
            part: {
              ...before.part,
              text: [before.part.text, text].filter(each => each !== '').join('\n'),
              pictures: [...before.part.pictures, ...pictures],
              blocks: [...before.part.blocks, ...blocks],
              native: undefined,
            },
          }
        : next,
    );
  }
  return [...results.values()];
}

function withTextsJoined(parts: readonly FittedPart[]): readonly FittedPart[] {
  const groups: (readonly [FittedPart, ...FittedPart[]])[] = [];
  const isAsText = ({ reason }: FittedPart): boolean => reason === 'toolAsText';
  let open: [FittedPart, ...FittedPart[]] | undefined;
  for (const next of parts) {
    const isText = next.role === 'assistant' && next.part.kind === 'text';
    if (open !== undefined && isText && (open.length > 1 || isAsText(open[0]) || isAsText(next))) {
      open.push(next);
    } else {
      const group: [FittedPart, ...FittedPart[]] = [next];
      groups.push(group);
      open = isText ? group : undefined;
    }
  }
  return groups.map(group => (group.length === 1 ? group[0] : asOneText(group)));
}

function asOneText(parts: readonly [FittedPart, ...FittedPart[]]): FittedPart {
  return {
    role: parts[0].role,
    part: {
      kind: 'text',
      blocks: parts.flatMap(({ part }) => part.blocks),
      text: parts.flatMap(({ part }) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
    },
    fate: 'converted',
    reason: 'toolAsText',
  };
}

class Fitting {
  /** The names of the calls that have become text, by their ids. */
  private readonly asText = new Map<string, string>();
  /** The calls of tools that the provider runs: their results are in their items, or not recorded. */
  private readonly served = new Set<string>();
  /** The converted calls, by their ids. */
  private readonly converted = new Map<string, ConvertedCall>();

  constructor(
    private readonly target: HandOffTarget,
    private readonly facts: TargetFacts,
    private readonly origin: Origin,
    private readonly pruned: ReadonlySet<number>,
  ) {}

  turn({ role, parts }: ConversationTurn): readonly FittedPart[] {
    return role === 'system' ? [] : parts.flatMap(part => this.fitted(role, part));
  }

  private fitted(role: 'user' | 'assistant', part: ConversationPart): readonly FittedPart[] {
    if (part === this.origin.summary) {
      return [{ role, part, fate: 'converted', reason: 'summarised' }];
    }
    const carried: FittedPart = { role, part, fate: 'carried', reason: undefined };
    switch (part.kind) {
      case 'text':
        return part.text.trim() === '' || this.isClients(part) ? [] : [carried];
      case 'thinking':
      case 'other':
        return this.isOwnForm(part) ? [carried] : [];
      case 'picture':
        return this.takes(part.picture) ? [carried] : [];
      case 'call':
        return [this.call(role, part)];
      case 'result':
        return this.result(role, part);
    }
  }

  private call(role: 'user' | 'assistant', part: Extract<ConversationPart, { kind: 'call' }>): FittedPart {
    const { id, name, input, blocks } = part;
    if (this.origin.isOwn) {
      if (isServedCall(part)) {
        this.served.add(id);
      }
      return { role, part, fate: 'carried', reason: undefined };
    }
    const call = convertedCall(this.target, name, input);
    if (call === undefined) {
      this.asText.set(id, name);
      const text = callAsText(name, input);
      return { role, part: { kind: 'text', blocks, text }, fate: 'converted', reason: 'toolAsText' };
    }
    this.converted.set(id, call);
    const native = typeof call.input === 'string' ? freeCall(id, call.name, call.input) : undefined;
    return {
      role,
      part: { kind: 'call', blocks, id, ...call, native },
      fate: 'converted',
      reason: 'nearestTool',
    };
  }

  private result(
    role: 'user' | 'assistant',
    part: Extract<ConversationPart, { kind: 'result' }>,
  ): readonly FittedPart[] {
    const { callId } = part;
    if (part.blocks.length === 0 && this.served.has(callId)) {
      return [];
    }
    const asText = this.asText.get(callId);
    const pictures = part.pictures.filter(picture => this.takes(picture));
    const isWhole = pictures.length === part.pictures.length;
    const text =
      part.text.trim() === '' && pictures.length === 0 ? (this.facts.emptyResult ?? part.text) : part.text;
    const isImage = (block: number): boolean => this.origin.blockAt(block)?.contentType === 'image';
    const texts = part.blocks.filter(block => !isImage(block));
    if (asText !== undefined) {
      const images = part.blocks.filter(isImage);
      return [
        {
          role,
          part: { kind: 'text', blocks: texts, text: resultAsText(asText, part) },
          fate: 'converted',
          reason: 'toolAsText',
        },
        ...pictures.map((picture, index): FittedPart => ({
          role,
          part: { kind: 'picture', picture, blocks: images.slice(index, index + 1) },
          fate: 'converted',
          reason: 'toolAsText',
        })),
      ];
    }
    const { native: recorded, ...rest } = part;
    // The tools of a reference may not be there in another process.
    const native = hasToolReference(recorded) ? undefined : recorded;
    const call = this.converted.get(callId);
    // A picture that is not taken stays no part of the result.
    const own = { ...rest, text, blocks: isWhole ? part.blocks : texts, pictures };
    const isPruned = part.blocks.some(block => this.pruned.has(block));
    return [
      {
        role,
        part:
          call === undefined
            ? { ...own, ...(isWhole && native !== undefined ? { native } : {}) }
            : {
                ...own,
                name: call.name,
                native: typeof call.input === 'string' ? freeResult(callId, text) : undefined,
              },
        ...(isPruned ? { fate: 'converted', reason: 'pruned' } : { fate: 'carried', reason: undefined }),
      },
    ];
  }

  /** True if the part holds only texts that the agent of the origin wrote about itself. */
  private isClients({ blocks }: ConversationPart): boolean {
    return blocks.length > 0 && blocks.every(number => isClientsNote(this.origin.blockAt(number)));
  }

  private isOwnForm({ native }: ConversationPart): boolean {
    return this.origin.isOwn && native !== undefined && native.protocol === this.facts.protocol;
  }

  private takes({ kind }: { readonly kind: 'data' | 'url' }): boolean {
    return kind === 'data' || this.facts.takesAddresses;
  }
}

export function callAsText(name: string, input: unknown): string {
  return `[Called the tool ${name}]\n${typeof input === 'string' ? input : toJson(input)}`;
}

export function resultAsText(
  name: string,
  { text, isError }: { readonly text: string; readonly isError: boolean },
): string {
  return `${isError ? `[The tool ${name} failed]` : `[Result of the tool ${name}]`}\n${text}`;
}

/** A call of a tool that takes a text, which only the Responses API has. */
function freeCall(id: string, name: string, input: string): NativeItem {
  return { protocol: 'openaiResponses', item: { type: 'custom_tool_call', call_id: id, name, input } };
}

function hasToolReference(native: NativeItem | undefined): boolean {
  return arrayAt(native?.item, 'content').some(part => stringAt(part, 'type') === 'tool_reference');
}

function freeResult(id: string, output: string): NativeItem {
  return { protocol: 'openaiResponses', item: { type: 'custom_tool_call_output', call_id: id, output } };
}

/** True for a text about the situation, the instructions or the tools of the agent that sent it. */
function isClientsNote(block: Block | undefined): boolean {
  return (
    block?.kind === 'injected' &&
    (block.partition === 'state' || block.partition === 'knowledge') &&
    (block.provenance === 'system' || block.provenance === 'developer')
  );
}

function reasonOf(block: Block | undefined): HandOffReason {
  switch (block?.kind) {
    case 'systemPrompt':
      return 'ownPrompt';
    case 'toolSchema':
      return 'ownTools';
    case 'thinking':
      return 'reasoning';
    case 'image':
      return 'picture';
    case 'injected':
      return block.provenance === 'developer' ? 'ownMemory' : 'ownNotes';
    case 'summary':
    case 'other':
      return 'providerForm';
    case 'prompt':
    case 'assistant':
    case 'toolCall':
    case 'toolResult':
    case 'structuredOutput':
    case undefined:
      return 'empty';
  }
}
