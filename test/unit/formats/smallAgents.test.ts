import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { countAt, objectAt } from '../../../src/core/base/json';
import {
  contextOf,
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

describe('Qwen Code', () => {
  let count = 0;
  const record = (type: string, parent: string | null, rest: object): unknown => ({
    uuid: `q${(count += 1)}`,
    parentUuid: parent,
    sessionId: 's1',
    cwd: '/repo',
    version: '0.24.4',
    timestamp: '2026-07-01T10:00:00.000Z',
    type,
    ...rest,
  });
  const user = (parent: string | null, text: string): unknown =>
    record('user', parent, { message: { role: 'user', parts: [{ text }] } });
  const model = (parent: string, parts: unknown[], usage?: object): unknown =>
    record('assistant', parent, {
      model: 'qwen3',
      message: { role: 'model', parts },
      ...(usage === undefined ? {} : { usageMetadata: usage }),
    });

  it('sends a reminder before the newest prompt only', async () => {
    count = 0;
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        user(null, 'One.'),
        model('q1', [{ text: 'First.' }]),
        user('q2', 'Two.'),
        model('q3', [{ text: 'Second.' }]),
        user('q4', 'Three.'),
        model('q5', [{ text: 'Third.' }]),
      ]),
    );
    const reminder = 'reminder of the date, not recorded';
    assert.deepEqual(
      transcript.requests.map(({ context, length }) =>
        transcript.contexts[context]?.slice(0, length).map(block => transcript.blocks.at(block)?.label),
      ),
      [
        ['One.'],
        ['One.', 'First.', reminder, 'Two.'],
        ['One.', 'First.', 'Two.', 'Second.', reminder, 'Three.'],
      ],
    );
  });

  it('follows the tree, keeps thoughts, and takes the compressed history', async () => {
    count = 0;
    const opened = await openTranscriptBytes(
      jsonLines([
        user(null, 'Look.'),
        model('q1', [{ text: 'Hm.', thought: true }, { functionCall: { id: 'c1', name: 'ls', args: {} } }], {
          promptTokenCount: 100,
          cachedContentTokenCount: 30,
          candidatesTokenCount: 20,
          thoughtsTokenCount: 5,
          totalTokenCount: 120,
        }),
        record('tool_result', 'q2', {
          message: {
            role: 'user',
            parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a.txt' } } }],
          },
          toolCallResult: {
            callId: 'c1',
            resultDisplay: { subagentName: 'general', taskDescription: 'Survey' },
          },
        }),
        model('q3', [{ text: 'One file.' }]),
        user('q4', 'Wrong question.'),
        // Rewinds to the state before it.
        user('q4', 'Right question.'),
        model('q6', [{ text: 'Yes.' }]),
        record('system', 'q7', {
          subtype: 'chat_compression',
          systemPayload: {
            info: { originalTokenCount: 500, newTokenCount: 50, triggerReason: 'manual' },
            compressedHistory: [{ role: 'user', parts: [{ text: '<state_snapshot>\nOne file.' }] }],
          },
        }),
        record('system', 'q8', { subtype: 'custom_title', systemPayload: { customTitle: 'Files' } }),
        user('q9', 'On.'),
        model('q10', [{ text: 'On.' }]),
        record('tool_result', 'q11', {
          message: { role: 'user', parts: [{ functionResponse: { id: 'c9', response: {} } }] },
        }),
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'qwen-code');
    assert.equal(transcript.title, 'Files');
    const first = ['user: Look.', 'assistant: Hm.', 'assistant: {}', 'tool: a.txt'];
    assert.deepEqual(contextsOf(opened), [
      ['user: Look.'],
      first,
      [...first, 'assistant: One file.', 'user: ', 'user: Right question.'],
      ['user: <state_snapshot>\nOne file.', 'user: On.'],
    ]);
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 70,
      cacheRead: 30,
      cacheWrite: 0,
      output: 20,
      reasoning: 5,
    });
    assert.deepEqual(transcript.subagents, [{ id: 'general-c1', callId: 'c1', description: 'Survey' }]);
    assert.deepEqual(
      transcript.compactions.map(({ request, trigger, tokensBefore, tokensAfter }) => [
        request,
        trigger,
        tokensBefore,
        tokensAfter,
      ]),
      [[3, 'manual', 500, 50]],
    );
    assert.deepEqual(leftOutOf(transcript), { 'system custom_title record': 1 });
    assert.deepEqual(problemsOf(transcript), { resultWithoutCall: 1 });
  });

  it('opens every sample', async test => {
    const folder = sharedFolder(test, 'samples/qwen-code');
    for (const name of folder === undefined ? [] : readdirSync(folder)) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(folder ?? '', name)));
      assert.equal(transcript.format, 'qwen-code');
      assert.deepEqual(problemsOf(transcript), {});
    }
  });
});

