import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clearedNotice } from '../../../src/core/content/pruneNotices';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { buildRequestView } from '../../../src/core/view/requestView';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { fixturesOf } from '../../fixtures/formats';
import { contextOf, openTranscriptBytes } from '../../fixtures/openedTranscript';
import { makeCopy, openCounted } from '../../fixtures/prunedCopies';

const clear: PruneOptions = { ...defaultPruneOptions(), protectTokens: 1_000, minimumTokens: 100 };

/** Of three results before the two newest prompts, the newest is protected and the two older ones are pruned. */
function session(secret = ''): ClaudeCodeSession {
  return new ClaudeCodeSession()
    .prompt(`Find the slow query ${secret}`)
    .reply({ text: 'Looking.' }, { tool: 'Read', id: 'toolu_a', input: { file_path: '/home/ada/a.sql' } })
    .result('toolu_a', numbered(sourceText(1, 6_000)), {
      type: 'text',
      file: { filePath: '/home/ada/a.sql', content: sourceText(1, 6_000), numLines: 80 },
    })
    .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
    .result('toolu_b', sourceText(2, 6_000))
    .reply({ tool: 'Bash', id: 'toolu_c', input: { command: 'cat c' } })
    .result('toolu_c', sourceText(3, 2_000))
    .prompt('Fix it')
    .reply({ text: 'Fixed.' })
    .prompt('Thanks')
    .reply({ text: 'Welcome.' });
}

/** A file in the form that Claude Code's Read tool sends. */
const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
    .join('\n');

describe('a pruned copy of a stream of events', () => {
  it('is refused in a sentence', async () => {
    const events = fixturesOf('api-calls').filter(({ name }) => name.endsWith('.sse'));
    assert.ok(events.length > 0);
    for (const { bytes } of events) {
      await assert.rejects(
        makeCopy(bytes, clear, { request: 0 }),
        /Pruned copies of this format are not supported/,
      );
    }
  });
});

describe('a pruned copy of a Claude Code session', () => {
  it('holds the notice in the place of the pruned results and of their mirrored copies, and all else byte for byte', async () => {
    const original = session();
    const { bytes, outcome } = await makeCopy(original.toString(), clear);
    assert.deepEqual(outcome, { pruned: 2, changedRecords: 2 });
    const lines = bytes.toString().split('\n');
    const expected = [...original.lines, ''].map(line => {
      const isRead = line.includes('"tool_result","tool_use_id":"toolu_a"');
      if (!isRead && !line.includes('"tool_result","tool_use_id":"toolu_b"')) {
        return line;
      }
      const text = isRead ? numbered(sourceText(1, 6_000)) : sourceText(2, 6_000);
      return line
        .replace(JSON.stringify(text), JSON.stringify(clearedNotice))
        .replace(JSON.stringify(isRead ? sourceText(1, 6_000) : text), JSON.stringify(clearedNotice));
    });
    assert.deepEqual(lines, expected);
  });

  it('opens again without problems, with the same requests, the blocks cleared and the tokens as previewed', async () => {
    const { bytes, session: before, request, view, preview } = await makeCopy(session().toString(), clear);
    const after = await openCounted(bytes);
    assert.deepEqual(after.transcript.problems, []);
    assert.equal(after.transcript.requests.length, before.transcript.requests.length);
    const { columns } = after.toSession();
    const tokensOf = (numbers: Uint32Array, tokens: Uint32Array): number =>
      numbers.reduce((sum, block) => sum + (tokens[block] ?? 0), 0);
    const saved =
      tokensOf(view.blocks, before.toSession().columns.blocks.tokens) -
      tokensOf(buildRequestView(columns, request).blocks, columns.blocks.tokens);
    assert.ok(preview.plan.tokensFreed > 1_000);
    // The copy keeps the recorded usage, and its blocks are calibrated to it again.
    assert.ok(Math.abs(saved / preview.plan.tokensFreed - 1) < 0.03, `${saved}, ${preview.plan.tokensFreed}`);
    const cleared = [...after.transcript.blocks].filter(block => block.cleared === true);
    assert.deepEqual(
      cleared.map(({ callId }) => callId),
      ['toolu_a', 'toolu_b'],
    );
  });

  it('cuts outputs where the plan truncates', async () => {
    const { bytes } = await makeCopy(session().toString(), {
      ...clear,
      replacement: 'truncate',
      toolOutputMaxChars: 500,
    });
    const opened = await openTranscriptBytes(bytes);
    const text = sourceText(2, 6_000);
    assert.ok(
      opened.texts.includes(`${text.slice(0, 500)}\n[Tool output truncated: 5500 characters omitted]`),
    );
  });

  it('redacts an output before it cuts it, so that no part of a credential stays', async () => {
    const secret = 'Xk29vTq81LmZ';
    const cut = `${'x'.repeat(90)} DB_PASSWORD=${secret} ${sourceText(2, 6_000)}`;
    const text = session()
      .toString()
      .replaceAll(JSON.stringify(sourceText(2, 6_000)), JSON.stringify(cut));
    const toolOutputMaxChars = cut.indexOf(secret) + 7;
    const { bytes, outcome } = await makeCopy(text, {
      ...clear,
      replacement: 'truncate',
      toolOutputMaxChars,
    });
    assert.equal(outcome.pruned, 2);
    assert.ok(bytes.includes('Tool output truncated') && !bytes.includes(secret.slice(0, 5)));
  });

  it('is made of records that were nested to exhaust the stack, too', async () => {
    const deep = `${'{"a":['.repeat(4_000)}"DB_PASSWORD=Xk29vTq81LmZ"${']}'.repeat(4_000)}`;
    const text = session().toString();
    const nested = text.replace('"input":{"command":"cat b"}', `"input":{"command":"cat b","deep":${deep}}`);
    const { bytes, outcome } = await makeCopy(nested.replace('"stdout":', `"deep":${deep},"stdout":`), clear);
    assert.notEqual(nested, text);
    assert.equal(outcome.pruned, 2);
    assert.ok(!bytes.includes('Xk29vTq81LmZ'));
  });

  it('takes out credentials wherever they stand, also where nothing gives them away, unless they are to be kept', async () => {
    const secret = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
    const own = 'Xk29vTq81LmZ';
    const original = session(`${secret} DB_PASSWORD=${own}`).prompt(`again ${own}`).toString();
    const { bytes, outcome } = await makeCopy(original, clear);
    const text = bytes.toString();
    assert.ok(!text.includes(secret) && !text.includes(own));
    assert.match(text, /\[redacted: [\w/-]+\] DB_PASSWORD=\[redacted: credentialAssignment\]/);
    assert.ok(text.includes('again [redacted: credentialAssignment]'));
    assert.equal(outcome.changedRecords, 4);
    const kept = await makeCopy(original, clear, { keepSecrets: true });
    assert.ok(kept.bytes.toString().includes(`${secret} DB_PASSWORD=${own}`));
  });
});

