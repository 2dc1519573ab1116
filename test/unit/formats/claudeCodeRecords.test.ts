import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { blocksOf, numbersOf, openBytes } from '../../fixtures/transcriptBytes';

type Json = Readonly<Record<string, unknown>>;

/** A message's hash as the client computes it. The members of these messages are written in sorted order. */
function hashOf(message: Json): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex');
}

const text = (value: string) => ({ text: value, type: 'text' });
const user = (...content: readonly Json[]) => ({ content, role: 'user' });
const assistant = (...content: readonly Json[]) => ({ content, role: 'assistant' });

class Records {
  readonly lines: string[] = [];

  constructor(private readonly common: Json = { version: '2.1.330' }) {}

  add(record: Json): this {
    this.lines.push(JSON.stringify(record));
    return this;
  }

  line(type: string, rest: Json): this {
    const uuid = `u${this.lines.length + 1}`;
    return this.add({
      parentUuid: null,
      isSidechain: false,
      sessionId: 's',
      type,
      ...this.common,
      uuid,
      ...rest,
    });
  }

  user(content: unknown, rest: Json = {}): this {
    return this.line('user', { message: { role: 'user', content }, ...rest });
  }

  reply(id: string, requestRef: string, item: Json = text(`reply ${id}`)): this {
    const usage = { input_tokens: 5, output_tokens: 2 };
    return this.line('assistant', {
      requestRef,
      message: { id, role: 'assistant', model: 'claude-opus-5-5', content: [item], usage },
    });
  }

  shape(hash = 'S', tools: readonly string[] = ['Read']): this {
    return this.add({
      type: 'api-request-shape',
      shapeHash: hash,
      shape: { system: [text('You help.')], tools: tools.map(name => ({ name, input_schema: {} })) },
    });
  }

  blob(hash: string, message: Json): this {
    return this.add({ type: 'api-request-blob', hash, message });
  }

  request(id: string, tail: readonly string[], rest: Json = {}): this {
    const params = { model: 'claude-opus-5-5' };
    return this.add({ type: 'api-request', id, shapeHash: 'S', params, keep: 0, tail, ...rest });
  }

  async open() {
    const opened = await openBytes(this.lines.map(line => `${line}\n`).join(''));
    const { transcript, texts } = opened;
    const contexts: string[][] = [];
    for (const request of transcript.requests) {
      const context: string[] = [];
      for (const number of numbersOf(transcript, request)) {
        const block = transcript.blocks.at(number);
        context.push(block?.kind === 'toolSchema' ? (block.toolName ?? '') : await texts.read(number));
      }
      contexts.push(context);
    }
    return { transcript, contexts, requests: transcript.requests };
  }
}

const head = ['Read', 'You help.'];