describe('pi', () => {
  const session = {
    type: 'session',
    version: 3,
    id: 's1',
    timestamp: '2026-07-01T10:00:00.000Z',
    cwd: '/repo',
  };
  const entry = (id: string, parentId: string | null, message: object): unknown => ({
    type: 'message',
    id,
    parentId,
    message,
  });
  const usage = { input: 10, output: 4, cacheRead: 20, cacheWrite: 5, totalTokens: 39, reasoning: 1 };
  const said = (id: string, parent: string, ...content: object[]): unknown =>
    entry(id, parent, {
      role: 'assistant',
      api: 'anthropic-messages',
      model: 'm1',
      content,
      usage,
      responseId: `r-${id}`,
    });
  const text = (words: string): object => ({ type: 'text', text: words });

  it('marks what a fork copied from another session', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        { ...session, timestamp: '2026-07-02T10:00:00.000Z', parentSession: '/sessions/one.jsonl' },
        {
          ...Object(entry('a', null, { role: 'user', content: 'One.' })),
          timestamp: '2026-07-01T10:00:00.000Z',
        },
        { ...Object(said('b', 'a', text('First.'))), timestamp: '2026-07-01T10:00:01.000Z' },
        {
          ...Object(entry('c', 'b', { role: 'user', content: 'Two.' })),
          timestamp: '2026-07-02T10:00:01.000Z',
        },
      ]),
    );
    assert.deepEqual(
      [...transcript.blocks].map(({ label, inherited }) => [label, inherited]),
      [
        ['One.', true],
        ['First.', true],
        ['Two.', undefined],
      ],
    );
  });

  it('names Command Code, which writes other content blocks', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        { type: 'model_change', id: 'm', parentId: null, model: 'm1' },
        entry('a', 'm', { role: 'user', content: [text('One.')] }),
        said('b', 'a', { type: 'tool_use', id: 'c1', name: 'shell', input: { command: 'ls' } }),
        entry('c', 'b', {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [text('a')] }],
        }),
        said('d', 'c', text('First.')),
      ]),
    );
    assert.equal(opened.transcript.agent.name, 'Command Code');
    assert.deepEqual(contextsOf(opened).at(-1), ['user: One.', 'assistant: {"command":"ls"}', 'tool: a']);
  });

  it('applies an edit of an earlier message from there on', async () => {
    const edit = (id: string, parentId: string, targetId: string, replacement: unknown): unknown => ({
      type: 'context_edit',
      id,
      parentId,
      targetId,
      replacement,
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        entry('a', null, { role: 'user', content: 'One.' }),
        said('b', 'a', { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } }),
        entry('c', 'b', { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [text('long')] }),
        said('d', 'c', text('First.')),
        edit('e', 'd', 'c', { content: [text('short')] }),
        edit('f', 'e', 'a', null),
        { type: 'usage', id: 'g', parentId: 'f', kind: 'cache_warm', provider: 'p', model: 'm2', usage },
        entry('h', 'g', { role: 'user', content: 'Two.' }),
        said('i', 'h', text('Second.')),
      ]),
    );
    assert.deepEqual(contextsOf(opened), [
      ['user: One.'],
      ['user: One.', 'assistant: {"path":"a"}', 'tool: long'],
      [],
      ['assistant: {"path":"a"}', 'tool: short', 'assistant: First.', 'user: Two.'],
    ]);
    assert.deepEqual(problemsOf(opened.transcript), {});
    const { blocks } = opened.transcript;
    assert.deepEqual(
      [...blocks].filter(({ role }) => role === 'tool').map(({ toolName, callId }) => [toolName, callId]),
      [
        ['read', 'c1'],
        ['read', 'c1'],
      ],
    );
  });

  it('replaces the sections of the prompt that a later record names', async () => {
    const system = (id: string, parent: string | null, rest: object): unknown =>
      entry(id, parent, { role: 'system', content: '', ...rest });
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        system('a', null, {
          sections: { preamble: 'You are pi.', rules: 'Use tabs.', cwd: '/repo' },
          toolsAdded: [{ name: 'read' }, { name: 'bash' }],
        }),
        entry('b', 'a', { role: 'user', content: 'One.' }),
        said('c', 'b', text('First.')),
        system('d', 'c', {
          sections: { rules: 'Use spaces.' },
          toolsAdded: [{ name: 'grep' }],
          toolsRemoved: ['bash'],
        }),
        entry('e', 'd', { role: 'user', content: 'Two.' }),
        said('f', 'e', text('Second.')),
        entry('g', 'c', { role: 'user', content: 'On another branch.' }),
        said('h', 'g', text('Third.')),
      ]),
    );
    const [read, bash, grep] = ['read', 'bash', 'grep'].map(name => `system: {"name":"${name}"}`);
    const talk = ['user: One.', 'assistant: First.'];
    assert.deepEqual(contextsOf(opened), [
      [read, bash, 'system: You are pi.\n\nUse tabs.\n\n/repo', 'user: One.'],
      [read, grep, 'system: You are pi.\n\nUse spaces.\n\n/repo', ...talk, 'user: Two.'],
      [read, bash, 'system: You are pi.\n\nUse tabs.\n\n/repo', ...talk, 'user: On another branch.'],
    ]);
    assert.deepEqual(
      opened.transcript.requests.map(({ complete }) => complete),
      [true, true, true],
    );
  });

  it('has what pi sends for an interrupted call, and no thinking to another model', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        entry('a', null, { role: 'system', content: 'You are pi.', toolsAdded: [{ name: 'ls' }] }),
        entry('b', 'a', { role: 'user', content: 'Look.' }),
        said(
          'c',
          'b',
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'toolCall', id: 'c1', name: 'ls', arguments: {} },
          { type: 'toolCall', id: 'c2', name: 'ls', arguments: { path: 'b' } },
        ),
        entry('d', 'c', { role: 'toolResult', toolCallId: 'c1', toolName: 'ls', content: [text('a.txt')] }),
        entry('e', 'd', { role: 'user', content: 'Go on.' }),
        entry('f', 'e', { role: 'assistant', model: 'm2', content: [text('Other.')], usage }),
        entry('g', 'f', { role: 'user', content: 'Back.' }),
        said('h', 'g', text('Here.')),
      ]),
    );
    const calls = ['assistant: {}', 'assistant: {"path":"b"}', 'tool: a.txt', 'tool: No result provided'];
    const head = ['system: {"name":"ls"}', 'system: You are pi.', 'user: Look.'];
    assert.deepEqual(contextsOf(opened), [
      head,
      [...head, ...calls, 'user: Go on.'],
      [...head, 'assistant: Hm.', ...calls, 'user: Go on.', 'assistant: Other.', 'user: Back.'],
    ]);
    assert.deepEqual(
      opened.transcript.requests.map(({ complete }) => complete),
      [true, false, true],
    );
  });

  it('has the images of results where the API takes them, and is complete only where it knows that', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const result = (id: string, parent: string, callId: string, ...content: readonly object[]): unknown =>
      entry(id, parent, { role: 'toolResult', toolCallId: callId, toolName: 'read', content });
    const reply = (id: string, parent: string, api: string): unknown =>
      entry(id, parent, { role: 'assistant', model: 'm1', api, content: [text(`Of ${api}.`)], usage });
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        entry('a', null, { role: 'system', content: 'You are pi.', toolsAdded: [{ name: 'read' }] }),
        entry('b', 'a', { role: 'user', content: 'Look.' }),
        said(
          'c',
          'b',
          ...['c1', 'c2'].map(callId => ({ type: 'toolCall', id: callId, name: 'read', arguments: {} })),
        ),
        result('d', 'c', 'c1', text('A chart.'), image),
        result('e', 'd', 'c2', text('A text.')),
        reply('f', 'e', 'openai-completions'),
        reply('g', 'f', 'anthropic-messages'),
        reply('h', 'g', 'google-generative-ai'),
        reply('i', 'h', 'openai-completions'),
      ]),
    );
    const line = 'user: Attached image(s) from tool result:';
    const [, chat = [], other = [], , again = []] = contextsOf(opened).map(context => context.slice(5));
    assert.deepEqual(chat, ['tool: A chart.', 'tool: A text.', line, 'tool: aGk=']);
    assert.deepEqual(other.slice(0, 3), ['tool: A chart.', 'tool: aGk=', 'tool: A text.']);
    assert.deepEqual(again.slice(0, 4), chat);
    assert.deepEqual(
      opened.transcript.requests.map(({ complete }) => complete),
      [true, true, true, false, true],
    );
  });

  it('names oh-my-pi, knows its titles and stored images, and its calls beside the conversation', async () => {
    const stored = { type: 'image', data: `blob:sha256:${'a'.repeat(64)}`, mimeType: 'image/png' };
    const own = (type: string, id: string, parentId: string, rest: object): object => ({
      type,
      id,
      parentId,
      ...rest,
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        { type: 'title', v: 1, title: 'Fjords', updatedAt: '2026-07-01T10:00:00.000Z', pad: '' },
        session,
        own('model_change', 'm', 's1', { model: 'p/m1' }),
        entry('a', 'm', { role: 'user', content: [text('Look.'), stored] }),
        own('model_usage', 'b', 'a', { purpose: 'title', model: 'tiny', usage }),
        said('c', 'b', text('First.')),
        own('reset_boundary', 'd', 'c', {}),
        entry('e', 'd', { role: 'user', content: 'Anew.' }),
        said('f', 'e', text('Second.')),
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.agent.name, 'oh-my-pi');
    assert.equal(transcript.title, 'Fjords');
    assert.equal(transcript.drift, undefined);
    const [image] = [...transcript.blocks].filter(({ kind }) => kind === 'image');
    assert.equal(image?.contentType, 'image');
    assert.deepEqual(
      transcript.requests.map(({ model }) => model),
      ['tiny', 'm1', 'm1'],
    );
    assert.deepEqual(contextOf(opened, 2), ['user: Anew.']);
    assert.deepEqual(
      transcript.compactions.map(({ request, trigger }) => [request, trigger]),
      [[2, '/clear']],
    );
  });

  it('reads the service tier that oh-my-pi asked for, by the family of the provider', async () => {
    const change = (id: string, parentId: string, serviceTier: unknown): object => ({
      type: 'service_tier_change',
      id,
      parentId,
      serviceTier,
    });
    const from = (id: string, parent: string, provider: string, model = 'm1'): unknown =>
      entry(id, parent, { role: 'assistant', provider, model, content: [text('Ja.')], usage });
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        session,
        entry('u', null, { role: 'user', content: 'Hei.' }),
        from('a', 'u', 'openai'),
        change('b', 'a', { openai: 'flex', anthropic: 'priority' }),
        from('c', 'b', 'openai-codex'),
        from('d', 'c', 'anthropic'),
        from('e', 'd', 'google'),
        from('f', 'e', 'openrouter', 'openai/gpt-5'),
        change('g', 'f', 'claude-only'),
        from('h', 'g', 'anthropic'),
        from('i', 'h', 'openai'),
        change('j', 'i', null),
        from('k', 'j', 'anthropic'),
      ]),
    );
    assert.deepEqual(
      transcript.requests.map(request => request.usage?.billing?.terms ?? []),
      [[], ['flex'], ['fast'], [], ['flex'], ['fast'], [], []],
    );
  });

  it('keeps what oh-my-pi says of a result: that it tells nothing, and that it was pruned', async () => {
    const called = (id: string) => ({ type: 'toolCall', id, name: 'grep', arguments: { pattern: id } });
    const answer = (id: string, parent: string, words: string, flags: object): unknown =>
      entry(id, parent, {
        role: 'toolResult',
        toolCallId: id,
        toolName: 'grep',
        content: [text(words)],
        ...flags,
      });
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        session,
        entry('u1', null, { role: 'user', content: 'Look.' }),
        said('a1', 'u1', called('t1'), called('t2'), called('t3')),
        answer('t1', 'a1', 'No matches found', { useless: true }),
        answer('t2', 't1', '[Uneventful result elided]', { useless: true, prunedAt: 1 }),
        answer('t3', 't2', '[Output truncated - 812 tokens]', { prunedAt: 1 }),
      ]),
    );
    assert.deepEqual(
      [...transcript.blocks].slice(-3).map(({ useless = false, cleared = false }) => [useless, cleared]),
      [
        [true, false],
        [true, true],
        [false, true],
      ],
    );
  });

  it('joins the sections of the prompt, follows branches and compacts', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        { type: 'model_change', id: 'm', parentId: null, modelId: 'm1' },
        entry('s', 'm', {
          role: 'system',
          content: '',
          sections: { preamble: 'You are pi.', rules: '', cwd: '/repo' },
          toolsAdded: [{ name: 'read', parameters: {} }],
        }),
        entry('u1', 's', { role: 'user', content: 'Look.' }),
        said(
          'a1',
          'u1',
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: '/repo/a.txt' } },
        ),
        entry('t1', 'a1', {
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'read',
          content: [text('one'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }],
          isError: true,
        }),
        said('a2', 't1', text('Seen.')),
        entry('u2', 'a2', { role: 'user', content: [text('Left.')] }),
        said('a3', 'u2', text('Went left.')),
        { type: 'branch_summary', id: 'b', parentId: 'a2', fromId: 'a3', summary: 'Left was wrong.' },
        entry('x', 'b', { role: 'bashExecution', command: 'ls', output: 'a.txt', exitCode: 1 }),
        entry('y', 'x', { role: 'bashExecution', command: 'pwd', output: '', excludeFromContext: true }),
        { type: 'custom_message', id: 'k', parentId: 'y', customType: 'note', content: 'From an extension.' },
        entry('u3', 'k', { role: 'user', content: 'Right.' }),
        said('a4', 'u3', text('Went right.')),
        { type: 'session_info', id: 'i', parentId: 'a4', name: 'Ways' },
        {
          type: 'compaction',
          id: 'z',
          parentId: 'i',
          summary: 'They went.',
          firstKeptEntryId: 'u3',
          tokensBefore: 900,
          usage,
        },
        entry('u4', 'z', { role: 'user', content: 'On.' }),
        said('a5', 'u4', text('On.')),
        entry('e', 'a5', {
          role: 'assistant',
          content: [],
          usage: { input: 0, output: 0 },
          stopReason: 'aborted',
        }),
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'pi');
    assert.equal(transcript.title, 'Ways');
    const head = ['system: {"name":"read","parameters":{}}', 'system: You are pi.\n\n/repo'];
    const seen = [
      ...head,
      'user: Look.',
      'assistant: Hm.',
      'assistant: {"path":"/repo/a.txt"}',
      'tool: one',
      'tool: AAAA',
    ];
    const summary =
      'user: The conversation history before this point was compacted into the following summary:\n\n' +
      '<summary>\nThey went.\n</summary>';
    assert.deepEqual(contextsOf(opened), [
      [...head, 'user: Look.'],
      seen,
      [...seen, 'assistant: Seen.', 'user: Left.'],
      [
        ...seen,
        'assistant: Seen.',
        'user: The following is a summary of a branch that this conversation came back from:\n\n' +
          '<summary>\nLeft was wrong.</summary>',
        'user: Ran `ls`\n```\na.txt\n```\n\nCommand exited with code 1',
        'user: From an extension.',
        'user: Right.',
      ],
      [],
      [...head, summary, 'user: Right.', 'assistant: Went right.', 'user: On.'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ id, complete }) => [id, complete]),
      [
        // How the image of the failed result is sent depends on the version, until the compaction drops it.
        ['r-a1', true],
        ['r-a2', false],
        ['r-a3', false],
        ['r-a4', false],
        [undefined, false],
        ['r-a5', true],
      ],
    );
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 10,
      cacheRead: 20,
      cacheWrite: 5,
      output: 4,
      reasoning: 1,
    });
    assert.deepEqual(outlineOf(transcript).slice(0, 3), [
      'system toolSchema system system',
      'system systemPrompt system system',
      'user prompt history user',
    ]);
    assert.deepEqual(leftOutOf(transcript), {
      'session record': 1,
      'model_change record': 1,
      'a command that was kept from the model': 1,
      'session_info record': 1,
      'a message without content': 1,
    });
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('reads the first version, which is a list and compacts by index', async () => {
    const message = (role: string, words: string): unknown => ({
      type: 'message',
      message: { role, content: [text(words)] },
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        { ...session, version: undefined },
        message('user', 'One.'),
        message('assistant', 'First.'),
        message('user', 'Two.'),
        { type: 'compaction', summary: 'One was said.', firstKeptEntryIndex: 3, tokensBefore: 9 },
        message('assistant', 'Second.'),
      ]),
    );
    assert.deepEqual(contextOf(opened, 1).slice(1), ['user: Two.']);
  });

  it('survives lines that hold anything', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        { type: 'message' },
        {
          type: 'message',
          id: 'a',
          parentId: 'a',
          message: { role: 'assistant', content: [null, { type: 'x' }] },
        },
        { type: 'compaction', id: 'c', parentId: 'nowhere', firstKeptEntryIndex: -4 },
        { type: 'message', message: { role: 'toolResult', content: 4 } },
        {},
        [1],
      ]),
    );
    assert.equal(opened.transcript.requests.length, 1);
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 3 });
  });

  it('reads the events of --mode json, where a message is complete at its end', async () => {
    const user = { role: 'user', content: 'Look.', timestamp: 1 };
    const reply = { role: 'assistant', content: [text('Seen.')], usage, timestamp: 1_780_000_000_002 };
    const opened = await openTranscriptBytes(
      jsonLines([
        session,
        { type: 'agent_start' },
        { type: 'message_start', message: user },
        { type: 'message_end', message: user },
        { type: 'message_start', message: { ...reply, content: [] } },
        { type: 'message_update', usage },
        { type: 'message_end', message: reply },
        { type: 'turn_end', message: reply },
      ]),
    );
    assert.deepEqual(contextsOf(opened), [['user: Look.']]);
    assert.equal(opened.transcript.requests[0]?.timestamp, 1_780_000_000_002);
  });

  it('opens every recorded stream', async test => {
    const folder = sharedFolder(test, 'agent-runs/pi-coding-agent/0.87.1/rich/streams');
    for (const name of folder === undefined ? [] : readdirSync(folder)) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(folder ?? '', name)));
      assert.equal(transcript.format, 'pi');
      assert.ok(transcript.requests.length > 0);
      assert.deepEqual(problemsOf(transcript), {}, name);
    }
  });

  it('opens every sample and adds up what the replies report', async test => {
    const folder = sharedFolder(test, 'samples/pi');
    for (const name of folder === undefined ? [] : readdirSync(folder)) {
      const path = join(folder ?? '', name);
      const { transcript } = await openTranscriptBytes(readUnpacked(path));
      assert.equal(transcript.format, 'pi', name);
      const glued = transcript.problems.some(({ kind }) => kind === 'gluedLine');
      if (!glued) {
        const all = readJsonLines(path).map(record => objectAt(objectAt(record, 'message'), 'usage'));
        const used = totalUsage(transcript);
        assert.deepEqual(
          [used.input, used.cacheRead, used.cacheWrite, used.output],
          ['input', 'cacheRead', 'cacheWrite', 'output'].map(key =>
            all.reduce<number>((sum, one) => sum + countAt(one, key), 0),
          ),
          name,
        );
      }
      assert.deepEqual(
        Object.keys(problemsOf(transcript)).filter(kind => kind !== 'gluedLine'),
        [],
        name,
      );
    }
  });
});

