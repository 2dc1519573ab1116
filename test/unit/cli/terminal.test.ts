import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { PieceWriter } from '../../../src/cli/output/terminal';
import { visible } from '../../../src/node/secrets/safeText';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';

/** Sets the title, clears the screen, writes the clipboard, starts a link, and reports an error to a workflow. */
const hostile =
  '\x1b]0;title\x07\x1b[2J\x1b]52;c;YQ==\x07\x9b31m\r\n::error file=a::b\n \t::stop-commands::x\n##vso[task.complete]y ##[error]z\u202edcba';

/** Text that a terminal or a build machine would act on. */
const obeyed = /[^\P{Cc}\t\n]|[\u2028-\u202e\u2066-\u2069]|^[^\S\n]*::|##\w*\[/mu;

describe('what the command line prints', () => {
  it('writes control characters and workflow commands out', () => {
    assert.equal(visible('a\x1b[2Jb\x07\x9b'), 'a\\u{1b}[2Jb\\u{7}\\u{9b}');
    assert.equal(visible('a\r\n ::error::b'), 'a\n \\u{3a}:error::b');
    assert.equal(visible('##vso[x] ##[y] ## heading'), '\\u{23}#vso[x] \\u{23}#[y] ## heading');
    assert.equal(visible('std::vector\tjust text – é 漢 👍\n'), 'std::vector\tjust text – é 漢 👍\n');
    assert.doesNotMatch(visible(hostile), obeyed);
  });

  it('does the same for text that arrives in pieces, wherever it is cut', () => {
    const text = fc.array(fc.constantFrom(':', '::', '#', '[', '\n', ' ', '\t', 'vso', 'a', '\x1b', '\r'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, pieces => {
        let printed = '';
        const writer = new PieceWriter({ write: piece => (printed += piece) });
        pieces.forEach(piece => writer.write(piece));
        writer.end();
        assert.doesNotMatch(printed, obeyed);
        assert.equal(printed, visible(pieces.join('')));
      }),
    );
  });

  it('holds back only what the next piece may change', () => {
    let printed = '';
    const writer = new PieceWriter({ write: piece => (printed += piece) });
    writer.write('Some words, ');
    writer.write('and more');
    assert.equal(printed, 'Some words, and more');
  });
});

describe('every command, with a hostile transcript', () => {
  const cli = new CommandLine();
  let file = '';
  let budget = '';
  before(() => {
    const session = new ClaudeCodeSession(hostile, `/home/ada/${hostile}`)
      .prompt(hostile)
      .reply(
        { text: hostile },
        { tool: hostile, id: 'toolu_a', input: { command: hostile, [hostile]: hostile } },
      )
      .result('toolu_a', hostile.repeat(100))
      .prompt(`Again ${hostile}`)
      .reply({ thinking: hostile }, { text: hostile });
    const lines = session
      .toString()
      .replaceAll('claude-sonnet-4-5-20250929', JSON.stringify(`model${hostile}`).slice(1, -1));
    file = cli.write('session.jsonl', `${lines}{"cut ${hostile}\n`);
    budget = cli.write('budget.json', '{"maxTotalTokens": 1}');
  });
  after(() => cli.remove());

  for (const words of [
    ['inspect'],
    ['inspect', '--list'],
    ['inspect', '--json'],
    ['cache'],
    ['cache', '--json'],
    ['prune'],
    ['prune', '--json'],
    ['check', '--budget', 'BUDGET'],
    ['check', '--budget', 'BUDGET', '--json'],
    ['count', '--provider', 'anthropic'],
    ['replay', '--provider', 'anthropic'],
    ['replay', '--provider', hostile],
    [hostile],
  ]) {
    it(`prints nothing that is obeyed: ${words.map(word => (word === hostile ? 'HOSTILE' : word)).join(' ')}`, async () => {
      const [name = '', ...options] = words.map(word => (word === 'BUDGET' ? budget : word));
      const { stdout, stderr } = await cli.run(name, file, ...options);
      assert.notEqual(stdout + stderr, '');
      assert.doesNotMatch(stdout + stderr, obeyed);
      if (words.includes('--json')) {
        JSON.parse(stdout);
      }
    });
  }

  it('annotates a workflow with its own commands alone', async () => {
    const { stdout } = await cli.run('check', file, '--budget', budget, '--format', 'github');
    const lines = stdout.trimEnd().split('\n');
    assert.ok(
      lines.every(line => line.startsWith('::error file=') || line.startsWith('::notice file=')),
      stdout,
    );
    assert.doesNotMatch(stdout.replace(/^::/gm, ''), obeyed);
  });
});
