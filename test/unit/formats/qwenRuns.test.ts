import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, objectAt, stringAt, toJson } from '../../../src/core/base/json';
import { readUsage } from '../../../src/core/wire/usage';
import {
  compareBlocks,
  contextOf,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
} from '../../fixtures/openedTranscript';

/** The blocks of a chat request as it was sent: role and text, with arguments as compact JSON. */
function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(body, 'tools').map(tool => `system: ${toJson(tool)}`),
    ...arrayAt(body, 'messages').flatMap(message => {
      const role = stringAt(message, 'role') ?? '';
      const content = member(message, 'content');
      const reasoning = stringAt(message, 'reasoning_content');
      const parts = isArray(content) ? content : typeof content === 'string' ? [{ text: content }] : [];
      return [
        ...(reasoning === undefined ? [] : [`assistant: ${reasoning}`]),
        ...parts.flatMap(part => {
          const text = stringAt(part, 'text');
          const url = stringAt(objectAt(part, 'image_url'), 'url');
          return text === '' ? [] : [`${role}: ${text ?? url?.slice(url.indexOf(',') + 1) ?? toJson(part)}`];
        }),
        ...arrayAt(message, 'tool_calls').map(call => {
          const parsed: unknown = JSON.parse(stringAt(objectAt(call, 'function'), 'arguments') ?? 'null');
          return `assistant: ${toJson(parsed)}`;
        }),
      ];
    }),
  ];
}

describe('Qwen Code 0.24.4 beside what its model received', () => {
  it('rebuilds every request but for system prompt, tool schemas and reminders', async test => {
    const folder = sharedFolder(test, 'agent-runs/qwen-code/0.24.4/rich');
    if (folder === undefined) {
      return;
    }
    const sent = readJsonLines(join(folder, 'raw-requests.jsonl.gz')).filter(
      request => stringAt(request, 'class') === 'script',
    );
    const counts = { requests: 0, matched: 0, missing: 0, extra: 0 };
    const projects = join(folder, 'native/.qwen/projects');
    for (const name of readdirSync(projects, { recursive: true, encoding: 'utf8' })) {
      if (!/(chats|subagents)\/.*\.jsonl(\.gz)?$/.test(name)) {
        continue;
      }
      const opened = await openTranscriptBytes(readUnpacked(join(projects, name)));
      assert.equal(opened.transcript.format, 'qwen-code');
      assert.deepEqual(problemsOf(opened.transcript), {});
      const isSubagent = name.includes('subagents/');
      const own = sent.filter(request => (stringAt(request, 'job') === 'A3S') === isSubagent);
      assert.equal(opened.transcript.requests.length, own.length, name);
      opened.transcript.requests.forEach((request, index) => {
        const raw = own[index];
        const where = `${name}, request ${index}`;
        if (request.id !== undefined) {
          assert.equal(request.id, stringAt(raw, 'response_id'), where);
        }
        const { matched, missing, extra } = compareBlocks(
          sentBlocks(objectAt(raw, 'body')),
          contextOf(opened, index),
        );
        counts.requests += 1;
        counts.matched += matched;
        counts.missing += missing.length;
        counts.extra += extra.length;
        assert.deepEqual(
          missing
            .filter(block => !block.startsWith('system: ') && !block.startsWith('user: <system-reminder>'))
            .map(block => block.slice(0, 300)),
          [],
          where,
        );
        assert.deepEqual(
          // The reminder before the newest prompt, whose text is not recorded.
          extra.filter(block => block !== 'user: ').map(block => block.slice(0, 300)),
          [],
          where,
        );
        assert.deepEqual(request.usage, readUsage(objectAt(raw, 'usage'), 'openaiChat'), where);
      });
    }
    test.diagnostic(
      `Qwen Code 0.24.4: ${counts.requests} requests, ${counts.matched} blocks matched, ` +
        `${counts.missing} missing, ${counts.extra} extra`,
    );
  });
});