describe('iFlow', () => {
  const line = (type: string, message: object): unknown => ({
    uuid: `${type}-${JSON.stringify(message).length}`,
    parentUuid: null,
    sessionId: 'session-5de701fc-7454-4858-a249-95cac4fd3b51',
    type,
    isSidechain: false,
    version: '1.0.0',
    message,
  });
  const use = (id: string): object => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } });
  const result = (id: string, output: string): unknown =>
    line('user', {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id,
          content: {
            callId: id,
            responseParts: { functionResponse: { id, name: 'read_file', response: { output } } },
            resultDisplay: 'Read all lines',
          },
        },
      ],
    });
  const reply = (id: string, ...content: object[]): unknown =>
    line('assistant', { id, role: 'assistant', model: 'glm-4.7', content, usage: { input_tokens: 0 } });

  it('takes the growing snapshots of a reply once', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        line('user', { role: 'user', content: 'Look.' }),
        reply('response-1-tool-a', { type: 'text', text: 'I look.' }, use('a')),
        reply('response-2-tool-b', use('a'), use('b')),
        reply('response-3', use('b')),
        result('a', 'one'),
        result('b', 'two'),
        reply('response-4', { type: 'text', text: 'Done.' }),
      ]),
    );
    assert.equal(opened.transcript.format, 'iflow');
    assert.equal(opened.transcript.title, 'Look.');
    assert.deepEqual(contextsOf(opened), [
      ['user: Look.'],
      [
        'user: Look.',
        'assistant: I look.',
        'assistant: {"path":"a"}',
        'assistant: {"path":"b"}',
        'tool: one',
        'tool: two',
      ],
    ]);
    assert.deepEqual(leftOutOf(opened.transcript), { 'a line that only repeats the reply': 1 });
    assert.deepEqual(
      opened.transcript.requests.map(({ usage }) => usage),
      [undefined, undefined],
    );
  });

  it('opens the sample', async test => {
    const folder = sharedFolder(test, 'samples/iflow');
    for (const name of folder === undefined ? [] : readdirSync(folder)) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(folder ?? '', name)));
      assert.equal(transcript.format, 'iflow');
      assert.deepEqual(problemsOf(transcript), {});
      const calls = [...transcript.blocks].filter(({ kind }) => kind === 'toolCall');
      assert.equal(new Set(calls.map(({ callId }) => callId)).size, calls.length);
      assert.equal([...transcript.blocks].filter(({ kind }) => kind === 'toolResult').length, calls.length);
    }
  });
});

