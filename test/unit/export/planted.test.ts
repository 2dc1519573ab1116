import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { isArray, isObject, stringAt } from '../../../src/core/base/json';
import { copyFormats } from '../../../src/core/export/copyFormats';
import { exportText } from '../../../src/core/export/exports';
import { prunedCopy } from '../../../src/core/export/prunedCopy';
import { outlineSession } from '../../../src/core/finder/sessionOutline';
import { describeSession } from '../../../src/core/finder/sessionText';
import { exportKinds } from '../../../src/core/model/exportForm';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { sentConversation } from '../../../src/core/sending/sentConversation';
import { Gate } from '../../../src/core/sensitivity/gate';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { fixturesOf } from '../../fixtures/formats';
import { plantedFile, PlantedSecrets, plantedSession } from '../../fixtures/plantedSecrets';
import { openCounted } from '../../fixtures/prunedCopies';
import { someOf } from '../../fixtures/variants';

function assertNone(secrets: PlantedSecrets, output: string, what: string): void {
  assert.deepEqual(secrets.leftIn(output), [], what);
}

async function copyOf(content: string): Promise<string> {
  const session = await openCounted(content);
  const copy = await prunedCopy({
    session,
    request: 0,
    candidates: [],
    notices: new Map(),
    options: defaultPruneOptions(),
    redactWith: secretScanner,
  });
  assert.ok(copy.ok);
  const parts: Uint8Array[] = [];
  for await (const chunk of copy.bytes) {
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString();
}

const exportInput = {
  options: { ...defaultPruneOptions(), protectTokens: 0, minimumTokens: 0 },
  colour: 'sensitivity',
  scanner: secretScanner,
  level: 'redacted',
  identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
} as const;

/** The shape of a JSON value: its objects and lists, and their number of names. Changed reasoning may be a text. */
function shapeOf(value: unknown): unknown {
  if (isArray(value)) {
    return value.map(shapeOf);
  }
  if (!isObject(value)) {
    return 0;
  }
  const type = stringAt(value, 'type') ?? '';
  const isReasoning =
    /^(?:thinking|text|reasoning)$/.test(type) || (type === 'message' && !Object.hasOwn(value, 'usage'));
  return isReasoning ? 0 : Object.values(value).map(shapeOf);
}

describe('planted secrets', () => {
  for (const format of Object.keys(copyFormats)) {
    it(`are in no pruned copy and no report of ${format}`, async () => {
      const fixtures = fixturesOf(format).filter(({ bytes }) =>
        /^\s*[[{]/.test(Buffer.from(bytes).toString()),
      );
      assert.ok(fixtures.length > 0);
      for (const { name, bytes } of someOf(fixtures, 2)) {
        const secrets = new PlantedSecrets();
        const text = plantedFile(Buffer.from(bytes).toString(), secrets);
        assert.ok(secrets.all.length > 6);
        const copy = await copyOf(text);
        assertNone(secrets, copy, name);
        const [before, after] = [text, copy].map(file =>
          file.startsWith('{\n') || file.startsWith('[\n')
            ? shapeOf(JSON.parse(file))
            : file
                .split('\n')
                .map(line => (line.endsWith('}') ? shapeOf(JSON.parse(line)) : line.length > 0)),
        );
        assert.deepEqual(after, before, name);
        assert.equal((await openCounted(copy)).transcript.format, format);
        const session = await openCounted(text);
        await session.scan();
        // A fixture may contain only records that are not requests.
        for (const request of someOf([...session.transcript.requests.keys()], 2)) {
          const report = await exportText('json', { ...exportInput, session, request });
          assertNone(secrets, report, `${name} as a report`);
        }
      }
    });
  }

  it('are not left of a private key whose lines are damaged lines of the file', async () => {
    const [begin, end] = ['BEGIN', 'END'].map(edge => `-----${edge} RSA PRIVATE KEY-----`);
    const body = Array.from({ length: 12 }, (_, line) =>
      createHash('sha512').update(`${line}`).digest('base64'),
    );
    const key = [begin, 'Proc-Type: 4,ENCRYPTED', '', ...body, end];
    const damaged = `{"type":"user","message":{"content":"${'cut off '.repeat(30)}`;
    const lines = new ClaudeCodeSession().prompt('Go on.').reply({ text: 'Done.' }).lines;
    // Around the size up to which damaged lines are examined together, the key is at each place.
    const most = 2 ** 18 / damaged.length;
    for (const before of [0, 1, ...Array.from({ length: 8 }, (_, index) => Math.floor(most) - 5 + index)]) {
      const parts = [
        ...lines.slice(0, 1),
        ...Array<string>(before).fill(damaged),
        ...key,
        ...lines.slice(1),
        '',
      ];
      const copy = await copyOf(parts.join('\n'));
      assert.deepEqual(
        body.filter(line => copy.includes(line.slice(0, 20))),
        [],
        `${before} lines before`,
      );
      assert.equal(copy.split(damaged).length, before + 1);
    }
  });

  for (const kind of exportKinds) {
    it(`are in no export as ${kind}`, async () => {
      const secrets = new PlantedSecrets();
      const session = await openCounted(plantedSession(secrets));
      await session.scan();
      const text = await exportText(kind, {
        ...exportInput,
        session,
        request: 2,
      });
      assertNone(secrets, text, kind);
      assert.ok(text.includes('[redacted: ') || text.includes('•••'));
    });
  }

  it('are not in what is sent, whose names stay acceptable and alike', async () => {
    const secrets = new PlantedSecrets();
    const session = await openCounted(plantedSession(secrets));
    const sent = await sentConversation(session, 2, { redactWith: secretScanner });
    assertNone(secrets, JSON.stringify(sent), 'request');
    const parts = (sent?.turns ?? []).flatMap(turn => turn.parts);
    const call = parts.find(part => part.kind === 'call');
    assert.match(call?.name ?? '', /^fetch_redacted_\w+$/);
    assert.ok(sent?.tools.some(({ name }) => name === call?.name));
  });

  it('are in no line of the session tree', async () => {
    const secrets = new PlantedSecrets();
    const head = Buffer.from(plantedSession(secrets));
    const result = await outlineSession({ size: head.length, head });
    assert.equal(result.kind, 'session');
    const file = {
      agent: 'Claude Code',
      path: `/home/ada/${secrets.token()}.jsonl`,
      size: head.length,
      modified: 0,
      projectKey: '',
      isKnown: true,
    };
    const text = await describeSession(file, result, new Gate(secretScanner));
    assertNone(secrets, JSON.stringify(text), 'tree');
    assert.match(text.title, /^Use \[redacted: /);
  });

  it('are not in the title of a session of which only a part was read, cut in the middle of one', async () => {
    const token = ['qV7mT2rK9xW4bN', 'atlasv1', 'Lw8'.repeat(22)].join('.');
    const message = { content: [{ type: 'text', text: `Use ${token} for the deployment` }] };
    const text = `${JSON.stringify({ role: 'user', message })}\n`;
    const head = Buffer.from(text.slice(0, text.indexOf(token) + 45));
    const result = await outlineSession({ size: 9e6, head, tail: Buffer.from(text) });
    const shown = await describeSession(
      { agent: 'a', path: '/s.jsonl', size: 9e6, modified: 0, projectKey: '', isKnown: true },
      result,
      new Gate(secretScanner),
    );
    assert.equal(shown.title, 'Use');
  });
});
