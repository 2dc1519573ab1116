import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { arrayAt, member, objectAt, stringAt } from '../../../src/core/base/json';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';
import { eventText, type FaultServer, startFaultServer } from '../../fixtures/faultServer';
import { eventStream, replyEnd, replyStart, textStart } from '../../fixtures/streamedReply';

const cli = new CommandLine();
const key = 'sk-ant-invented-key-0123456789';
const environment = { ANTHROPIC_API_KEY: key };

const answer = eventText(
  replyStart({ model: 'claude-opus-4-5' }),
  ...textStart('Welcome again.'),
  ...replyEnd(),
);

describe('commands that ask a model', () => {
  let server: FaultServer;
  let file = '';
  let reply = answer;
  before(async () => {
    server = await startFaultServer(response => {
      if (server.requests.at(-1)?.path === '/v1/messages/count_tokens') {
        response.end('{"input_tokens":4321}');
      } else {
        response.writeHead(200, eventStream).end(reply);
      }
    });
    const session = new ClaudeCodeSession()
      .prompt('Find it')
      .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
      .result('toolu_a', sourceText(1, 900))
      .prompt('Thanks')
      .reply({ text: 'Welcome.' });
    file = cli.write('session.jsonl', session.toString());
  });
  after(async () => {
    cli.remove();
    await server.close();
  });

  const asking = (command: string, ...words: readonly string[]) =>
    cli.runWith(
      environment,
      command,
      file,
      '--provider',
      'anthropic',
      '--base-url',
      server.baseUrl,
      ...words,
    );

  it('send nothing without --yes, and say what they would send', async () => {
    for (const command of ['count', 'replay']) {
      const { code, stdout, stderr } = await asking(command);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^To Anthropic at http:\/\/127\.0\.0\.1:\d+ on this machine, model .+ messages, [\d,]+ bytes/,
      );
      assert.match(stderr, /Nothing was sent\. Add --yes to send it\./);
    }
    assert.equal(server.requests.length, 0);
  });

  it('send nothing in plain http to another machine', async () => {
    const { code, stderr } = await cli.runWith(
      environment,
      ...['replay', file, '--provider', 'anthropic', '--base-url', 'http://localhost.example:8', '--yes'],
    );
    assert.equal(code, 2);
    assert.match(
      stderr,
      /http:\/\/localhost\.example:8 is not on this machine, so its address must begin with https\./,
    );
  });

  it('send nothing without a key', async () => {
    const { code, stderr } = await cli.runWith(
      { ANTHROPIC_API_KEY: '' },
      ...['count', file, '--provider', 'anthropic', '--base-url', server.baseUrl, '--yes'],
    );
    assert.equal(code, 2);
    assert.match(stderr, /ANTHROPIC_API_KEY does not contain a key\.$/m);
    assert.equal(server.requests.length, 0);
  });

  it('count: prints what the provider counted, and never the key', async () => {
    const { code, stdout, stderr } = await asking('count', '--yes', '--calls', '2');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^4,321 tokens \(exact\), counted with 2 calls/);
    assert.ok(!`${stdout}${stderr}`.includes(key));
    assert.equal(server.requests.at(-1)?.headers['x-api-key'], key);
    assert.equal(server.requests.length, 2);
  });

  it('replay: sets the answer beside the recorded one, and keeps it in a file that opens', async () => {
    const out = join(cli.folder, 'replay.jsonl');
    const { code, stdout, stderr } = await asking('replay', '--yes', '--json', '--out', out);
    assert.equal(code, 0, stderr);
    const report: unknown = JSON.parse(stdout);
    assert.equal(member(report, 'sameAction'), true);
    assert.equal(member(report, 'recordedText'), 'Welcome.');
    assert.equal(member(report, 'replayedText'), 'Welcome again.');
    assert.deepEqual(member(report, 'usage'), { input: 10, cacheRead: 90, cacheWrite: 0, output: 4 });
    const sent: unknown = JSON.parse(server.requests.at(-1)?.body ?? '');
    assert.deepEqual(
      arrayAt(sent, 'messages').map(message => stringAt(message, 'role')),
      ['user', 'assistant', 'user'],
    );
    assert.ok(existsSync(out));
    assert.ok(!readFileSync(out, 'utf8').includes(key));
    const opened: unknown = JSON.parse((await cli.run('inspect', out, '--json')).stdout);
    assert.equal(member(opened, 'requests'), 1);
    assert.deepEqual(objectAt(opened, 'usage'), { input: 10, cacheRead: 90, cacheWrite: 0, output: 4 });
  });

  it('says before sending where the request fills the window of the model', async () => {
    const models = cli.write('models.json', '{"small-model": {"contextWindow": 100}}');
    const words = ['replay', '--model', 'small-model'] as const;
    const { stderr } = await asking(...words, '--models', models);
    assert.match(stderr, /The request probably fills the window of small-model \(100 tokens\)\./);
    assert.doesNotMatch((await asking(...words)).stderr, /fills the window/);
  });

  it('says what is a summary', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Go')
      .reply({ text: 'Gone.' })
      .compact('It went.')
      .prompt('On')
      .reply({ text: 'Yes.' });
    const compacted = cli.write('compacted.jsonl', session.toString());
    const { stderr } = await cli.run('replay', compacted, '--provider', 'anthropic');
    assert.match(stderr, /^ {2}The request begins with a summary of earlier messages\.$/m);
    assert.doesNotMatch((await asking('replay')).stderr, /summar/);
  });

  it('replay: asks a question after the request, and compares its answer with nothing', async () => {
    const { code, stdout } = await asking('replay', '--yes', '--json', '--ask', 'Which file?');
    assert.equal(code, 0);
    const report: unknown = JSON.parse(stdout);
    assert.equal(member(report, 'sameAction'), null);
    assert.equal(member(report, 'replayedText'), 'Welcome again.');
    const messages = arrayAt(JSON.parse(server.requests.at(-1)?.body ?? ''), 'messages');
    assert.match(JSON.stringify(messages.at(-1)), /Thanks.*Which file\?/);
  });

  it('replay: writes the messages as the provider writes them, with the reply where there is one', async () => {
    const sent = server.requests.length;
    const [before, after] = ['before.jsonl', 'after.jsonl'].map(name => join(cli.folder, name));
    assert.ok(before !== undefined && after !== undefined);
    assert.equal((await asking('replay', '--messages', before)).code, 0);
    assert.equal(server.requests.length, sent);
    assert.equal((await asking('replay', '--yes', '--messages', after)).code, 0);
    const lines = readFileSync(before, 'utf8').trimEnd().split('\n');
    const roles = lines.map(line => stringAt(JSON.parse(line), 'role'));
    assert.deepEqual(roles, ['user', 'assistant', 'user']);
    assert.deepEqual(
      lines.map((line): unknown => JSON.parse(line)),
      arrayAt(JSON.parse(server.requests.at(-1)?.body ?? ''), 'messages'),
    );
    const reply = JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'Welcome again.' }] });
    assert.equal(readFileSync(after, 'utf8'), `${[...lines, reply].join('\n')}\n`);
  });

  it('replay: leaves credentials of the answer out of what it writes, unless they are to be kept', async () => {
    const invented = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    reply = answer.replace('Welcome again.', `Use ${invented} now.`);
    const [out, messages, kept] = ['o.jsonl', 'm.jsonl', 'k.jsonl'].map(name => join(cli.folder, name));
    assert.ok(out !== undefined && messages !== undefined && kept !== undefined);
    try {
      const { code, stdout } = await asking(
        'replay',
        '--yes',
        '--json',
        '--out',
        out,
        '--messages',
        messages,
      );
      assert.equal(code, 0);
      for (const text of [stdout, readFileSync(out, 'utf8'), readFileSync(messages, 'utf8')]) {
        assert.match(text, /Use \[redacted: [^\]]+\] now\./);
        assert.ok(!text.includes(invented));
      }
      assert.equal((await asking('replay', '--yes', '--json', '--keep-secrets', '--out', kept)).code, 0);
      assert.ok(readFileSync(kept, 'utf8').includes(invented));
    } finally {
      reply = answer;
    }
  });

  it('replay: sends the messages of a file, edited by hand, in place of the recorded ones', async () => {
    const path = join(cli.folder, 'edited.jsonl');
    assert.equal((await asking('replay', '--yes', '--messages', path)).code, 0);
    const thinking = { type: 'thinking', thinking: 'hm', signature: '' };
    const lines = [
      ...readFileSync(path, 'utf8').trimEnd().split('\n'),
      JSON.stringify({ role: 'assistant', content: [thinking, { type: 'text', text: 'One more.' }] }),
      JSON.stringify({ role: 'user', content: 'And my key is sk-ant-api03-' + 'x1Y2'.repeat(23) + 'AA' }),
    ];
    cli.write('edited.jsonl', lines.join('\n'));
    assert.equal((await asking('replay', '--yes', '--from', path)).code, 0);
    const messages = arrayAt(JSON.parse(server.requests.at(-1)?.body ?? ''), 'messages');
    assert.equal(messages.length, lines.length - 1, 'two replies follow each other and are joined');
    const text = JSON.stringify(messages);
    assert.match(text, /Welcome again\..*One more\./);
    // Reasoning that need not be sent back is left out, and a typed credential is removed.
    assert.doesNotMatch(text, /hm|x1Y2/);
    assert.match(text, /And my key is \[redacted: /);
    const wrong = await asking('replay', '--from', cli.write('wrong.jsonl', '{"some": "thing"}\n'));
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /not a message of any known provider/);
  });

  it('replay: sends another result of a call', async () => {
    const other = cli.write('other.txt', 'nothing there');
    assert.equal((await asking('replay', '--yes', '--result', `toolu_a=${other}`)).code, 0);
    const [, , results] = arrayAt(JSON.parse(server.requests.at(-1)?.body ?? ''), 'messages');
    const [result] = arrayAt(results, 'content');
    assert.deepEqual(
      [stringAt(result, 'tool_use_id'), stringAt(result, 'content')],
      ['toolu_a', 'nothing there'],
    );
    const { code, stderr } = await asking('replay', '--result', `toolu_b=${other}`);
    assert.equal(code, 2);
    assert.match(stderr, /no result for the call toolu_b/);
  });

  it('replay: lets the model summarise the older messages first, and sends the summary in their place', async () => {
    const whole = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'They read a.' }] };
    const before = server.requests.length;
    const summarising = await startFaultServer(response => {
      const isStream = summarising.requests.at(-1)?.body.includes('"stream":true') === true;
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? answer : JSON.stringify(whole));
    });
    try {
      const out = join(cli.folder, 'kept.jsonl');
      const words = [
        'replay',
        file,
        '--provider',
        'anthropic',
        '--base-url',
        summarising.baseUrl,
        '--keep',
        '1',
      ];
      const planned = await cli.runWith(environment, ...words);
      assert.match(
        planned.stderr,
        /First, a request for a summary: 2 messages, [\d,]+ bytes\. The newest 1 are kept\./,
      );
      assert.equal(summarising.requests.length, 0);
      const { code, stderr } = await cli.runWith(environment, ...words, '--yes', '--messages', out);
      assert.equal(code, 0, stderr);
      const [first, second] = summarising.requests.map(({ body }): unknown => JSON.parse(body));
      assert.deepEqual(
        arrayAt(first, 'messages').map(message => stringAt(message, 'role')),
        ['user', 'user'],
      );
      assert.match(JSON.stringify(arrayAt(first, 'messages').at(-1)), /Summarise the conversation above/);
      assert.match(JSON.stringify(member(second, 'system')), /They read a\./);
      assert.doesNotMatch(JSON.stringify(second), /Find it/);
      assert.match(JSON.stringify(second), /cat a/, 'a result stays with its call');
      assert.match(JSON.stringify(arrayAt(second, 'messages')), /Thanks/);
      const roles = readFileSync(out, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => stringAt(JSON.parse(line), 'role'));
      assert.equal(roles[0], 'system');
      const none = await cli.runWith(environment, ...words.slice(0, -1), '99');
      assert.match(none.stderr, /the request has 99 messages or fewer/);
    } finally {
      await summarising.close();
    }
    assert.equal(server.requests.length, before);
  });

  it('replay: pays for nothing that could not be kept', async () => {
    const sent = server.requests.length;
    for (const option of ['--out', '--messages']) {
      const { code, stderr } = await asking('replay', '--yes', option, cli.write('taken.jsonl', 'mine'));
      assert.equal(code, 2);
      assert.match(stderr, /A file with this name already exists\./);
      assert.equal((await asking('replay', '--yes', option, file, '--force')).code, 2);
    }
    assert.equal(server.requests.length, sent);
  });

  it('replay: a refusal is one sentence and exit code 2', async () => {
    const gone = await startFaultServer(() => undefined);
    await gone.close();
    const { code, stderr } = await cli.runWith(
      environment,
      ...['replay', file, '--provider', 'anthropic', '--base-url', gone.baseUrl, '--yes'],
    );
    assert.equal(code, 2);
    assert.match(stderr, /127\.0\.0\.1:\d+ refused the connection\.\n$/);
  });
});
