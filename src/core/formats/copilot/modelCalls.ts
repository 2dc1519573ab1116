import { entryOf } from '../../base/entryOf';
import { arrayAt, isArray, member, parseJson, stringAt, toJson } from '../../base/json';
import { thinkingBlock, toolResultBlock } from '../../content/blockFactory';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { decodedPlace, type FoundText, type Place, sourceOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { CaptureTimeline } from '../api/captureTimeline';
import type { WireMessage } from '../../wire/body';
import { decodeWritten, isCutText, type Said, saidIn, type Written } from './otelMessages';

/** One call to a model, as a span or a line of the debug log records it. */
export interface ModelCall {
  readonly place: Place;
  readonly id: string | undefined;
  /** Milliseconds since 1970. */
  readonly start: number | undefined;
  /** The primary sort key before `start`: the number of times the writer was started. */
  readonly run: number;
  readonly model: string | undefined;
  readonly usage: RecordedUsage | undefined;
  /** Calls of different conversations are independent. */
  readonly conversation: string;
  /** The writer's name for this kind of call, such as `panel/editAgent`. */
  readonly kind: string;
  readonly tools: readonly NewBlock[];
  readonly system: readonly NewBlock[];
  readonly input: Written | undefined;
  /** The input contains only the messages since the previous call. */
  readonly continues: boolean;
  /** True if no earlier thinking is sent. */
  readonly dropsThinking?: boolean;
  /** True if the tools and the results are recorded in the agent's own form, of which the sent form may differ. */
  readonly isOwnForm?: boolean;
  /** The problem of the system prompt or the tools. */
  readonly headProblem: 'cutText' | 'missingRequestContent' | undefined;
}

/** The response to a call. */
export interface Reply {
  /** The id and the run of its call. Ids start over with every run. */
  readonly id: string | undefined;
  readonly run: number;
  readonly output: Written | undefined;
  readonly reasoning: FoundText | undefined;
  readonly place: Place;
  readonly whole?: WholeReply | undefined;
}

/** A tool result that was recorded separately from the request that sent it. */
export interface ToolRun {
  readonly callId: string | undefined;
  readonly name: string;
  readonly text: FoundText;
  readonly isError: boolean;
  readonly place: Place;
}

/** A reply that another file has in full. */
export interface WholeReply {
  said(calls: KnownCalls): readonly Said[];
  readonly reasoning: FoundText | undefined;
}

/** Tool results that another file has in full. */
export interface WholeResults {
  result(callId: string): FoundText | undefined;
}

/** A call that waits for its reply, which the next call of its conversation may repeat in full. */
interface OpenCall {
  readonly call: ModelCall;
  readonly said: readonly Said[];
  /** The messages are those of the recorded input. */
  readonly isAsWritten: boolean;
  readonly isComplete: boolean;
  readonly runs: ToolRun[];
  /** The prompts since this call. */
  readonly prompts: Said[];
  reply: Reply | undefined;
  /** The reply as the next request would send it. */
  replied: readonly Said[];
}

/**
 * The model calls of Copilot's recordings, in the order in which they end. A text that was truncated when it was
 * written is taken from a source with the full text: the next request, or another file. A text that stays truncated is
 * a problem.
 */
export class ModelCalls {
  readonly timeline: CaptureTimeline;
  private readonly open = new Map<string, OpenCall>();
  /** The last call of each conversation. */
  private readonly latest = new Map<string, OpenCall>();
  private readonly starts: { readonly run: number; readonly start: number }[] = [];
  private early: Said[] = [];

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly whole?: WholeResults,
  ) {
    this.timeline = new CaptureTimeline(builder);
  }

  add(call: ModelCall): void {
    const key = `${call.conversation}\0${call.kind}`;
    const before = this.open.get(key);
    const extended = this.extended(before, call.input);
    const decoded =
      extended === undefined && call.input !== undefined ? decodeWritten(call.input) : undefined;
    let said = extended ?? (decoded === undefined ? [] : saidIn(decoded, this.timeline.calls, 'user'));
    if (before !== undefined) {
      this.settle(before, call.continues ? undefined : said);
    }
    let isComplete = call.input !== undefined && call.headProblem === undefined;
    const isAsWritten = extended !== undefined || decoded?.isCut === false;
    if (!isAsWritten) {
      const rebuilt = this.rebuilt(before, said);
      const mended = rebuilt.find(candidate => lengthOf(candidate) === decoded?.length);
      if (mended === undefined) {
        isComplete = false;
        this.builder.addProblem(
          decoded === undefined ? 'missingRequestContent' : 'cutText',
          sourceOf(call.place).line,
        );
      }
      const longest = [...rebuilt].sort((first, second) => lengthOf(second) - lengthOf(first))[0] ?? [];
      said = mended ?? (lengthOf(longest) > lengthOf(said) ? longest : said);
    }
    if (call.headProblem !== undefined) {
      this.builder.addProblem(call.headProblem, sourceOf(call.place).line);
    }
    const opened = {
      call,
      said,
      isAsWritten,
      isComplete,
      runs: [],
      prompts: [],
      reply: undefined,
      replied: [],
    };
    this.early = [];
    this.open.set(key, opened);
    this.latest.set(call.conversation, opened);
  }

  /**
   * The messages of an input that begins with the complete previous input. Only the messages after that are decoded.
   */
  private extended(before: OpenCall | undefined, input: Written | undefined): readonly Said[] | undefined {
    const [known, text] = [before?.call.input?.value, input?.value];
    if (
      before?.isAsWritten !== true ||
      input === undefined ||
      input.place.decoded !== undefined ||
      typeof known !== 'string' ||
      typeof text !== 'string' ||
      !/^\[.*\}\]$/s.test(known) ||
      text.charAt(known.length - 1) !== ',' ||
      !text.startsWith(known.slice(0, -1))
    ) {
      return undefined;
    }
    const value = parseJson(`[${text.slice(known.length)}`);
    const decoded = { value, place: decodedPlace(input.place, 'json'), isCut: false, length: undefined };
    return isArray(value)
      ? [...before.said, ...saidIn(decoded, this.timeline.calls, 'user', before.said.length)]
      : undefined;
  }

  /** Adds the reply to the call with its id, or to the last call of its conversation. */
  addReply(conversation: string, reply: Reply): void {
    const last = this.latest.get(conversation);
    const isOf = ({ call }: OpenCall): boolean => call.id === reply.id && call.run === reply.run;
    const answered = last === undefined || isOf(last) ? last : ([...this.open.values()].find(isOf) ?? last);
    if (answered !== undefined) {
      answered.reply = reply;
    }
  }

  addRun(conversation: string, run: ToolRun): void {
    this.latest.get(conversation)?.runs.push(run);
  }

  addPrompt(conversation: string, said: Said): void {
    (this.latest.get(conversation)?.prompts ?? this.early).push(said);
  }

  /** Call once, after everything is added. */
  finish(): void {
    for (const waiting of this.open.values()) {
      this.settle(waiting, undefined);
    }
    this.timeline.finish();
    this.sortRequests();
  }

  /** Sorts the requests by start, because overlapping calls may end in another order. */
  private sortRequests(): void {
    const { requests, compactions } = this.builder;
    const order = this.starts
      .map((at, index) => ({ ...at, index }))
      .sort(
        (first, second) => first.run - second.run || first.start - second.start || first.index - second.index,
      )
      .map(({ index }) => index);
    if (order.every((from, to) => from === to)) {
      return;
    }
    const sorted = order.flatMap(index => requests[index] ?? []);
    compactions.forEach((compaction, index) => {
      const to = order.indexOf(compaction.request);
      compactions[index] = { ...compaction, request: to < 0 ? sorted.length : to };
    });
    requests.splice(0, requests.length, ...sorted);
  }

  /** Adds a call with its reply. `next` is the content of the next request of its conversation. */
  private settle(waiting: OpenCall, next: readonly Said[] | undefined): void {
    const { call, said, reply, isComplete } = waiting;
    waiting.replied = this.wholeReply(waiting, next);
    const thoughts = this.thoughts(reply, waiting.replied);
    const messages = waiting.replied.map(({ message }) => message);
    const [first, ...others] = messages;
    const answer =
      thoughts === undefined
        ? messages
        : [{ role: 'assistant', ...first, blocks: [thoughts, ...(first?.blocks ?? [])] } as const, ...others];
    const hasSystem = said.some(({ message }) => message.isHead === true);
    const usesTools = said.some(({ message }) => message.blocks.some(({ kind }) => kind === 'toolCall'));
    const head = [...call.tools, ...(hasSystem ? [] : call.system)];
    this.starts.push({ run: call.run, start: call.start ?? 0 });
    this.timeline.add({
      request: {
        api: 'GitHub Copilot Chat',
        complete:
          isComplete &&
          call.isOwnForm !== true &&
          (hasSystem || call.system.length > 0) &&
          (call.tools.length > 0 || !usesTools),
        messages: [
          ...(head.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: head } as const]),
          ...said.map(({ message }) => message),
        ],
        model: call.model,
      },
      response: answer.length === 0 ? undefined : { api: 'GitHub Copilot Chat', messages: answer },
      line: sourceOf(call.place).line,
      timestamp: call.start,
      usage: call.usage,
      id: call.id,
      conversation: call.conversation,
      continues: call.continues,
      dropsThinking: call.dropsThinking,
    });
  }

  private wholeReply({ reply, said }: OpenCall, next: readonly Said[] | undefined): readonly Said[] {
    if (reply?.output === undefined) {
      return [];
    }
    const decoded = decodeWritten(reply.output);
    // A later request repeats role and parts, without the reason why the model stopped.
    const own = saidIn(decoded, this.timeline.calls, 'assistant').map(({ value, message }) => ({
      value: { role: stringAt(value, 'role'), parts: arrayAt(value, 'parts') },
      message,
    }));
    if (!decoded.isCut) {
      return own;
    }
    const repeated = repeatedReply(said, next);
    const found = repeated.length > 0 ? repeated : reply.whole?.said(this.timeline.calls);
    if (found === undefined) {
      this.builder.addProblem('cutText', sourceOf(reply.place).line);
    }
    return found ?? own;
  }

  /** The reasoning, if the reply itself lacks it. */
  private thoughts(reply: Reply | undefined, replied: readonly Said[]): NewBlock | undefined {
    const hasOwn = replied.some(({ message }) => message.blocks.some(({ kind }) => kind === 'thinking'));
    if (reply?.reasoning === undefined || hasOwn) {
      return undefined;
    }
    const { content } = reply.reasoning;
    const found = isCutText(content) ? reply.whole?.reasoning : reply.reasoning;
    if (found === undefined) {
      this.builder.addProblem('cutText', sourceOf(reply.place).line);
    }
    return thinkingBlock(found ?? reply.reasoning, reply.place);
  }

  /**
   * The possible forms of a request that sends everything known so far. The forms differ in how a provider takes tool
   * results. Empty if the known content does not begin like the recorded input.
   * @param written the beginning of the request; its last message may be incomplete
   */
  private rebuilt(before: OpenCall | undefined, written: readonly Said[]): readonly (readonly Said[])[] {
    const results = before === undefined ? [] : inWrittenOrder(this.resultsOf(before), written);
    const known = [...(before?.said ?? []), ...(before?.replied ?? [])];
    const after = [...(before?.prompts ?? this.early)];
    const sure = written.slice(0, -1);
    const begins = sure.every(
      ({ value }, index) => index >= known.length || toJson(value) === toJson(known[index]?.value),
    );
    if (!begins || known.length + results.length + after.length < written.length) {
      return [];
    }
    return resultForms(results).map(form => [...known, ...form, ...after]);
  }

  /** The results of the calls of a reply, in the order of the calls. */
  private resultsOf({ replied, runs }: OpenCall): readonly Said[] {
    const left = [...runs];
    return replied.flatMap(({ value }) =>
      arrayAt(value, 'parts').flatMap((part): readonly Said[] => {
        const callId = stringAt(part, 'id');
        const name = stringAt(part, 'name');
        if (stringAt(part, 'type') !== 'tool_call' || callId === undefined) {
          return [];
        }
        const found = left.find(run =>
          run.callId === undefined ? run.name === name : run.callId === callId,
        );
        if (found === undefined) {
          return [];
        }
        left.splice(left.indexOf(found), 1);
        const text = isCutText(found.text.content) ? (this.whole?.result(callId) ?? found.text) : found.text;
        const call = answeredCall(this.timeline.calls, callId, name);
        const block = toolResultBlock(text, found.place, { callId, call, isError: found.isError });
        return [
          {
            value: {
              role: 'tool',
              parts: [{ type: 'tool_call_response', id: callId, response: text.content }],
            },
            message: { role: 'tool', blocks: [block] },
          },
        ];
      }),
    );
  }
}

