import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, objectAt, stringAt, toJson } from '../../../src/core/base/json';
import {
  compareBlocks,
  contextOf,
  type OpenedTranscript,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
} from '../../fixtures/openedTranscript';

function textsOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : (isArray(content) ? content : []).flatMap(part => stringAt(part, 'text') ?? []).join('\n');
}

/** The blocks of a request as it was sent, of both APIs; tools by name, because every API has its own form of them. */
function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(body, 'tools').map(
      tool => `tool ${stringAt(tool, 'name') ?? stringAt(objectAt(tool, 'function'), 'name') ?? ''}`,
    ),
    ...(member(body, 'system') === undefined ? [] : [`system: ${textsOf(member(body, 'system'))}`]),
    ...arrayAt(body, 'messages').flatMap(sentMessage),
  ];
}

function sentMessage(message: unknown): string[] {
  const role = stringAt(message, 'role') ?? '';
  const content = member(message, 'content');
  if (role === 'developer' || role === 'system') {
    return [`system: ${textsOf(content)}`];
  }
  if (role === 'tool') {
    return [`tool: ${textsOf(content)}`];
  }
  const reasoning = stringAt(message, 'reasoning_content');
  const parts =
    typeof content === 'string' ? [{ type: 'text', text: content }] : isArray(content) ? content : [];
  return [
    ...(reasoning === undefined ? [] : [`assistant: ${reasoning}`]),
    ...parts.flatMap((part): string[] => {
      const result = member(part, 'content');
      const url = stringAt(objectAt(part, 'image_url'), 'url');
      switch (stringAt(part, 'type')) {
        case 'tool_use':
          return [`assistant: ${toJson(member(part, 'input'))}`];
        case 'tool_result':
          return [
            `tool: ${textsOf(result)}`,
            ...(isArray(result) ? result : []).flatMap(inner => {
              const data = stringAt(objectAt(inner, 'source'), 'data');
              return data === undefined ? [] : [`tool: ${data}`];
            }),
          ];
        case 'image_url':
          return [`tool: ${url?.slice(url.indexOf(',') + 1) ?? ''}`];
        case undefined:
        default:
          return [`${role}: ${stringAt(part, 'thinking') ?? stringAt(part, 'text') ?? toJson(part)}`];
      }
    }),
    ...arrayAt(message, 'tool_calls').map(call => {
      const parsed: unknown = JSON.parse(stringAt(objectAt(call, 'function'), 'arguments') ?? 'null');
      return `assistant: ${toJson(parsed)}`;
    }),
  ];
}

function rebuiltBlocks(opened: OpenedTranscript, request: number): string[] {
  const { context = 0, length = 0 } = opened.transcript.requests[request] ?? {};
  const blocks = opened.transcript.contexts[context]?.slice(0, length) ?? [];
  return contextOf(opened, request).map((text, position) => {
    const block = opened.transcript.blocks.at(blocks[position] ?? -1);
    return block?.kind === 'toolSchema' ? `tool ${block.toolName ?? ''}` : text;
  });
}

for (const runs of ['agent-runs/pi-coding-agent/0.87.1', 'agent-runs-3/pi-coding-agent/1.5.2']) {
  describe(`pi of ${runs} beside what its model received`, () => {
    it('rebuilds every request as a whole', async test => {
      const folder = sharedFolder(test, runs);
      if (folder === undefined) {
        return;
      }
      for (const name of readdirSync(folder)) {
        const sent = new Map<string, unknown>();
        for (const request of readJsonLines(join(folder, name, 'raw-requests.jsonl.gz'))) {
          sent.set(stringAt(request, 'response_id') ?? '', request);
        }
        const counts = { requests: 0, matched: 0, missing: 0, extra: 0 };
        const sessions = join(folder, name, 'native/.pi/agent/sessions');
        for (const file of readdirSync(sessions, { recursive: true, encoding: 'utf8' })) {
          if (!/\.jsonl(\.gz)?$/.test(file)) {
            continue;
          }
          const opened = await openTranscriptBytes(readUnpacked(join(sessions, file)));
          assert.equal(opened.transcript.format, 'pi');
          assert.deepEqual(problemsOf(opened.transcript), {});
          opened.transcript.requests.forEach((request, index) => {
            const raw = sent.get(request.id ?? '');
            assert.ok(raw !== undefined, `request ${index} was never sent`);
            sent.delete(request.id ?? '');
            // To another model than that of a thought, older versions send the thought as text, newer ones do not.
            const isComplete =
              runs.includes('0.87.1') || stringAt(objectAt(raw, 'body'), 'model') !== 'gpt-5.4';
            assert.equal(request.complete, isComplete);
            const compared = compareBlocks(sentBlocks(objectAt(raw, 'body')), rebuiltBlocks(opened, index));
            counts.requests += 1;
            counts.matched += compared.matched;
            counts.missing += compared.missing.length;
            counts.extra += compared.extra.length;
            // Through the chat API, pi adds a line of its own before the images of a result.
            const missing = compared.missing.filter(
              block => block !== 'user: Attached image(s) from tool result:',
            );
            assert.deepEqual(
              { missing: missing.map(cut), extra: compared.extra.map(cut) },
              { missing: [], extra: [] },
              `${name}, request ${index}`,
            );
          });
        }
        test.diagnostic(
          `${runs}, ${name}: ${counts.requests} requests, ${counts.matched} blocks matched, ` +
            `${counts.missing} missing, ${counts.extra} extra; ${sent.size} sent but not recorded`,
        );
      }
    });
  });
}

function cut(block: string): string {
  return block.slice(0, 300);
}
