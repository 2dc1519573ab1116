import { arrayAt, isObject, member, numberAt, stringAt, timeAt } from '../base/json';
import { textBlocks, thinkingBlock, toolCallBlock, toolResultBlock } from '../content/blockFactory';
import { compactionSummary, developerText, typedPrompt } from '../content/classification';
import { answeredCall } from '../content/knownCalls';
import {
  below,
  flatMapAt,
  type FoundText,
  literalText,
  type Place,
  sourceOf,
  textAt,
} from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import { siblingLines } from '../reading/decoders/linesWithFiles';
import type { LineFormat, LineFormatReader, SiblingFiles, SourceRecord } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';
import { promptPieces } from './copilot/copilotPrompt';

/** The name of the file in which Antigravity cuts long texts, and of the one beside it that has them whole. */
const cutFile = 'transcript.jsonl';
const wholeFile = 'transcript_full.jsonl';

/**
 * Antigravity's own transcripts, `brain/<id>/.system_generated/logs/transcript.jsonl`: one step a line. The rules follow
 * the readers of specstoryai/getspecstory and jazzyalex/agent-sessions (2026-08).
 */
export const antigravityTranscript: LineFormat = {
  kind: 'lines',
  id: 'antigravity-transcript',
  name: 'Antigravity transcript',
  matches: records => mostAre(records, isStep),
  open: builder => new TranscriptReader(builder, new Map()),
  openBeside: async (builder, siblings) => {
    const [logs = '', , id] = siblings.folders;
    builder.sessionId = logs === 'logs' ? id : undefined;
    return new TranscriptReader(builder, await wholeTexts(siblings));
  },
};

function isStep(record: unknown): boolean {
  return (
    numberAt(record, 'step_index') !== undefined &&
    /^[A-Z][A-Z_]+$/.test(stringAt(record, 'type') ?? '') &&
    /^(?:USER|MODEL|SYSTEM)/.test(stringAt(record, 'source') ?? '')
  );
}

/** The steps of the file beside a transcript, by their number and kind. */
async function wholeTexts(siblings: SiblingFiles): Promise<ReadonlyMap<string, unknown>> {
  const steps = siblings.fileName === cutFile ? await siblingLines(siblings, wholeFile) : [];
  return new Map(steps.map(step => [keyOf(step), step]));
}

function keyOf(step: unknown): string {
  return `${numberAt(step, 'step_index') ?? ''} ${stringAt(step, 'type') ?? ''}`;
}

/** Kinds of steps that are not results of tools. */
const promptKinds: ReadonlySet<string> = new Set(['EPHEMERAL_MESSAGE', 'SYSTEM_MESSAGE']);
const silentKinds: ReadonlySet<string> = new Set(['CONVERSATION_HISTORY', 'ERROR_MESSAGE']);

class TranscriptReader implements LineFormatReader {
  private readonly thread: Thread;
  private readonly steps: SourceRecord[] = [];
  /** Calls without a result so far. Results come in the order of their calls. */
  private readonly waiting: string[] = [];
  private calls = 0;
  private model: string | undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly whole: ReadonlyMap<string, unknown>,
  ) {
    builder.agentName = 'Antigravity';
    this.thread = new Thread(builder);
  }

  push(step: SourceRecord): void {
    this.steps.push(step);
  }

  resume(): boolean {
    return false;
  }

  /** A result can be written before the reply with its call, so that steps are read in the order of their numbers. */
  end(): void {
    const index = ({ value }: SourceRecord): number => numberAt(value, 'step_index') ?? 0;
    this.steps.toSorted((first, second) => index(first) - index(second)).forEach(step => this.read(step));
    this.builder.title = this.builder.firstPrompt;
  }

  private read({ value, range }: SourceRecord): void {
    const place: Place = { record: range, path: [] };
    const type = stringAt(value, 'type') ?? '';
    const timestamp = timeAt(value, 'created_at');
    const content = this.textOf(value, place, 'content');
    if (type === 'PLANNER_RESPONSE') {
      this.readReply(value, place, content, timestamp);
    } else if (type === 'USER_INPUT') {
      this.model =
        /Model Selection.{0,4}from .{1,40}? to (.{1,60}?)\.(?:\s|$)/.exec(content.content)?.[1] ?? this.model;
      const typed = between(content.content, '<USER_REQUEST>', '</USER_REQUEST>')?.trim() ?? content.content;
      this.thread.add({ role: 'user', blocks: promptPieces(content, typed, typedPrompt, place), timestamp });
    } else if (type === 'CHECKPOINT' && content.content !== '') {
      const blocks = textBlocks(content, place, 'user', compactionSummary);
      // Its server sends the summary instead of all steps before it.
      this.thread.compactTo({ role: 'user', blocks, timestamp }, range.line);
    } else if (promptKinds.has(type) && content.content !== '') {
      const blocks = textBlocks(content, place, 'user', developerText);
      this.thread.add({ role: 'user', blocks, timestamp });
    } else if (stringAt(value, 'source') === 'MODEL' && !silentKinds.has(type)) {
      const callId = this.waiting.shift();
      const result = {
        callId,
        call: answeredCall(this.thread.calls, callId),
        isError: stringAt(value, 'status') === 'ERROR',
      };
      this.thread.add({ role: 'tool', blocks: [toolResultBlock(content, place, result)], timestamp });
    } else {
      this.builder.leaveRecordOut(type, range);
    }
  }

  private readReply(value: unknown, place: Place, content: FoundText, timestamp: number | undefined): void {
    const calls = flatMapAt(value, place, 'tool_calls', (call, at) => {
      this.calls += 1;
      const callId = stringAt(call, 'id') ?? `call ${this.calls}`;
      this.waiting.push(callId);
      const key = isObject(member(call, 'args')) ? 'args' : 'arguments';
      const parts = { toolName: stringAt(call, 'name') ?? 'unknown', callId, input: member(call, key) };
      return toolCallBlock({ ...parts, place: below(at, key), callPlace: at }, this.thread.calls);
    });
    const thought = this.textOf(value, place, 'thinking');
    const blocks = [
      ...(thought.content === '' ? [] : [thinkingBlock(thought, place)]),
      ...(content.content === '' ? [] : textBlocks(content, place, 'assistant')),
      ...calls,
    ];
    const { line } = sourceOf(place);
    this.thread.addReply({ role: 'assistant', blocks, timestamp }, { line, timestamp, model: this.model });
  }

  /** A text of a step; if it is cut, the whole text from the file beside the transcript. */
  private textOf(step: unknown, place: Place, key: 'content' | 'thinking'): FoundText {
    if (!arrayAt(step, 'truncated_fields').includes(key)) {
      return textAt(step, place, key);
    }
    const whole = stringAt(this.whole.get(keyOf(step)), key);
    if (whole === undefined) {
      this.builder.addProblem('cutText', place.record.line);
      return textAt(step, place, key);
    }
    return literalText(whole);
  }
}

function between(text: string, begin: string, end: string): string | undefined {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + begin.length, to);
}
