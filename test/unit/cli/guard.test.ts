import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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

/** The parsed output of the hook; undefined if it prints nothing. */
function hook(input: object | string, ...words: readonly string[]): unknown {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cliPath, 'guard', ...words], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: join(cli.folder, 'caches'), LOCALAPPDATA: cli.folder },
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
    assert.match(messageOf(hook(event('UserPromptSubmit', path, { model: 'claude-haiku-4-5' }))), switched);
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

  it('reads only the ends of a long session', () => {
    const filler = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(100_000) })}\n`.repeat(600);
    const [first = '', ...rest] = sessionOf(20).split(/(?<=\n)/);
    const path = cli.write('long.jsonl', [first, filler, ...rest].join(''));
    assert.match(messageOf(hook(event('UserPromptSubmit', path, { prompt: 'x' }))), /probably expired/);
  });
});
