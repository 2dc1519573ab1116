import {
  arrayAt,
  countAt,
  isObject,
  type JsonObject,
  member,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../../base/json';
import {
  textBlock,
  textBlocks,
  textBlocksAt,
  thinkingBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import {
  compactionSummary,
  developerPrompt,
  knowledge,
  signal,
  systemPrompt,
  typedPrompt,
} from '../../content/classification';
import { callBlocks } from '../../wire/generic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { below, type Place, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, LineFormatReader, SourceRecord } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import { mostAre } from '../common/mostAre';
import { addSubagent } from '../common/notes';
import { readUsage } from '../../wire/usage';
import { type AgentMark, CopilotAgent } from './copilotAgent';
import { placeTotals } from './copilotTotals';
import { promptPieces, titleOf } from './copilotPrompt';
import { type CountedCall, placeCounted, readSidecar } from './usageSidecar';

/** For events of which only the agent is read. */
const onlyAgent: MemberFilter = {
  members: { data: { others: 'leave', members: { parentToolCallId: 'keep' } } },
};

/**
 * The event log of Copilot CLI (`events.jsonl`, or its JSON output) and of Copilot Chat's transcripts. Calls are read
 * from `assistant.message`, results from `tool.execution_complete`. All other events repeat parts of these.
 */
export const copilotEvents: LineFormat = {
  kind: 'lines',
  id: 'copilot-events',
  name: 'Copilot event log (CLI and Chat)',
  matches: records => {
    const events = records.filter(isEvent);
    return (
      events.some(({ type }) => typeof type === 'string' && ownTypes.has(type)) && mostAre(records, isEvent)
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
      'session.shutdown': {
        members: {
          data: {
            others: 'leave',
            members: {
              modelMetrics: 'keep',
              accountingSnapshot: { others: 'leave', members: { modelMetrics: 'keep' } },
            },
          },
        },
      },
      'tool.execution_start': onlyAgent,
      'tool.execution_partial_result': onlyAgent,
    },
  },
  open: builder => readerOf(builder, []),
  openBeside: async (builder, siblings) => readerOf(builder, await readSidecar(siblings)),
};

/** @param counted the calls that VS Code counted in the session, if VS Code runs the agent */
function readerOf(builder: TranscriptBuilder, counted: readonly CountedCall[]): LineFormatReader {
  const reader = new EventReader(builder);
  return {
    push: record => {
      reader.read(record);
    },
    end: () => {
      reader.finish();
      placeCounted(builder, counted);
    },
    resume: () => {
      reader.resume();
      // The file with the counts grows too.
      return counted.length === 0;
    },
  };
}

/** Events that have `data` and `parentId` only in this agent's log. */
const ownTypes = new Set([
  'session.start',
  'session.shutdown',
  'user.message',
  'assistant.message',
  'assistant.message_delta',
  'assistant.turn_start',
  'assistant.turn_end',
  'tool.execution_start',
  'tool.execution_complete',
  'tool.shell_output',
]);

function isEvent(value: unknown): value is JsonObject {
  return (
    isObject(value) && typeof value['type'] === 'string' && isObject(value['data']) && 'parentId' in value
  );
}

/** One event of the log. */
interface LogEvent {
  readonly data: JsonObject | undefined;
  /** The place of `data`. */
  readonly place: Place;
  readonly agent: CopilotAgent;
  readonly timestamp: number | undefined;
}

class EventReader {
  private readonly agents = new Map<string, CopilotAgent>();
  private readonly lineOfEvent = new Map<string, number>();
  /** The state of each agent when the end of the file was reached. */
  private end: readonly (readonly [CopilotAgent, AgentMark])[] = [];

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'GitHub Copilot CLI';
    this.agentOf('');
  }

  read({ value, range }: SourceRecord): void {
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
    const event: LogEvent = {
      data,
      place: { record: range, path: ['data'] },
      agent: this.agentOf(stringAt(value, 'agentId') ?? stringAt(data, 'parentToolCallId') ?? ''),
      timestamp: timeAt(value, 'timestamp'),
    };
    if (!this.readEvent(type, event)) {
      this.builder.leaveOut(`${type} event`, range);
    }
  }

  finish(): void {
    this.end = [...this.agents.values()].map(agent => [agent, agent.markAll()]);
    for (const agent of this.agents.values()) {
      agent.settle();
    }
  }

  /** Undoes the effects of finishing outside the builder. */
  resume(): void {
    for (const [agent, mark] of this.end) {
      agent.restoreAll(mark);
    }
  }

  private agentOf(id: string): CopilotAgent {
    const known = this.agents.get(id);
    if (known !== undefined) {
      return known;
    }
    const agent = new CopilotAgent(this.builder, this.agents.size);
    this.agents.set(id, agent);
    if (id !== '') {
      addSubagent(this.builder, { id, thread: agent.thread });
    }
    return agent;
  }

  /** Reads an event. Returns `false` if it has no content, even if it has facts about the session or a request. */
  private readEvent(type: string, event: LogEvent): boolean {
    const { data, place, agent, timestamp } = event;
    switch (type) {
      case 'system.message':
        this.readSystem(event);
        return true;
      case 'user.message':
        agent.say({ role: 'user', blocks: promptBlocks(data, place), timestamp });
        this.builder.title ??= agent.thread === 0 ? titleOf(stringAt(data, 'content')) : undefined;
        return true;
      case 'system.notification': {
        const block = textBlock(textAt(data, place, 'content'), place, 'user', signal);
        agent.say({ role: 'user', blocks: [block], timestamp });
        return true;
      }
      case 'assistant.message':
        this.readReply(event);
        return true;
      case 'tool.execution_complete':
        this.readResult(event);
        return true;
      case 'session.compaction_complete':
        return this.readCompaction(event);
      case 'session.context_cleared':
        return this.readClearing(event);
      case 'session.start':
        this.builder.sessionId ??= stringAt(data, 'sessionId');
        this.builder.workingDirectory ??= stringAt(objectAt(data, 'context'), 'cwd');
        this.builder.addVersion(stringAt(data, 'copilotVersion'));
        if (stringAt(data, 'vscodeVersion') !== undefined) {
          this.builder.agentName = 'GitHub Copilot Chat';
        }
        break;
      case 'session.usage_record':
        agent.usage = readUsage(objectAt(data, 'usage'), 'camelCase');
        break;
      case 'assistant.usage':
        agent.usage = readUsage(data, 'camelCase');
        break;
      case 'session.model_change':
        this.builder.chooseModel(stringAt(data, 'newModel'));
        break;
      case 'session.title_changed':
        this.builder.title = stringAt(data, 'title') ?? this.builder.title;
        break;
      case 'session.shutdown':
        placeTotals(this.builder, data);
        break;
      case 'session.truncation':
        this.truncate(event);
        break;
      case 'session.snapshot_rewind':
        this.rewind(event);
        break;
      case 'subagent.started':
      case 'subagent.completed':
      case 'subagent.failed':
        this.describe(event);
        break;
      default:
    }
    return false;
  }

  private describe({ data, agent }: LogEvent): void {
    const known = [...this.builder.subagents.values()].find(({ thread }) => thread === agent.thread);
    const callId = stringAt(data, 'toolCallId');
    // Older logs identify a subagent by the call that started it.
    const id = known?.id ?? callId;
    if (id !== undefined) {
      addSubagent(this.builder, {
        id,
        callId,
        description: stringAt(data, 'agentDescription'),
        totalTokens: optionalCountAt(data, 'totalTokens'),
      });
    }
  }

  /** The system prompt is logged after the first prompt but sent before it, and logged again when it may have changed. */
  private readSystem({ data, place, agent, timestamp }: LogEvent): void {
    const found = textAt(data, place, 'content');
    const usual = stringAt(data, 'role') === 'developer' ? developerPrompt : systemPrompt;
    const blocks = textBlocks(found, place, 'system', undefined, usual);
    if (!agent.setSystem(found.content, { role: 'system', blocks, timestamp })) {
      this.builder.leaveOut('unchanged system prompt', place.record);
    }
  }

  private readReply({ data, place, agent, timestamp }: LogEvent): void {
    agent.settle();
    const reasoning = textAt(data, place, 'reasoningText');
    const thinking = reasoning.content === '' ? [] : [thinkingBlock(reasoning, place)];
    // Later requests send reasoning only if the provider signed it.
    const goesBack = stringAt(data, 'reasoningOpaque') !== undefined;
    const requested = arrayAt(data, 'toolRequests');
    agent.expectResults(requested.map(call => stringAt(call, 'toolCallId')));
    const blocks = [
      ...(goesBack ? thinking : []),
      ...textBlocksAt(data, place, 'content', 'assistant'),
      ...callBlocks(requested, below(place, 'toolRequests'), agent.calls),
    ];
    const id = stringAt(data, 'apiCallId') ?? stringAt(data, 'messageId');
    const usage = agent.usage ?? readUsage(data, 'copilotReply');
    agent.addReply(
      { role: 'assistant', blocks, id, timestamp },
      { line: place.record.line, id, model: stringAt(data, 'model'), usage, timestamp },
      goesBack ? [] : thinking,
    );
    agent.usage = undefined;
  }

  private readResult({ data, place, agent, timestamp }: LogEvent): void {
    const callId = stringAt(data, 'toolCallId');
    const key = stringAt(objectAt(data, 'result'), 'content') === undefined ? 'error' : 'result';
    const found = textAt(member(data, key), below(place, key), key === 'error' ? 'message' : 'content');
    const block = toolResultBlock(found, place, {
      callId,
      call: answeredCall(agent.calls, callId),
      isError: member(data, 'success') === false,
    });
    agent.addResult(callId, { role: 'tool', blocks: [block], timestamp });
  }

  /** Replaces the beginning of the history with its summary. Returns `false` for a failed compaction. */
  private readCompaction({ data, place, agent, timestamp }: LogEvent): boolean {
    if (member(data, 'success') === false || stringAt(data, 'summaryContent') === undefined) {
      return false;
    }
    agent.settle();
    const { talk } = agent;
    const { line } = place.record;
    const used = objectAt(data, 'compactionTokensUsed');
    const usage = readUsage(used, 'camelCase');
    const summary = textBlock(textAt(data, place, 'summaryContent'), place, 'user', compactionSummary);
    const message = { role: 'user', blocks: [summary], summary: true, timestamp } as const;
    const model = stringAt(used, 'model') ?? stringAt(data, 'model');
    const blocks =
      usage === undefined
        ? agent.add(message)
        : agent.addReply(message, { line, usage, model, timestamp, summarizes: true });
    const kept = countAt(data, 'preCompactionMessagesLength') - countAt(data, 'messagesRemoved');
    agent.keepLast(kept, talk, [{ blocks }]);
    agent.noteCompaction({
      line,
      trigger: stringAt(data, 'trigger'),
      tokensBefore: optionalCountAt(data, 'preCompactionTokens'),
      tokensAfter: optionalCountAt(data, 'postCompactionTokens'),
    });
    return true;
  }

  private truncate({ data, place, agent }: LogEvent): void {
    const removed = countAt(data, 'messagesRemovedDuringTruncation');
    if (removed > 0) {
      agent.keepLast(countAt(data, 'preTruncationMessagesLength') - removed);
      agent.noteCompaction({
        line: place.record.line,
        trigger: 'truncation',
        tokensBefore: optionalCountAt(data, 'preTruncationTokensInMessages'),
        tokensAfter: optionalCountAt(data, 'postTruncationTokensInMessages'),
      });
    }
  }

  /** Removes the content of the listed events. Without a list, removes everything from `upToEventId` on. */
  private rewind({ data, agent }: LogEvent): void {
    agent.settle();
    const lines = new Set(
      arrayAt(data, 'eventIds').map(id => (typeof id === 'string' ? this.lineOfEvent.get(id) : undefined)),
    );
    lines.delete(undefined);
    const first = this.lineOfEvent.get(stringAt(data, 'upToEventId') ?? '') ?? Number.POSITIVE_INFINITY;
    agent.keepLines(line => (lines.size > 0 ? !lines.has(line) : line < first));
  }

  private readClearing({ data, place, agent, timestamp }: LogEvent): boolean {
    agent.clear();
    agent.noteCompaction({ line: place.record.line, isReset: true });
    if (stringAt(data, 'initialMessage') === undefined) {
      return false;
    }
    const blocks = textBlocks(textAt(data, place, 'initialMessage'), place, 'user');
    agent.say({ role: 'user', blocks, timestamp });
    return true;
  }
}

/** A prompt as the model got it: the transformed text, with Copilot's additions around the typed words. */
function promptBlocks(data: JsonObject | undefined, place: Place): readonly NewBlock[] {
  const key = stringAt(data, 'transformedContent') === undefined ? 'content' : 'transformedContent';
  const typedClass =
    stringAt(data, 'source')?.startsWith('skill') === true
      ? knowledge
      : member(data, 'isAutopilotContinuation') === true
        ? signal
        : typedPrompt;
  const typed = stringAt(data, 'content') ?? '';
  return promptPieces(textAt(data, place, key), typed, typedClass, below(place, key));
}