describe('Factory Droid', () => {
  it('reads Anthropic messages and keeps what stands behind the anchor of a compaction', async () => {
    const message = (id: string, role: string, content: unknown, rest: object = {}): unknown => ({
      type: 'message',
      id,
      timestamp: '2026-05-01T10:00:00.000Z',
      message: { role, content, ...rest },
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        {
          type: 'session_start',
          id: 'd1',
          title: 'Fix',
          sessionTitle: 'New Session',
          version: 2,
          cwd: '/repo',
        },
        message('u1', 'user', [
          { type: 'text', text: '<system-reminder>\nToday is May.\n</system-reminder>' },
          { type: 'text', text: 'Fix it.' },
        ]),
        message('n', 'user', 'Only shown.', { visibility: 'user_only' }),
        message('a1', 'assistant', [{ type: 'tool_use', id: 'c1', name: 'Read', input: {} }]),
        message('u2', 'user', [{ type: 'tool_result', tool_use_id: 'c1', content: 'text' }]),
        message('a2', 'assistant', [{ type: 'text', text: 'Fixed.' }]),
        { type: 'todo_state', todos: [] },
        { type: 'compaction_state', id: 'k', summaryText: 'It was fixed.', anchorMessage: { id: 'u2' } },
        message('u3', 'user', 'More.'),
        message('a3', 'assistant', 'More.'),
        {},
      ]),
    );
    assert.equal(opened.transcript.format, 'droid');
    assert.equal(opened.transcript.title, 'Fix');
    assert.deepEqual(contextOf(opened, 2), ['user: It was fixed.', 'assistant: Fixed.', 'user: More.']);
    assert.equal(opened.transcript.requests.length, 3);
    assert.deepEqual(leftOutOf(opened.transcript), {
      'session_start record': 1,
      'a message that is shown but not sent': 1,
      'todo_state record': 1,
      'a record without a type': 1,
    });
  });
});

