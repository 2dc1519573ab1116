import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseJson, stringAt } from '../../../src/core/base/json';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';

const cli = new CommandLine();

/** A session with some 60,000 tokens, whose last request was sent so many minutes ago. */
function sessionOf(minutes: number): string {
  const session = new ClaudeCodeSession()
    .prompt('Read the ledger')
    .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: 'ledger.txt' } })
    .result('toolu_1', 'a row of the ledger\n'.repeat(12_000))
    .reply({ text: 'It balances.' });
  // The times of the fixture lie in the past.
  const last = Math.max(
    ...[...session.toString().matchAll(/"timestamp":"([^"]+)"/g)].map(([, time = '']) => Date.parse(time)),
  );
  const shift = Date.now() - 60_000 * minutes - last;
  return session
    .toString()
    .replaceAll(/(?<="timestamp":")[^"]+/g, time => new Date(Date.parse(time) + shift).toISOString());
}

/** A session of Codex, sent 20 minutes ago, whose header, first result in the turn, or last result may be long. */
function codexSession(long: (place: 'header' | 'turn' | 'result') => string): string {
  const timestamp = new Date(Date.now() - 20 * 60_000).toISOString();
  const count = (input: number, cached: number, total: number): object => ({
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: 20,
        total_tokens: input + 20,
      },
      model_context_window: 258_400,
    },
  });
  const call = { type: 'function_call', name: 'shell', arguments: '{}' };
  const output = { type: 'function_call_output' };
  return [
    [
      'session_meta',
      { id: 'c', timestamp, cwd: '/x', cli_version: '0.171.0', base_instructions: { text: long('header') } },
    ],
    ['turn_context', { cwd: '/x', model: 'gpt-5.5' }],
    ['response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }],
    ['response_item', { ...call, call_id: 'c1' }],
    ['event_msg', count(8000, 0, 8020)],
    ['response_item', { ...output, call_id: 'c1', output: long('turn') }],
    ['response_item', { ...call, call_id: 'c2' }],
    ['event_msg', count(40_000, 7900, 48_040)],
    ['response_item', { ...output, call_id: 'c2', output: long('result') }],
  ]
    .map(([type, payload]) => `${JSON.stringify({ timestamp, type, payload })}\n`)
    .join('');
}

/** The parsed output of the hook; undefined if it prints nothing. */
function hook(input: object | string, ...words: readonly string[]): unknown {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cliPath, 'guard', ...words], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: join(cli.folder, 'caches'), LOCALAPPDATA: cli.folder },
    timeout: 30_000,
  });
  assert.deepEqual({ stderr, status }, { stderr: '', status: 0 });
  return stdout === '' ? undefined : parseJson(stdout);
}

const messageOf = (output: unknown): string => stringAt(output, 'systemMessage') ?? '';

