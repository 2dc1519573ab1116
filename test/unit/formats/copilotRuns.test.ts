import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, objectAt, stringAt, toJson } from '../../../src/core/base/json';
import {
  compareBlocks,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
  type OpenedTranscript,
} from '../../fixtures/openedTranscript';

/** The blocks of a chat or Anthropic request as it was sent: role and text. */
function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(body, 'tools').map(tool => `schema: ${toJson(tool)}`),
    // Sent in two parts, logged as one text.
    ...(arrayAt(body, 'system').length === 0
      ? []
      : [
          `system: ${arrayAt(body, 'system')
            .flatMap(part => stringAt(part, 'text') ?? [])
            .join('\n\n')}`,
        ]),
    ...arrayAt(body, 'messages').flatMap(message => {
      const role = stringAt(message, 'role') ?? '';
      const content = member(message, 'content');
      return [
        ...(typeof content === 'string' ? [`${role}: ${content}`] : []),
        ...(isArray(content) ? content.map(part => sentPart(role, part)) : []),
        ...arrayAt(message, 'tool_calls').map(call => {
          const called = objectAt(call, 'function');
          return `call: ${toJson(JSON.parse(stringAt(called, 'arguments') ?? 'null'))}`;
        }),
      ];
    }),
  ];
}

function sentPart(role: string, part: unknown): string {
  switch (stringAt(part, 'type')) {
    case 'thinking':
      return `thinking: ${stringAt(part, 'thinking') ?? ''}`;
    case 'tool_use':
      return `call: ${toJson(member(part, 'input'))}`;
    case 'tool_result':
      return `tool: ${stringAt(part, 'content') ?? toJson(member(part, 'content'))}`;
    case undefined:
    default:
      return `${role}: ${stringAt(part, 'text') ?? toJson(part)}`;
  }
}

/** Our blocks in the same form; the pieces of one text are joined again. */
function readBlocks({ transcript, texts }: OpenedTranscript, request: number): string[] {
  const { context = 0, length = 0 } = transcript.requests[request] ?? {};
  const found: { text: string; message: number; role: string }[] = [];
  for (const number of (transcript.contexts[context] ?? []).slice(0, length)) {
    const block = transcript.blocks.at(number);
    const text = texts[number] ?? '';
    const role =
      block?.kind === 'toolCall' ? 'call' : block?.kind === 'thinking' ? 'thinking' : (block?.role ?? '');
    const message = block?.message ?? -1;
    const last = found.at(-1);
    if (role === 'user' && last?.role === 'user' && last.message === message) {
      last.text += text;
    } else {
      found.push({ text, message, role });
    }
  }
  return found.map(({ role, text }) => `${role}: ${text}`);
}

describe('Copilot CLI 1.0.102 beside what its model received', () => {
  it('rebuilds every request but for what an event log does not record', async test => {
    const folder = sharedFolder(test, 'agent-runs/copilot-cli/1.0.102');
    if (folder === undefined) {
      return;
    }
    for (const name of ['rich', 'rich-chat']) {
      const sent = new Map<string, unknown>();
      for (const request of readJsonLines(join(folder, name, 'raw-requests.jsonl.gz'))) {
        sent.set(stringAt(request, 'response_id') ?? '', request);
      }
      const files = readdirSync(join(folder, name, 'native'), { recursive: true, encoding: 'utf8' });
      const log = files.find(file => /events\.jsonl(\.gz)?$/.test(file)) ?? '';
      const opened = await openTranscriptBytes(readUnpacked(join(folder, name, 'native', log)));
      const { transcript, texts } = opened;
      assert.equal(transcript.format, 'copilot-events');
      assert.deepEqual(problemsOf(transcript), {});
      const counts = { matched: 0, missing: 0, extra: 0 };
      transcript.requests.forEach((request, index) => {
        const raw = sent.get(request.id ?? '');
        assert.ok(raw !== undefined, `request ${index} of ${name} was never sent`);
        sent.delete(request.id ?? '');
        const { matched, missing, extra } = compareBlocks(
          sentBlocks(objectAt(raw, 'body')),
          readBlocks(opened, index),
        );
        counts.matched += matched;
        counts.missing += missing.length;
        counts.extra += extra.length;
        // The log has no tool schemas. For a failed call it has a short message instead of the longer one that was sent
        // until the session was resumed.
        const failed = new Set(
          [...transcript.blocks].flatMap((block, number) =>
            block.isError === true ? [`tool: ${texts[number] ?? ''}`] : [],
          ),
        );
        const unexplained = missing.filter(block => !block.startsWith('schema: '));
        assert.deepEqual(
          extra.filter(block => !failed.has(block)).map(block => block.slice(0, 300)),
          [],
          `extra in request ${index} of ${name}`,
        );
        assert.deepEqual(
          unexplained.map(block => block.slice(0, 6)),
          extra.map(() => 'tool: '),
          `missing in request ${index} of ${name}`,
        );
      });
      assert.equal(sent.size, 0, 'every request has its place in the log');
      test.diagnostic(
        `Copilot CLI 1.0.102, ${name}: ${transcript.requests.length} requests, ${counts.matched} blocks matched, ` +
          `${counts.missing} missing, ${counts.extra} extra`,
      );
    }
  });

  it('sums to what the agent itself reports when it shuts down', async test => {
    const folder = sharedFolder(
      test,
      'agent-runs/copilot-cli/1.0.102/rich-chat/native/.copilot/session-state',
    );
    if (folder === undefined) {
      return;
    }
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const log = join(folder, files.find(file => file.endsWith('events.jsonl')) ?? '');
    const { transcript } = await openTranscriptBytes(readUnpacked(log));
    const shutdown = readJsonLines(log).findLast(event => stringAt(event, 'type') === 'session.shutdown');
    const metrics = objectAt(objectAt(objectAt(shutdown, 'data'), 'modelMetrics'), 'mock-sonnet');
    const reported = objectAt(metrics, 'usage');
    const total = totalUsage(transcript);
    assert.deepEqual(
      [
        transcript.requests.length,
        total.input + total.cacheRead + total.cacheWrite,
        total.output,
        total.cacheRead,
        total.reasoning,
      ],
      [
        member(objectAt(metrics, 'requests'), 'count'),
        member(reported, 'inputTokens'),
        member(reported, 'outputTokens'),
        member(reported, 'cacheReadTokens'),
        member(reported, 'reasoningTokens'),
      ],
    );
  });
});
