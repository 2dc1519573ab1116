import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isObject, member, objectAt, stringAt, toJson } from '../../../src/core/base/json';
import { readUsage } from '../../../src/core/wire/usage';
import {
  compareBlocks,
  contextOf,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

/** The blocks of a Gemini request as it was sent: role and text. */
function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(objectAt(body, 'systemInstruction'), 'parts').map(
      part => `system: ${stringAt(part, 'text') ?? ''}`,
    ),
    ...arrayAt(body, 'tools').flatMap(tool =>
      arrayAt(tool, 'functionDeclarations').map(declaration => `system: ${toJson(declaration)}`),
    ),
    ...arrayAt(body, 'contents').flatMap(content =>
      arrayAt(content, 'parts').map(part => sentPart(part, stringAt(content, 'role'))),
    ),
  ];
}

function sentPart(part: unknown, role: string | undefined): string {
  const call = objectAt(part, 'functionCall');
  if (call !== undefined) {
    return `assistant: ${toJson(member(call, 'args'))}`;
  }
  const answer = objectAt(part, 'functionResponse');
  if (answer !== undefined) {
    const response = member(answer, 'response');
    const only = isObject(response) && Object.keys(response).length === 1 ? Object.values(response)[0] : {};
    return `tool: ${typeof only === 'string' ? only : toJson(response)}`;
  }
  const data = stringAt(objectAt(part, 'inlineData'), 'data');
  return `${role === 'model' ? 'assistant' : 'user'}: ${data ?? stringAt(part, 'text') ?? toJson(part)}`;
}

describe('Gemini CLI 0.61.0 beside what its model received', () => {
  it('rebuilds every request but for system prompt and tool schemas', async test => {
    const folder = sharedFolder(test, 'agent-runs/gemini-cli/0.61.0/rich');
    if (folder === undefined) {
      return;
    }
    // No transcript contains the router's calls and the token counts.
    const sent = readJsonLines(join(folder, 'raw-requests.jsonl.gz')).filter(
      request => stringAt(request, 'class') === 'script',
    );
    const counts = { requests: 0, matched: 0, missing: 0, extra: 0 };
    const chats = join(folder, 'native/.gemini/tmp/repo/chats');
    for (const name of readdirSync(chats, { recursive: true, encoding: 'utf8' })) {
      if (!/\.jsonl(\.gz)?$/.test(name)) {
        continue;
      }
      const opened = await openTranscriptBytes(readUnpacked(join(chats, name)));
      assert.equal(opened.transcript.format, 'gemini-cli-log');
      assert.deepEqual(problemsOf(opened.transcript), {});
      const isSubagent = !name.startsWith('session-');
      const own = sent.filter(request => (stringAt(request, 'job') === 'A3S') === isSubagent);
      assert.equal(opened.transcript.requests.length, own.length);
      opened.transcript.requests.forEach((request, index) => {
        const raw = own[index];
        const { matched, missing, extra } = compareBlocks(
          sentBlocks(objectAt(raw, 'body')),
          contextOf(opened, index),
        );
        counts.requests += 1;
        counts.matched += matched;
        counts.missing += missing.length;
        counts.extra += extra.length;
        const where = `${name}, request ${index}`;
        assert.deepEqual(
          missing.filter(block => !block.startsWith('system: ')).map(block => block.slice(0, 200)),
          [],
          where,
        );
        assert.deepEqual(
          extra.map(block => block.slice(0, 200)),
          [],
          where,
        );
        assert.deepEqual(
          { reasoning: 0, ...readUsage(objectAt(raw, 'usage'), 'gemini') },
          { reasoning: 0, ...request.usage },
          where,
        );
      });
      if (!isSubagent) {
        assert.equal(opened.transcript.compactions.filter(({ kind }) => kind === 'clearing').length, 3);
        assert.equal(opened.transcript.subagents.length, 1);
        const used = totalUsage(opened.transcript);
        const totals = own.map(request => Number(member(objectAt(request, 'usage'), 'totalTokenCount')));
        assert.equal(
          used.input + used.cacheRead + used.output,
          totals.reduce((sum, total) => sum + total, 0),
        );
      }
    }
    test.diagnostic(
      `Gemini CLI 0.61.0: ${counts.requests} requests, ${counts.matched} blocks matched, ` +
        `${counts.missing} missing, ${counts.extra} extra`,
    );
  });
});
