import {
  arrayAt,
  countAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  timeAt,
} from '../../base/json';
import { schemaBlock, textBlocks, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { type TextClass, compactionSummary } from '../../content/classification';
import { callBlock, contentBlocks, readChatMessage } from '../../content/dialects/generic';
import {
  type FoundText,
  type Place,
  below,
  joinTexts,
  literalText,
  sourceOf,
  textOf,
} from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage } from '../common/usage';
import type { EventHistory } from './openhandsHistory';

const knowledge: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'system' };
const memoryFile: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'developer' };
const signal: TextClass = { kind: 'injected', partition: 'state', provenance: 'system' };

/** What happens in the interface and in the runtime only. */
const unseenActions = new Set([
  'change_agent_state',
  'null',
  'recall',
  'pause',
  'resume',
  'stop',
  'start',
  'init',
  'send_pr',
  'push',
  'loop_recovery',
  'condensation_request',
  'add_task',
  'modify_task',
  'summarize',
]);
const unseenObservations = new Set(['agent_state_changed', 'null', 'loop_detection']);

/**
 * Reads the events of OpenHands before its SDK (`action` or `observation`). A reply of several calls is several events
 * with copies of one response; the model's own words are taken from the first of them.
 */
export class OpenhandsEvents {
  private lastResponse: string | undefined;
  private spent = { prompt: 0, completion: 0, read: 0, written: 0 };

  constructor(private readonly history: EventHistory) {}

  read(event: unknown, place: Place): void {
    this.history.startEvent(eventId(event));
    const action = stringAt(event, 'action');
    if (action !== undefined && !Object.hasOwn(isObject(event) ? event : {}, 'observation')) {
      this.readAction(action, event, place);
      return;
    }
    const observation = stringAt(event, 'observation');
    if (observation === undefined) {
      this.history.builder.addProblem('unknownRecord', sourceOf(place).line);
      return;
    }
    this.readObservation(observation, event, place);
  }

  private readAction(action: string, event: unknown, place: Place): void {
    const { builder } = this.history;
    // Events of 2024 had their arguments beside the type.
    const args = objectAt(event, 'args') === undefined ? place : below(place, 'args');
    const values = objectAt(event, 'args') ?? event;
    const source = stringAt(event, 'source');
    if (action === 'system') {
      const version = stringAt(values, 'openhands_version');
      if (version !== undefined) {
        builder.versions.add(version);
      }
      this.history.addSystem(
        textBlocks(textOf(member(values, 'content'), below(args, 'content')), args, 'system'),
        arrayAt(values, 'tools').map((tool, index) => schemaBlock(tool, below(args, 'tools', index))),
      );
    } else if (action === 'condensation') {
      this.condense(values, args);
    } else if (action === 'message' && (source ?? (this.history.hasSpoken ? 'agent' : 'user')) !== 'agent') {
      const images = isArray(member(values, 'image_urls')) ? 'image_urls' : 'images_urls';
      this.history.addBlocks(
        'user',
        [
          ...contentBlocks(member(values, 'content'), below(args, 'content'), 'user', this.history.calls),
          ...arrayAt(values, images).flatMap((_, index) => imageBlock(values, images, index, args)),
        ],
        timeAt(event, 'timestamp'),
      );
    } else if (unseenActions.has(action) || source === 'environment' || source === 'user') {
      builder.leaveOut(`${action} event`, sourceOf(place));
    } else {
      this.readReply(action, event, place, args);
    }
  }

  private readReply(action: string, event: unknown, place: Place, args: Place): void {
    const metadata = objectAt(event, 'tool_call_metadata');
    const response = objectAt(metadata, 'model_response');
    const responseId = stringAt(response, 'id');
    if (responseId !== undefined && responseId === this.lastResponse) {
      this.history.builder.leaveOut('further call of the same reply', sourceOf(place));
      return;
    }
    this.lastResponse = responseId;
    const message = objectAt(arrayAt(response, 'choices')[0], 'message');
    const spent = this.spending(objectAt(event, 'llm_metrics'));
    const usage = readUsage(member(response, 'usage'), 'openaiChat') ?? spent;
    const model = stringAt(response, 'model');
    const timestamp = timeAt(event, 'timestamp');
    const path = ['tool_call_metadata', 'model_response', 'choices', 0, 'message'];
    this.history.addReplyBlocks(
      message === undefined
        ? this.replyOf(action, event, args)
        : readChatMessage(message, below(place, ...path), this.history.calls, { role: 'assistant' }).blocks,
      {
        line: sourceOf(place).line,
        id: responseId,
        model,
        timestamp,
        usage,
      },
    );
  }

