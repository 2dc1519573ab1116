import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { arrayAt, objectAt, parseJson } from '../../../src/core/base/json';
import { exportText } from '../../../src/core/export/exports';
import { shareLevels } from '../../../src/core/model/exportForm';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { KnownSecrets } from '../../../src/core/sensitivity/knownSecrets';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { CommandLine } from '../../fixtures/commandLine';
import { tokenOf } from '../../fixtures/planted/exposurePlants';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { openCounted } from '../../fixtures/prunedCopies';

const secret = tokenOf('outputs');
const [member, model] = ['shelfOfAda', 'shelf-model-nine'];

/** A secret in a member of a call, sent to an unknown model, and in its result. */
function exposed(): PlantedSession {
  const session = new PlantedSession(model);
  session.talk(1);
  session.use('mcp__shelf__open', { [member]: secret }, `opened with ${secret}`);
  session.reply('It is open.');
  session.talk(2);
  return session;
}

describe('exposure in what is written', () => {
  const cli = new CommandLine();
  after(() => cli.remove());

  it('is in the report at every level, with names of the transcript as far as the level allows', async () => {
    for (const level of shareLevels) {
      const session = await openCounted(plantedClaudeCode(exposed()));
      await session.scan();
      const text = await exportText('html', {
        session,
        request: session.transcript.requests.length - 1,
        options: defaultPruneOptions(),
        colour: 'source',
        scanner: secretScanner,
        level,
        identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00.000Z' },
      });
      const section = text.slice(text.indexOf('Where secrets were sent'));
      assert.ok(section.includes('Key or token: github'), level);
      assert.ok(section.includes('in 3 requests, 2 – 4'), level);
      assert.ok(section.includes('read from the cache in 2 of 3 requests'), level);
      assert.ok(section.includes('still sent'), level);
      assert.equal(section.includes(member), level !== 'figures', level);
      assert.equal(section.includes(model), level !== 'figures', level);
      assert.ok(!section.includes(secret.slice(0, 9)), level);
    }
  });

  it('is printed by inspect, of every block where that is asked for', async () => {
    const file = cli.write('exposed.jsonl', plantedClaudeCode(exposed()));
    const json = parseJson((await cli.run('inspect', file, '--json')).stdout);
    const exposure = objectAt(json, 'exposure');
    const [found] = arrayAt(exposure, 'secrets');
    const models = [{ model, provider: null, providerFrom: null, requests: 3 }];
    assert.deepEqual(objectAt(found, 'cached'), { requests: 2, recorded: 3 });
    assert.deepEqual(arrayAt(found, 'models'), models);
    assert.deepEqual(arrayAt(found, 'conversations'), [
      { conversation: 0, requests: 3, first: 1, last: 3, ended: null },
    ]);
    assert.equal(objectAt(found, 'first')?.['time'], '2026-10-05T09:00:20.000Z');
    assert.deepEqual(
      arrayAt(found, 'places').map(place => [
        objectAt({ place }, 'place')?.['kind'],
        objectAt({ place }, 'place')?.['member'],
      ]),
      [
        ['toolCall', member],
        ['toolResult', null],
      ],
    );
    assert.equal(arrayAt(exposure, 'blocks').length, 2);
    const all = parseJson((await cli.run('inspect', file, '--json', '--every-block')).stdout);
    assert.equal(arrayAt(objectAt(all, 'exposure'), 'blocks').length, objectAt({ all }, 'all')?.['blocks']);
    const { stdout } = await cli.run('inspect', file);
    assert.match(
      stdout,
      /1 secret in the conversations, with receivers:\n {2}Key or token: github; line \d+, in shelfOfAda/,
    );
    assert.match(stdout, /to shelf-model-nine, provider unknown; since .*; still sent/);
    const unscanned = parseJson((await cli.run('inspect', file, '--json', '--no-scan')).stdout);
    assert.equal(objectAt({ unscanned }, 'unscanned')?.['exposure'], null);
  });

  it('is one entry by rule and place, with the number of secrets', async () => {
    const session = new PlantedSession(model);
    const tokens = ['first', 'second', 'third'].map(tokenOf);
    session.use('mcp__shelf__open', {}, `opened with ${tokens.join(' and ')}`);
    session.use('mcp__shelf__open', {}, `closed with ${tokens.slice(1).join(' and ')}`);
    session.talk(1);
    const file = cli.write('grouped.jsonl', plantedClaudeCode(session));
    const { stdout: json } = await cli.run('inspect', file, '--json');
    const exposure = objectAt(parseJson(json), 'exposure');
    const secrets = arrayAt(exposure, 'secrets').map(secret => {
      const entry = objectAt({ secret }, 'secret');
      return [entry?.['rule'], entry?.['count'], arrayAt(entry, 'places').length];
    });
    assert.deepEqual(secrets, [
      ['providerToken/github', 1, 1],
      ['providerToken/github', 2, 2],
    ]);
    assert.deepEqual(
      arrayAt(exposure, 'blocks').map(block => objectAt({ block }, 'block')?.['secrets']),
      [3, 2],
    );
    assert.ok(tokens.every(token => !json.includes(token.slice(0, 9))));
    const { stdout } = await cli.run('inspect', file);
    assert.match(stdout, /3 secrets in the conversations, with receivers:/);
    assert.match(stdout, /Key or token: github × 2; line \d+; line \d+/);
  });

  it('knows a secret by its number in all ways of writing it', () => {
    const known = new KnownSecrets();
    const first = known.add('DB_PASSWORD=Xk1734"vTq', 'assignment');
    assert.equal(known.add('Xk1734"vTq', 'form'), first);
    const second = known.add('postgres://app:Lm90021pWz@db', 'url');
    assert.notEqual(second, first);
    assert.equal(known.add('short', 'form'), undefined);
    const found = known.find(`x Xk1734\\"vTq y Lm90021pWz`);
    assert.deepEqual(
      found.map(place => place.secret),
      [first, second],
    );
  });
});
