import {
  arrayAt,
  countAt,
  isArray,
  isObject,
  type JsonObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  timeAt,
} from '../../base/json';
import {
  dataBlock,
  schemaBlocks,
  textBlock,
  textBlocksAt,
  toolCallBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import { compactionSummary, knowledge, memoryFile, resultText, signal } from '../../content/classification';
import { callBlock, contentBlocks, readChatMessage } from '../../wire/generic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { mediaOfData } from '../../content/media';
import {
  below,
  type FoundText,
  joinTexts,
  literalText,
  type Place,
  sourceOf,
  textAt,
  textOf,
} from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage } from '../../wire/usage';
import type { EventHistory } from './openhandsHistory';

/** Events of the interface and the runtime, which the model never sees. */
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
 * Reads the events of OpenHands before its SDK (`action` or `observation`). A reply with several calls is recorded as
 * several events with copies of one response; the reply is read from the first of them.
 */
export class OpenhandsEvents {
  private lastResponse: string | undefined;
  /** The agent's running total of tokens. */
  private total: JsonObject | undefined;

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
    // Events of 2024 had their arguments next to the type.
    const args = objectAt(event, 'args') === undefined ? place : below(place, 'args');
    const values = objectAt(event, 'args') ?? event;
    const source = stringAt(event, 'source');
    if (action === 'system') {
      builder.addVersion(stringAt(values, 'openhands_version'));
      this.history.addSystem(
        textBlocksAt(values, args, 'content', 'system'),
        schemaBlocks(member(values, 'tools'), below(args, 'tools')),
      );
    } else if (action === 'condensation') {
      this.condense(values, args);
    } else if (action === 'message' && (source ?? (this.history.hasSpoken ? 'agent' : 'user')) !== 'agent') {
      const images = isArray(member(values, 'image_urls')) ? 'image_urls' : 'images_urls';
      this.history.addBlocks(
        'user',
        [
          ...contentBlocks(member(values, 'content'), below(args, 'content'), 'user', this.history.calls),
          ...imageBlocks(member(values, images), below(args, images)),
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
      this.history.builder.leaveOut('another call of the same reply', sourceOf(place));
      return;
    }
    this.lastResponse = responseId;
    const message = objectAt(arrayAt(response, 'choices')[0], 'message');
    const spent = this.spending(objectAt(event, 'llm_metrics'));
    const usage = readUsage(member(response, 'usage'), 'openaiChat') ?? spent;
    const path = ['tool_call_metadata', 'model_response', 'choices', 0, 'message'];
    this.history.addReplyBlocks(
      message === undefined
        ? this.replyOf(action, event, args)
        : readChatMessage(message, below(place, ...path), this.history.calls, { role: 'assistant' }).blocks,
      {
        line: sourceOf(place).line,
        id: responseId,
        model: stringAt(response, 'model'),
        timestamp: timeAt(event, 'timestamp'),
        usage,
      },
    );
  }

  /** The reply if the response is not recorded: the thought and the arguments of the action. */
  private replyOf(action: string, event: unknown, args: Place): readonly NewBlock[] {
    const values = objectAt(event, 'args') ?? event;
    const { calls } = this.history;
    if (action === 'message' || action === 'finish' || action === 'think') {
      const text = ['content', 'final_thought', 'thought'].find(key => (stringAt(values, key) ?? '') !== '');
      return text === undefined
        ? [callBlock({ name: action }, args, calls)]
        : textBlocksAt(values, args, text, 'assistant');
    }
    const metadata = objectAt(event, 'tool_call_metadata');
    const key = ['command', 'code', 'url', 'browser_actions'].find(
      name => stringAt(values, name) !== undefined,
    );
    return [
      ...textBlocksAt(values, args, 'thought', 'assistant'),
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
      const textClass = observation === 'error' ? signal : resultText;
      this.history.addBlocks('user', [textBlock(found, place, 'user', textClass)], timestamp);
      return;
    }
    const call = answeredCall(this.history.calls, callId);
    const isError = observation === 'error' || member(event, 'success') === false;
    this.history.addBlocks('tool', [toolResultBlock(found, place, { callId, call, isError })], timestamp);
  }

  private condense(values: unknown, args: Place): void {
    const from = numberAt(values, 'forgotten_events_start_id');
    const to = numberAt(values, 'forgotten_events_end_id');
    const listed = new Set(arrayAt(values, 'forgotten_event_ids').map(String));
    this.history.condense(
      id =>
        listed.has(id) || (from !== undefined && to !== undefined && Number(id) >= from && Number(id) <= to),
      textBlocksAt(values, args, 'summary', 'user', compactionSummary),
      sourceOf(args),
    );
  }

  /** The growth of the agent's running total. */
  private spending(metrics: unknown): RecordedUsage | undefined {
    const total = objectAt(metrics, 'accumulated_token_usage');
    if (total === undefined) {
      return undefined;
    }
    const before = this.total;
    this.total = total;
    const grown = countedTokens.map(key => [key, countAt(total, key) - countAt(before, key)]);
    return readUsage(Object.fromEntries(grown), 'openaiChat');
  }
}

const countedTokens = ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'cache_write_tokens'];

