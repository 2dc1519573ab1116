import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { stringAt } from '../../../src/core/base/json';
import { CommandLine } from '../../fixtures/commandLine';

const run = promisify(execFile);
const cli = new CommandLine();
const commands = [
  'view',
  'status',
  'inspect',
  'prune',
  'diff',
  'compare',
  'cache',
  'breakdown',
  'sight',
  'waste',
  'report',
  'usage',
  'what-if',
  'radar',
  'search',
  'index',
  'check',
  'price',
  'count',
  'replay',
  'anonymise',
  'hand-off',
  'statusline',
  'mcp',
  'guard',
  'completion',
];

/** The options that a help lists, without dashes. */
const optionsIn = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name);

describe('the help of the command line', () => {
  after(() => cli.remove());

  it('says the version', async () => {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const word of ['--version', '-v']) {
      assert.equal((await cli.start({}, word)).stdout, `${stringAt(manifest, 'version') ?? ''}\n`);
    }
  });

  it('has an example for each command, in which only its own options stand', async () => {
    const { stdout } = await cli.run('--help');
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name);
    assert.doesNotMatch(
      stdout.slice(0, stdout.indexOf('FILE is')),
      /\. [A-Z]/,
      'the list has one sentence for each command',
    );
    assert.deepEqual(listed, commands, 'a new command stands in this list, in the order of src/cli/main.ts');
    for (const name of commands) {
      const help = (await cli.run(name, '--help')).stdout;
      const example = /^Example:\n {2}context-inspector ([\w-]+) (.+)\n$/m.exec(help);
      assert.equal(example?.[1], name, help);
      const used = [...(example[2] ?? '').matchAll(/--([\w-]+)/g)].map(([, option = '']) => option);
      assert.deepEqual(
        used.filter(option => !optionsIn(help).includes(option)),
        [],
      );
    }
  });

  it('completes every command, option and value in each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, code } = await cli.run('completion', shell);
      assert.equal(code, 0);
      for (const name of commands) {
        assert.ok(stdout.includes(name), `${shell}: ${name}`);
        for (const option of optionsIn((await cli.run(name, '--help')).stdout)) {
          assert.ok(
            stdout.includes(shell === 'fish' ? `-l ${option} ` : `--${option}`),
            `${shell}: ${option}`,
          );
        }
      }
      assert.ok(stdout.includes('figures redacted full'));
    }
    const wrong = await cli.run('completion', 'tcsh');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /bash, zsh, fish/);
  });

  it('completes in a real bash', async t => {
    const hasBash = await run('bash', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasBash) {
      t.skip('there is no bash');
      return;
    }
    const script = (await cli.run('completion', 'bash')).stdout;
    const ask = async (...words: readonly string[]): Promise<readonly string[]> => {
      const call = `${script}
COMP_WORDS=(context-inspector "$@"); COMP_CWORD=$#; _context_inspector; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run('bash', ['-c', call, 'bash', ...words]);
      return stdout.split('\n').filter(line => line !== '');
    };
    assert.deepEqual(await ask('insp'), ['inspect']);
    assert.deepEqual(await ask('report', '--level', ''), ['figures', 'redacted', 'full']);
    assert.deepEqual(await ask('report', 'a b.jsonl', '--pre'), ['--preview']);
    assert.deepEqual(await ask('completion', 'z'), ['zsh']);
    assert.deepEqual(await ask('inspect', 'session'), [], 'files are left to bash');
  });
});
