import {
  type JsonObject,
  arrayAt,
  countAt,
  isObject,
  member,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../../base/json';
import { textBlocks, thinkingBlock, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { type TextClass, compactionSummary, typedPrompt } from '../../content/classification';
import { type Place, below, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { LineFormat, SourceRecord } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import type { HistoryMark } from '../common/history';
import { addSubagent } from '../common/notes';
import { Thread, type ThreadItem } from '../common/thread';
import { readUsage } from '../common/usage';
import { addUnsentReply, promptPieces } from './copilotPrompt';

/** Events of which only the agent is read that they belong to. */
const onlyAgent: MemberFilter = {
  members: { data: { others: 'leave', members: { parentToolCallId: 'keep' } } },
};

/**
 * The event log of Copilot CLI (`events.jsonl`, or what it prints as JSON) and of Copilot Chat's transcripts. Calls are
 * taken from `assistant.message`, results from `tool.execution_complete`; every other event is a view of these.
 */
export const copilotEvents: LineFormat = {
  kind: 'lines',
  id: 'copilot-events',
  name: 'Copilot event log (CLI and Chat)',
  matches: records => {
    const events = records.filter(isEvent);
    return (
      events.some(({ type }) => typeof type === 'string' && telling.has(type)) &&
      events.length * 2 > records.length
    );
  },
  members: {
    members: {},
    byType: {
      'assistant.message': { members: { data: { members: { reasoningBlocks: 'leave' } } } },
      'tool.execution_complete': {
        members: {
          data: {
            members: { toolTelemetry: 'leave', result: { others: 'leave', members: { content: 'keep' } } },
          },
        },
      },
      'hook.start': onlyAgent,
      'hook.end': onlyAgent,
      'session.binary_asset': onlyAgent,
      'session.shutdown': onlyAgent,
      'tool.execution_start': onlyAgent,
      'tool.execution_partial_result': onlyAgent,
    },
  },
  open(builder) {
    const reader = new EventReader(builder);
    return {
      push: record => {
        reader.read(record);
      },
      finish: () => {
        reader.finish();
        return builder.build(this.id);
      },
      resume: () => {
        reader.resume();
        return true;
      },
    };
  },
};

/** Events that no other agent's log has beside `data` and `parentId`. */
const telling = new Set(['session.start', 'user.message', 'assistant.message', 'assistant.turn_start']);

function isEvent(value: unknown): value is JsonObject {
  return (
    isObject(value) && typeof value['type'] === 'string' && isObject(value['data']) && 'parentId' in value
  );
}

/** What waits for the next reply: results in the order of their calls, then what people and the program said. */
interface Agent {
  readonly timeline: Thread;
  /** Order of the last reply's calls. */
  order: Map<string, number>;
  results: { readonly at: number; readonly block: NewBlock; readonly timestamp: number | undefined }[];
  said: { readonly blocks: readonly NewBlock[]; readonly timestamp: number | undefined }[];
  system: { readonly content: string; readonly blocks: readonly number[] } | undefined;
  usage: RecordedUsage | undefined;
}

class EventReader {
  private readonly agents = new Map<string, Agent>();
  private readonly lineOfEvent = new Map<string, number>();
  /** What waited when the end of the file was reached. */
  private end: readonly (Pick<Agent, 'results' | 'said'> & {
    readonly agent: Agent;
    readonly timeline: HistoryMark<ThreadItem>;
  })[] = [];

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'GitHub Copilot CLI';
    this.agentOf('');
  }

  read(record: SourceRecord): void {
    const { value, range } = record;
    const data = objectAt(value, 'data');
    const type = stringAt(value, 'type');
    if (type === undefined) {
      this.builder.addProblem('unknownRecord', range.line);
      return;
    }
    const id = stringAt(value, 'id');
    if (id !== undefined) {
      this.lineOfEvent.set(id, range.line);
    }
    const agent = this.agentOf(stringAt(value, 'agentId') ?? stringAt(data, 'parentToolCallId') ?? '');
    const place: Place = { record: range, path: ['data'], locate: () => range };
    const timestamp = timeAt(value, 'timestamp');
    switch (type) {
      case 'system.message':
        this.readSystem(data, place, agent, timestamp);
        return;
      case 'user.message':
        agent.said.push({ blocks: promptBlocks(data, place), timestamp });
        this.builder.title ??= agent.timeline.thread === 0 ? titleOf(data) : undefined;
        return;
      case 'system.notification':
        agent.said.push({
          blocks: textBlocks(textOf(member(data, 'content'), below(place, 'content')), place, 'user', {
            kind: 'injected',
            partition: 'state',
            provenance: 'system',
          }),
          timestamp,
        });
        return;
      case 'assistant.message':
        this.readReply(data, place, agent, timestamp);
        return;
      case 'tool.execution_complete':
        this.readResult(data, place, agent, timestamp);
        return;
      case 'session.compaction_complete':
        if (member(data, 'success') !== false && stringAt(data, 'summaryContent') !== undefined) {
          this.readCompaction(data, place, agent, timestamp);
          return;
        }
        break;
      case 'session.context_cleared':
        this.readClearing(data, place, agent, timestamp);
        return;
      default:
        this.readFacts(type, data, agent, range.line);
    }
    this.builder.leaveOut(`${type} event`, range);
  }

  finish(): void {
    this.end = [...this.agents.values()].map(agent => {
      const { timeline, results, said } = agent;
      return { agent, results, said, timeline: timeline.mark() };
    });
    for (const agent of this.agents.values()) {
      this.settle(agent);
    }
  }

  /** Takes back what finishing did beyond the builder. */
  resume(): void {
    for (const { agent, results, said, timeline } of this.end) {
      agent.results = results;
      agent.said = said;
      agent.timeline.restore(timeline);
    }
  }

  private agentOf(id: string): Agent {
    const known = this.agents.get(id);
    if (known !== undefined) {
      return known;
    }
    const agent: Agent = {
      timeline: new Thread(this.builder, this.agents.size),
      order: new Map(),
      results: [],
      said: [],
      system: undefined,
      usage: undefined,
    };
    this.agents.set(id, agent);
    if (id !== '') {
      addSubagent(this.builder, { id, thread: agent.timeline.thread });
    }
    return agent;
  }

  /** Events that say something about the session or a request, and are no content. */
  private readFacts(type: string, data: JsonObject | undefined, agent: Agent, line: number): void {
    switch (type) {
      case 'session.start': {
        this.builder.sessionId ??= stringAt(data, 'sessionId');
        this.builder.workingDirectory ??= stringAt(objectAt(data, 'context'), 'cwd');
        if (stringAt(data, 'vscodeVersion') !== undefined) {
          this.builder.agentName = 'GitHub Copilot Chat';
        }
        const version = stringAt(data, 'copilotVersion');
        if (version !== undefined) {
          this.builder.versions.add(version);
        }
        break;
      }
      case 'session.usage_record':
        agent.usage = readUsage(objectAt(data, 'usage'), 'camelCase');
        break;
      case 'assistant.usage':
        agent.usage = readUsage(data, 'camelCase');
        break;
      case 'session.title_changed':
        this.builder.title = stringAt(data, 'title') ?? this.builder.title;
        break;
      case 'session.truncation':
        this.truncate(data, agent, line);
        break;
      case 'session.snapshot_rewind':
        this.rewind(data, agent);
        break;
      case 'subagent.started':
      case 'subagent.completed':
      case 'subagent.failed':
        this.describe(data, agent);
        break;
      default:
    }
  }

  private describe(data: JsonObject | undefined, agent: Agent): void {
    const known = [...this.builder.subagents.values()].find(({ thread }) => thread === agent.timeline.thread);
    const callId = stringAt(data, 'toolCallId');
    // Older logs name a subagent by the call that started it.
    const id = known?.id ?? callId;
    if (id === undefined) {
      return;
    }
    addSubagent(this.builder, {
      id,
      callId,
      description: stringAt(data, 'agentDescription'),
      totalTokens: optionalCountAt(data, 'totalTokens'),
    });
  }

  /** The prompt is logged again where it may have changed, and behind the first prompt although it stands before it. */
  private readSystem(
    data: JsonObject | undefined,
    place: Place,
    agent: Agent,
    timestamp: number | undefined,
  ): void {
    const content = stringAt(data, 'content') ?? '';
    if (agent.system?.content === content) {
      this.builder.leaveOut('system prompt as before', place.record);
      return;
    }
    const { timeline } = agent;
    const before = new Set(agent.system?.blocks);
    const rest = timeline.blocks.filter(block => !before.has(block));
    const provenance = stringAt(data, 'role') === 'developer' ? 'developer' : 'system';
    const blocks = textBlocks(textOf(content, below(place, 'content')), place, 'system', {
      kind: 'systemPrompt',
      partition: 'system',
      provenance,
    });
    timeline.replace([]);
    const added = timeline.add({ role: 'system', blocks, ...timed(timestamp) });
    agent.system = { content, blocks: added };
    if (rest.length > 0) {
      timeline.replace([{ blocks: [...added, ...rest] }]);
    }
  }

  private settle(agent: Agent): void {
    const results = [...agent.results].sort((first, second) => first.at - second.at);
    for (const { block, timestamp } of results) {
      agent.timeline.add({ role: 'tool', blocks: [block], ...timed(timestamp) });
    }
    for (const { blocks, timestamp } of agent.said) {
      agent.timeline.add({ role: 'user', blocks, ...timed(timestamp) });
    }
    agent.results = [];
    agent.said = [];
  }

  private readReply(
    data: JsonObject | undefined,
    place: Place,
    agent: Agent,
    timestamp: number | undefined,
  ): void {
    this.settle(agent);
    const { timeline } = agent;
    const blocks: NewBlock[] = [];
    const reasoning = stringAt(data, 'reasoningText') ?? '';
    const content = stringAt(data, 'content') ?? '';
    const thinking =
      reasoning === '' ? [] : [thinkingBlock(textOf(reasoning, below(place, 'reasoningText')), place)];
    // Reasoning goes back only where the provider signed it.
    const goesBack = stringAt(data, 'reasoningOpaque') !== undefined;
    if (goesBack) {
      blocks.push(...thinking);
    }
    if (content !== '') {
      blocks.push(...textBlocks(textOf(content, below(place, 'content')), place, 'assistant'));
    }
    agent.order = new Map();
    arrayAt(data, 'toolRequests').forEach((call, index) => {
      const callId = stringAt(call, 'toolCallId');
      if (callId !== undefined) {
        agent.order.set(callId, index);
      }
      const input = member(call, 'arguments') ?? member(call, 'input');
      const key = member(call, 'arguments') === undefined ? 'input' : 'arguments';
      const toolName = stringAt(call, 'name') ?? 'unknown';
      const callPlace = below(place, 'toolRequests', index, key);
      blocks.push(toolCallBlock({ toolName, callId, input, place: callPlace }, timeline.calls));
    });
    const id = stringAt(data, 'apiCallId') ?? stringAt(data, 'messageId');
    const model = stringAt(data, 'model');
    const reply = timeline.addReply(
      { role: 'assistant', blocks, ...(id === undefined ? {} : { id }), ...timed(timestamp) },
      {
        complete: false,
        line: place.record.line,
        id,
        model,
        usage: agent.usage,
        ...timed(timestamp),
      },
    );
    agent.usage = undefined;
    if (!goesBack) {
      addUnsentReply(this.builder, thinking, reply);
    }
  }

  private readResult(
    data: JsonObject | undefined,
    place: Place,
    agent: Agent,
    timestamp: number | undefined,
  ): void {
    const callId = stringAt(data, 'toolCallId');
    const result = objectAt(data, 'result');
    const [value, path] =
      stringAt(result, 'content') === undefined
        ? [member(objectAt(data, 'error'), 'message'), ['error', 'message']]
        : [member(result, 'content'), ['result', 'content']];
    const call = callId === undefined ? undefined : agent.timeline.calls.get(callId);
    agent.results.push({
      at: agent.order.get(callId ?? '') ?? agent.order.size,
      block: toolResultBlock(textOf(value, below(place, ...path)), place, {
        callId,
        call,
        isError: member(data, 'success') === false,
      }),
      timestamp,
    });
  }

  /** What was dropped is the beginning; the summary stands in its place. */
  private readCompaction(
    data: JsonObject | undefined,
    place: Place,
    agent: Agent,
    timestamp: number | undefined,
  ): void {
    this.settle(agent);
    const { timeline } = agent;
    const before = [...timeline.blocks];
    const kept = this.lastMessages(
      before,
      countAt(data, 'preCompactionMessagesLength') - countAt(data, 'messagesRemoved'),
      agent,
    );
    const used = objectAt(data, 'compactionTokensUsed');
    const summary = textBlocks(
      textOf(member(data, 'summaryContent'), below(place, 'summaryContent')),
      place,
      'user',
      compactionSummary,
    );
    const usage = readUsage(used, 'camelCase');
    const model = stringAt(used, 'model') ?? stringAt(data, 'model');
    const message = { role: 'user', blocks: summary, summary: true, ...timed(timestamp) } as const;
    const reply =
      usage === undefined
        ? timeline.add(message)
        : timeline.addReply(message, {
            complete: false,
            line: place.record.line,
            usage,
            model,
            ...timed(timestamp),
          });
    timeline.replace([{ blocks: [...(agent.system?.blocks ?? []), ...reply, ...kept] }]);
    timeline.noteCompaction({
      line: place.record.line,
      trigger: stringAt(data, 'trigger'),
      tokensBefore: optionalCountAt(data, 'preCompactionTokens'),
      tokensAfter: optionalCountAt(data, 'postCompactionTokens'),
    });
  }

  private truncate(data: JsonObject | undefined, agent: Agent, line: number): void {
    const removed = countAt(data, 'messagesRemovedDuringTruncation');
    if (removed === 0) {
      return;
    }
    const { timeline } = agent;
    const before = [...timeline.blocks];
    const kept = this.lastMessages(before, countAt(data, 'preTruncationMessagesLength') - removed, agent);
    timeline.replace([{ blocks: [...(agent.system?.blocks ?? []), ...kept] }]);
    timeline.noteCompaction({
      line,
      trigger: 'truncation',
      tokensBefore: optionalCountAt(data, 'preTruncationTokensInMessages'),
      tokensAfter: optionalCountAt(data, 'postTruncationTokensInMessages'),
    });
  }

  /** The blocks of the last messages of a context, the system prompt aside. */
  private lastMessages(context: readonly number[], count: number, agent: Agent): readonly number[] {
    const system = new Set(agent.system?.blocks);
    const talk = context.filter(block => !system.has(block));
    const messages = [...new Set(talk.map(block => this.builder.blocks.at(block)?.message))];
    const kept = new Set(count <= 0 ? [] : messages.slice(-count));
    return talk.filter(block => kept.has(this.builder.blocks.at(block)?.message));
  }

  /** Removes what the named events brought; without a list, everything from the first of them on. */
  private rewind(data: JsonObject | undefined, agent: Agent): void {
    this.settle(agent);
    const lines = new Set(
      arrayAt(data, 'eventIds').flatMap(id =>
        typeof id === 'string' ? (this.lineOfEvent.get(id) ?? []) : [],
      ),
    );
    const first = this.lineOfEvent.get(stringAt(data, 'upToEventId') ?? '') ?? Number.POSITIVE_INFINITY;
    const kept = agent.timeline.blocks.filter(block => {
      const line = this.builder.blocks.at(block)?.source.line ?? 0;
      return (
        agent.system?.blocks.includes(block) === true || (lines.size > 0 ? !lines.has(line) : line < first)
      );
    });
    agent.timeline.replace([{ blocks: kept }]);
  }

  private readClearing(
    data: JsonObject | undefined,
    place: Place,
    agent: Agent,
    timestamp: number | undefined,
  ): void {
    agent.results = [];
    agent.said = [];
    agent.timeline.replace([{ blocks: agent.system?.blocks ?? [] }]);
    if (stringAt(data, 'initialMessage') === undefined) {
      this.builder.leaveOut('session.context_cleared event', place.record);
    } else {
      const blocks = textBlocks(
        textOf(member(data, 'initialMessage'), below(place, 'initialMessage')),
        place,
        'user',
      );
      agent.said.push({ blocks, timestamp });
    }
  }
}

function timed(timestamp: number | undefined): { readonly timestamp?: number } {
  return timestamp === undefined ? {} : { timestamp };
}

function titleOf(data: JsonObject | undefined): string | undefined {
  const text = stringAt(data, 'content')?.replace(/\s+/g, ' ').trim().slice(0, 120);
  return text === '' ? undefined : text;
}

/** What the model got of a prompt: the transformed text, in which the typed one stands between what Copilot adds. */
function promptBlocks(data: JsonObject | undefined, place: Place): readonly NewBlock[] {
  const typed = stringAt(data, 'content') ?? '';
  const key = stringAt(data, 'transformedContent') === undefined ? 'content' : 'transformedContent';
  const source = stringAt(data, 'source') ?? 'user';
  const typedClass: TextClass | undefined = source.startsWith('skill')
    ? { kind: 'injected', partition: 'knowledge', provenance: 'system' }
    : member(data, 'isAutopilotContinuation') === true
      ? { kind: 'injected', partition: 'state', provenance: 'system' }
      : typedPrompt;
  return promptPieces(stringAt(data, key) ?? '', typed, typedClass, below(place, key));
}
