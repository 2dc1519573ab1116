import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { arrayAt, member, numberAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { CommandLine } from '../../fixtures/commandLine';

const cli = new CommandLine();
const example = readFileSync('media/example/session.jsonl', 'utf8');

describe('hand-off', () => {
  let file = '';
  const home = join(cli.folder, 'home');
  const handOff = (...words: readonly string[]) =>
    cli.runWith(
      { HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', PI_CODING_AGENT_DIR: '' },
      'hand-off',
      file,
      ...words,
    );

  before(() => {
    file = cli.write('session.jsonl', example);
  });
  after(() => cli.remove());

  it('shows the manifest, and writes nothing unless it is told to', async () => {
    const { code, stdout } = await handOff('--to', 'codex', '--model', 'gpt-5.5');
    assert.equal(code, 0);
    assert.match(stdout, /^First request of Codex after the hand-off \(checked with version [\d.]+\):\n/);
    assert.match(stdout, /prompt and tools of Codex: [\d,]+ tokens \(measured with version [\d.]+\)/);
    assert.match(stdout, /converted: \d+ blocks?, [\d,]+ tokens \(calls of a tool of the other agent\)/);
    assert.match(stdout, /lost: \d+ blocks?, /);
    assert.match(stdout, /Total: [\d,]+ tokens \(estimated/);
    assert.match(stdout, /Cost of its input at list prices of gpt-5\.5: \$/);
    assert.match(stdout, /Nothing was written\. Add --install, or --out FOLDER\.\n$/);
    assert.ok(!existsSync(home));
    const report = parseJson((await handOff('--to', 'codex', '--json')).stdout);
    assert.deepEqual(
      [member(report, 'from'), member(report, 'written'), member(report, 'cost')],
      [null, null, null],
    );
    const sum = arrayAt(report, 'blocks').reduce(
      (all: number, block) => all + (numberAt(block, 'tokens') ?? 0),
      0,
    );
    assert.equal(
      numberAt(objectAt(report, 'tokens'), 'value'),
      sum + (numberAt(objectAt(report, 'own'), 'tokens') ?? 0),
    );
  });

  it('installs new files only, which nobody else reads, and says how to resume', async () => {
    const folders = { 'claude-code': '.claude/projects', codex: '.codex/sessions', pi: '.pi/agent/sessions' };
    for (const [target, folder] of Object.entries(folders)) {
      for (const count of target === 'pi' ? [1, 2] : [1]) {
        const report = parseJson((await handOff('--to', target, '--install', '--json')).stdout);
        const written = objectAt(report, 'written');
        const path = stringAt(written, 'path') ?? '';
        assert.ok(path.startsWith(join(home, folder)), path);
        assert.equal(statSync(path).mode & 0o777, 0o600);
        const id = stringAt(written, 'id') ?? '?';
        assert.ok(path.includes(id));
        assert.ok(stringAt(written, 'resume')?.includes(id) === true);
        const names = readdirSync(join(home, folder), { recursive: true, withFileTypes: true });
        assert.equal(names.filter(entry => entry.isFile()).length, count);
        const shown = await cli.run('inspect', path, '--json');
        assert.equal(shown.code, 0, shown.stderr);
      }
    }
    assert.equal(readFileSync(file, 'utf8'), example);
  });

  it('writes to a folder, from an earlier request', async () => {
    const out = join(cli.folder, 'out');
    const { stdout } = await handOff('--to', 'pi', '--from', '0', '--out', out);
    const [name = ''] = readdirSync(out);
    assert.match(stdout, new RegExp(`Wrote .*${name}\\. To resume: pi --session '.*${name}'\n$`));
    const imported = await handOff('--to', 'opencode', '--out', join(cli.folder, 'imported'));
    assert.match(
      imported.stdout,
      /To resume: opencode import '.*(ses_[0-9a-f]{26})\.json' && opencode --session \1\n$/,
    );
    const report = parseJson((await handOff('--to', 'pi', '--from', '0', '--json')).stdout);
    const whole = parseJson((await handOff('--to', 'pi', '--json')).stdout);
    assert.equal(member(report, 'from'), 0);
    assert.ok(arrayAt(report, 'blocks').length < arrayAt(whole, 'blocks').length);
  });

  it('keeps to a budget, and says what was cleared for it and if it was not enough', async () => {
    const words = ['--to', 'claude-code', '--budget'];
    const total = (report: unknown): number => numberAt(objectAt(report, 'tokens'), 'value') ?? 0;
    const whole = total(parseJson((await handOff('--to', 'claude-code', '--json')).stdout));
    const report = parseJson((await handOff(...words, String(whole - 400), '--json')).stdout);
    assert.ok(total(report) <= whole - 400);
    const { stdout } = await handOff(...words, String(whole - 400));
    assert.match(stdout, /\n {2}pruned for the budget: \d+ blocks?, [\d,]+ tokens \([A-Z][^)]+\)\n/);
    assert.doesNotMatch(stdout, /exceeded/);
    const tight = await handOff(...words, '1');
    assert.match(tight.stdout, /\nThe budget of 1 token is exceeded by [\d,]+ tokens: /);
  });

  it('lets a command of the user write a summary, and runs it only to write the session', async () => {
    const noted = join(cli.folder, 'asked.txt');
    const out = join(cli.folder, 'summarised');
    const words = ['--to', 'pi', '--summary', `tee '${noted}' | grep -o 'Summarise the conv[a-z]*'`];
    const { stdout } = await handOff(...words);
    assert.match(
      stdout,
      /\n {2}summarised: \d+ blocks, [\d,]+ tokens; the call for it has [\d,]+ tokens of input/,
    );
    assert.ok(!existsSync(noted));
    const report = parseJson((await handOff(...words, '--out', out, '--json')).stdout);
    assert.match(readFileSync(noted, 'utf8'), /^Summarise the conversation/);
    const written = readFileSync(stringAt(objectAt(report, 'written'), 'path') ?? '', 'utf8');
    assert.match(written, /Summary of the conversation so far\]\\nSummarise the conversation/);
  });

  it('writes nothing without a summary that was asked for', async () => {
    const out = join(cli.folder, 'unsummarised');
    for (const [command, reason] of [
      ['echo Too long. >&2; exit 3', 'it ended with code 3. Too long.'],
      ['true', 'it printed nothing.'],
    ]) {
      const { code, stdout, stderr } = await handOff('--to', 'pi', '--out', out, '--summary', command ?? '');
      assert.deepEqual([code, stdout, stderr], [2, '', `No summary from ${command}: ${reason}\n`]);
    }
    assert.ok(!existsSync(out));
  });

  it('refuses with one sentence', async () => {
    const damaged = cli.write('damaged.jsonl', example.slice(0, 100));
    const calls = [
      ['hand-off', file],
      ['hand-off', file, '--to', 'emacs'],
      ['hand-off', file, '--to', 'pi', '--from', '9999'],
      ['hand-off', file, '--to', 'pi', '--trim', 'none'],
      ['hand-off', file, '--to', 'pi', '--budget', '0'],
      ['hand-off', file, '--to', 'pi', '--out', cli.folder, '--install'],
      ['hand-off', file, '--to', 'opencode', '--install'],
      ['hand-off', damaged, '--to', 'pi', '--out', join(cli.folder, 'none')],
      ['hand-off', file, '--to', 'pi', '--out', join(file, 'below')],
    ];
    for (const words of calls) {
      const { code, stdout, stderr } = await cli.run(...words);
      assert.deepEqual([code, stdout], [2, ''], words.join(' '));
      assert.match(stderr, /^[^\n]+\.\n$/, words.join(' '));
    }
    assert.ok(!existsSync(join(cli.folder, 'none')));
  });
});
