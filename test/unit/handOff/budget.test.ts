import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clearedNotice } from '../../../src/core/content/pruneNotices';
import type { HandOff } from '../../../src/core/handOff/handOff';
import type { Manifest } from '../../../src/core/handOff/manifest';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { bytesOf, claudeCodeSession, openedSession, planned, reply, tryOpen } from '../../fixtures/handOffs';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';

/** A file with words that occur nowhere else, as Claude Code shows it. */
function fileText(name: string, words: number, first = ''): string {
  const lines = Array.from({ length: words }, (_, line) => `const ${name}Value${line} = ${line * 7};`);
  return [first, ...lines].map((line, index) => `${index + 1}\t${line}`).join('\n');
}

function call(id: string, name: string, input: object) {
  return reply(`msg_${id}`, [{ type: 'tool_use', id: `toolu_${id}`, name, input }]);
}

function result(id: string, content: string) {
  return {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${id}`, content }] },
  };
}

function read(id: string, path: string, text: string) {
  return [call(id, 'Read', { file_path: path }), result(id, text)];
}

/** The parser is read and edited, the lexer read twice unchanged, the log read once; then three more replies. */
const session = claudeCodeSession([
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Fix the parser.' }] } },
  ...read('1', '/home/ada/shop/parser.ts', fileText('parser', 200, 'let depth = 1;')),
  ...read('2', '/home/ada/shop/lexer.ts', fileText('lexer', 100)),
  ...read('3', '/home/ada/shop/lexer.ts', fileText('lexer', 100)),
  ...read('4', '/home/ada/shop/old.log', fileText('log', 120)),
  call('5', 'Edit', {
    file_path: '/home/ada/shop/parser.ts',
    old_string: 'let depth = 1;',
    new_string: 'let depth = 2;',
  }),
  result('5', 'The file /home/ada/shop/parser.ts has been updated.'),
  ...['6', '7', '8'].flatMap(id => read(id, `/home/ada/shop/new${id}.ts`, fileText(`new${id}x`, 40))),
  reply('msg_9', [{ type: 'text', text: 'Done.' }]),
]);

/** Whether each result, by the number of its call, was cleared. */
function clearedIn({ parts }: HandOff): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    parts.flatMap(({ part }) =>
      part.kind === 'result' ? [[part.callId.replace('toolu_', ''), part.text === clearedNotice]] : [],
    ),
  );
}

/** Every call is followed by its result, and every result by nothing but its call before it. */
function expectPairs({ session: { turns } }: HandOff): void {
  turns.forEach(({ role, parts }, place) => {
    const answers = (turns[place + 1]?.parts ?? []).flatMap(part =>
      part.kind === 'result' ? [part.callId] : [],
    );
    const calls = parts.flatMap(part => (part.kind === 'call' ? [part.id] : []));
    if (role === 'assistant') {
      assert.deepEqual(answers.toSorted(), calls.toSorted());
    }
  });
}

async function totalOf(opened: TranscriptSession): Promise<number> {
  return (await planned(opened, 'claude-code')).manifest.tokens.value;
}

describe('a hand-off within a budget', () => {
  it('clears waste first, then what is large and old; keeps what an edit rests on and the newest results', async () => {
    const opened = await openedSession(session);
    const whole = await totalOf(opened);
    const little = await planned(opened, 'claude-code', { budget: whole - 500 });
    assert.deepEqual(
      little.manifest.budget?.cleared.map(({ kind }) => kind),
      ['readAgain'],
    );
    assert.ok(little.manifest.tokens.value <= whole - 500);
    const much = await planned(opened, 'claude-code', { budget: whole - 3_000 });
    const { budget, tokens } = much.manifest;
    assert.ok(tokens.value <= whole - 3_000);
    assert.equal(budget?.exceededBy, 0);
    assert.deepEqual(
      budget.cleared.map(({ kind }) => kind),
      ['readAgain', 'unusedResult', 'old'],
    );
    assert.equal(
      whole - tokens.value,
      budget.cleared.reduce((sum, cleared) => sum + cleared.tokens, 0),
    );
    const cleared = clearedIn(much);
    assert.deepEqual([cleared['1'], cleared['3'], cleared['8']], [false, true, false]);
    expectPairs(much);
  });

  it('says by how much a budget cannot be met, and touches no prompt', async () => {
    const opened = await openedSession(session);
    const plan = await planned(opened, 'claude-code', { budget: 1_000 });
    const { budget, tokens } = plan.manifest;
    assert.equal(budget?.exceededBy, tokens.value - 1_000);
    const cleared = clearedIn(plan);
    assert.deepEqual(
      ['1', '2', '3', '4', '6', '7', '8'].map(id => cleared[id]),
      [false, true, true, true, true, false, false],
    );
    assert.match((await bytesOf(plan)).toString(), /Fix the parser\./);
    expectPairs(plan);
  });

  it('changes nothing that is within it, and counts what the rules have pruned before', async () => {
    const opened = await openedSession(session);
    const whole = await totalOf(opened);
    assert.deepEqual((await planned(opened, 'claude-code', { budget: whole })).manifest.budget, {
      tokens: whole,
      exceededBy: 0,
      cleared: [],
    });
    const prune = defaultPruneOptions('duplicates');
    const trimmed = await planned(opened, 'claude-code', { prune });
    const { value } = trimmed.manifest.tokens;
    assert.ok(value < whole);
    const both = await planned(opened, 'claude-code', { prune, budget: value });
    assert.deepEqual(both.manifest.budget?.cleared, []);
  });

  it('gives every agent the notice, also where calls become text', async () => {
    const opened = await openedSession(session);
    for (const target of ['codex', 'opencode', 'pi'] as const) {
      const whole = (await planned(opened, target)).manifest.tokens.value;
      const plan = await planned(opened, target, { budget: whole - 3_000 });
      assert.ok(plan.manifest.tokens.value <= whole - 3_000, target);
      assert.ok((await bytesOf(plan)).toString().includes(clearedNotice), target);
    }
  });
});

describe('budgets of recorded sessions', { skip: skipWithout('samples') }, () => {
  const files = ['claude-code', 'codex', 'pi', 'qwen-code'].flatMap(folder =>
    filesBelow(join(shared, 'samples', folder), '.jsonl', '.json'),
  );
  for (const file of someOf(files, 5)) {
    it(file.slice(shared.length), async () => {
      const result = await tryOpen(readUnpacked(file));
      if (!result.ok || result.session.transcript.requests.length === 0) {
        return;
      }
      await result.session.countTokens();
      for (const target of ['claude-code', 'codex'] as const) {
        const whole: Manifest = (await planned(result.session, target)).manifest;
        for (const share of [0.9, 0.5]) {
          const tokens = Math.round(whole.tokens.value * share);
          const plan = await planned(result.session, target, { budget: tokens });
          const { budget, tokens: total, blocks } = plan.manifest;
          assert.equal(budget?.exceededBy, Math.max(0, total.value - tokens));
          assert.equal(blocks.length, whole.blocks.length, 'nothing but results is cleared');
          expectPairs(plan);
        }
      }
    });
  }
});
