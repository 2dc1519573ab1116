import { labelOfText } from '../../content/blockLabels';
import type { KnownCalls } from '../../content/knownCalls';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedWindow } from '../../model/contextWindow';
import type { RecordedUsage } from '../../model/transcript';
import type { RequestFacts } from '../common/history';
import { Thread } from '../common/thread';
import type { WireMessage, WireRequest, WireResponse } from '../../wire/body';

/** One call to a model as it was captured: its request, its response, or both. */
export interface Exchange {
  readonly request?: WireRequest | undefined;
  readonly response?: WireResponse | undefined;
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The window that a header of the request asked for. */
  readonly window?: RecordedWindow | undefined;
  /** Recorded next to the bodies. */
  readonly usage?: RecordedUsage | undefined;
  readonly id?: string | undefined;
  /** Calls in the same lane are one conversation, whatever their content: an entry of a batch, a kind of side call. */
  readonly lane?: string | undefined;
  /** The title of the lane, for lanes whose first prompt is not a good title. */
  readonly title?: string | undefined;
  /** Calls of different conversations are never in one lane, even if their content is the same. */
  readonly conversation?: string | undefined;
  /** The request contains only the messages added since the previous one in its lane. */
  readonly continues?: boolean | undefined;
  /** True if it does not send the thinking of the reply before it. */
  readonly dropsThinking?: boolean | undefined;
}

/** A conversation of a capture: requests with the same system prompt, tools and first prompt. */
interface Lane {
  readonly thread: number;
  readonly timeline: Thread;
  readonly name: string | undefined;
  readonly conversation: string | undefined;
  readonly system: string;
  tools: ReadonlySet<string>;
  prompt: string;
  readonly title: string | undefined;
  longest: number;
  /** True if no request had tools or more than one message. */
  isSingle: boolean;
}

/**
 * How much of the system prompt distinguishes conversations, in UTF-16 units: further down there are dates and folders.
 */
const tellingSystem = 200;

/**
 * Sorts the calls of a capture into conversations, each a thread of its own, and each conversation's requests into
 * contexts: a request that continues the one before shares its context.
 */
export class CaptureTimeline {
  private readonly lanes: Lane[] = [];
  private readonly answered = new Map<string, readonly WireMessage[]>();

  /** All captured calls are added to one of these. */
  readonly calls: KnownCalls = new Map();

  constructor(readonly builder: TranscriptBuilder) {}

  add(exchange: Exchange): void {
    const { request, response, line } = exchange;
    if (request === undefined && response === undefined) {
      return;
    }
    this.builder.agentName ||= request?.api ?? response?.api ?? '';
    const previous =
      request?.previousResponse === undefined ? undefined : this.answered.get(request.previousResponse);
    const messages = withHistory(request?.messages ?? [], previous);
    const reply = response?.messages ?? [];
    const lane = this.laneOf(exchange, messages);
    for (const { blocks } of [...messages, ...reply]) {
      for (const { kind, callId, toolName } of blocks) {
        if (kind === 'toolCall' && callId !== undefined) {
          lane.timeline.calls.set(callId, { toolName: toolName ?? 'unknown', object: '', path: undefined });
        }
      }
    }
    if (response?.id !== undefined) {
      this.answered.set(
        response.id,
        [...messages, ...reply].filter(message => message.isHead !== true),
      );
    }
    const breakpoints = breakpointsOf(messages);
    const facts: RequestFacts = {
      complete: request !== undefined && (request.complete || previous !== undefined),
      line,
      id: exchange.id ?? response?.id,
      model: response?.model ?? request?.model,
      usage: response?.usage ?? exchange.usage,
      timestamp: exchange.timestamp ?? response?.timestamp,
      breakpoints: breakpoints.length === 0 ? undefined : breakpoints,
      diagnosis: response?.diagnosis,
      window: exchange.window,
      body: request?.body,
    };
    if (exchange.continues === true) {
      lane.timeline.addContinuation(messages, reply, facts, exchange.dropsThinking);
    } else {
      lane.timeline.addRequest(messages, reply, facts);
    }
    lane.longest = Math.max(lane.longest, this.builder.requests.at(-1)?.length ?? 0);
  }

  /** Numbers the conversations: the longest first, then in order of arrival. Call once, after everything is added. */
  finish(): void {
    const groups = this.grouped();
    const threadOf = new Map(
      groups.flatMap(({ lanes }, thread) => lanes.map(lane => [lane.thread, thread] as const)),
    );
    const { requests, compactions } = this.builder;
    requests.forEach((request, index) => {
      requests[index] = { ...request, thread: threadOf.get(request.thread) ?? request.thread };
    });
    compactions.forEach((compaction, index) => {
      compactions[index] = { ...compaction, thread: threadOf.get(compaction.thread) ?? compaction.thread };
    });
    this.builder.title ??= groups[0]?.title;
    if (groups.length > 1) {
      this.builder.conversations.push(
        ...groups.map(({ title }, thread) => ({ thread, title: title ?? 'replies without requests' })),
      );
    }
  }

