import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, numberAt, objectAt, stringAt } from '../../../src/core/base/json';
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

function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(body, 'tools').map(tool => `tools: ${stringAt(objectAt(tool, 'function'), 'name') ?? ''}`),
    ...arrayAt(body, 'messages').flatMap(message => {
      const role = stringAt(message, 'role') ?? '';
      const reasoning = stringAt(message, 'reasoning_content');
      const content = member(message, 'content');
      return [
        ...(reasoning === undefined ? [] : [`assistant: ${reasoning}`]),
        ...(typeof content === 'string' && content !== '' ? [`${role}: ${content}`] : []),
        ...(isArray(content) ? content : []).map(part => {
          const url = stringAt(objectAt(part, 'image_url'), 'url');
          return url === undefined
            ? `${role}: ${stringAt(part, 'text') ?? ''}`
            : `tool: ${url.slice(url.indexOf(',') + 1)}`;
        }),
        ...arrayAt(message, 'tool_calls').map(
          call => `assistant: ${stringAt(objectAt(call, 'function'), 'arguments') ?? ''}`,
        ),
      ];
    }),
  ];
}

describe('the Cline CLI beside the requests that were really sent', () => {
  it('reconstructs every request', async test => {
    const folder = sharedFolder(test, 'agent-runs/cline-cli/3.0.65/rich');
    if (folder === undefined) {
      return;
    }
    const sent = readJsonLines(join(folder, 'raw-requests.jsonl.gz')).map(record => member(record, 'body'));
    const sessions = join(folder, 'native/.cline/data/sessions');
    const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.messages\.json(\.gz)?$/.test(name),
    );
    const sum = { requests: 0, matched: 0, missing: 0, extra: 0 };
    for (const file of files) {
      const opened = await openTranscriptBytes(readUnpacked(join(sessions, file)));
      const { transcript } = opened;
      assert.equal(transcript.format, 'cline');
      assert.deepEqual(problemsOf(transcript), {}, file);
      for (const number of transcript.requests.keys()) {
        const context = contextOf(opened, number);
        // The request with the same system prompt, first prompt and reply history.
        const best = sent
          .map(body => compareBlocks(sentBlocks(body), context))
          .sort((a, b) => a.extra.length - b.extra.length || a.missing.length - b.missing.length)[0];
        assert.ok(best);
        sum.requests += 1;
        sum.matched += best.matched;
        sum.missing += best.missing.length;
        sum.extra += best.extra.length;
        // A subagent's file has no system prompt; it is in the call that started the subagent.
        const hasSystem = [...transcript.blocks].some(({ kind }) => kind === 'systemPrompt');
        const unexplained = best.missing.filter(
          block =>
            !block.startsWith('tools: ') &&
            !block.includes('(see following user message for image)') &&
            (hasSystem || !block.startsWith('system: ')),
        );
        assert.deepEqual(unexplained, [], `${file}, request ${number}: not reconstructed`);
        // An image's result is worded by the provider.
        assert.ok(
          best.extra.every(block => block.includes('Successfully read image')),
          `${file}, request ${number}: not sent: ${best.extra.join('\n').slice(0, 300)}`,
        );
      }
    }
    test.diagnostic(
      `Cline CLI 3.0.65: ${sum.requests} requests, blocks matched ${sum.matched}, missing ${sum.missing} ` +
        `(tool schemas, a subagent's system prompt, the words around an image), extra ${sum.extra}`,
    );
  });

  it('reads the events of every run, with the totals that its last line states', async test => {
    const folder = sharedFolder(test, 'agent-runs/cline-cli/3.0.65/rich/streams');
    if (folder === undefined) {
      return;
    }
    for (const name of readdirSync(folder).filter(file => file.startsWith('stream-'))) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(folder, name)));
      assert.equal(transcript.format, 'cline-stream');
      const result = readJsonLines(join(folder, name)).find(line => stringAt(line, 'type') === 'run_result');
      if (result === undefined) {
        continue;
      }
      const own = objectAt(result, 'usage');
      const main = { ...transcript, requests: transcript.requests.filter(({ thread }) => thread === 0) };
      const { input, cacheRead, cacheWrite, output } = totalUsage(main);
      assert.equal(input + cacheRead + cacheWrite, numberAt(own, 'inputTokens'), name);
      assert.equal(output, numberAt(own, 'outputTokens'), name);
    }
  });
});