describe('the guard', () => {
  after(() => cli.remove());
  const event = (name: string, path: string, more: object = {}): object => ({
    session_id: 's',
    transcript_path: path,
    cwd: '/work',
    hook_event_name: name,
    ...more,
  });

  it('says once what a prompt pays after the cache has expired', () => {
    const path = cli.write('cold.jsonl', sessionOf(12));
    const prompt = event('UserPromptSubmit', path, { prompt: 'Go on' });
    const said = messageOf(hook(prompt));
    assert.match(
      said,
      /^Context Inspector: The cache probably expired 7 min ago: this prompt pays \$0\.\d+ for \d+,\d+ tokens of context, instead of \$0\.\d+\.$/,
    );
    assert.equal(hook(prompt), undefined, 'it is said once');
    appendFileSync(path, sessionOf(11).replaceAll('msg_', 'msg_b').replaceAll('req_', 'req_b'));
    assert.match(messageOf(hook(prompt)), /probably expired/, 'and again for another state');
  });

  it('forgets what it has said after some days', () => {
    const folder = join(cli.folder, 'caches', 'context-inspector', 'guard');
    mkdirSync(folder, { recursive: true });
    const kept = (days: number): string => {
      const path = join(folder, `${days}`);
      writeFileSync(path, '');
      const time = new Date(Date.now() - days * 86_400_000);
      utimesSync(path, time, time);
      return path;
    };
    const paths = [kept(1), kept(13), kept(15), kept(400)];
    const path = cli.write('kept.jsonl', sessionOf(12));
    assert.notEqual(messageOf(hook(event('UserPromptSubmit', path, { prompt: 'Go on' }))), '');
    assert.deepEqual(
      paths.map(each => existsSync(each)),
      [true, true, false, false],
    );
  });

  it('says nothing while the cache is warm, and what a switch of the model costs', () => {
    const path = cli.write('warm.jsonl', sessionOf(1));
    assert.equal(hook(event('UserPromptSubmit', path, { prompt: 'Go on' })), undefined);
    assert.equal(hook(event('PreCompact', path, { trigger: 'manual' })), undefined);
    assert.equal(hook(event('PreToolUse', path, { tool_name: 'Read' })), undefined);
    const switched =
      /^Context Inspector: Another model writes \d+,\d+ tokens again, for about \$0\.\d+ instead of \$0\.\d+\. The cache is warm for another [\d.]+ (?:s|min)\.$/;
    assert.match(messageOf(hook(event('PreModelSwitch', path, { to_model: 'claude-opus-4-6' }))), switched);
    const own = 'claude-sonnet-4-5-20250929';
    assert.equal(hook(event('PreModelSwitch', path, { to_model: own })), undefined, 'it is the same model');
    const dated = event('UserPromptSubmit', path, { model: `${own.slice(0, -9)}[1m]` });
    assert.equal(hook(dated), undefined, 'its name without the date');
    assert.match(messageOf(hook(event('UserPromptSubmit', path, { model: 'claude-opus-4-7' }))), switched);
  });

  it('judges a switch by the prices of both models', () => {
    // Claude Haiku 4.5 costs $1.25 for a million tokens written, Claude Sonnet 4.5 $0.30 read and $3.75 written.
    const path = (name: string, minutes: number, tokens: number): string =>
      cli.write(
        name,
        sessionOf(minutes).replaceAll(
          /"cache_read_input_tokens":\d+,"cache_creation_input_tokens":\d+/g,
          `"cache_read_input_tokens":0,"cache_creation_input_tokens":${tokens}`,
        ),
      );
    const to = (file: string, model: string): string =>
      messageOf(hook(event('PreModelSwitch', file, { to_model: model })));
    // $0.019 instead of $0.0045: it is less than the limit, although the old model would have paid $0.056 when cold.
    assert.equal(to(path('small.jsonl', 1, 15_000), 'claude-haiku-4-5'), '');
    // $0.13 instead of $0.03.
    assert.match(
      to(path('large.jsonl', 1, 100_000), 'claude-haiku-4-5'),
      /for about \$0\.13 instead of \$0\.03\./,
    );
    // When the cache is cold, the cheaper model costs less.
    assert.equal(to(path('cold-switch.jsonl', 20, 100_000), 'claude-haiku-4-5'), '');
  });

  it('knows that a model may still have a cache of its own', () => {
    const text = sessionOf(1).replaceAll(
      /"cache_read_input_tokens":\d+,"cache_creation_input_tokens":\d+/g,
      '"cache_read_input_tokens":0,"cache_creation_input_tokens":100000',
    );
    // The first of two replies is of another model, some seconds earlier.
    const path = cli.write('back.jsonl', text.replace('claude-sonnet-4-5-20250929', 'claude-opus-4-7'));
    assert.equal(hook(event('PreModelSwitch', path, { to_model: 'claude-opus-4-7' })), undefined);
    assert.notEqual(hook(event('PreModelSwitch', path, { to_model: 'claude-opus-4-6' })), undefined);
  });

  it('says what a session costs that is resumed with a cold cache', () => {
    const start = (name: string, minutes: number, more: object): string =>
      messageOf(
        hook(event('SessionStart', cli.write(name, sessionOf(minutes)), { source: 'resume', ...more })),
      );
    const facts = {
      context_tokens: 142_000,
      estimated_cache_write_usd: 0.8875,
      prompt_cache_likely_expired: true,
    };
    assert.match(
      start('resumed.jsonl', 30, facts),
      /^Context Inspector: The cache of this session has probably expired: its next prompt pays about \$0\.89 for 142,000 tokens of context, instead of \$0\.\d+\.$/,
    );
    assert.equal(
      hook(event('UserPromptSubmit', join(cli.folder, 'resumed.jsonl'), { prompt: 'Go on' })),
      undefined,
      'the prompt after it has nothing new to say',
    );
    assert.equal(start('resumed-warm.jsonl', 30, { ...facts, prompt_cache_likely_expired: false }), '');
    assert.equal(start('resumed-small.jsonl', 30, { ...facts, estimated_cache_write_usd: 0.04 }), '');
    assert.equal(start('started.jsonl', 30, { ...facts, source: 'startup' }), '');
    assert.match(
      start('resumed-before.jsonl', 30, {}),
      /probably expired 25 min ago/,
      'without such figures',
    );
    const fork = event('SessionStart', join(cli.folder, 'not-yet.jsonl'), { source: 'fork', ...facts });
    assert.match(messageOf(hook(fork)), /142,000 tokens of context\.$/);
  });

  it('says that the window is nearly full', () => {
    const session = new ClaudeCodeSession().prompt('Read').reply({ text: 'x'.repeat(10) });
    const full = session
      .toString()
      .replace(/"cache_creation_input_tokens":\d+/g, '"cache_creation_input_tokens":188000');
    const path = cli.write('full.jsonl', full);
    const said = messageOf(hook(event('PreToolUse', path, { tool_name: 'Read' })));
    assert.match(said, /^Context Inspector: The context is 94 % full: 11,\d+ tokens are left\.$/);
  });

  it('blocks a prompt only above the limit that the user has set', () => {
    const prompt = event('UserPromptSubmit', cli.write('limit.jsonl', sessionOf(30)), { prompt: 'Go on' });
    assert.notEqual(messageOf(hook(prompt, '--block-over', '50')), '');
    const other = event('UserPromptSubmit', cli.write('limit-2.jsonl', sessionOf(30)), { prompt: 'Go on' });
    const output = hook(other, '--block-over', '0.06');
    assert.equal(stringAt(output, 'decision'), 'block');
    assert.match(stringAt(output, 'reason') ?? '', /probably expired/);
    assert.equal(
      hook(other, '--block-over', '0.06'),
      undefined,
      'the same prompt passes when it is sent again',
    );
  });

  it('says nothing about what it cannot read', () => {
    for (const input of [
      'no JSON',
      event('Stop', cli.write('a.jsonl', sessionOf(60))),
      event('constructor', 'a'),
      event('UserPromptSubmit', '/nowhere/at/all.jsonl'),
      event('UserPromptSubmit', cli.write('b.jsonl', 'not a session\n')),
    ]) {
      assert.equal(hook(input), undefined, JSON.stringify(input));
    }
  });

  it('does not wait for a pipe that nobody writes to', { skip: process.platform === 'win32' }, () => {
    const pipe = join(cli.folder, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    assert.equal(hook(event('UserPromptSubmit', pipe)), undefined);
  });

  it('reads a session of Codex with a long header, a long turn and long results', () => {
    for (const [place, bytes] of [
      ['header', 300_000],
      ['turn', 3_000_000],
      ['result', 3_000_000],
    ] as const) {
      const long = (name: typeof place): string => (name === place ? 'x '.repeat(bytes / 2) : 'x');
      const path = cli.write(`codex-${place}.jsonl`, codexSession(long));
      const prompt = event('UserPromptSubmit', path, { model: 'gpt-5.5', prompt: 'Go on' });
      // 40,020 tokens at $5 a million, or 40,000 of them at $0.50.
      assert.match(
        messageOf(hook(prompt)),
        /pays \$0\.20 for 40,020 tokens of context, instead of \$0\.02\./,
        place,
      );
    }
  });

  it('reads only the ends of a long session', () => {
    const filler = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(100_000) })}\n`.repeat(600);
    const [first = '', ...rest] = sessionOf(20).split(/(?<=\n)/);
    const path = cli.write('long.jsonl', [first, filler, ...rest].join(''));
    assert.match(messageOf(hook(event('UserPromptSubmit', path, { prompt: 'x' }))), /probably expired/);
  });
});
