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

/** The blocks of a Responses request as it was sent: role and text. */
function sentBlocks(body: unknown): string[] {
  return [
    ...arrayAt(body, 'tools').map(tool => `system: ${toJson(tool)}`),
    ...arrayAt(body, 'input').flatMap(item => sentItem(item)),
  ];
}

function sentItem(item: unknown): string[] {
  const type = stringAt(item, 'type');
  const texts = (value: unknown): string =>
    (isArray(value) ? value : []).flatMap(part => stringAt(part, 'text') ?? []).join('\n');
  switch (type) {
    case 'message':
    case 'agent_message': {
      const recorded = stringAt(item, 'role') ?? 'user';
      const role = recorded === 'developer' ? 'system' : recorded;
      return arrayAt(item, 'content').map(
        part => `${role}: ${stringAt(part, 'text') ?? stringAt(part, 'encrypted_content') ?? toJson(part)}`,
      );
    }
    case 'reasoning':
      return [`assistant: ${texts(member(item, 'summary'))}`];
    case 'additional_tools':
      return arrayAt(item, 'tools').flatMap(space => [
        ...(stringAt(space, 'description') === '' ? [] : [`system: ${stringAt(space, 'description') ?? ''}`]),
        ...arrayAt(space, 'tools').map(tool => `system: ${toJson(tool)}`),
      ]);
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = member(item, 'output');
      if (typeof output === 'string') {
        return [`tool: ${output}`];
      }
      const images = (isArray(output) ? output : []).flatMap(part => stringAt(part, 'image_url') ?? []);
      const text = texts(output);
      return [
        ...(text === '' ? [] : [`tool: ${text}`]),
        ...images.map(url => `tool: ${url.slice(url.indexOf(',') + 1)}`),
      ];
    }
    case 'tool_search_output':
      return [`tool: ${toJson(member(item, 'tools'))}`];
    case undefined:
    default: {
      const input = member(item, 'arguments') ?? member(item, 'input') ?? member(item, 'action');
      return [`assistant: ${typeof input === 'string' ? input : toJson(input)}`];
    }
  }
}

function rollouts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /rollout-.*\.jsonl(\.gz)?$/.test(name))
    .map(name => join(folder, name));
}

/**
 * Parts missing in a rollout: tool schemas (until GPT-5.6), the text that asks for a summary, the exact system prompt.
 */
function isUnrecorded(block: string): boolean {
  return (
    /^system: \{"type":"(function|custom|web_search|tool_search|namespace|image_generation)/.test(block) ||
    block.startsWith('user: You are performing a CONTEXT CHECKPOINT COMPACTION') ||
    block.startsWith('system: You are Codex, a coding agent based on GPT-5.')
  );
}

describe('a fork of Codex 0.171.0 beside what its model received', () => {
  it('has the part of the other session that the fork continues', async test => {
    const folder = sharedFolder(test, 'repro-3');
    if (folder === undefined) {
      return;
    }
    const parent = 'rollout-2026-11-27T02-32-27-01a21ad8-d289-7d12-ad55-a27ed103359c.jsonl';
    const child = readUnpacked(join(folder, 'codex-fork-child.jsonl'));
    const opened = await openTranscriptBytes(child, {
      siblings: {
        fileName: 'rollout-2026-11-27T02-33-38-01a21ad9-e787-7012-9804-73ecb08bf2dd.jsonl',
        folders: [],
        list: path => Promise.resolve(path === '.' ? [parent] : []),
        read: () => Promise.resolve(readUnpacked(join(folder, 'codex-fork-parent.jsonl'))),
      },
    });
    const raw = readJsonLines(join(folder, 'codex-fork-raw-requests.jsonl.gz')).at(-1);
    assert.deepEqual(problemsOf(opened.transcript), {});
    assert.equal(opened.transcript.requests.length, 1);
    const { missing, extra } = compareBlocks(sentBlocks(objectAt(raw, 'body')), contextOf(opened, 0));
    assert.deepEqual(
      [...missing, ...extra].filter(block => !isUnrecorded(block)).map(block => block.slice(0, 200)),
      [],
    );
    assert.equal(opened.transcript.requests[0]?.complete, false);
  });
});

for (const runs of ['agent-runs/codex/0.169.0', 'agent-runs-3/codex/0.171.0']) {
  describe(`Codex of ${runs} beside what its model received`, () => {
    it('rebuilds every request but for what a rollout does not record', async test => {
      const folder = sharedFolder(test, runs);
      if (folder === undefined) {
        return;
      }
      for (const name of readdirSync(folder)) {
        const sent = new Map<string, unknown>();
        for (const request of readJsonLines(join(folder, name, 'raw-requests.jsonl.gz'))) {
          if (objectAt(request, 'body') === undefined) {
            continue;
          }
          sent.set(stringAt(request, 'response_id') ?? '', request);
        }
        const counts = { requests: 0, matched: 0, missing: 0, extra: 0, complete: 0 };
        for (const file of rollouts(join(folder, name, 'native'))) {
          const opened = await openTranscriptBytes(readUnpacked(file));
          assert.equal(opened.transcript.format, 'codex');
          assert.deepEqual(problemsOf(opened.transcript), {});
          opened.transcript.requests.forEach((request, index) => {
            const raw = sent.get(request.id ?? '');
            assert.ok(raw !== undefined, `request ${index} of ${file} was never sent`);
            sent.delete(request.id ?? '');
            const { matched, missing, extra } = compareBlocks(
              sentBlocks(objectAt(raw, 'body')),
              contextOf(opened, index),
            );
            counts.requests += 1;
            counts.matched += matched;
            counts.missing += missing.length;
            counts.extra += extra.length;
            counts.complete += request.complete ? 1 : 0;
            assert.deepEqual(
              missing.filter(block => !isUnrecorded(block)).map(block => block.slice(0, 200)),
              [],
            );
            // The recorded system prompt is a little longer than the one that was sent.
            assert.deepEqual(
              extra.filter(block => !isUnrecorded(block)).map(block => block.slice(0, 200)),
              [],
            );
            if (request.complete) {
              assert.equal(missing.length + extra.length, 0);
            }
            const usage = objectAt(raw, 'usage');
            const cached = member(objectAt(usage, 'input_tokens_details'), 'cached_tokens');
            const reasoning = member(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens');
            assert.deepEqual(
              request.usage,
              readUsage(
                { ...usage, cached_input_tokens: cached, reasoning_output_tokens: reasoning },
                'codex',
              ),
            );
          });
        }
        assert.equal(
          sent.size,
          0,
          `requests of ${name} without a place in a rollout: ${[...sent.keys()].join()}`,
        );
        test.diagnostic(
          `${runs}, ${name}: ${counts.requests} requests (${counts.complete} complete), ` +
            `${counts.matched} blocks matched, ${counts.missing} missing, ${counts.extra} extra`,
        );
      }
    });
  });
}