  /** The reply where only what was made of it is recorded: what was thought, and the arguments of the action. */
  private replyOf(action: string, event: unknown, args: Place): readonly NewBlock[] {
    const values = objectAt(event, 'args') ?? event;
    const { calls } = this.history;
    const text = ['content', 'final_thought', 'thought'].find(key => (stringAt(values, key) ?? '') !== '');
    const said =
      text === undefined
        ? []
        : textBlocks(textOf(member(values, text), below(args, text)), args, 'assistant');
    if (action === 'message' || action === 'finish' || action === 'think') {
      return said.length > 0 ? said : [callBlock({ name: action }, args, calls)];
    }
    const thought = stringAt(values, 'thought') ?? '';
    const metadata = objectAt(event, 'tool_call_metadata');
    const key = ['command', 'code', 'url', 'browser_actions'].find(
      name => stringAt(values, name) !== undefined,
    );
    return [
      ...(thought === '' ? [] : textBlocks(textOf(thought, below(args, 'thought')), args, 'assistant')),
      toolCallBlock(
        {
          toolName: stringAt(metadata, 'function_name') ?? action,
          callId: stringAt(metadata, 'tool_call_id'),
          input: key === undefined ? values : member(values, key),
          place: key === undefined ? args : below(args, key),
        },
        calls,
      ),
    ];
  }

  private readObservation(observation: string, event: unknown, place: Place): void {
    if (unseenObservations.has(observation)) {
      this.history.builder.leaveOut(`${observation} event`, sourceOf(place));
      return;
    }
    if (observation === 'recall') {
      this.history.addBlocks('user', recalledBlocks(event, place));
      return;
    }
    const callId = stringAt(objectAt(event, 'tool_call_metadata'), 'tool_call_id');
    const timestamp = timeAt(event, 'timestamp');
    const found = observedText(observation, event, place);
    if (callId === undefined) {
      const textClass: TextClass =
        observation === 'error' ? signal : { kind: 'toolResult', partition: 'history', provenance: 'tool' };
      this.history.addBlocks('user', textBlocks(found, place, 'user', textClass), timestamp);
      return;
    }
    const call = this.history.calls.get(callId);
    const isError = observation === 'error' || member(event, 'success') === false;
    this.history.addBlocks('tool', [toolResultBlock(found, place, { callId, call, isError })], timestamp);
  }

  private condense(values: unknown, args: Place): void {
    const from = numberAt(values, 'forgotten_events_start_id');
    const to = numberAt(values, 'forgotten_events_end_id');
    const listed = new Set(arrayAt(values, 'forgotten_event_ids').map(String));
    const summary = stringAt(values, 'summary') ?? '';
    this.history.condense(
      id =>
        listed.has(id) || (from !== undefined && to !== undefined && Number(id) >= from && Number(id) <= to),
      summary === ''
        ? []
        : textBlocks(textOf(summary, below(args, 'summary')), args, 'user', compactionSummary),
      sourceOf(args),
    );
  }

  /** What the agent's running total grew by. */
  private spending(metrics: unknown): RecordedUsage | undefined {
    const total = objectAt(metrics, 'accumulated_token_usage');
    if (total === undefined) {
      return undefined;
    }
    const before = this.spent;
    this.spent = {
      prompt: countAt(total, 'prompt_tokens'),
      completion: countAt(total, 'completion_tokens'),
      read: countAt(total, 'cache_read_tokens'),
      written: countAt(total, 'cache_write_tokens'),
    };
    const grown = {
      prompt_tokens: this.spent.prompt - before.prompt,
      completion_tokens: this.spent.completion - before.completion,
      cache_read_tokens: this.spent.read - before.read,
      cache_write_tokens: this.spent.written - before.written,
    };
    return readUsage(grown, 'openaiChat');
  }
}

