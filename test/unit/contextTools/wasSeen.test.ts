import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasSeen } from '../../../src/core/contextTools/wasSeen';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openRun } from '../../fixtures/serverRuns';

describe('was_seen', () => {
  it('takes no message about a missing file for the file', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Look')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/src/gone.ts' } })
      .result('toolu_1', 'Error: /home/ada/bookshop/src/gone.ts does not exist.')
      .reply({ tool: 'Read', id: 'toolu_2', input: { file_path: '/home/ada/bookshop/src/errors.ts' } })
      .result('toolu_2', '     1→Error: a file does not exist\n     2→is what it says\n')
      .reply({ text: 'Done.' });
    const run = await openRun('session.jsonl', Buffer.from(session.toString()), 0);
    assert.ok(run !== undefined);
    assert.deepEqual(await run.ask(wasSeen, { file: 'src/gone.ts' }), ['Never seen.']);
    const [verdict] = await run.ask(wasSeen, { file: 'src/errors.ts', lines: '1-2' });
    assert.equal(verdict, 'Yes: the context has lines 1–2, as last read.');
  });

  it('lists readings with the newest first, however many blocks there are', async () => {
    const session = new ClaudeCodeSession().prompt('Look');
    for (let part = 0; part < 8; part += 1) {
      const input = { file_path: 'src/long.ts', offset: 10 * part + 1, limit: 10 };
      session.reply({ tool: 'Read', id: `toolu_${part}`, input });
      session.result(
        `toolu_${part}`,
        Array.from({ length: 10 }, (_, line) => `${10 * part + line + 1}→text`).join('\n'),
      );
    }
    const run = await openRun('session.jsonl', Buffer.from(session.reply({ text: 'Done.' }).toString()), 0);
    assert.ok(run !== undefined);
    const [, ...lines] = await run.ask(wasSeen, { file: 'src/long.ts' });
    assert.deepEqual(
      lines.map(line => /lines (\d+)–/.exec(line)?.[1]),
      ['71', '61', '51', '41', '31', '21', '11', '1'],
    );
  });

  const ask = async (
    session: ClaudeCodeSession,
    file: string,
    lines?: string,
  ): Promise<readonly string[]> => {
    const run = await openRun('session.jsonl', Buffer.from(session.toString()), 0);
    return (await run?.ask(wasSeen, { file, ...(lines === undefined ? {} : { lines }) })) ?? [];
  };
  const reminder = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;
  const called = '{"file_path":"/home/ada/bookshop/src/sum.ts"}';

  it('counts a file that the agent attaches again after a compaction', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Look')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/src/sum.ts' } })
      .result('toolu_1', '1→let sum = 0;\n2→sum += 1;\n')
      .compact('The sum is in src/sum.ts.')
      .prompt(reminder(`Called the Read tool with the following input: ${called}`))
      .prompt(reminder('Result of calling the Read tool:\n1→let sum = 0;\n2→sum += 1;'))
      .prompt('Go on')
      .reply({ text: 'Done.' });
    assert.equal((await ask(session, 'src/sum.ts'))[0], 'In the context: the lines below.');
    assert.equal((await ask(session, 'src/sum.ts', '2'))[0], 'Yes: the context has line 2, as last read.');
    assert.match((await ask(session, 'src/sum.ts', '3'))[0] ?? '', /^No: line 3 never came/);
  });

  it('counts memory files, whose text is a part of a note', async () => {
    const session = new ClaudeCodeSession()
      .prompt(
        reminder(
          "# claudeMd\nContents of /home/ada/bookshop/CLAUDE.md (project instructions, checked into the codebase):\n\n# Rules\n\nUse pnpm.\n\nContents of /home/ada/.claude/CLAUDE.md (user's private global instructions):\n\nBe short.",
        ),
      )
      .prompt('Go')
      .reply({ text: 'Done.' });
    const [verdict, line] = await ask(session, '/home/ada/bookshop/CLAUDE.md');
    assert.equal(verdict, 'In the context: the lines below.');
    assert.match(line ?? '', /^block 0: lines 1–3 · in the context, since request 1$/);
  });

  it('counts a picture that was read', async () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
    const text = new ClaudeCodeSession()
      .prompt('Look')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/logo.png' } })
      .result('toolu_1', 'PICTURE')
      .reply({ text: 'A logo.' })
      .toString()
      .replace('"content":"PICTURE"', `"content":${JSON.stringify([picture])}`);
    const run = await openRun('session.jsonl', Buffer.from(text), 0);
    const [verdict, line] = (await run?.ask(wasSeen, { file: 'logo.png' })) ?? [];
    assert.equal(verdict, 'In the context: the lines below.');
    assert.match(line ?? '', /lines not known · in the context/);
  });

  const shells: readonly (readonly [command: string, output: string, lines: string, verdict: RegExp])[] = [
    ["sed -n '2,3p' src/sum.ts && git status", 'two\nthree\nclean', '2-3', /^Yes/],
    ["cd src; sed -n '2,3p' sum.ts", 'two\nthree', '4', /^No: line 4/],
    ['ls && cat src/sum.ts src/other.ts', 'sum.ts\none\ntwo', '1', /^Not known/],
    ['head -n 2 src/sum.ts', 'one\ntwo', '1-2', /^Yes/],
    ['rg -n two src', 'src/other.ts:7:two\nsrc/sum.ts:2:two\nsrc/sum.ts:9:twofold', '9', /^Yes/],
    ['rg -n two src', 'src/other.ts:7:two\nsrc/sum.ts:2:two\nsrc/sum.ts:9:twofold', '7', /^No: line 7/],
  ];
  for (const [command, output, lines, expected] of shells) {
    it(`counts what a shell showed by ${command}, asked for ${lines}`, async () => {
      const session = new ClaudeCodeSession()
        .prompt('Look')
        .reply({ tool: 'Bash', id: 'toolu_1', input: { command } })
        .result('toolu_1', output)
        .reply({ text: 'Done.' });
      assert.match((await ask(session, 'src/sum.ts', lines))[0] ?? '', expected);
    });
  }

  it('takes the lines from the call if the result was cut and has no numbers', async () => {
    const input = { path: 'src/sum.ts', offset: 40, limit: 20 };
    const session = new ClaudeCodeSession()
      .prompt('Look')
      .reply({ tool: 'read_file', id: 'toolu_1', input })
      .result('toolu_1', 'let sum = 0;\n(output truncated)')
      .reply({ text: 'Done.' });
    assert.match((await ask(session, 'src/sum.ts', '45-59'))[0] ?? '', /^Yes/);
    assert.match((await ask(session, 'src/sum.ts', '60'))[0] ?? '', /^No/);
  });

  it('says never seen only if nothing names the file', async () => {
    const session = new ClaudeCodeSession().prompt('Mend src/sum.ts').reply({ text: 'Done.' });
    assert.equal((await ask(session, 'src/sum.ts'))[0], 'Never read as a file.');
    assert.deepEqual(await ask(session, 'src/other.ts'), ['Never seen.']);
  });
});

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
