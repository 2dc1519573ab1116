import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { arrayAt, isObject, member, objectAt, parseJson, stringAt } from '../../src/core/base/json';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { callOf, type Wish } from '../agents/scenario';
import type { Variation } from './agents';

/** The pause between two requests of one prompt, in milliseconds of the server's own clock. */
const step = 4000;

/** What the provider counted for a request, in tokens. */
export interface CountedUsage {
  readonly total: number;
  readonly read: number;
  readonly written: number;
  /** The part of `written` for an hour. */
  readonly hour: number;
}

export interface CacheServer {
  readonly url: string;
  /** The usage of every request that played a step of the script. */
  readonly counted: readonly CountedUsage[];
  /** How far the server's clock was ahead of the machine's, from a time of the machine on. */
  readonly offsets: readonly { readonly from: number; readonly milliseconds: number }[];
  /** The model's next replies: the calls of each; after them it ends the turn. */
  play(steps: readonly (readonly Wish[])[], pauseMinutes: number): void;
  stop(): Promise<void>;
}

/**
 * A scripted model on this machine for the Anthropic, chat and Responses protocols, with a prefix cache: Anthropic's with
 * breakpoints, a lookback of 20 blocks, a minimum of 1,024 tokens and lifetimes as asked for; otherwise every prefix in
 * steps of 128 tokens. Time passes on the server's own clock.
 */
