import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectAt } from '../../../src/core/base/json';
import { answer, ask, CopilotRecording, type Message, say } from '../../../test/fixtures/copilotRecording';
import { tools } from '../../../test/fixtures/copilotScenarios';
import type { Bench, BenchContext } from '../context';
import { Random } from '../../../test/generator/random';
import { Texts } from '../../../test/generator/texts';
import { interleaved, type Row } from '../measure';
import { plain } from './pipeline';

/** A file of Copilot's, and the same requests in the nearest format that was read before. */
interface Pair {
  readonly name: string;
  readonly ours: Uint8Array;
  readonly nearest: string;
  readonly theirs: Uint8Array;
}

const encoded = (records: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(records.map(record => `${JSON.stringify(record)}\n`).join(''));

/** One session of this many requests, each with everything before it. */
function sessionOf(requests: number): CopilotRecording {
  const texts = new Texts(new Random(20_260_412));
  const system = `You are an expert AI programming assistant.\n${texts.text('markdown', 20_000)}`;
  const recording = new CopilotRecording().prompt('Go through the shop');
  let messages: readonly Message[] = [say('user', texts.text('markdown', 4_000))];
  for (let index = 0; index < requests; index += 1) {
    const id = `call_${index}`;
    const input = { filePath: `/work/shop/${index}.ts` };
    const reply = ask(texts.text('markdown', 400), [id, 'read_file', input]);
    const result = texts.text('code', 4_000);
    recording
      .call({ system, tools, messages, reply, usage: { input: 1000 + index, cached: 900, output: 100 } })
      .tool(id, 'read_file', input, result);
    messages = [...messages, reply, answer(id, result)];
  }
  return recording;
}

/** The same requests as calls of the chat API, captured one a line. */
function captured({ sent }: CopilotRecording): Uint8Array {
  const chatMessage = ({ role, parts }: Message): unknown => {
    const text = parts.find(part => part['type'] === 'text')?.['content'];
    const result = parts.find(part => part['type'] === 'tool_call_response');
    const calls = parts
      .filter(part => part['type'] === 'tool_call')
      .map(({ id, name, arguments: input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
    return result === undefined
      ? { role, content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
      : { role: 'tool', tool_call_id: result['id'], content: result['response'] };
  };
  return encoded(
    sent.map(({ system, tools: definitions, messages, reply, usage }) => ({
      request: {
        method: 'POST',
        url: 'https://api.openai.com/v1/chat/completions',
        body: {
          model: 'gpt-5',
          messages: [{ role: 'system', content: system }, ...messages.map(chatMessage)],
          tools: definitions,
        },
      },
      response: {
        status_code: 200,
        body: {
          object: 'chat.completion',
          model: 'gpt-5',
          choices: [{ message: reply === undefined ? undefined : chatMessage(reply) }],
          usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
        },
      },
    })),
  );
}

/** The same spans as the collector's exporter writes them. */
function collected({ spans }: CopilotRecording): Uint8Array {
  return encoded(
    spans.map((span, index) => {
      const attributes = objectAt(span, 'attributes') ?? {};
      const startTimeUnixNano = `${1_780_000_000 + index}000000000`;
      const read = {
        traceId: 'trace',
        spanId: `span-${index}`,
        name: 'chat',
        startTimeUnixNano,
        endTimeUnixNano: startTimeUnixNano,
        attributes: Object.entries(attributes).map(([key, value]) => ({
          key,
          value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
        })),
      };
      return { resourceSpans: [{ scopeSpans: [{ spans: [read] }] }] };
    }),
  );
}

async function against(context: BenchContext, { name, ours, nearest, theirs }: Pair): Promise<Row> {
  const folder = context.scratch(`copilot ${name}`);
  const write = (file: string, bytes: Uint8Array): string => {
    const path = join(folder, file);
    writeFileSync(path, bytes);
    return path;
  };
  const own = write('main.jsonl', ours);
  const other = write('nearest.jsonl', theirs);
  const runs = await interleaved(
    context.rounds,
    () => context.cli('inspect', own, ...plain),
    () => context.cli('inspect', other, ...plain),
  );
  const size = (bytes: Uint8Array): number => Math.round(bytes.length / 2 ** 20);
  return {
    work: `whole pipeline without exact tokens, ${name}, ${size(ours)} MB`,
    against: `the same requests as ${nearest}, ${size(theirs)} MB`,
    unit: 'ms',
    ours: runs.ours.map(({ milliseconds }) => milliseconds),
    theirs: runs.theirs.map(({ milliseconds }) => milliseconds),
    target: { kind: 'share', most: 2 },
  };
}

/** Copilot's recordings beside the nearest formats: in all of them, every request repeats the conversation. */
export const copilot: Bench = {
  name: 'copilot',
  measure: async context => {
    const recording = sessionOf(context.size === 'small' ? 40 : 150);
    const pairs: readonly Pair[] = [
      {
        name: 'Copilot Chat debug log',
        ours: recording.lines,
        nearest: 'captured API calls',
        theirs: captured(recording),
      },
      {
        name: 'Copilot spans',
        ours: recording.spanLines,
        nearest: 'OpenTelemetry traces of the collector',
        theirs: collected(recording),
      },
    ];
    const rows: Row[] = [];
    for (const pair of pairs) {
      rows.push(await against(context, pair));
    }
    return rows;
  },
};
