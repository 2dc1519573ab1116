import {
  isObject,
  member,
  millisecondsAt,
  numberAt,
  objectAt,
  optionalCountAt,
  parseJson,
  stringAt,
} from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import { typedPrompt } from '../../content/classification';
import { below, type Place, textAt } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, LineFormatReader, SourceRecord } from '../../reading/format';
import type { MemberFilter } from '../../reading/memberFilter';
import { mostAre } from '../common/mostAre';
import { addSubagent } from '../common/notes';
import { readUsage } from '../../wire/usage';
import { titleOf } from './copilotPrompt';
import { DebugLogFiles } from './debugLogFiles';
import { isContinuation, ModelCalls } from './modelCalls';
import { decodeWritten, isCutText } from './otelMessages';

const noAttributes: MemberFilter = { members: { attrs: 'leave' } };
const withoutTexts: MemberFilter = {
  members: {
    attrs: {
      members: {
        inputMessages: 'leave',
        userRequest: 'leave',
        requestOptions: 'leave',
        systemPromptFile: 'leave',
        toolsFile: 'leave',
      },
    },
  },
};

/** Kinds of lines that are not read (chatDebugFileLoggerService.ts). */
const silent = ['turn_start', 'turn_end', 'hook', 'discovery', 'generic', 'subagent'];
const silentFilters = Object.fromEntries(silent.map(type => [type, noAttributes]));
const ownTypes = new Set([
  ...silent,
  'session_start',
  'llm_request',
  'agent_response',
  'tool_call',
  'user_message',
  'child_session_ref',
]);

/** Labels of calls for the interface, which are not subagents: titles, categories, summaries for the list of chats. */
const forInterface: ReadonlySet<string> = new Set(['title', 'categorization', 'summarize']);

/**
 * The debug log of Copilot Chat in VS Code: `main.jsonl` of a session, or the file of a subagent next to it. Every line
 * is a span, written when it ends.
 */
export const copilotDebugLog: LineFormat = {
  kind: 'lines',
  id: 'copilot-debug-log',
  name: 'Copilot Chat debug log',
  matches: records => mostAre(records, isEntry),
  members: {
    members: {},
    byType: {
      ...silentFilters,
      llm_request: { members: { attrs: { members: { userRequest: 'leave', requestOptions: 'leave' } } } },
    },
  },
  usageMembers: {
    members: {},
    byType: {
      ...silentFilters,
      llm_request: withoutTexts,
      agent_response: noAttributes,
      tool_call: noAttributes,
    },
  },
  open: builder => readerOf(builder, undefined),
  openBeside: async (builder, siblings) => readerOf(builder, await DebugLogFiles.beside(siblings)),
};

function isEntry(value: unknown): boolean {
  return (
    numberAt(value, 'ts') !== undefined &&
    numberAt(value, 'dur') !== undefined &&
    stringAt(value, 'sid') !== undefined &&
    isObject(member(value, 'attrs')) &&
    ownTypes.has(stringAt(value, 'type') ?? '')
  );
}

function readerOf(builder: TranscriptBuilder, files: DebugLogFiles | undefined): LineFormatReader {
  builder.agentName = 'GitHub Copilot Chat';
  const calls = new ModelCalls(builder, files);
  const reader = new DebugLogReader(builder, calls, files);
  // The files next to the log are read before the first line, so after an addition everything is read again.
  return { push: record => reader.read(record), end: () => calls.finish(), resume: () => false };
}

/** All calls of a log belong to one session, whatever the ids of its spans. */
const session = '';

class DebugLogReader {
  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly calls: ModelCalls,
    private readonly files: DebugLogFiles | undefined,
  ) {}

  read({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type');
    const attributes = objectAt(value, 'attrs');
    const place: Place = { record: range, path: ['attrs'] };
    switch (type ?? '') {
      case 'llm_request':
        this.readRequest(value, attributes, place);
        return;
      case 'agent_response':
        this.readReply(value, attributes, place);
        break;
      case 'tool_call':
        this.calls.addRun(session, {
          callId: undefined,
          name: stringAt(value, 'name') ?? '',
          text: textAt(attributes, place, stringAt(attributes, 'result') === undefined ? 'error' : 'result'),
          isError: stringAt(value, 'status') === 'error',
          place,
        });
        break;
      case 'user_message':
        this.readPrompt(attributes, place);
        break;
      case 'session_start':
        this.builder.sessionId ??= stringAt(value, 'sid');
        this.builder.addVersion(stringAt(attributes, 'copilotVersion'));
        break;
      case 'child_session_ref':
        this.readChild(attributes);
        break;
      default:
        if (type === undefined || !ownTypes.has(type)) {
          this.builder.leaveOutUnknown(range, `${type ?? 'unknown'} entry`);
          return;
        }
    }
    this.builder.leaveOut(`${type} entry`, range);
  }

  private readRequest(entry: unknown, attributes: unknown, place: Place): void {
    const system = stringAt(attributes, 'systemPromptFile');
    const tools = stringAt(attributes, 'toolsFile');
    const systemBlocks = system === undefined ? [] : this.files?.system(system, place);
    const toolBlocks = tools === undefined ? [] : this.files?.tools(tools, place);
    const input = stringAt(attributes, 'inputMessages');
    this.calls.add({
      place,
      id: stringAt(entry, 'spanId'),
      start: millisecondsAt(entry, 'ts'),
      run: optionalCountAt(entry, 'rIdx') ?? 0,
      model: stringAt(attributes, 'model'),
      usage: readUsage(attributes, 'copilotDebug'),
      conversation: session,
      kind: stringAt(attributes, 'debugName') ?? '',
      tools: toolBlocks ?? [],
      system: systemBlocks ?? [],
      input: input === undefined ? undefined : { value: input, place: below(place, 'inputMessages') },
      continues: isContinuation(parseJson(stringAt(attributes, 'requestShape') ?? '')),
      headProblem:
        systemBlocks === undefined || toolBlocks === undefined ? 'missingRequestContent' : undefined,
    });
  }

  private readReply(entry: unknown, attributes: unknown, place: Place): void {
    const response = stringAt(attributes, 'response');
    const output = response === undefined ? undefined : { value: response, place: below(place, 'response') };
    const reasoning = textAt(attributes, place, 'reasoning');
    const isCut = isCutText(response) || isCutText(reasoning.content);
    this.calls.addReply(session, {
      id: stringAt(entry, 'spanId')?.replace(/^agent-msg-/, ''),
      run: optionalCountAt(entry, 'rIdx') ?? 0,
      output,
      reasoning: reasoning.content === '' ? undefined : reasoning,
      place,
      whole: this.files?.nextReply(
        isCut && output !== undefined ? decodeWritten(output).value : undefined,
        place,
      ),
    });
  }

  private readPrompt(attributes: unknown, place: Place): void {
    const content = stringAt(attributes, 'content') ?? '';
    const found = this.files?.enterTurn(content) ?? textAt(attributes, place, 'content');
    this.builder.title ??= titleOf(content);
    const message = { role: 'user', blocks: [textBlock(found, place, 'user', typedPrompt)] } as const;
    this.calls.addPrompt(session, {
      value: { role: 'user', parts: [{ type: 'text', content: found.content }] },
      message,
    });
  }

  private readChild(attributes: unknown): void {
    const id = stringAt(attributes, 'childSessionId');
    const label = stringAt(attributes, 'label') ?? '';
    if (id !== undefined && !forInterface.has(label)) {
      addSubagent(this.builder, { id, description: label.replace(/^runSubagent-/, '') });
    }
  }
}