export async function startCacheServer(
  folder: string,
  { thinks, marksAll }: Pick<Variation, 'thinks' | 'marksAll'> = {},
): Promise<CacheServer> {
  const tokenizer = await loadTokenizer('o200k_base');
  const counts = new Map<string, number>();
  const count = (text: string): number => {
    const known = counts.get(text) ?? tokenizer.count(text);
    counts.set(text, known);
    return known;
  };
  const marked = new MarkedCache();
  const prefixes = new PrefixCache();
  const counted: CountedUsage[] = [];
  const offsets: { from: number; milliseconds: number }[] = [];
  let offset = 0;
  let steps: (readonly Wish[])[] = [];
  let calls = 0;
  let answers = 0;
  const advance = (milliseconds: number): void => {
    offset += milliseconds;
    offsets.push({ from: Date.now(), milliseconds: offset });
  };

  const answer = (path: string, body: unknown): Answer => {
    const kind = kindOf(path);
    const isSummary = asksForSummary(body);
    const hasTools = arrayAt(body, 'tools').length > 0;
    const isStep = hasTools && !isSummary;
    if (isStep) {
      advance(step);
    }
    answers += 1;
    const now = Date.now() + offset;
    const sent = partsOf(kind, body);
    const parts = marksAll === true ? sent.map(part => ({ ...part, mark: part.mark ?? 300_000 })) : sent;
    const sizes = parts.map(({ text }) => count(text));
    const usage = kind === 'anthropic' ? marked.use(parts, sizes, now) : prefixes.use(parts, sizes, now);
    if (isStep) {
      counted.push(usage);
    }
    const wishes = isStep ? (steps.shift() ?? []) : [];
    const content = isSummary
      ? summary
      : !hasTools
        ? 'A title'
        : wishes.length === 0
          ? `This part is done. ${'All files were read, and the sums agree. '.repeat(6)}`
          : `I continue with ${wishes.map(({ text }) => text).join(' and ')}.`;
    const tools = toolsIn(kind, body);
    const toolCalls = wishes.flatMap(wish => {
      const call = callOf(tools, wish, folder);
      calls += 1;
      return call === undefined ? [] : [{ id: `call_${String(calls).padStart(8, '0')}`, ...call }];
    });
    const thinking = thinks !== undefined && isStep ? thought : '';
    const output =
      count(thinking) + count(content) + toolCalls.reduce((sum, call) => sum + count(call.arguments) + 8, 0);
    return {
      kind,
      model: stringAt(body, 'model') ?? '',
      thinking,
      content,
      toolCalls,
      usage,
      output,
      number: answers,
    };
  };

  const server = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, answer);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    counted,
    offsets,
    play: (next, pauseMinutes) => {
      steps = [...next];
      advance(pauseMinutes * 60_000);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

export interface Part {
  readonly text: string;
  /** As it was sent. */
  readonly value: unknown;
  /** The lifetime that a breakpoint asks for, in milliseconds; undefined without a breakpoint. */
  readonly mark?: number | undefined;
}

export type Kind = 'anthropic' | 'chat' | 'responses';

/** The protocol of a path. */
export const kindOf = (path: string): Kind =>
  path.includes('/messages') ? 'anthropic' : path.includes('/responses') ? 'responses' : 'chat';

interface Answer {
  readonly kind: Kind;
  readonly model: string;
  /** Empty without. Only the chat protocol sends it. */
  readonly thinking: string;
  readonly content: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage: CountedUsage;
  readonly output: number;
  readonly number: number;
}

const thought =
  'I look at the list, compare the part with the sums, and decide which file comes next. '.repeat(20);

const summary = `<summary>\n${'The person asked for several parts. The model read the files that they name, compared their sums, and found that all of them agree with the list in the first file. '.repeat(20)}\n</summary>`;

/** What agents ask a model for when they compact. */
const summaryRequest =
  /create a detailed summary|detailed prompt for continuing|CONTEXT CHECKPOINT|anchored summary|summar\w+ (?:of|the) (?:the |our )?conversation/i;

function asksForSummary(body: unknown): boolean {
  const last = [...arrayAt(body, 'messages'), ...arrayAt(body, 'input')].at(-1);
  return stringAt(last, 'role') === 'user' && summaryRequest.test(JSON.stringify(last));
}

/** The parts of a prompt in the order in which a provider caches them. */
export function partsOf(kind: Kind, body: unknown): readonly Part[] {
  const system = member(body, 'system') ?? member(body, 'instructions');
  const systemParts = Array.isArray(system) ? system : system === undefined ? [] : [system];
  const messages = [...arrayAt(body, 'messages'), ...arrayAt(body, 'input')];
  return [
    ...arrayAt(body, 'tools').map(part => partOf(part)),
    ...systemParts
      // Claude Code's billing header differs in each request and is not part of the prompt.
      .filter(part => !JSON.stringify(part).includes('x-anthropic-billing-header'))
      .map(part => partOf(part)),
    ...messages.flatMap(message => {
      const content = member(message, 'content');
      return kind === 'anthropic' && Array.isArray(content)
        ? content.map((part: unknown) => partOf(part, stringAt(message, 'role')))
        : [partOf(message)];
    }),
  ];
}

function partOf(value: unknown, role = ''): Part {
  const control = objectAt(value, 'cache_control');
  const text = JSON.stringify(
    isObject(value) ? { ...value, cache_control: undefined, id: undefined } : value,
  );
  return {
    text: `${role}${text}`,
    value,
    mark: control === undefined ? undefined : stringAt(control, 'ttl') === '1h' ? 3_600_000 : 300_000,
  };
}

function toolsIn(kind: Kind, body: unknown) {
  return arrayAt(body, 'tools').flatMap(tool => {
    const definition = kind === 'chat' ? (objectAt(tool, 'function') ?? tool) : tool;
    const name = stringAt(definition, 'name');
    return name === undefined
      ? []
      : [{ name, schema: objectAt(definition, 'input_schema') ?? objectAt(definition, 'parameters') ?? {} }];
  });
}

const minimum = 1024;
const lookback = 20;

/** Prefixes that end at breakpoints. */
export class MarkedCache {
  private readonly entries = new Map<string, { until: number; readonly lifetime: number }>();

  use(parts: readonly Part[], sizes: readonly number[], now: number): CountedUsage {
    const keys: string[] = [];
    const ends: number[] = [];
    let key = '';
    let sum = 0;
    parts.forEach(({ text }, place) => {
      key = `${hash(key)}${hash(text)}`;
      sum += sizes[place] ?? 0;
      keys.push(key);
      ends.push(sum);
    });
    const marks = parts.flatMap(({ mark }, place) => (mark === undefined ? [] : [{ place, lifetime: mark }]));
    let found = -1;
    for (const { place } of marks.toReversed()) {
      for (let at = place; found < 0 && at > place - lookback && at >= 0; at -= 1) {
        const entry = this.entries.get(keys[at] ?? '');
        if (entry !== undefined && entry.until >= now) {
          entry.until = now + entry.lifetime;
          found = at;
        }
      }
    }
    const read = found < 0 ? 0 : (ends[found] ?? 0);
    let written = 0;
    let hour = 0;
    let before = read;
    for (const { place, lifetime } of marks) {
      const end = ends[place] ?? 0;
      if (end >= minimum && end > before) {
        written += end - before;
        hour += lifetime > 300_000 ? end - before : 0;
        before = end;
      }
      if (end >= minimum) {
        this.entries.set(keys[place] ?? '', { until: now + lifetime, lifetime });
      }
    }
    return { total: sum, read, written, hour };
  }
}

/** Every prefix of every request, for five minutes. */
export class PrefixCache {
  private readonly entries: { readonly texts: readonly string[]; until: number }[] = [];

  use(parts: readonly Part[], sizes: readonly number[], now: number): CountedUsage {
    const texts = parts.map(({ text }) => text);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let best = 0;
    for (const entry of this.entries) {
      if (entry.until < now) {
        continue;
      }
      let tokens = 0;
      for (let place = 0; place < texts.length && texts[place] === entry.texts[place]; place += 1) {
        tokens += sizes[place] ?? 0;
      }
      best = Math.max(best, tokens);
    }
    const whole = Math.floor(Math.min(best, total) / 128) * 128;
    this.entries.push({ texts, until: now + 300_000 });
    return { total, read: whole < minimum ? 0 : whole, written: 0, hour: 0 };
  }
}

/** 53 bits. */
function hash(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    two = Math.imul(two ^ code, 1_597_334_677);
  }
  return `${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (path: string, body: unknown) => Answer,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
  }
  const path = incoming.url ?? '';
  const body = parseJson(Buffer.concat(chunks).toString());
  if (incoming.method !== 'POST' || body === undefined || !/messages|completions|responses/.test(path)) {
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ object: 'list', data: [], models: [] }));
    return;
  }
  if (path.includes('count_tokens')) {
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ input_tokens: 1000 }));
    return;
  }
  const given = answer(path, body);
  const isStream = member(body, 'stream') === true;
  const events = eventsOf(given, isStream);
  outgoing.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  outgoing.end(
    isStream
      ? events
          .map(event => {
            const type = stringAt(event, 'type');
            const head = given.kind === 'chat' || type === undefined ? '' : `event: ${type}\n`;
            return `${head}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
          })
          .join('')
      : JSON.stringify(events[0]),
  );
}

