import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, claudeCodeSession, openedSession, planned, reply } from '../../fixtures/handOffs';

const prompt = { type: 'user', message: { role: 'user', content: 'Sort the books by hunter2.' } };
const call = (number: number): object =>
  reply(`msg_0${number}`, [
    { type: 'tool_use', id: `toolu_${number}`, name: 'Bash', input: { command: `ls shelf${number}` } },
  ]);
const result = (number: number): object => ({
  type: 'user',
  message: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: `toolu_${number}`, content: `book ${number}\n`.repeat(50) },
    ],
  },
});
const work = [1, 2, 3, 4, 5].flatMap(number => [call(number), result(number)]);
const origin = claudeCodeSession([prompt, ...work, reply('msg_09', [{ type: 'text', text: 'Sorted.' }])]);

describe('a summary in a hand-off', () => {
  it('is not made for the manifest alone, which says what it stands for and what its call takes', async () => {
    const { manifest } = await planned(await openedSession(origin), 'claude-code', { summary: 'planned' });
    assert.ok(manifest.summary !== null);
    // The prompt, and three calls with their results.
    assert.equal(manifest.summary.blocks, 7);
    assert.ok(manifest.summary.call.tokens > manifest.summary.tokens);
    assert.ok((manifest.summary.call.cost ?? 0) > 0);
    assert.equal(manifest.tokens.isLeast, true, 'the summary is not counted yet');
    const whole = await planned(await openedSession(origin), 'claude-code');
    assert.ok(manifest.tokens.value < whole.manifest.tokens.value);
  });

  it('replaces everything before the newest replies, and is sent as the words of the user', async () => {
    const asked: string[] = [];
    const plan = await planned(await openedSession(origin), 'codex', {
      summary: request => {
        asked.push(request);
        return Promise.resolve('Three shelves are sorted.');
      },
    });
    assert.equal(asked.length, 1);
    const [request = ''] = asked;
    assert.match(request, /^Summarise the conversation below/);
    assert.match(request, /User: Sort the books/);
    assert.match(request, /ls shelf3/);
    assert.match(request, /book 3/);
    assert.doesNotMatch(request, /shelf4|book 4|Sorted\./);
    const [first, ...rest] = plan.manifest.blocks;
    assert.deepEqual(
      [first?.role, first?.fate, first?.reason, first?.blocks.length],
      ['user', 'converted', 'summarised', 7],
    );
    assert.deepEqual(
      rest.map(({ kind }) => kind),
      ['call', 'result', 'call', 'result', 'text'],
    );
    assert.deepEqual(plan.manifest.lost, []);
    const written = (await bytesOf(plan)).toString();
    assert.match(written, /Three shelves are sorted/);
    assert.doesNotMatch(written, /shelf3|Sort the books/);
    const [turn] = plan.session.turns;
    assert.equal(turn?.role, 'user');
  });

  it('gets no credential, and brings none', async () => {
    const redactWith = {
      scan: (content: string) => {
        const start = content.indexOf('hunter2');
        const found = { rule: 'password', start, end: start + 7, label: 'restricted' as const, message: '' };
        return Promise.resolve(start < 0 ? [] : [found]);
      },
    };
    const asked: string[] = [];
    const plan = await planned(await openedSession(origin), 'pi', {
      redactWith,
      summary: request => {
        asked.push(request);
        return Promise.resolve('The password is hunter2.');
      },
    });
    assert.doesNotMatch(`${asked.join('')}${(await bytesOf(plan)).toString()}`, /hunter2/);
  });

  it('is left out where nothing is old', async () => {
    const short = claudeCodeSession([prompt, reply('msg_01', [{ type: 'text', text: 'Done.' }])]);
    const plan = await planned(await openedSession(short), 'pi', {
      summary: () => Promise.reject(new Error('not asked for')),
    });
    assert.equal(plan.manifest.summary, null);
    assert.equal(plan.manifest.blocks.length, 2);
  });
});
