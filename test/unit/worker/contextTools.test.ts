import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contextTools } from '../../../src/core/contextTools/contextTools';
import { answerAboutOpen } from '../../../src/worker/contextTools';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { openRun } from '../../fixtures/serverRuns';
import { PlantedSecrets, plantedSession } from '../../fixtures/plantedSecrets';

const question = { folders: [], started: 0, path: '/home/ada/session.jsonl' };

describe('the tools about an open session', () => {
  it('answer with the lines for people, each with its place, and a page for a model', async () => {
    const run = await openRun('session.jsonl', readFileSync('media/example/session.jsonl'), 0);
    assert.ok(run !== undefined);
    const answer = await answerAboutOpen(run.session, secretScanner, {
      ...question,
      name: 'why_cache_lost',
      params: { request: 54 },
    });
    const [first] = answer.lines;
    assert.match(first?.text ?? '', /^Request 54: idle too long/);
    assert.deepEqual(first?.place, { conversation: 0, request: 53 });
    assert.match(answer.text, /^Text between .*\nRequest 54: idle too long/);
    assert.deepEqual([answer.isError, answer.more], [false, 0]);
    const dropped = await answerAboutOpen(run.session, secretScanner, {
      ...question,
      name: 'what_was_dropped',
      params: {},
    });
    assert.equal(dropped.lines.length, 40);
    assert.ok(dropped.more > 0);
    assert.equal(typeof dropped.lines.at(-1)?.place?.block, 'number');
  });

  it('say what is wrong with a question in one sentence', async () => {
    const run = await openRun('session.jsonl', readFileSync('media/example/session.jsonl'), 0);
    assert.ok(run !== undefined);
    const answer = await answerAboutOpen(run.session, secretScanner, {
      ...question,
      name: 'was_seen',
      params: { lines: '3' },
    });
    assert.equal(answer.isError, true);
    assert.match(answer.text, /file/);
  });

  it('leave out every secret, for people and for a model', async () => {
    const secrets = new PlantedSecrets();
    const run = await openRun('session.jsonl', Buffer.from(plantedSession(secrets)), 0);
    assert.ok(run !== undefined);
    const asked: { readonly name: string; readonly params: unknown }[] = [
      ...contextTools.map(({ name }) => ({ name, params: name === 'was_seen' ? { file: 'a.ts' } : {} })),
      ...Array.from({ length: 60 }, (_, block) => ({ name: 'what_was_dropped', params: { block } })),
    ];
    const answers: string[] = [];
    for (const each of asked) {
      const answer = await answerAboutOpen(run.session, secretScanner, { ...question, ...each });
      answers.push(JSON.stringify(answer));
    }
    assert.deepEqual(secrets.leftIn(answers.join('\n')), []);
    assert.ok(secrets.all.length > 0);
  });
});