function eventsOf(answer: Answer, isStream: boolean): readonly unknown[] {
  switch (answer.kind) {
    case 'anthropic':
      return anthropicEvents(answer, isStream);
    case 'chat':
      return chatEvents(answer, isStream);
    case 'responses':
      return responsesEvents(answer, isStream);
  }
}

function anthropicEvents({ content, toolCalls, usage, output, model, number }: Answer, isStream: boolean) {
  const { total, read, written, hour } = usage;
  const counts = {
    input_tokens: total - read - written,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
  };
  const blocks = [
    { type: 'text', text: content },
    ...toolCalls.map(({ id, name, arguments: text }) => ({
      type: 'tool_use',
      id: `toolu_${id}`,
      name,
      input: parseJson(text),
      text,
    })),
  ];
  const message = {
    id: `msg_${String(Date.now())}${String(number).padStart(6, '0')}${Math.trunc(total)}`,
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
  };
  const reason = toolCalls.length === 0 ? 'end_turn' : 'tool_use';
  if (!isStream) {
    return [
      {
        ...message,
        content: blocks.map(({ text, ...block }) => ('input' in block ? block : { ...block, text })),
        stop_reason: reason,
        usage: { ...counts, output_tokens: output },
      },
    ];
  }
  return [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } },
    },
    ...blocks.flatMap((block, index) => [
      {
        type: 'content_block_start',
        index,
        content_block:
          'input' in block
            ? { type: 'tool_use', id: block.id, name: block.name, input: {} }
            : { type: 'text', text: '' },
      },
      {
        type: 'content_block_delta',
        index,
        delta:
          'input' in block
            ? { type: 'input_json_delta', partial_json: block.text }
            : { type: 'text_delta', text: block.text },
      },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { ...counts, output_tokens: output },
    },
    { type: 'message_stop' },
  ];
}

function chatEvents(
  { thinking, content, toolCalls, usage, output, model, number }: Answer,
  isStream: boolean,
) {
  const counts = {
    prompt_tokens: usage.total,
    completion_tokens: output,
    total_tokens: usage.total + output,
    prompt_tokens_details: { cached_tokens: usage.read },
  };
  const calls = toolCalls.map(({ id, name, arguments: text }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  const head = { id: `chatcmpl-${number}`, created: Math.floor(Date.now() / 1000), model };
  const reason = calls.length === 0 ? 'stop' : 'tool_calls';
  const message = {
    role: 'assistant',
    ...(thinking === '' ? {} : { reasoning_content: thinking }),
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  if (!isStream) {
    return [
      {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: reason }],
        usage: counts,
      },
    ];
  }
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { ...chunk, choices: [], usage: counts },
    '[DONE]',
  ];
}

function responsesEvents({ content, toolCalls, usage, output, model, number }: Answer, isStream: boolean) {
  const items = [
    {
      type: 'message',
      id: `msg_${number}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: content, annotations: [] }],
    },
    ...toolCalls.map(({ id, name, arguments: text }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: text,
      status: 'completed',
    })),
  ];
  const response = {
    id: `resp_${number}`,
    object: 'response',
    model,
    status: 'completed',
    output: items,
    usage: {
      input_tokens: usage.total,
      input_tokens_details: { cached_tokens: usage.read },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.total + output,
    },
  };
  return isStream
    ? [
        {
          type: 'response.created',
          response: { ...response, status: 'in_progress', output: [], usage: null },
        },
        ...items.flatMap((item, place) => [
          { type: 'response.output_item.added', output_index: place, item },
          { type: 'response.output_item.done', output_index: place, item },
        ]),
        { type: 'response.completed', response },
      ]
    : [response];
}
