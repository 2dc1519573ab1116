import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, member, objectAt, parseJson, stringAt, toJson } from '../../../src/core/base/json';
import { copilotEvents, copilotUsage } from '../../fixtures/agents';
import { ask, CopilotRecording, type Message, say, type Sent } from '../../fixtures/copilotRecording';
import { type Scenario, scenarios, system, tools } from '../../fixtures/copilotScenarios';
import {
  jsonLines,
  type OpenedTranscript,
  openTranscriptBytes,
  readJsonLines,
  sharedFolder,
} from '../../fixtures/openedTranscript';

/** A message as lines: one for each call and result, and one for all texts in between. */
function linesOf({ role, parts }: Message): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    switch (part['type']) {
      case 'tool_call':
        lines.push(`call: ${toJson(part['arguments'])}`);
        break;
      case 'tool_call_response':
        lines.push(`tool: ${String(part['response'])}`);
        break;
      case 'text':
        lines.push(`${role}: ${String(part['content'])}`);
        break;
      default:
        lines.push(`${role}: ${String(part['uri'])}`);
    }
  }
  return lines;
}

function sentLines({ system, tools, messages }: Sent): readonly string[] {
  return [...tools.map(tool => `schema: ${toJson(tool)}`), `system: ${system}`, ...messages.flatMap(linesOf)];
}

/** The blocks of a request in the same form; the pieces of a text are joined again. */
function readLines({ transcript, texts }: OpenedTranscript, blocks: readonly number[]): readonly string[] {
  const lines: { message: number; kind: string; text: string }[] = [];
  for (const number of blocks) {
    const block = transcript.blocks.at(number);
    assert.ok(block);
    const kind = block.kind === 'toolCall' ? 'call' : block.kind === 'toolSchema' ? 'schema' : block.role;
    const last = lines.at(-1);
    const text = texts[number] ?? '';
    if (last?.message === block.message && last.kind === kind && kind === 'user' && block.kind !== 'image') {
      last.text += text;
    } else {
      lines.push({ message: block.message, kind, text });
    }
  }
  return lines.map(({ kind, text }) => `${kind}: ${text}`);
}

/** Checks a request that was read. */
function assertAsSent(
  result: OpenedTranscript,
  index: number,
  sent: Sent,
  omit: { readonly text: boolean; readonly reply: boolean },
): void {
  const { transcript } = result;
  const request = transcript.requests[index];
  assert.ok(request);
  const { context, length, usage, reply } = request;
  assert.deepEqual(
    { ...usage },
    {
      input: sent.usage.input - sent.usage.cached,
      cacheRead: sent.usage.cached,
      cacheWrite: 0,
      output: sent.usage.output,
    },
  );
  if (!omit.text) {
    const blocks = (transcript.contexts[context] ?? []).slice(0, length);
    assert.deepEqual(readLines(result, blocks), sentLines(sent), `request ${index}`);
  }
  const answer = reply.filter(number => transcript.blocks.at(number)?.kind !== 'thinking');
  if (!omit.reply) {
    assert.deepEqual(
      readLines(result, answer),
      sent.reply === undefined ? [] : linesOf(sent.reply),
      `reply ${index}`,
    );
  }
}

/** The calls in the order of their starts. */
function inOrder({ name, recording: { sent } }: Scenario): readonly Sent[] {
  const [first, second, third] = sent;
  return name === 'two conversations at once' && first && second && third ? [first, third, second] : sent;
}

function problemsOf({ transcript }: OpenedTranscript): Readonly<Record<string, number>> {
  return Object.fromEntries(transcript.problems.map(({ kind, count }) => [kind, count]));
}

describe('the debug log of Copilot Chat', () => {
  for (const scenario of scenarios) {
    const { name, recording, problems = {}, lost = [], lostReplies = [] } = scenario;
    it(`reads ${name}`, async () => {
      const result = await openTranscriptBytes(recording.lines, { siblings: recording.siblings });
      const { transcript } = result;
      assert.equal(transcript.format, 'copilot-debug-log');
      assert.deepEqual(problemsOf(result), problems);
      assert.equal(transcript.requests.length, recording.sent.length);
      inOrder(scenario).forEach((sent, index) => {
        assertAsSent(result, index, sent, { text: lost.includes(index), reply: lostReplies.includes(index) });
        const isWhole = !lost.includes(index) && problems['missingRequestContent'] === undefined;
        assert.equal(transcript.requests[index]?.complete, isWhole, `request ${index} is whole`);
      });
    });
  }

  it('keeps the order of a title that was asked for meanwhile apart, so that no cache is missed', async () => {
    const found = scenarios.find(({ name }) => name === 'two conversations at once');
    assert.ok(found);
    const { transcript } = await openTranscriptBytes(found.recording.lines, {
      siblings: found.recording.siblings,
    });
    assert.deepEqual(
      transcript.requests.map(({ thread }) => thread),
      [0, 0, 1],
    );
    assert.equal(transcript.requests[0]?.context, transcript.requests[1]?.context);
  });

  it('names subagents, and what a missing file takes away', async () => {
    const found = scenarios.find(({ name }) => name.startsWith('a subagent'));
    assert.ok(found);
    const { transcript } = await openTranscriptBytes(found.recording.lines, {
      siblings: { ...found.recording.siblings, list: () => Promise.resolve([]) },
    });
    assert.deepEqual(transcript.subagents, [{ id: 'child-1', description: 'Explore' }]);
    assert.deepEqual(transcript.problems, [{ kind: 'missingRequestContent', line: 4, count: 4 }]);
    assert.ok(transcript.requests.every(({ complete }) => !complete));
  });
});