describe('a pruned copy of a raw request', () => {
  const output = sourceText(5, 8_000);
  const conversation = (...messages: readonly unknown[]) => [
    { role: 'user', content: 'Go' },
    ...messages,
    { role: 'assistant', content: 'Done' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ];
  const bodies: Readonly<Record<string, (content: unknown) => unknown>> = {
    anthropic: content => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: conversation(
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'cat', input: { a: 1 } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content, cache_control: { type: 'ephemeral' } },
          ],
        },
      ),
    }),
    chat: content => ({
      model: 'gpt-4o',
      messages: conversation(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 't1', type: 'function', function: { name: 'cat', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 't1', content },
      ),
    }),
    responses: content => ({
      model: 'gpt-5',
      input: conversation(
        { type: 'function_call', call_id: 't1', name: 'cat', arguments: '{}' },
        { type: 'function_call_output', call_id: 't1', output: content },
      ),
    }),
  };
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } };
  const options: PruneOptions = { ...clear, protectTokens: 0 };

  for (const [name, body] of Object.entries(bodies)) {
    it(`replaces the output and nothing else: ${name}`, async () => {
      const { bytes, outcome } = await makeCopy(JSON.stringify(body(output), null, 2), options);
      assert.equal(outcome.pruned, 1);
      assert.equal(bytes.toString(), JSON.stringify(body(clearedNotice), null, 2));
      const opened = await openTranscriptBytes(bytes);
      assert.deepEqual(opened.transcript.problems, []);
      assert.ok(contextOf(opened, 0).includes(`tool: ${clearedNotice}`));
    });
  }

  it('keeps the pictures of a result', async () => {
    const body = bodies['anthropic'];
    const { bytes } = await makeCopy(
      JSON.stringify(body?.([{ type: 'text', text: output }, picture])),
      options,
    );
    assert.equal(bytes.toString(), JSON.stringify(body?.([{ type: 'text', text: clearedNotice }, picture])));
  });

  it('reaches every body of a capture, also one that stands as text', async () => {
    const capture = (content: string): string =>
      [1, 2]
        .map(number => {
          const body = bodies['anthropic']?.(content);
          return {
            timestamp: number,
            request: {
              url: 'https://api.anthropic.com/v1/messages',
              method: 'POST',
              headers: {},
              body: number === 1 ? body : JSON.stringify(body),
            },
            response: { status: 200, headers: {}, body: null },
          };
        })
        .map(pair => `${JSON.stringify(pair)}\n`)
        .join('');
    const { bytes, outcome } = await makeCopy(capture(output), options);
    assert.equal(outcome.changedRecords, 2);
    assert.equal(bytes.toString(), capture(clearedNotice));
  });
});

describe('a pruned copy of a document', () => {
  it('holds what is nested too deeply as it is', async () => {
    const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
    const part = { id: 'prt_1', messageID: 'msg_1', sessionID: 'ses_1', type: 'text', text: 'Go' };
    const info = { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } };
    const text = JSON.stringify({
      info: { id: 'ses_1', time: { created: 1, updated: 2 } },
      messages: [{ info, parts: [part, 'deep'] }],
    }).replace('"deep"', deep);
    const { bytes } = await makeCopy(text, clear, { request: 0 });
    assert.equal(bytes.toString(), text);
  });
});