  /**
   * In a capture with an agent's conversation, all calls with a single prompt under the same system prompt (titles,
   * checks of typed text) form one conversation; without an agent's, each is a conversation of its own.
   */
  private grouped(): readonly { readonly title: string | undefined; readonly lanes: readonly Lane[] }[] {
    const main = this.lanes
      .filter(({ isSingle, name }) => !isSingle && name === undefined)
      .reduce<Lane | undefined>(
        (best, lane) => (lane.longest > (best?.longest ?? 0) ? lane : best),
        undefined,
      );
    if (main === undefined) {
      return this.lanes.map(lane => ({ title: lane.title, lanes: [lane] }));
    }
    const groups = new Map<string, Lane[]>([[String(main.thread), [main]]]);
    for (const lane of this.lanes.filter(other => other !== main)) {
      const key =
        lane.isSingle && lane.system !== '' && lane.name === undefined ? lane.system : String(lane.thread);
      groups.set(key, [...(groups.get(key) ?? []), lane]);
    }
    return [...groups.values()].map(lanes => ({
      title: lanes.length > 1 ? labelOfText(lanes[0]?.system ?? '') : lanes[0]?.title,
      lanes,
    }));
  }

  private laneOf(
    { request, lane: name, title: given, line, conversation, continues }: Exchange,
    messages: readonly WireMessage[],
  ): Lane {
    const head = messages.filter(isHead).flatMap(({ blocks }) => blocks);
    const talk = messages.filter(message => !isHead(message));
    const system = systemOf(head);
    const tools = new Set(head.flatMap(({ kind, label }) => (kind === 'toolSchema' ? [label] : [])));
    const first = firstPrompt(talk);
    const prompt = first?.content ?? '';
    const isSingle = tools.size === 0 && talk.length <= 1 && request !== undefined;
    const others = this.lanes.filter(
      lane => lane.name === name && (name !== undefined || lane.conversation === conversation),
    );
    const known =
      name !== undefined
        ? others[0]
        : continues === true
          ? others.findLast(lane => lane.system === system && areAlike(lane.tools, tools))
          : (findLane(others, system, tools, prompt) ??
            continued(others, system, tools, talk, line) ??
            underOtherSystem(others, tools, prompt, talk));
    if (known !== undefined) {
      known.isSingle &&= isSingle;
      known.tools = tools;
      return known;
    }
    const thread = this.lanes.length;
    const timeline = new Thread(this.builder, thread);
    const title = given ?? first?.label ?? name;
    const lane = { thread, timeline, name, conversation, system, tools, prompt, title, isSingle, longest: 0 };
    this.lanes.push(lane);
    return lane;
  }
}

function findLane(
  lanes: readonly Lane[],
  system: string,
  tools: ReadonlySet<string>,
  prompt: string,
): Lane | undefined {
  return lanes.find(lane => lane.system === system && lane.prompt === prompt && areAlike(lane.tools, tools));
}

/**
 * If a request shares more than the first prompt with a conversation, it continues it even if the system prompt
 * changed.
 */
function underOtherSystem(
  lanes: readonly Lane[],
  tools: ReadonlySet<string>,
  prompt: string,
  talk: readonly WireMessage[],
): Lane | undefined {
  return talk.length > 1 && prompt !== ''
    ? lanes.findLast(lane => !lane.isSingle && lane.prompt === prompt && areAlike(lane.tools, tools))
    : undefined;
}

/** After a compaction the first message is a summary: the conversation continues under the same system prompt. */
function continued(
  lanes: readonly Lane[],
  system: string,
  tools: ReadonlySet<string>,
  talk: readonly WireMessage[],
  line: number,
): Lane | undefined {
  if (talk[0]?.blocks.some(({ kind }) => kind === 'summary') !== true) {
    return undefined;
  }
  const lane = lanes.findLast(
    other => !other.isSingle && other.system === system && areAlike(other.tools, tools),
  );
  if (lane !== undefined) {
    lane.prompt = firstPrompt(talk)?.content ?? '';
    lane.timeline.noteCompaction({ line });
  }
  return lane;
}

function isHead(message: WireMessage): boolean {
  return message.isHead === true;
}

/**
 * A request's messages. The messages that the provider kept from earlier requests come between its head and its own
 * messages.
 */
function withHistory(
  messages: readonly WireMessage[],
  history: readonly WireMessage[] | undefined,
): readonly WireMessage[] {
  return history === undefined
    ? messages
    : [...messages.filter(isHead), ...history, ...messages.filter(message => !isHead(message))];
}

/** The beginning of the longest text of the system prompt; short texts before it may be a client's own markers. */
function systemOf(head: readonly NewBlock[]): string {
  const texts = head.filter(({ kind }) => kind === 'systemPrompt').map(({ content }) => content);
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  return longest.trimStart().slice(0, tellingSystem);
}

function firstPrompt(talk: readonly WireMessage[]): NewBlock | undefined {
  const first = talk.find(({ blocks }) => blocks.some(({ kind }) => kind === 'prompt')) ?? talk[0];
  return first?.blocks.find(({ kind }) => kind === 'prompt') ?? first?.blocks[0];
}

/** Tools come and go during a conversation; a request that shares fewer than half of them is another agent's. */
function areAlike(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  const shared = [...first].filter(tool => second.has(tool)).length;
  return shared * 2 >= Math.max(first.size, second.size);
}

function breakpointsOf(messages: readonly WireMessage[]): readonly number[] {
  const positions: number[] = [];
  let from = 0;
  for (const { blocks, marked } of messages) {
    positions.push(...(marked ?? []).map(index => from + index));
    from += blocks.length;
  }
  return positions;
}