describe('the spans that Copilot Chat exports', () => {
  for (const scenario of scenarios) {
    const { name, recording } = scenario;
    it(`reads ${name}`, async () => {
      const result = await openTranscriptBytes(recording.spanLines);
      assert.equal(result.transcript.format, 'copilot-spans');
      assert.equal(result.transcript.requests.length, recording.sent.length);
      const isCut = problemsOf(result)['cutText'] !== undefined;
      // Longer texts are truncated here only if there is a limit for attributes.
      assert.ok(!isCut || new TextDecoder().decode(recording.spanLines).includes('[truncated, original'));
      inOrder(scenario).forEach((sent, index) =>
        assertAsSent(result, index, sent, { text: isCut, reply: isCut }),
      );
    });
  }

  it('keeps two sessions of the same words apart', async () => {
    const spans = ['first', 'second'].flatMap(id => {
      const recording = new CopilotRecording({ id });
      const prompt = say('user', 'Fix it.');
      const usage = { input: 100, cached: 0, output: 5 };
      recording.prompt('Fix it.').call({ system, tools, messages: [prompt], reply: ask(`By ${id}.`), usage });
      const messages = [prompt, ask(`By ${id}.`), say('user', 'More.')];
      return recording.prompt('More.').call({ system, tools, messages, reply: ask('Done.'), usage }).spans;
    });
    const [a, b, c, d] = spans;
    const { transcript } = await openTranscriptBytes(jsonLines([a, c, d, b]));
    assert.deepEqual(transcript.requests.map(({ thread }) => thread).sort(), [0, 0, 1, 1]);
    assert.equal(transcript.conversations.length, 2);
    for (const thread of [0, 1]) {
      const [one, two] = transcript.requests.filter(request => request.thread === thread);
      assert.equal(one?.context, two?.context);
    }
  });
});

describe('Copilot CLI 1.0.102, its export beside what its model received', () => {
  it('rebuilds every request', async test => {
    const folder = sharedFolder(test, 'agent-runs/copilot-cli/1.0.102/otel');
    if (folder === undefined) {
      return;
    }
    const result = await openTranscriptBytes(readFileSync(join(folder, 'otel.jsonl')));
    const bodies = readJsonLines(join(folder, 'raw-requests.jsonl.gz')).map(line => {
      const body = member(line, 'body');
      return typeof body === 'string' ? parseJson(body) : body;
    });
    assert.equal(result.transcript.requests.length, bodies.length);
    bodies.forEach((body, index) => {
      const { context = 0, length = 0 } = result.transcript.requests[index] ?? {};
      const found = readLines(result, (result.transcript.contexts[context] ?? []).slice(0, length));
      const schemas = found
        .filter(line => line.startsWith('schema: '))
        .map(line => parseJson(line.slice('schema: '.length)));
      assert.deepEqual(
        schemas.map(schema => stringAt(schema, 'name')),
        arrayAt(body, 'tools').map(tool => stringAt(objectAt(tool, 'function'), 'name')),
      );
      assert.deepEqual(
        found.filter(line => !line.startsWith('schema: ')),
        arrayAt(body, 'messages').flatMap(message => [
          `${stringAt(message, 'role')}: ${(stringAt(message, 'content') ?? '').replace(/^Invalid input: /, '')}`,
          ...arrayAt(message, 'tool_calls').map(
            call => `call: ${stringAt(objectAt(call, 'function'), 'arguments')}`,
          ),
        ]),
        `request ${index}`,
      );
    });
    test.diagnostic(`${bodies.length} requests, ${bodies.length} equal`);
  });
});

describe('what VS Code counts of an agent that it runs', () => {
  const siblingsWith = (counted: readonly unknown[]) => ({
    fileName: 'events.jsonl',
    folders: ['s1', 'session-state'],
    read: () => Promise.resolve(undefined),
    list: () => Promise.resolve([]),
    usageSidecar: (id: string) =>
      Promise.resolve(id === 's1' ? new TextEncoder().encode(jsonLines(counted)) : undefined),
  });
  const first = { input: 100, cacheRead: 800, cacheWrite: 0, output: 12 };
  const second = { input: 60, cacheRead: 890, cacheWrite: 0, output: 5 };
  const usageOf = async (counted: readonly unknown[]) =>
    (
      await openTranscriptBytes(jsonLines(copilotEvents), { siblings: siblingsWith(counted) })
    ).transcript.requests.map(({ usage }) => usage && { ...usage });

  it('completes the usage of the requests in the log of Copilot CLI', async () => {
    assert.deepEqual(await usageOf(copilotUsage), [first, second]);
    assert.deepEqual(await usageOf([...copilotUsage].reverse()), [first, second]);
  });

  it('is paired by model and output where calls are missing on one side', async () => {
    const [, last] = copilotUsage;
    const [unknown, known] = await usageOf([last]);
    assert.equal(unknown?.input, 0);
    assert.deepEqual(known, second);
  });

  it('is a list of calls without content by itself', async () => {
    const { transcript } = await openTranscriptBytes(jsonLines(copilotUsage));
    assert.equal(transcript.format, 'copilot-usage');
    assert.deepEqual(
      transcript.requests.map(({ usage }) => usage && { ...usage }),
      [first, second],
    );
    assert.deepEqual(transcript.problems, [{ kind: 'missingRequestContent', line: 1, count: 2 }]);
  });
});
