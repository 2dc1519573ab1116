import assert from 'node:assert/strict';
import { existsSync, linkSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { workflowCommand } from '../../../src/cli/output/workflowCommand';
import { arrayAt, member, numberAt, objectAt, stringAt } from '../../../src/core/base/json';
import { clearedNotice } from '../../../src/core/content/pruneNotices';
import { pruneMemberNames } from '../../../src/core/model/pruneConfig';
import {
  addToolTurns,
  ClaudeCodeSession,
  sessionAfterBreak,
  sourceText,
} from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';

const cli = new CommandLine();

const secret = 'Xk29vTq81LmZ';

function session(): ClaudeCodeSession {
  return new ClaudeCodeSession()
    .prompt(`Find it, DB_PASSWORD=${secret}`)
    .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
    .result('toolu_a', sourceText(1, 9_000))
    .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
    .result('toolu_b', sourceText(2, 3_000))
    .prompt('Fix it')
    .reply({ text: 'Fixed.' })
    .prompt('Thanks')
    .reply({ text: 'Welcome.' });
}

describe('context-inspector commands', () => {
  let file = '';
  let config = '';
  before(() => {
    file = cli.write('session.jsonl', session().toString());
    config = cli.write('config.json', JSON.stringify({ protectTokens: 2_000, minimumTokens: 100 }));
  });
  after(() => cli.remove());

  const json = async (...words: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await cli.run(...words, '--json');
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };

  it('answers as a program as it does here', async () => {
    const calls = [
      ['--help'],
      ['status', file],
      ['inspect', file],
      ['cache', file, '--json'],
      ['usage', '--by', 'x'],
      ['prunes'],
    ];
    for (const words of calls) {
      assert.deepEqual(await cli.start({}, ...words), await cli.run(...words), words.join(' '));
    }
  });

  it('lists the commands, explains each, and names a wrong one', async () => {
    const { stdout } = await cli.run('--help');
    for (const name of ['inspect', 'prune', 'diff', 'cache', 'check', 'count', 'replay']) {
      assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
      const help = await cli.run(name, '--help');
      assert.equal(help.code, 0);
      assert.match(help.stdout, /--json|--format/);
    }
    assert.equal((await cli.run('prunes')).code, 2);
  });

  it('prune: plans, and writes a copy that is never the transcript and replaces nothing unasked', async () => {
    const out = join(cli.folder, 'pruned.jsonl');
    const report = await json('prune', file, '--config', config, '--out', out);
    assert.equal(member(report, 'executes'), true);
    assert.deepEqual(
      arrayAt(report, 'candidates').map(row => member(row, 'line')),
      [3],
    );
    assert.equal(
      numberAt(report, 'tokensBefore'),
      (numberAt(report, 'tokensAfter') ?? 0) + (numberAt(report, 'tokensFreed') ?? 0),
    );
    assert.ok(arrayAt(report, 'ruleSets').length >= 2);
    const text = readFileSync(out, 'utf8');
    assert.equal(text.split(clearedNotice).length, 3, 'the result and its mirrored copy');
    assert.ok(!text.includes(secret));
    const again = await cli.run('prune', file, '--config', config, '--out', out);
    assert.deepEqual([again.code, again.stdout], [2, '']);
    assert.match(again.stderr, /A file with this name already exists\.\n$/);
    const over = await cli.run('prune', file, '--config', config, '--out', file, '--force');
    assert.equal(over.code, 2);
    assert.equal(readFileSync(file, 'utf8'), session().toString());
    const link = join(cli.folder, 'link.jsonl');
    linkSync(file, link);
    const throughLink = await cli.run('prune', file, '--config', config, '--out', link, '--force');
    assert.equal(throughLink.code, 2);
    assert.equal(readFileSync(file, 'utf8'), session().toString());
    assert.equal(statSync(out).mode & 0o777, 0o600);
    const nowhere = await cli.run('prune', file, '--config', config, '--out', join(cli.folder, 'none', 'a'));
    assert.match(nowhere.stderr, /cannot be written: its folder does not exist/);
    const kept = await cli.run('prune', file, '--config', config, '--out', out, '--force', '--keep-secrets');
    assert.equal(kept.code, 0);
    assert.ok(readFileSync(out, 'utf8').includes(secret));
  });

  it('prune: names and takes every prune option, and what may be written to the cache again decides', async () => {
    const { stdout } = await cli.run('prune', '--help');
    for (const name of pruneMemberNames) {
      assert.match(stdout, new RegExp(`\\b${name}\\b`));
    }
    const candidatesWith = async (cacheWarmSuffixTokens: number): Promise<number> => {
      const options = { ruleSet: 'oh-my-pi', protectTokens: 0, minimumTokens: 0, cacheWarmSuffixTokens };
      const path = cli.write('warm.json', JSON.stringify(options));
      return arrayAt(await json('prune', file, '--config', path), 'candidates').length;
    };
    assert.equal(await candidatesWith(0), 0);
    assert.ok((await candidatesWith(1_000_000)) > 0);
  });

  it('prune: begins with the verdict of the panel and the best request, also in JSON', async () => {
    const path = cli.write('break.jsonl', sessionAfterBreak().toString());
    const worthIt =
      /^Worth it at request 33: saves \$[\d.]+, and nothing has to be rewritten\.\n\nRequest 33 /;
    assert.match((await cli.run('prune', path, '--request', '32')).stdout, worthIt);
    const last =
      /^Not worth it here: this is the last request, so the \$[\d.]+ rewrite is never recovered\.\nBest at request 33: saves \$[\d.]+\n\nRequest 34 /;
    const { stdout } = await cli.run('prune', path);
    assert.match(stdout, last);
    const report = await json('prune', path);
    assert.equal(stringAt(objectAt(report, 'verdict'), 'sentence'), stdout.split('\n')[0]);
    assert.equal(stringAt(objectAt(report, 'verdict'), 'kind'), 'notWorthIt');
    assert.equal(numberAt(objectAt(report, 'best'), 'request'), 32);
    assert.equal(member(report, 'bestForeseen'), null);
    const nothing = await json('prune', path, '--request', '3');
    assert.equal(stringAt(objectAt(nothing, 'verdict'), 'kind'), 'nothing');
    assert.match(
      stringAt(objectAt(nothing, 'verdict'), 'sentence') ?? '',
      /^Nothing to prune at request 4: /,
    );
  });

  it('prune: names a saving that rests on a loss that nobody could foresee', async () => {
    const path = cli.write(
      'lost.jsonl',
      addToolTurns(new ClaudeCodeSession(), 'Why?', 30, 12_000)
        .prompt('And now?')
        .reply({ text: 'The rounding comes first.' })
        .prompt('Repair it.')
        .reply({ text: 'Done.' })
        .pause(0)
        .prompt('Thank you.')
        .reply({ text: 'You are welcome.' })
        .toString(),
    );
    const { stdout } = await cli.run('prune', path, '--request', '32');
    assert.match(
      stdout,
      /^[^\n]+ in hindsight at request 33: [^\n]+\n {2}in hindsight: [^\n]+ without the loss at request 34\n/,
    );
    const verdict = objectAt(await json('prune', path, '--request', '32'), 'verdict');
    assert.equal(numberAt(verdict, 'restsOn'), 33);
    assert.ok((numberAt(verdict, 'foreseenMoney') ?? 0) < (numberAt(verdict, 'money') ?? 0));
  });

  it('prune: writes nothing where the plan does not execute, or the format has no copy', async () => {
    const out = join(cli.folder, 'nothing.jsonl');
    const none = await cli.run('prune', file, '--out', out);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /Nothing would be pruned/);
    const cursor = await cli.run(
      'prune',
      'test/fixtures/kiro/conversation.json',
      '--config',
      cli.write('low.json', JSON.stringify({ protectTokens: 0, minimumTokens: 0 })),
      '--out',
      out,
    );
    assert.equal(cursor.code, 2);
    assert.ok(!existsSync(out));
  });

  it('diff: names what a later request has and an earlier one has not', async () => {
    const report = await json('diff', file, '0', '1');
    assert.deepEqual(
      arrayAt(report, 'changes').map(change => [
        stringAt(change, 'kind'),
        stringAt(objectAt(change, 'after'), 'kind'),
      ]),
      [
        ['added', 'toolCall'],
        ['added', 'toolResult'],
      ],
    );
    assert.equal(member(objectAt(report, 'commonPrefix'), 'blocks'), 1);
    const back = await json('diff', file, '1', '0');
    assert.deepEqual(
      arrayAt(back, 'changes').map(change => stringAt(change, 'kind')),
      ['removed', 'removed'],
    );
    assert.equal((await cli.run('diff', file, '0', '9')).code, 2);
  });

  it('breakdown: adds up to the input of a request or of all, as a tree and as a table', async () => {
    const request = await json('breakdown', file, '--request', '1');
    const inspected = objectAt(await json('inspect', file, '--request', '1', '--no-scan'), 'request');
    assert.equal(member(request, 'total'), member(objectAt(inspected, 'tokens'), 'value'));
    assert.deepEqual(
      [member(request, 'request'), member(objectAt(request, 'root'), 'tokens')],
      [1, member(request, 'total')],
    );
    const usage = objectAt(await json('inspect', file, '--usage-only'), 'total');
    const whole = await json('breakdown', file, '--session');
    assert.equal(
      member(whole, 'total'),
      ['input', 'cacheRead', 'cacheWrite'].reduce((sum, part) => sum + Number(member(usage, part)), 0),
    );
    assert.equal(member(whole, 'request'), null);
    const { stdout } = await cli.run('breakdown', file, '--session', '--csv');
    const [heads, first] = stdout.split('\n');
    assert.equal(heads, 'path,kind,tokens,cached,fresh,money,blocks');
    assert.ok(first?.startsWith(`All,all,${String(member(whole, 'total'))},`));
    for (const options of [
      ['--session', '--request', '1'],
      ['--session', '--conversation', '0'],
      ['--csv', '--json'],
    ]) {
      assert.equal((await cli.run('breakdown', file, ...options)).code, 2);
    }
  });

  it('cache: finds no break where everything sent before is read again, and says why where it is not', async () => {
    assert.equal((await cli.run('cache', file)).code, 0);
    const lines = session().lines.map((line, index) =>
      // The lines from the fourth on are half an hour later and read nothing from the cache.
      index < 3
        ? line
        : line
            .replace(/"cache_read_input_tokens":\d+/, '"cache_read_input_tokens":0')
            .replace('T09:00', 'T09:30'),
    );
    const late = cli.write('late.jsonl', `${lines.join('\n')}\n`);
    const { code, stdout } = await cli.run('cache', late);
    assert.equal(code, 1);
    assert.match(stdout, /Request 2 \(--request 1\): idle too long/);
    // The remedy of the proof in the editor.
    assert.match(stdout, /^ {2}Remedy: Continue before the cache expires\. /m);
    const [first] = arrayAt(await json('cache', late), 'findings');
    assert.deepEqual([member(first, 'conversation'), member(first, 'request')], [0, 1]);
  });

  it('check: exit code, text and annotations for each limit', async () => {
    const budget = (limits: unknown): string => cli.write('budget.json', JSON.stringify(limits));
    const within = await cli.run('check', file, file, '--budget', budget({ maxTotalTokens: 100_000 }));
    assert.deepEqual([within.code, within.stdout], [0, `${file}: within the budget\n`.repeat(2)]);
    const over = await cli.run(
      'check',
      file,
      '--budget',
      budget({ maxTotalTokens: 20_000, maxRestrictedFindings: 0, maxToolTokens: 1 }),
      '--format',
      'github',
    );
    assert.equal(over.code, 1);
    assert.match(over.stdout, /^::error file=\S+,line=9,title=maxTotalTokens::The request has /m);
    assert.match(over.stdout, /^::error file=\S+,line=1,title=maxRestrictedFindings::A credential /m);
    assert.match(over.stdout, /^::notice file=\S+,line=9,title=maxToolTokens::/m);
    assert.ok(!over.stdout.includes(secret));
    const every = await json('check', file, '--budget', budget({ requests: 'every', maxTotalTokens: 1 }));
    assert.equal(arrayAt(arrayAt(every, 'files')[0], 'findings').length, 4);
    const once = await cli.run('check', file, '--budget', budget({ requests: 'every', maxTotalTokens: 1 }));
    assert.match(once.stdout, /^\S+:\d+: The request has [^\n]+ The same in 3 more requests\.\n$/);
    const wrong = await cli.run('check', file, '--budget', budget({ maxTokens: 1 }));
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /A budget has no member "maxTokens"/);
  });

  it('check: escapes what would end an annotation', () => {
    assert.equal(
      workflowCommand({ level: 'error', file: 'C:\\a,b%', line: 3, title: 'x' }, '50 %\r\nnext: a, b'),
      '::error file=C%3A\\a%2Cb%25,line=3,title=x::50 %25%0D%0Anext: a, b\n',
    );
  });
});
