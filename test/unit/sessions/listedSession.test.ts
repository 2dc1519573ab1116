import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionUsage } from '../../../src/core/finder/sessionDescription';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { documentFormats, lineFormats } from '../../../src/core/formats/registry';
import { describeIndexed } from '../../../src/core/index/describeIndexed';
import { listedSession } from '../../../src/core/index/listedSession';
import { packRequests } from '../../../src/core/index/requestTable';
import { Gate } from '../../../src/core/sensitivity/gate';
import type { ReadOptions } from '../../../src/core/reading/readFile';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { lookUpWith } from '../../../src/core/tokens/userModels';
import { decoderTools } from '../../../src/node/databases/database';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { type FormatFixture, fixturesOf } from '../../fixtures/formats';
import { sourceOf } from '../../fixtures/transcriptBytes';

const file = { agent: '', path: '/s.jsonl', size: 0, modified: 0, projectKey: '', isKnown: true };
const gate = new Gate(secretScanner);

async function usageIn(
  { bytes, siblings }: Pick<FormatFixture, 'bytes' | 'siblings'>,
  options: ReadOptions = {},
  lookUp = lookUpModel,
): Promise<SessionUsage> {
  const result = await readTranscript(sourceOf(bytes), { ...options, siblings, tools: decoderTools });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  const { transcript } = result;
  const { bytes: requests, models, billings } = packRequests(transcript);
  const facts = { ...transcript, title: transcript.title };
  const session = await describeIndexed(file, facts, '', models, billings, new Set(), undefined, gate, () =>
    Promise.resolve(undefined),
  );
  const { usage } = await listedSession(file, { session, requests }, lookUp, gate);
  return usage;
}

const bytesOf = (session: ClaudeCodeSession): { readonly bytes: Uint8Array } => ({
  bytes: new TextEncoder().encode(session.toString()),
});

describe('the usage of a session in a list', () => {
  it('is the fill of the newest request of the main conversation, and the cost of all', async () => {
    const session = new ClaudeCodeSession().prompt('One').reply({ text: 'Done.' }).prompt('Two');
    const { fill, cost, isLeast } = await usageIn(bytesOf(session.reply({ text: 'Done again.' })));
    // 18,000 tokens that Claude Code does not write, and a few more; the window has 200,000.
    assert.ok(fill !== undefined && fill > 0.09 && fill < 0.0901, String(fill));
    // Written once at 3.75 dollars per million, read once at 0.30.
    assert.ok(cost !== undefined && Math.abs(cost - 0.0732) < 0.001, String(cost));
    assert.equal(isLeast, undefined);
  });

  it('says nothing where nothing is recorded or known', async () => {
    const asked = bytesOf(new ClaudeCodeSession().prompt('Anyone there?'));
    assert.deepStrictEqual(await usageIn(asked), {});
    const unknown = new ClaudeCodeSession().prompt('One').reply({ text: 'Done.' });
    const bytes = new TextEncoder().encode(unknown.toString().replaceAll('claude-sonnet-4-5', 'own-model'));
    assert.deepStrictEqual(await usageIn({ bytes }), {});
    const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
    const lookUp = lookUpWith({ 'own-model': { contextWindow: 36_008, prices } });
    const { fill, cost } = await usageIn({ bytes }, {}, lookUp);
    assert.ok(fill !== undefined && Math.abs(fill - 0.5) < 0.001, String(fill));
    assert.ok(cost !== undefined && cost > 0.018 && cost < 0.0181, String(cost));
  });

  it('is the same from the quick reading as from the whole one, of every format', async () => {
    let known = 0;
    for (const { id } of [...lineFormats, ...documentFormats]) {
      for (const fixture of fixturesOf(id)) {
        const quick = await usageIn(fixture, { usageOnly: true, requestsOnly: true });
        assert.deepStrictEqual(quick, await usageIn(fixture), `${id}, ${fixture.name}`);
        known += quick.cost === undefined ? 0 : 1;
      }
    }
    assert.ok(known > 5, `${known} have a cost`);
  });
});
