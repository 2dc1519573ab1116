import { arrayAt, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { resultBlocks, schemaBlock, textBlocks, toolCallBlock } from '../../content/blockFactory';
import { type TextClass, compactionSummary } from '../../content/classification';
import { callBlock, contentBlocks, readChatMessage, roleNamed } from '../../content/dialects/generic';
import { type Place, below, sourceOf, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { EventHistory } from './openhandsHistory';

const knowledge: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'system' };

/** What happens in the interface and in the runtime only. */
const unseen = new Set([
  'ConversationStateUpdateEvent',
  'PauseEvent',
  'CondensationRequest',
  'TokenEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'ConversationErrorEvent',
  'HookExecutionEvent',
  'InterruptEvent',
]);

/** Reads the events of the OpenHands SDK (`kind`). Parallel calls of one reply are one event each, with one response id. */
export class OpenhandsSdkEvents {
  private pending:
    { blocks: NewBlock[]; responseId: string; line: number; timestamp: number | undefined } | undefined;

  constructor(
    private readonly history: EventHistory,
    private readonly usageOf: (responseId: string) => RecordedUsage | undefined,
  ) {}

  read(event: unknown, place: Place): void {
    const kind = stringAt(event, 'kind') ?? '';
    if (kind !== 'ActionEvent') {
      this.flush();
    }
    this.history.startEvent(stringAt(event, 'id') ?? '');
    const { builder, calls } = this.history;
    const timestamp = timeAt(event, 'timestamp');
    switch (kind) {
      case 'SystemPromptEvent':
        this.history.addSystem(
          ['system_prompt', 'dynamic_context'].flatMap(key =>
            contentBlocks(member(event, key), below(place, key), 'system', calls),
          ),
          arrayAt(event, 'tools').map((tool, index) => schemaBlock(tool, below(place, 'tools', index))),
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
        const summary = stringAt(event, 'summary') ?? '';
        this.history.condense(
          id => forgotten.has(id),
          summary === ''
            ? []
            : textBlocks(textOf(summary, below(place, 'summary')), place, 'user', compactionSummary),
          sourceOf(place),
        );
        return;
      }
      case 'CondensationSummaryEvent':
        this.history.addBlocks(
          'user',
          textBlocks(
            textOf(member(event, 'summary'), below(place, 'summary')),
            place,
            'user',
            compactionSummary,
          ),
          timestamp,
        );
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
    if (pending === undefined) {
      return;
    }
    const usage = this.usageOf(pending.responseId);
    this.history.addReplyBlocks(pending.blocks, {
      line: pending.line,
      ...(pending.responseId === '' ? {} : { id: pending.responseId }),
      timestamp: pending.timestamp,
      usage,
    });
  }

  private readMessage(event: unknown, place: Place): void {
    const { calls } = this.history;
    const message = member(event, 'llm_message');
    const at = below(place, 'llm_message');
    const role =
      roleNamed(stringAt(message, 'role')) ?? (stringAt(event, 'source') === 'agent' ? 'assistant' : 'user');
    const { blocks } = readChatMessage(message, at, calls, { role });
    const extended = arrayAt(event, 'extended_content').flatMap((part, index) =>
      contentBlocks(part, below(place, 'extended_content', index), role, calls, knowledge),
    );
    if (role === 'assistant') {
      this.collect(event, place, [...blocks, ...extended]);
      this.flush();
      return;
    }
    this.history.addBlocks(role, [...blocks, ...extended], timeAt(event, 'timestamp'));
  }

  private readAction(event: unknown, place: Place): void {
    const { calls } = this.history;
    const responseId = stringAt(event, 'llm_response_id') ?? '';
    const isSame = this.pending !== undefined && responseId !== '' && this.pending.responseId === responseId;
    if (!isSame) {
      this.flush();
    }
    const said = isSame
      ? []
      : [
          ...readChatMessage(
            { ...pick(event, 'reasoning_content'), ...pick(event, 'thinking_blocks'), content: [] },
            place,
            calls,
            { role: 'assistant' },
          ).blocks.filter(({ kind }) => kind === 'thinking'),
          ...contentBlocks(member(event, 'thought'), below(place, 'thought'), 'assistant', calls),
        ];
    const call = objectAt(event, 'tool_call');
    this.collect(event, place, [
      ...said,
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
    const timestamp = timeAt(event, 'timestamp');
    this.pending ??= {
      blocks: [],
      responseId: stringAt(event, 'llm_response_id') ?? '',
      line: sourceOf(place).line,
      timestamp,
    };
    this.pending.blocks.push(...blocks);
  }

  private readResult(kind: string, event: unknown, place: Place): void {
    const { calls } = this.history;
    const callId = stringAt(event, 'tool_call_id');
    const call = (callId === undefined ? undefined : calls.get(callId)) ?? {
      toolName: stringAt(event, 'tool_name') ?? 'tool',
      object: '',
      path: undefined,
    };
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

function pick(value: unknown, key: string): Readonly<Record<string, unknown>> {
  return isObject(value) && Object.hasOwn(value, key) ? { [key]: value[key] } : {};
}
