import { isArray, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { textBlocks, thinkingBlock, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { answeredCall } from '../../content/knownCalls';
import { below, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { LineFormat, LineFormatReader, SourceRecord } from '../../reading/format';
import { addSubagent } from '../common/notes';
import { Thread } from '../common/thread';
import { readUsage, withCost } from '../../wire/usage';
import { cutClineResults } from './clineResults';

/** The output of `cline --json`: the events of a run and of its subagents, without the prompt. */
export const clineStream: LineFormat = {
  kind: 'lines',
  id: 'cline-stream',
  name: 'cline --json',
  matches: records => records.some(isEvent),
  open: builder => new StreamReader(builder),
};

function isEvent(record: unknown): boolean {
  const type = stringAt(record, 'type');
  return (
    stringAt(record, 'ts') !== undefined &&
    ((type === 'agent_event' && objectAt(record, 'event') !== undefined) ||
      (type === 'hook_event' && stringAt(record, 'hookEventName') !== undefined))
  );
}

/** A model call whose events are still coming in. */
interface Iteration {
  readonly line: number;
  readonly time: number | undefined;
  readonly thinking: NewBlock[];
  readonly rest: NewBlock[];
  readonly results: NewBlock[];
  usage: RecordedUsage | undefined;
}

interface RunningAgent {
  readonly id: string | undefined;
  readonly thread: Thread;
  iteration: Iteration | undefined;
  hasReplied: boolean;
}

class StreamReader implements LineFormatReader {
  private threads = 0;
  private readonly running: RunningAgent[] = [];
  private readonly main: RunningAgent;
  private model: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Cline';
    this.main = this.newAgent(undefined);
  }

  push({ value, range }: SourceRecord): void {
    const event = objectAt(value, 'event');
    const type = stringAt(event, 'type') ?? stringAt(value, 'hookEventName') ?? stringAt(value, 'type');
    const place = { record: range, path: ['event'] };
    if (type === undefined) {
      this.builder.addProblem('unknownRecord', range.line);
    }
    if (event !== undefined && this.readEvent(event, place, timeAt(value, 'ts'))) {
      return;
    }
    if (event === undefined) {
      this.readHook(value);
    }
    this.model ??= stringAt(objectAt(value, 'model'), 'id');
    this.builder.leaveOut(`${type ?? 'unknown'} event`, range);
  }

  end(): void {
    for (const agent of [...this.running.reverse(), this.main]) {
      this.endIteration(agent);
    }
    const { model } = this;
    if (model !== undefined) {
      const { requests } = this.builder;
      requests.splice(0, requests.length, ...requests.map(request => ({ ...request, model })));
    }
  }

  resume(): boolean {
    return false;
  }

  private newAgent(id: string | undefined): RunningAgent {
    const thread = new Thread(this.builder, this.threads);
    this.threads += 1;
    return { id, thread, iteration: undefined, hasReplied: false };
  }

  private get agent(): RunningAgent {
    return this.running.at(-1) ?? this.main;
  }

  /** Hooks mark the start and the end of a subagent; the events between them are its own. */
  private readHook(value: unknown): void {
    const id = stringAt(value, 'agentId');
    if (stringAt(value, 'parentAgentId') === undefined || id === undefined) {
      return;
    }
    if (stringAt(value, 'hookEventName') === 'agent_start') {
      const calls = this.agent.iteration?.rest.filter(({ toolName }) => toolName === 'spawn_agent');
      const callId = calls?.at(-1)?.callId;
      const agent = this.newAgent(id);
      this.running.push(agent);
      addSubagent(this.builder, { id, thread: agent.thread.thread, callId });
    } else if (stringAt(value, 'hookEventName') === 'agent_end' && this.running.at(-1)?.id === id) {
      this.endIteration(this.agent);
      this.running.pop();
    }
  }

  /** Returns true if the event became a block. */
  private readEvent(event: unknown, place: Place, time: number | undefined): boolean {
    const { agent } = this;
    switch (stringAt(event, 'type') ?? '') {
      case 'iteration_start':
        this.endIteration(agent);
        this.iteration(place, time);
        return false;
      case 'iteration_end':
        this.endIteration(agent);
        return false;
      case 'usage':
        this.iteration(place, time).usage = withCost(readUsage(event, 'camelCase'), member(event, 'cost'));
        return false;
      case 'content_start':
        if (stringAt(event, 'contentType') === 'tool') {
          this.iteration(place, time).rest.push(this.callBlock(event, place));
          return true;
        }
        return false;
      case 'content_end':
        return this.readContent(event, place, this.iteration(place, time));
      default:
        return false;
    }
  }

  private iteration({ record }: Place, time: number | undefined): Iteration {
    const { agent } = this;
    agent.iteration ??= { line: record.line, time, thinking: [], rest: [], results: [], usage: undefined };
    return agent.iteration;
  }

  private callBlock(event: unknown, place: Place): NewBlock {
    const call = {
      toolName: stringAt(event, 'toolName') ?? 'unknown',
      callId: stringAt(event, 'toolCallId'),
      input: member(event, 'input'),
      place: below(place, 'input'),
      callPlace: place,
    };
    return toolCallBlock(call, this.agent.thread.calls);
  }

  private readContent(event: unknown, place: Place, iteration: Iteration): boolean {
    switch (stringAt(event, 'contentType') ?? '') {
      case 'text':
        iteration.rest.unshift(...textBlocks(textAt(event, place, 'text'), place, 'assistant'));
        return true;
      case 'reasoning':
        iteration.thinking.push(thinkingBlock(textAt(event, place, 'reasoning'), place));
        return true;
      case 'tool': {
        const callId = stringAt(event, 'toolCallId');
        const call = answeredCall(this.agent.thread.calls, callId, stringAt(event, 'toolName'));
        const isError = member(event, 'error') !== undefined;
        const key = member(event, 'output') === undefined && isError ? 'error' : 'output';
        const content = member(event, key);
        const at = below(place, key);
        const found =
          isArray(content) && content.every(isObject) ? cutClineResults(content, at) : textOf(content, at);
        iteration.results.push(toolResultBlock(found, place, { callId, call, isError }));
        return true;
      }
      default:
        return false;
    }
  }

  private endIteration(agent: RunningAgent): void {
    const { iteration } = agent;
    agent.iteration = undefined;
    if (iteration === undefined || iteration.thinking.length + iteration.rest.length === 0) {
      return;
    }
    if (!agent.hasReplied) {
      agent.hasReplied = true;
      this.builder.addProblem('missingRequestContent', iteration.line);
    }
    const { line, time, usage } = iteration;
    const blocks = [...iteration.thinking, ...iteration.rest];
    agent.thread.addRecorded({ role: 'assistant', blocks, timestamp: time }, { line, usage });
    if (iteration.results.length > 0) {
      agent.thread.add({ role: 'tool', blocks: iteration.results, timestamp: time });
    }
  }
}