function eventId(event: unknown): string {
  const id = member(event, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

function imageBlock(values: unknown, key: string, index: number, args: Place): readonly NewBlock[] {
  const url = arrayAt(values, key)[index];
  const found = textOf(url, below(args, key, index));
  return typeof url === 'string'
    ? [
        {
          role: 'user',
          contentType: 'image',
          kind: 'image',
          provenance: 'user',
          partition: 'history',
          label: 'image',
          image: {},
          source: sourceOf(args),
          ...found,
        },
      ]
    : [];
}

/** What the model is told of its workspace and of the microagents that were called up, from what the event records. */
function recalledBlocks(event: unknown, place: Place): readonly NewBlock[] {
  const extras = objectAt(event, 'extras');
  const at = below(place, 'extras');
  const facts = ['repo_name', 'repo_directory', 'repo_branch', 'working_dir', 'runtime_hosts', 'date']
    .filter(key => {
      const value = member(extras, key);
      return isObject(value) ? Object.keys(value).length > 0 : typeof value === 'string' && value !== '';
    })
    .flatMap((key, index) => [
      literalText(`${index === 0 ? '' : '\n'}${key}: `),
      textOf(member(extras, key), below(at, key)),
    ]);
  const texts = (
    [
      ['repo_instructions', memoryFile],
      ['additional_agent_instructions', knowledge],
      ['conversation_instructions', knowledge],
    ] as const
  ).flatMap(([key, textClass]) => {
    const text = stringAt(extras, key) ?? '';
    return text === '' ? [] : textBlocks(textOf(text, below(at, key)), at, 'user', textClass);
  });
  const microagents = arrayAt(extras, 'microagent_knowledge').flatMap((item, index) => {
    const contentPlace = below(at, 'microagent_knowledge', index, 'content');
    const text = stringAt(item, 'content') ?? '';
    return text === '' ? [] : textBlocks(textOf(text, contentPlace), contentPlace, 'user', knowledge);
  });
  const blocks = [
    ...(facts.length === 0 ? [] : textBlocks(joinTexts(facts), at, 'user', signal)),
    ...texts,
    ...microagents,
  ];
  return blocks.length > 0
    ? blocks
    : textBlocks(textOf(stringAt(event, 'content') ?? '', below(place, 'content')), place, 'user', knowledge);
}

/** The text of an observation as OpenHands gives it to the model (events/observation/*.py, to_agent_observation). */
function observedText(observation: string, event: unknown, place: Place): FoundText {
  const content = textOf(member(event, 'content'), below(place, 'content'));
  const extras = objectAt(event, 'extras');
  switch (observation) {
    case 'run': {
      const metadata = objectAt(extras, 'metadata');
      const at = below(place, 'extras', 'metadata');
      const exitCode = numberAt(metadata, 'exit_code');
      const part = (key: string): FoundText[] =>
        stringAt(metadata, key) ? [textOf(stringAt(metadata, key), below(at, key))] : [];
      const line = (key: string, start: string): FoundText[] =>
        part(key).flatMap(text => [literalText(`\n[${start}: `), text, literalText(']')]);
      return joinTexts([
        ...part('prefix'),
        content,
        ...part('suffix'),
        ...line('working_dir', 'Current working directory'),
        ...line('py_interpreter_path', 'Python interpreter'),
        ...(exitCode === undefined || exitCode === -1
          ? []
          : [literalText(`\n[Command finished with exit code ${exitCode}]`)]),
      ]);
    }
    case 'edit': {
      const formatted = stringAt(extras, 'formatted_output_and_error') ?? '';
      return formatted === ''
        ? content
        : textOf(formatted, below(place, 'extras', 'formatted_output_and_error'));
    }
    case 'error':
      return joinTexts([content, literalText('\n[Error occurred in processing last action]')]);
    case 'user_rejected':
      return joinTexts([content, literalText('\n[Last action has been rejected by the user]')]);
    default:
      return content;
  }
}