describe('Kimi CLI', () => {
  it('reads the context file with its prompt, thinking and calls', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        { role: '_system_prompt', content: 'You are Kimi.' },
        { role: '_checkpoint', id: 0 },
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: [
            { type: 'think', think: 'Hm.', encrypted: null },
            { type: 'text', text: 'I look.' },
          ],
          tool_calls: [{ type: 'function', id: 'c1', function: { name: 'ls', arguments: '{"path":"/"}' } }],
        },
        { role: '_usage', token_count: 99 },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'a.txt' }] },
        { role: 'assistant', content: 'Done.' },
      ]),
    );
    assert.equal(opened.transcript.format, 'kimi-context');
    assert.deepEqual(contextOf(opened, 1), [
      'system: You are Kimi.',
      'user: Look.',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"path":"/"}',
      'tool: a.txt',
    ]);
    assert.deepEqual(leftOutOf(opened.transcript), { '_checkpoint record': 1, '_usage record': 1 });
    assert.deepEqual(problemsOf(opened.transcript), {});
  });

  it('reads the wire log: pieces joined, one request a step', async () => {
    const event = (type: string, payload: unknown = {}): unknown => ({
      timestamp: 1_780_000_000.5,
      message: { type, payload },
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        { type: 'metadata', protocol_version: '1.1' },
        event('TurnBegin', { user_input: 'Look.' }),
        event('StepBegin', { n: 1 }),
        event('ContentPart', { type: 'think', think: 'Hm' }),
        event('ContentPart', { type: 'think', think: '.' }),
        event('ContentPart', { type: 'text', text: 'I look.' }),
        event('ToolCall', { type: 'function', id: 'c1', function: { name: 'ls', arguments: null } }),
        event('ToolCallPart', { arguments_part: '{"path"' }),
        event('ToolCallPart', { arguments_part: ':"/"}' }),
        event('StatusUpdate', {
          token_usage: { input_other: 10, input_cache_read: 20, input_cache_creation: 0, output: 5 },
        }),
        event('ToolResult', { tool_call_id: 'c1', return_value: { is_error: true, output: 'no' } }),
        event('StepBegin', { n: 2 }),
        event('ContentPart', { type: 'text', text: 'Done.' }),
        event('TurnEnd'),
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'kimi-wire');
    assert.deepEqual(contextsOf(opened), [
      ['user: Look.'],
      ['user: Look.', 'assistant: Hm.', 'assistant: I look.', 'assistant: {"path":"/"}', 'tool: no'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ usage, timestamp }) => [usage, timestamp]),
      [
        [{ input: 10, cacheRead: 20, cacheWrite: 0, output: 5 }, 1_780_000_000_500],
        [undefined, 1_780_000_000_500],
      ],
    );
    assert.equal(transcript.blocks.at(4)?.isError, true);
    assert.deepEqual(problemsOf(transcript), {});
    assert.deepEqual(
      transcript.requests.map(({ reply }) => reply.length),
      [3, 1],
    );
  });
});
