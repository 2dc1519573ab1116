import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { handOffTargets } from '../../../src/core/handOff/targets';
import { CommandLine } from '../../fixtures/commandLine';
import { PlantedSecrets, plantedSession } from '../../fixtures/plantedSecrets';

const cli = new CommandLine();

describe('planted secrets', () => {
  const secrets = new PlantedSecrets();
  let file = '';
  let config = '';
  let budget = '';
  let small = '';
  const home = join(cli.folder, 'home');
  const out = (name: string): string => join(cli.folder, name);

  before(() => {
    file = cli.write(`${secrets.token()}.jsonl`, plantedSession(secrets));
    small = cli.write('small.jsonl', readFileSync('media/example/session.jsonl', 'utf8'));
    config = cli.write('config.json', JSON.stringify({ protectTokens: 0, minimumTokens: 0 }));
    const project = join(home, '.claude', 'projects', secrets.token());
    mkdirSync(project, { recursive: true });
    copyFileSync(file, join(project, basename(file)));
    budget = cli.write('budget.json', JSON.stringify({ maxTotalTokens: 1, maxRestrictedFindings: 0 }));
  });
  after(() => cli.remove());

  it('are in nothing that a command prints or writes', async () => {
    const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
      status: [[file]],
      inspect: [
        [file],
        [file, '--every-block'],
        [file, '--list'],
        [file, '--usage-only'],
        [file, '--config', config],
      ],
      prune: [
        [file, '--config', config],
        [file, '--config', config, '--out', out('copy.jsonl'), '--force'],
      ],
      diff: [[file, '0', '2']],
      compare: [
        [file, file],
        [file, small, '--request', '0', '--other-request', '2'],
      ],
      cache: [[file]],
      sight: [[file]],
      breakdown: [[file], [file, '--session'], [file, '--csv']],
      waste: [[file]],
      report: ['html', 'svg', 'json'].flatMap(kind =>
        ['figures', 'redacted'].map(level => [
          file,
          '--level',
          level,
          '--out',
          out(`report.${kind}`),
          '--force',
        ]),
      ),
      check: [
        [file, '--budget', budget],
        [file, '--budget', budget, '--format', 'github'],
      ],
      anonymise: [[file, '--out', out('twin.jsonl'), '--force']],
      'hand-off': [
        ...handOffTargets.map(target => [file, '--to', target]),
        ...handOffTargets.map(target => [file, '--to', target, '--out', out('handed')]),
        [file, '--to', 'pi', '--summary', `tee '${out('asked.txt')}'`, '--out', out('handed')],
      ],
      count: [[file, '--provider', 'anthropic']],
      replay: [[file, '--provider', 'anthropic', '--messages', out('messages.jsonl'), '--force']],
      'what-if': [
        ['prune=opencode,protect=0,minimum=0', '--best'],
        ['lifetime=1h', 'start=+100'],
      ],
      radar: [[]],
      price: [[], ['--format', 'markdown']],
      usage: [[], ['--by', 'session'], ['--by', 'session', '--csv'], ['--by', 'tool', '--losses']],
      search: [['the'], ['password'], ['--limit', '1000', 'a'], ['--model', 'claude', '--file', '/', 'a']],
      index: [[]],
      statusline: [[]],
      // view.test.ts sees what it prints; mcp.test.ts calls all its tools, and guard prints figures only.
      view: [],
      mcp: [],
      guard: [],
      completion: ['bash', 'zsh', 'fish'].map(shell => [shell]),
    };
    const help = await cli.run('--help');
    const names = [...help.stdout.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(match => match[1] ?? '');
    assert.deepEqual(Object.keys(calls).sort(), names.sort(), 'a new command needs a call here');
    for (const [name, variants] of Object.entries(calls)) {
      for (const words of variants.flatMap(each => [each, [...each, '--json']])) {
        const variables = { HOME: home, XDG_CACHE_HOME: home };
        // It reads the standard input, which differs from this process's own.
        const { stdout, stderr } = await (name === 'statusline'
          ? cli.start(variables, name, ...words)
          : cli.runWith(variables, name, ...words));
        assert.ok(stdout.length + stderr.length > 0);
        assertNone(`${stdout}\n${stderr}`, `${name} ${words.slice(1).join(' ')}`);
      }
    }
    const missing = await cli.run('inspect', `${file}x`);
    assert.equal(missing.code, 2);
    assertNone(missing.stderr, 'an error');
    for (const name of [
      'twin.jsonl',
      'copy.jsonl',
      'report.html',
      'report.svg',
      'report.json',
      'messages.jsonl',
      'asked.txt',
    ]) {
      assertNone(readFileSync(out(name), 'utf8'), name);
    }
    const handed = readdirSync(out('handed'));
    // With a summary, and with JSON, in two more files.
    assert.equal(handed.length, 2 * handOffTargets.length + 2);
    handed.forEach(name => assertNone(readFileSync(join(out('handed'), name), 'utf8'), name));
  });

  function assertNone(text: string, what: string): void {
    assert.deepEqual(secrets.leftIn(text), [], what);
  }
});
