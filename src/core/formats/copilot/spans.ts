import { arrayAt, isArray, isObject, member, millisecondsAt, parseJson, stringAt } from '../../base/json';
import { schemaBlocks, textBlocks } from '../../content/blockFactory';
import { systemPrompt } from '../../content/classification';
import { below, type Place, sourceOf, textAt, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { readUsage } from '../../wire/usage';
import { Attributes } from '../otlp/otlpAttributes';
import { isContinuation, ModelCalls } from './modelCalls';
import { decodeWritten, type Written } from './otelMessages';

/** A span of Copilot's, from a file of spans or from a database. */
export interface CopilotSpan {
  readonly place: Place;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly trace: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly isError: boolean;
  readonly attributes: Attributes;
}

/**
 * The spans that Copilot Chat and Copilot CLI export to a file, one per line, with metrics and log records between
 * them. They are objects of OpenTelemetry for JavaScript; otlp.ts reads the collector's form.
 */
export const copilotSpans: LineFormat = {
  kind: 'lines',
  id: 'copilot-spans',
  name: 'Copilot OpenTelemetry export',
  matches: records => mostAre(records, isTelemetry) && records.some(isOfModel),
  members: { members: { scopeMetrics: 'leave', dataPoints: 'leave', links: 'leave' } },
  open(builder) {
    const spans: CopilotSpan[] = [];
    return {
      push: ({ value, range }) => {
        if (isSpan(value)) {
          spans.push(spanOf(value, { record: range, path: [] }));
          const resource = member(member(value, 'resource'), 'attributes');
          builder.addVersion(stringAt(resource, 'service.version'));
        } else if (isTelemetry(value)) {
          builder.leaveOut('metric or log record', range);
        } else {
          builder.leaveOutUnknown(range, 'a record that is no span');
        }
      },
      end: () => readSpans(builder, spans),
      resume: () => false,
    };
  },
};

function isSpan(value: unknown): boolean {
  return (
    stringAt(value, 'traceId') !== undefined &&
    stringAt(value, 'spanId') !== undefined &&
    isArray(member(value, 'startTime')) &&
    isObject(member(value, 'attributes'))
  );
}

/** A span, a metric or a log record of OpenTelemetry for JavaScript. */
function isTelemetry(value: unknown): boolean {
  return (
    isSpan(value) ||
    (isObject(member(value, 'resource')) &&
      (isArray(member(value, 'scopeMetrics')) || isObject(member(value, 'instrumentationScope'))))
  );
}

/** True for a span about a model, and for any record of Copilot's. A file can begin with many metrics. */
function isOfModel(value: unknown): boolean {
  const resource = member(member(value, 'resource'), 'attributes');
  return (
    (isSpan(value) && stringAt(member(value, 'attributes'), 'gen_ai.operation.name') !== undefined) ||
    stringAt(resource, 'service.name')?.includes('copilot') === true
  );
}

function spanOf(value: unknown, place: Place): CopilotSpan {
  return {
    place,
    id: stringAt(value, 'spanId') ?? '',
    parent: stringAt(value, 'parentSpanId') ?? stringAt(member(value, 'parentSpanContext'), 'spanId'),
    name: stringAt(value, 'name') ?? '',
    trace: stringAt(value, 'traceId') ?? '',
    start: timeOf(member(value, 'startTime')),
    isError: member(member(value, 'status'), 'code') === 2,
    attributes: ownAttributes(value, place),
  };
}

/** The attributes recorded in the span object itself. */
export function ownAttributes(span: unknown, place: Place): Attributes {
  const attributes = new Attributes();
  const found = member(span, 'attributes');
  for (const [key, value] of Object.entries(isObject(found) ? found : {})) {
    attributes.add(key, { value, place: below(place, 'attributes', key) });
  }
  return attributes;
}

/** Milliseconds of `[seconds, nanoseconds]`; 0 for any other value. */
function timeOf(value: unknown): number {
  const [seconds, nanoseconds] = isArray(value) ? value : [];
  return typeof seconds === 'number' && typeof nanoseconds === 'number'
    ? (millisecondsAt({ time: seconds * 1000 + nanoseconds / 1e6 }, 'time') ?? 0)
    : 0;
}

/** Reads spans in the order in which they end. */
export function readSpans(builder: TranscriptBuilder, spans: readonly CopilotSpan[]): void {
  const calls = new ModelCalls(builder);
  const byId = new Map(spans.map(span => [span.id, span]));
  const known = new Map<string, KnownMessages>();
  for (const span of [...spans].sort((first, second) => first.start - second.start)) {
    const operation = span.attributes.string('gen_ai.operation.name');
    switch (operation ?? '') {
      case 'chat':
        builder.agentName ||= isCli(span) ? 'GitHub Copilot CLI' : 'GitHub Copilot Chat';
        readCall(span, conversationOf(span, byId), calls, byId, known);
        break;
      case 'execute_tool':
        readRun(span, conversationOf(span, byId), calls);
        builder.leaveOut('execute_tool span', sourceOf(span.place));
        break;
      default:
        builder.leaveOut(`${operation ?? 'other'} span`, sourceOf(span.place));
    }
  }
  calls.finish();
  builder.agentName ||= 'GitHub Copilot';
  builder.sessionId ??= onlyOne(spans.flatMap(span => sessionOf(span) ?? []));
}

/** True for a span of Copilot CLI, which numbers its turns. VS Code's own spans never do. */
function isCli({ attributes }: CopilotSpan): boolean {
  return attributes.get('github.copilot.turn_id') !== undefined;
}

function sessionOf({ attributes }: CopilotSpan): string | undefined {
  return attributes.string('copilot_chat.chat_session_id', 'gen_ai.conversation.id');
}

function onlyOne(ids: readonly string[]): string | undefined {
  return new Set(ids).size === 1 ? ids[0] : undefined;
}

/** Maximum number of agents above a span that are examined. */
const deepest = 100;

/** The session and its subagent, which is an agent called by another one. */
function conversationOf(span: CopilotSpan, byId: ReadonlyMap<string, CopilotSpan>): string {
  const agents: string[] = [];
  let above = byId.get(span.parent ?? '');
  for (let depth = 0; above !== undefined && depth < deepest; depth += 1) {
    if (above.attributes.string('gen_ai.operation.name') === 'invoke_agent') {
      agents.push(above.id);
    }
    above = byId.get(above.parent ?? '');
  }
  const session = sessionOf(span) ?? span.trace;
  return agents.length < 2 ? session : `${session} ${agents[0] ?? ''}`;
}

function readCall(
  span: CopilotSpan,
  conversation: string,
  calls: ModelCalls,
  byId: ReadonlyMap<string, CopilotSpan>,
  known: Map<string, KnownMessages>,
): void {
  const { attributes, place } = span;
  // In version 0.42 of the extension, only the agent's span names the tools.
  const definitions =
    attributes.get('gen_ai.tool.definitions') ??
    byId.get(span.parent ?? '')?.attributes.get('gen_ai.tool.definitions');
  const tools = definitions === undefined ? undefined : decodeWritten(definitions);
  const instructions = attributes.get('gen_ai.system_instructions');
  const system = instructions === undefined ? undefined : decodeWritten(instructions);
  const input = attributes.get('gen_ai.input.messages');
  const output = attributes.get('gen_ai.output.messages');
  const [sent, replied] = [messagesOf(input), messagesOf(output)];
  const before = known.get(conversation) ?? { count: 0, calls: new Set() };
  const isNewOnly = isCli(span) && !isWhole(sent, before);
  if (isCli(span)) {
    known.set(conversation, {
      count: before.count + sent.length + replied.length,
      calls: new Set(replied.flatMap(message => idsOf(message, 'tool_call'))),
    });
  }
  calls.add({
    place,
    id: span.id,
    start: span.start === 0 ? undefined : span.start,
    run: 0,
    model: attributes.string('gen_ai.response.model', 'gen_ai.request.model'),
    usage: readUsage(attributes.numbers(), 'otlp'),
    conversation,
    kind: attributes.string('copilot_chat.debug_name', 'gen_ai.agent.name') ?? '',
    tools: tools === undefined ? [] : schemaBlocks(tools.value, tools.place),
    system: system === undefined ? [] : systemBlocks(system.value, system.place),
    input,
    continues: isNewOnly || isContinuation(parseJson(attributes.string('copilot_chat.request.shape') ?? '')),
    // Copilot CLI sends signed thinking back to Anthropic's models, and none through the chat API.
    dropsThinking: isCli(span) && attributes.string('gen_ai.provider.name') !== 'anthropic',
    // Version 1.0.102 rewrites the schemas of some tools for the provider, and begins failed results with other words.
    isOwnForm: isCli(span),
    headProblem: tools?.isCut === true || system?.isCut === true ? 'cutText' : undefined,
  });
  const reasoning = attributes.get('copilot_chat.reasoning_content');
  calls.addReply(conversation, {
    id: span.id,
    run: 0,
    output,
    reasoning: reasoning === undefined ? undefined : textOf(reasoning.value, reasoning.place),
    place,
  });
}

/** The messages of a conversation so far, and the ids of the calls of its newest reply. */
interface KnownMessages {
  readonly count: number;
  readonly calls: ReadonlySet<string>;
}

/**
 * True if a call sends the conversation from its beginning: it has at least as many messages as are known, and does not
 * begin with the results of the newest calls, in any order. Copilot CLI records only the new messages of a call.
 */
function isWhole(sent: readonly unknown[], { count, calls }: KnownMessages): boolean {
  const answers = idsOf(sent[0], 'tool_call_response');
  const answersCalls = answers.length > 0 && answers.every(id => calls.has(id));
  return count === 0 || (sent.length >= count && !answersCalls);
}

function messagesOf(written: Written | undefined): readonly unknown[] {
  const decoded = written === undefined ? undefined : decodeWritten(written).value;
  return isArray(decoded) ? decoded : [];
}

/** The ids of the calls, or of the results, of a message. */
function idsOf(message: unknown, type: 'tool_call' | 'tool_call_response'): readonly string[] {
  return arrayAt(message, 'parts').flatMap(part =>
    stringAt(part, 'type') === type ? (stringAt(part, 'id') ?? []) : [],
  );
}

function systemBlocks(value: unknown, place: Place): readonly NewBlock[] {
  return isArray(value)
    ? value.flatMap((part, index) => {
        const at = below(place, index);
        return textBlocks(textAt(part, at, 'content'), at, 'system', undefined, systemPrompt);
      })
    : textBlocks(textOf(value, place), place, 'system', undefined, systemPrompt);
}

function readRun(
  { attributes, isError, name, place }: CopilotSpan,
  conversation: string,
  calls: ModelCalls,
): void {
  const result = attributes.get('gen_ai.tool.call.result');
  if (result !== undefined) {
    calls.addRun(conversation, {
      callId: attributes.string('gen_ai.tool.call.id'),
      name: attributes.string('gen_ai.tool.name') ?? name,
      text: textOf(result.value, result.place),
      isError,
      place,
    });
  }
}
