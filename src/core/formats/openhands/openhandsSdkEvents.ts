import { arrayAt, member, objectAt, stringAt, timeAt } from '../../base/json';
import {
  resultBlocks,
  schemaBlocks,
  textBlock,
  textBlocksAt,
  toolCallBlock,
} from '../../content/blockFactory';
import { compactionSummary, knowledge } from '../../content/classification';
import { callBlock, contentBlocks, readChatMessage, roleNamed } from '../../wire/generic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { below, type Place, sourceOf, textAt } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { RequestFacts } from '../common/history';
import type { EventHistory } from './openhandsHistory';
import { type CountedCall, RunningTotals } from './openhandsUsage';

/** Events of the interface and the runtime, which the model never sees. */
const unseen = new Set([
  'PauseEvent',
  'CondensationRequest',
  'TokenEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'ConversationErrorEvent',
  'HookExecutionEvent',
  'InterruptEvent',
]);

/** Reads the events of the OpenHands SDK (`kind`). Parallel calls of one reply are events with one response id. */
export class OpenhandsSdkEvents {
  private pending: { readonly blocks: NewBlock[]; readonly facts: RequestFacts } | undefined;
  private readonly totals = new RunningTotals();
  /** Calls whose reply has not come yet. */
  private counted: readonly CountedCall[] = [];

  constructor(
    private readonly history: EventHistory,
    /** Usage by response id. */
    private readonly usages: ReadonlyMap<string, RecordedUsage>,
  ) {}

  read(event: unknown, place: Place): void {
    const kind = stringAt(event, 'kind') ?? '';
    if (kind !== 'ActionEvent') {
      this.flush();
    }
    this.history.startEvent(stringAt(event, 'id') ?? '');
    const { builder, calls } = this.history;
    switch (kind) {
      case 'SystemPromptEvent':
        this.history.addSystem(
          ['system_prompt', 'dynamic_context'].flatMap(key =>
            contentBlocks(member(event, key), below(place, key), 'system', calls),
          ),
          schemaBlocks(member(event, 'tools'), below(place, 'tools')),
        );
        return;
      case 'MessageEvent':
        this.readMessage(event, place);
        return;
      case 'ActionEvent':
        this.readAction(event, place);
        return;
      case 'ObservationEvent':
      case 'AgentErrorEvent':
      case 'UserRejectObservation':
        this.readResult(kind, event, place);
        return;
      case 'Condensation': {
        const forgotten = new Set(arrayAt(event, 'forgotten_event_ids'));
        this.history.condense(
          id => forgotten.has(id),
          textBlocksAt(event, place, 'summary', 'user', compactionSummary),
          sourceOf(place),
        );
        return;
      }
      case 'CondensationSummaryEvent':
        this.history.addBlocks(
          'user',
          [textBlock(textAt(event, place, 'summary'), place, 'user', compactionSummary)],
          timeAt(event, 'timestamp'),
        );
        return;
      case 'ConversationStateUpdateEvent':
        this.countCalls(event, place);
        return;
      default:
        if (unseen.has(kind)) {
          builder.leaveOut(`${kind} event`, sourceOf(place));
        } else {
          builder.addProblem('unknownRecord', sourceOf(place).line);
        }
    }
  }

  /** Ends the reply whose calls were collected. */
  flush(): void {
    const { pending } = this;
    this.pending = undefined;
    if (pending !== undefined) {
      const { blocks, facts } = pending;
      const counted = this.counted.at(-1);
      this.addUnanswered(this.counted.slice(0, -1));
      this.counted = [];
      this.history.addReplyBlocks(blocks, {
        ...facts,
        model: counted?.model,
        usage: this.usages.get(facts.id ?? '') ?? counted?.usage,
      });
    }
  }

  /** Ends the conversation. */
  end(): void {
    this.flush();
    this.addUnanswered(this.counted);
    this.counted = [];
  }