/** The model's messages after the content of a request, taken from the next request. */
function repeatedReply(said: readonly Said[], next: readonly Said[] | undefined): readonly Said[] {
  const last = said.length - 1;
  if (next === undefined || next.length <= said.length || last < 0) {
    return [];
  }
  if (toJson(next[last]?.value) !== toJson(said[last]?.value)) {
    return [];
  }
  const after = next.slice(said.length);
  const end = after.findIndex(({ message }) => message.role !== 'assistant');
  return end < 0 ? after : after.slice(0, end);
}

/** Results in the order in which a request has them, which may differ from that of their calls. */
function inWrittenOrder(results: readonly Said[], written: readonly Said[]): readonly Said[] {
  const places = new Map(written.flatMap(said => resultIds(said)).map((id, index) => [id, index]));
  const place = (said: Said): number => places.get(resultIds(said)[0] ?? '') ?? Number.MAX_VALUE;
  return results.toSorted((first, second) => place(first) - place(second));
}

function resultIds({ value }: Said): readonly string[] {
  return arrayAt(value, 'parts').flatMap(part =>
    stringAt(part, 'type') === 'tool_call_response' ? (stringAt(part, 'id') ?? []) : [],
  );
}

/**
 * Tool results in two forms: one message for each result, as in the chat API, or one user message for all, as in
 * Anthropic's API.
 */
function resultForms(results: readonly Said[]): readonly (readonly Said[])[] {
  const parts = results.flatMap(({ value }) => arrayAt(value, 'parts'));
  const blocks = results.flatMap(({ message }) => message.blocks);
  const message: WireMessage = { role: 'tool', blocks };
  return results.length === 0 ? [[]] : [results, [{ value: { role: 'user', parts }, message }]];
}

/** The lengths of messages as JSON. Every later request of the conversation needs them again. */
const lengths = new WeakMap<Said, number>();

/** The length of a list of messages as JSON, in UTF-16 units. */
function lengthOf(said: readonly Said[]): number {
  const brackets = 2;
  const commas = Math.max(0, said.length - 1);
  return said.reduce(
    (sum, each) => sum + entryOf(lengths, each, () => toJson(each.value).length),
    brackets + commas,
  );
}

/** True if the JSON of a request's shape shows that the provider kept the messages of an earlier response. */
export function isContinuation(shape: unknown): boolean {
  return member(shape, 'hasPreviousResponseId') === true;
}
