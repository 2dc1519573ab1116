import { member, objectAt, stringAt, timeAt } from '../../base/json';
import { schemaBlocks, thinkingBlock, toolCallBlock, resultBlocks } from '../../content/blockFactory';
import { agentText } from '../../content/classification';
import { anthropicBlocks, systemBlocks } from '../../wire/anthropic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { below, noText, type Place, sourceOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RequestDraft } from '../common/history';
import { addSubagent } from '../common/notes';
import { Thread } from '../common/thread';
import { readUsage } from '../../wire/usage';

export function isEvent(record: unknown): boolean {
  return (
    /^(user|agent|session|span|system)\.\w+$/.test(stringAt(record, 'type') ?? '') &&
    (stringAt(record, 'id') !== undefined || stringAt(record, 'processed_at') !== undefined)
  );
}

/** Reads the events of a session in their order. */
export class EventReader {
  private readonly thread: Thread;
  private model: string | undefined;
  /** The reply of the running model call. */
  private open: number[] | undefined;
  /** Model calls by the id of the event that started them. */
  private readonly calls = new Map<string, RequestDraft>();
  private last: RequestDraft | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Claude Managed Agents';
    this.thread = new Thread(builder);
  }

  /** Reads the session object: the agent's system prompt, its own tools and its model. */
  readSession(session: unknown, place: Place): void {
    const agent = objectAt(session, 'agent');
    const at = below(place, 'agent');
    this.builder.sessionId = stringAt(session, 'id');
    this.builder.title = stringAt(session, 'title');
    this.model = stringAt(objectAt(agent, 'model'), 'id') ?? stringAt(agent, 'model');
    const blocks = [
      ...schemaBlocks(member(agent, 'tools'), below(at, 'tools')),
      ...systemBlocks(member(agent, 'system'), below(at, 'system')),
    ];
    this.thread.add({ role: 'system', blocks });
  }

  read(event: unknown, place: Place): void {
    const type = stringAt(event, 'type') ?? '';
    const source = sourceOf(place);
    if (stringAt(event, 'session_thread_id') !== undefined && type !== 'session.thread_created') {
      this.builder.leaveOut("a subagent's event, which its own thread has", source);
      return;
    }
    const { calls } = this.thread;
    const said = (role: 'user' | 'assistant' | 'system'): readonly NewBlock[] =>
      anthropicBlocks(member(event, 'content'), below(place, 'content'), role, calls);
    switch (type) {
      case 'user.message':
        this.add('user', said('user'), event);
        return;
      case 'system.message':
        this.add('system', said('system'), event);
        return;
      case 'agent.thread_message_received':
        this.add(
          'user',
          anthropicBlocks(member(event, 'content'), below(place, 'content'), 'user', calls, agentText),
          event,
        );
        return;
      case 'agent.message':
        this.reply(said('assistant'), event, source.line);
        return;
      case 'agent.thinking':
        this.reply([thinkingBlock(noText, place)], event, source.line);
        return;
      case 'agent.tool_use':
      case 'agent.mcp_tool_use':
      case 'agent.custom_tool_use': {
        const name = stringAt(event, 'name') ?? 'unknown';
        const server = stringAt(event, 'mcp_server_name');
        const toolName = server === undefined ? name : `mcp__${server}__${name}`;
        const call = { toolName, callId: stringAt(event, 'id'), input: member(event, 'input') };
        this.reply(
          [toolCallBlock({ ...call, place: below(place, 'input'), callPlace: place }, calls)],
          event,
          source.line,
        );
        return;
      }
      case 'agent.tool_result':
      case 'agent.mcp_tool_result':
      case 'user.tool_result':
      case 'user.custom_tool_result': {
        const callId =
          stringAt(event, 'tool_use_id') ??
          stringAt(event, 'mcp_tool_use_id') ??
          stringAt(event, 'custom_tool_use_id');
        const result = {
          callId,
          call: answeredCall(calls, callId),
          isError: member(event, 'is_error') === true,
        };
        this.add(
          'tool',
          resultBlocks(member(event, 'content') ?? '', below(place, 'content'), result),
          event,
        );
        return;
      }
      case 'span.model_request_start':
        this.start(stringAt(event, 'id'), event, source.line);
        break;
      case 'span.model_request_end':
        this.finish(event);
        break;
      case 'agent.thread_context_compacted':
        this.thread.noteCompaction({ line: source.line });
        // The events do not show how much of the history is left.
        this.builder.addProblem('missingRequestContent', source.line);
        this.thread.replace([]);
        break;
      case 'session.thread_created':
        addSubagent(this.builder, {
          id: stringAt(event, 'session_thread_id') ?? '',
          description: stringAt(event, 'agent_name'),
        });
        break;
      default:
        if (!isEvent(event)) {
          this.builder.leaveOutUnknown(source);
          return;
        }
    }
    this.builder.leaveOut(`${type} event`, source);
  }

  end(): void {
    this.builder.title ??= this.builder.firstPrompt;
  }

  private add(role: 'user' | 'tool' | 'system', blocks: readonly NewBlock[], event: unknown): void {
    this.open = undefined;
    const id = stringAt(event, 'id');
    this.thread.add({ role, blocks, id, timestamp: timeAt(event, 'processed_at') });
  }

  /** Adds output of the model to the running call. Without a start event, it begins a call. */
  private reply(blocks: readonly NewBlock[], event: unknown, line: number): void {
    const reply = this.open ?? this.start(undefined, event, line);
    const timestamp = timeAt(event, 'processed_at');
    const id = stringAt(event, 'id');
    reply.push(...this.thread.add({ role: 'assistant', blocks, id, timestamp }));
  }

  private start(id: string | undefined, event: unknown, line: number): number[] {
    const reply: number[] = [];
    // The tools of a tool set, and skills, are only named in the agent, so no request is complete.
    const draft = this.thread.open(
      { line, timestamp: timeAt(event, 'processed_at'), model: this.model },
      reply,
    );
    if (id !== undefined) {
      this.calls.set(id, draft);
    }
    this.last = draft;
    this.open = reply;
    return reply;
  }

  private finish(event: unknown): void {
    // A stream that begins late lacks the start event. Then the end event belongs to the last call.
    const draft = this.calls.get(stringAt(event, 'model_request_start_id') ?? '') ?? this.last;
    const usage = readUsage(objectAt(event, 'model_usage'), 'anthropic');
    if (draft !== undefined && usage !== undefined) {
      draft.usage = usage;
    }
  }
}