  private countCalls(event: unknown, place: Place): void {
    const source = sourceOf(place);
    this.history.builder.leaveOut('ConversationStateUpdateEvent event', source);
    if (this.usages.size === 0) {
      this.counted = [...this.counted, ...this.totals.callsIn(event, source.line, () => this.history.sent())];
    }
  }

  /** Adds calls for which only the tokens are recorded: calls of the condenser, and calls whose reply is missing. */
  private addUnanswered(calls: readonly CountedCall[]): void {
    for (const { sent, ...facts } of calls) {
      this.history.open(facts, [], sent);
    }
  }

  private readMessage(event: unknown, place: Place): void {
    const { calls } = this.history;
    const message = member(event, 'llm_message');
    const at = below(place, 'llm_message');
    const role =
      roleNamed(stringAt(message, 'role')) ?? (stringAt(event, 'source') === 'agent' ? 'assistant' : 'user');
    const { blocks } = readChatMessage(message, at, calls, { role });
    const extended = member(event, 'extended_content');
    const more = contentBlocks(extended, below(place, 'extended_content'), role, calls, knowledge);
    if (role === 'assistant') {
      this.collect(event, place, [...blocks, ...more]);
      this.flush();
    } else {
      this.history.addBlocks(role, [...blocks, ...more], timeAt(event, 'timestamp'));
    }
  }

  private readAction(event: unknown, place: Place): void {
    const { calls } = this.history;
    const responseId = responseIdOf(event);
    const isSame = responseId !== undefined && this.pending?.facts.id === responseId;
    if (!isSame) {
      this.flush();
      const reasoning = {
        reasoning_content: member(event, 'reasoning_content'),
        thinking_blocks: member(event, 'thinking_blocks'),
      };
      const { blocks } = readChatMessage(reasoning, place, calls, { role: 'assistant' });
      this.collect(event, place, [
        ...blocks.filter(({ kind }) => kind === 'thinking'),
        ...contentBlocks(member(event, 'thought'), below(place, 'thought'), 'assistant', calls),
      ]);
    }
    const call = objectAt(event, 'tool_call');
    this.collect(event, place, [
      call === undefined
        ? toolCallBlock(
            {
              toolName: stringAt(event, 'tool_name') ?? 'unknown',
              callId: stringAt(event, 'tool_call_id'),
              input: member(event, 'action'),
              place: below(place, 'action'),
            },
            calls,
          )
        : callBlock(call, below(place, 'tool_call'), calls),
    ]);
  }

  private collect(event: unknown, place: Place, blocks: readonly NewBlock[]): void {
    this.pending ??= {
      blocks: [],
      facts: {
        line: sourceOf(place).line,
        id: responseIdOf(event),
        timestamp: timeAt(event, 'timestamp'),
      },
    };
    this.pending.blocks.push(...blocks);
  }

  private readResult(kind: string, event: unknown, place: Place): void {
    const { calls } = this.history;
    const callId = stringAt(event, 'tool_call_id');
    const call = answeredCall(calls, callId, stringAt(event, 'tool_name') ?? 'tool');
    const observation = objectAt(event, 'observation');
    const key = ['error', 'rejection_reason'].find(name => stringAt(event, name) !== undefined);
    const content = member(observation, 'content');
    const [value, at] =
      kind !== 'ObservationEvent' && key !== undefined
        ? [member(event, key), below(place, key)]
        : content === undefined
          ? [observation, below(place, 'observation')]
          : [content, below(place, 'observation', 'content')];
    const isError = kind === 'AgentErrorEvent' || member(observation, 'is_error') === true;
    this.history.addBlocks(
      'tool',
      resultBlocks(value, at, { callId, call, isError }),
      timeAt(event, 'timestamp'),
    );
  }
}

function responseIdOf(event: unknown): string | undefined {
  const id = stringAt(event, 'llm_response_id');
  return id === '' ? undefined : id;
}