describe('request records', () => {
  it('take messages from lines, a text as a string and as a list', async () => {
    for (const content of ['go', [text('go')]]) {
      const session = new Records().user(content).shape();
      for (const [id, message] of [
        ['r1', { content: 'go', role: 'user' }],
        ['r2', user(text('go'))],
      ] as const) {
        session.request(id, [hashOf(message)]);
      }
      const { contexts, requests } = await session.open();
      assert.deepEqual(contexts, [
        [...head, 'go'],
        [...head, 'go'],
      ]);
      assert.ok(requests.every(({ complete }) => complete));
    }
  });

  it('add to their base, and repeat it for a retry', async () => {
    const { contexts, requests, transcript } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', [hashOf(user(text('go')))])
      .line('system', { subtype: 'api_error' })
      .request('r2', [], { base: 'r1', keep: 1 })
      .reply('m1', 'r2')
      .user([text('on')])
      .request('r3', [hashOf(assistant(text('reply m1'))), hashOf(user(text('on')))], {
        base: 'r2',
        keep: 1,
        cacheControl: [{ path: ['system', 0] }, { path: ['messages', 2, 'content', 0] }],
      })
      .reply('m2', 'r3')
      .open();
    assert.deepEqual(contexts, [
      [...head, 'go'],
      [...head, 'go'],
      [...head, 'go', 'reply m1', 'on'],
    ]);
    assert.equal(new Set(requests.map(({ context }) => context)).size, 1);
    assert.deepEqual(
      requests.map(({ id, usage }) => [id, usage?.input]),
      [
        [undefined, undefined],
        ['m1', 5],
        ['m2', 5],
      ],
    );
    assert.deepEqual(requests[2]?.breakpoints, [1, 4]);
    assert.deepEqual(transcript.problems, []);
  });

  it('take the merged lines of parallel results, and a mark in the middle of a message', async () => {
    const result = (id: string) => ({ content: `out ${id}`, tool_use_id: id, type: 'tool_result' });
    const calls = ['a', 'b'].map(id => ({ id, input: {}, name: 'Read', type: 'tool_use' }));
    const { contexts, requests } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', [hashOf(user(text('go')))])
      .reply('m1', 'r1', calls[0])
      .reply('m1', 'r1', calls[1])
      .user([result('a')])
      .user([result('b')])
      .request('r2', [hashOf(assistant(...calls)), hashOf(user(result('a'), result('b')))], {
        base: 'r1',
        keep: 1,
        cacheControl: [{ path: ['messages', 2, 'content', 0] }],
      })
      .reply('m2', 'r2')
      .open();
    assert.deepEqual(contexts[1], [...head, 'go', '{}', '{}', 'out a', 'out b']);
    assert.deepEqual(requests[1]?.breakpoints, [5]);
  });

  it('know the blocks of lines and attachments again in what stands in a blob', async () => {
    const { transcript, contexts } = await new Records()
      .user('go')
      .line('attachment', {
        attachment: { type: 'environment' },
        rendered: [{ content: '<system-reminder>\nOn Linux.\n</system-reminder>' }],
        renderedRole: 'system',
      })
      .line('attachment', {
        attachment: { type: 'skill_listing' },
        rendered: [{ content: '<system-reminder>\nSkills: none.\n</system-reminder>' }],
        renderedRole: 'system',
      })
      .shape()
      .blob('B1', user(text('<system-reminder>x</system-reminder>\n'), text('go')))
      .blob('B2', { role: 'system', content: [text('On Linux.\n\nSkills: none.')], output_config: {} })
      .blob('B3', { role: 'system', content: [] })
      .request('r1', ['B1', 'B2', 'B3'])
      .reply('m1', 'r1')
      .open();
    assert.deepEqual(contexts[0], [
      ...head,
      '<system-reminder>x</system-reminder>\n',
      'go',
      'On Linux.\n\n',
      'Skills: none.',
    ]);
    const blocks = blocksOf(transcript, transcript.requests[0]).slice(2);
    assert.deepEqual(
      blocks.map(({ kind, partition, role }) => `${role} ${kind} ${partition}`),
      ['user injected state', 'user prompt history', 'system injected state', 'system injected knowledge'],
    );
    assert.equal([...transcript.blocks].filter(({ kind }) => kind === 'prompt').length, 1);
  });

  it('keep a summary a summary, though its text mentions a reminder and ends in a newline more', async () => {
    const summary =
      'This session is being continued.\n<system-reminder>Bash was used</system-reminder>\nSummary: all.';
    const { transcript } = await new Records()
      .line('system', { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } })
      .user(summary, { isCompactSummary: true })
      .user('on')
      .shape()
      .blob('B1', user(text(`${summary}\n`), text('on')))
      .request('r1', ['B1'])
      .reply('m1', 'r1')
      .open();
    const blocks = blocksOf(transcript, transcript.requests[0]).slice(2);
    assert.deepEqual(
      blocks.map(({ kind, message }) => [kind, transcript.messages[message]?.summary]),
      [
        ['summary', true],
        ['prompt', undefined],
      ],
    );
  });

  it('take the same message again where a new process lists everything, whatever equals it', async () => {
    const [go, ok, on] = [user(text('go')), assistant(text('ok')), user(text('on'))].map(hashOf);
    const { requests, contexts, transcript } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', [go ?? ''])
      .reply('m1', 'r1', text('ok'))
      .user([text('on')])
      .request('r2', [ok ?? '', on ?? ''], { base: 'r1', keep: 1 })
      .reply('m2', 'r2', text('ok'))
      .user([text('on')])
      .request('r3', [go, ok, on, ok, on].map(String))
      .reply('m3', 'r3')
      .open();
    assert.deepEqual(contexts[2], [...head, 'go', 'ok', 'on', 'ok', 'on']);
    assert.equal(requests[2]?.context, requests[0]?.context);
    assert.equal(new Set(numbersOf(transcript, requests[2])).size, 7);
  });

  it('begin a new context where the tools change', async () => {
    const { contexts, requests } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', [hashOf(user(text('go')))])
      .reply('m1', 'r1')
      .shape('S2', ['Read', 'Bash'])
      .user([text('on')])
      .request('r2', [hashOf(assistant(text('reply m1'))), hashOf(user(text('on')))], {
        base: 'r1',
        keep: 1,
        shapeHash: 'S2',
      })
      .reply('m2', 'r2')
      .open();
    assert.deepEqual(contexts[1], ['Read', 'Bash', 'You help.', 'go', 'reply m1', 'on']);
    assert.notEqual(requests[1]?.context, requests[0]?.context);
  });

  it('find a blob that comes behind its use', async () => {
    const { contexts, requests, transcript } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', ['B1'])
      .reply('m1', 'r1')
      .blob('B1', user(text('really sent')))
      .open();
    assert.deepEqual(contexts, [[...head, 'really sent']]);
    assert.equal(requests[0]?.complete, true);
    assert.deepEqual(transcript.problems, []);
  });

  it('fall back on the lines where a message or the base is missing, and say so', async () => {
    for (const record of [
      { tail: ['nowhere'] },
      { tail: [], base: 'elsewhere', keep: 3 },
      { tail: [], shapeHash: 'elsewhere' },
    ]) {
      const { contexts, requests, transcript } = await new Records()
        .user([text('go')])
        .line('attachment', { attachment: { type: 'skill_listing', content: 'skills' } })
        .shape()
        .request('r1', [], record)
        .reply('m1', 'r1')
        .open();
      assert.deepEqual(contexts, [['skills', 'go']]);
      assert.equal(requests[0]?.complete, false);
      assert.deepEqual(
        transcript.problems.map(({ kind }) => kind),
        ['missingRequestContent'],
      );
    }
  });

  it('give each of two replies to one request its own usage, and count a copied record once', async () => {
    const { contexts, requests, transcript } = await new Records()
      .user([text('go')])
      .shape()
      .request('r1', [hashOf(user(text('go')))])
      .request('r1', [hashOf(user(text('go')))])
      .reply('m1', 'r1')
      .reply('m2', 'r1')
      .open();
    assert.deepEqual(contexts, [
      [...head, 'go'],
      [...head, 'go'],
    ]);
    assert.deepEqual(
      requests.map(({ id, usage }) => [id, usage?.input]),
      [
        ['m1', 5],
        ['m2', 5],
      ],
    );
    assert.deepEqual(transcript.problems, [{ kind: 'duplicateRecord', line: 4, count: 1 }]);
  });

  it('are read without versions on the lines, and ignore cache marks in what is hashed', async () => {
    const marked = { ...text('go'), cache_control: { type: 'ephemeral' } };
    const { contexts } = await new Records({})
      .user([marked])
      .shape()
      .request('r1', [hashOf(user(text('go')))])
      .reply('m1', 'r1')
      .open();
    assert.deepEqual(contexts, [[...head, 'go']]);
  });

  it('never fail on records without their members', async () => {
    const { transcript } = await new Records()
      .user('go')
      .add({ type: 'api-request-shape' })
      .add({ type: 'api-request-blob' })
      .add({ type: 'api-request' })
      .add({ type: 'api-request', id: 'r', shapeHash: 'S', tail: 'none' })
      .add({ type: 'api-request', id: 'r', shapeHash: '', tail: [4, null], keep: 1e12, base: 7 })
      .reply('m1', 'r')
      .open();
    assert.equal(transcript.requests.length, 1);
  });
});
