import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { member, objectAt } from '../../../src/core/base/json';
import { timelineWords } from '../../../webview/words/timeline';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';

const cli = new CommandLine();

const transcript = new ClaudeCodeSession()
  .prompt('Find it')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
  .result('toolu_a', sourceText(1, 9_000))
  .reply({ text: 'Found.' })
  .prompt('Thanks')
  .reply({ text: 'Welcome.' })
  .toString();

/** For people, requests count from 1; in the option and JSON, from 0. All tests use the third request of three. */
describe('numbers of requests', () => {
  let file = '';
  before(() => {
    file = cli.write('session.jsonl', transcript);
  });
  after(() => cli.remove());

  const text = async (...words: readonly string[]): Promise<string> => (await cli.run(...words)).stdout;

  it('are counted from 1 on the command line, with the index to pass on', async () => {
    assert.match(await text('inspect', file), /^Request 3 of 3 \(--request 2\): /m);
    assert.match(await text('inspect', file, '--request', '0'), /^Request 1 of 3 \(--request 0\): /m);
    assert.match(await text('prune', file, '--request', '2'), /^Request 3 \(--request 2\), rule set /m);
    assert.match(
      await text('diff', file, '0', '2'),
      /^Request 1 \(--request 0\): .*\nRequest 3 \(--request 2\): /,
    );
    assert.match(await text('cache', file), /^Breakpoints of request 3, /m);
    assert.match(await text('cache', file), /^1 .*\n2 .*\n3 /m);
    for (const name of ['inspect', 'prune', 'report', 'count', 'replay']) {
      assert.match(await text(name, '--help'), /--request N\s+Index of the request.*counted from 0/, name);
    }
    assert.match(await text('diff', '--help'), /counted\s+from 0/);
  });

  it('are indices from 0 in JSON', async () => {
    const json = async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse(await text(...words, '--json'));
    assert.equal(member(objectAt(await json('inspect', file), 'request'), 'index'), 2);
    assert.equal(member(await json('prune', file), 'request'), 2);
    assert.equal(member(objectAt(await json('diff', file, '0', '2'), 'after'), 'request'), 2);
    assert.equal(member(objectAt(await json('cache', file), 'plan'), 'request'), 2);
  });

  it('are the same in the report, in the drawing and in the editor', async () => {
    const written = async (name: string): Promise<string> => {
      const path = join(cli.folder, name);
      assert.equal((await cli.run('report', file, '--request', '2', '--out', path)).code, 0);
      return readFileSync(path, 'utf8');
    };
    const html = await written('report.html');
    assert.match(html, /<dt>Request 3 of 3<\/dt>/);
    assert.match(html, />Lanes of request 3</);
    assert.match(html, />Breakpoints of request 3</);
    assert.match(await written('drawing.svg'), /request 3 of 3/);
    assert.equal(timelineWords.caption(2, 3), 'Request 3 of 3');
  });
});