function eventId(event: unknown): string {
  const id = member(event, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Images given by their addresses. */
function imageBlocks(urls: unknown, place: Place): readonly NewBlock[] {
  return (isArray(urls) ? urls : []).flatMap((url, index) => {
    const at = below(place, index);
    const media = mediaOfData(textOf(url, at), { isImage: true, name: 'image' });
    return typeof url === 'string' ? [dataBlock(media, at, 'user')] : [];
  });
}

const recalledFacts = ['repo_name', 'repo_directory', 'repo_branch', 'working_dir', 'runtime_hosts', 'date'];

const recalledTexts = [
  ['repo_instructions', memoryFile],
  ['additional_agent_instructions', knowledge],
  ['conversation_instructions', knowledge],
] as const;

/** The text that tells the model about its workspace and the triggered microagents, built from the event's facts. */
function recalledBlocks(event: unknown, place: Place): readonly NewBlock[] {
  const extras = objectAt(event, 'extras');
  const at = below(place, 'extras');
  const facts = recalledFacts
    .filter(key => {
      const value = member(extras, key);
      return isObject(value) ? Object.keys(value).length > 0 : typeof value === 'string' && value !== '';
    })
    .flatMap((key, index) => [
      literalText(`${index === 0 ? '' : '\n'}${key}: `),
      textOf(member(extras, key), below(at, key)),
    ]);
  const blocks = [
    ...(facts.length === 0 ? [] : [textBlock(joinTexts(facts), at, 'user', signal)]),
    ...recalledTexts.flatMap(([key, textClass]) => textBlocksAt(extras, at, key, 'user', textClass)),
    ...arrayAt(extras, 'microagent_knowledge').flatMap((item, index) =>
      textBlocksAt(item, below(at, 'microagent_knowledge', index), 'content', 'user', knowledge),
    ),
  ];
  return blocks.length > 0 ? blocks : [textBlock(textAt(event, place, 'content'), place, 'user', knowledge)];
}

/** The text of an observation as OpenHands sends it to the model (events/observation/*.py, to_agent_observation). */
function observedText(observation: string, event: unknown, place: Place): FoundText {
  const content = textOf(member(event, 'content'), below(place, 'content'));
  const extras = objectAt(event, 'extras');
  switch (observation) {
    case 'run': {
      const metadata = objectAt(extras, 'metadata');
      const at = below(place, 'extras', 'metadata');
      const exitCode = numberAt(metadata, 'exit_code');
      const part = (key: string): FoundText[] => (stringAt(metadata, key) ? [textAt(metadata, at, key)] : []);
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
      const formatted = textAt(extras, below(place, 'extras'), 'formatted_output_and_error');
      return formatted.content === '' ? content : formatted;
    }
    case 'error':
      return joinTexts([content, literalText('\n[Error occurred in processing last action]')]);
    case 'user_rejected':
      return joinTexts([content, literalText('\n[Last action has been rejected by the user]')]);
    default:
      return content;
  }
}
