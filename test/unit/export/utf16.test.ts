import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportText } from '../../../src/core/export/exports';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { makeCopy, openCounted } from '../../fixtures/prunedCopies';
import { makeTwin, openForTwin } from '../../fixtures/twins';

const token = ['ghp', 'k9Q2mX7vT4bR8wZ3pLd6NcY1sHf5gJ0aEuWq'].join('_');
const options = { ...defaultPruneOptions(), protectTokens: 1_000, minimumTokens: 100 };

/** A session with the token in a prompt, in a result and in a damaged line, in UTF-16. */
function files(): readonly (readonly [name: string, bytes: Buffer])[] {
  const session = new ClaudeCodeSession()
    .prompt(`Größe 寸法 😀 ${token}`)
    .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
    .result('toolu_a', `${token}\n${sourceText(1, 6_000)}`)
    .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
    .result('toolu_b', sourceText(2, 6_000))
    .prompt('Fix it')
    .reply({ text: 'Fixed.' });
  session.lines.push(`{"type":"user","message":{"content":"use ${token}`);
  const text = session.prompt('Thanks').reply({ text: 'Welcome.' }).toString();
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  return [
    ['little-endian', little],
    ['big-endian', big],
    ['little-endian with a mark', Buffer.concat([Uint8Array.of(0xff, 0xfe), little])],
    ['big-endian with a mark', Buffer.concat([Uint8Array.of(0xfe, 0xff), big])],
  ];
}

function assertClean(bytes: Buffer, name: string): void {
  const little = Buffer.from(token.slice(4, 20), 'utf16le');
  for (const part of [Buffer.from(token.slice(4, 20)), little, Buffer.from(little).swap16()]) {
    assert.ok(!bytes.includes(part), name);
  }
}

describe('of a file in UTF-16', () => {
  for (const [name, bytes] of files()) {
    it(`a copy, reports and a twin hold no credential: ${name}`, async () => {
      assert.ok(bytes.includes(Buffer.from(token.slice(4, 20), 'utf16le')) || name.startsWith('big'));
      const copy = await makeCopy(bytes, options);
      assert.equal(copy.outcome.pruned, copy.preview.plan.candidates.length);
      assert.ok(copy.outcome.pruned > 0 && copy.bytes.includes('Größe 寸法 😀'));
      assertClean(copy.bytes, 'the copy');
      const again = await openCounted(copy.bytes);
      assert.equal(again.transcript.requests.length, copy.session.transcript.requests.length);
      const session = await openCounted(bytes);
      await session.scan();
      for (const form of ['html', 'svg', 'json'] as const) {
        const text = await exportText(form, {
          session,
          request: 2,
          options,
          colour: 'cache',
          scanner: secretScanner,
          level: 'redacted',
          identity: { irId: 'a', createdAt: '2026-01-05T09:00:00.000Z' },
        });
        assertClean(Buffer.from(text), form);
      }
      const source = await openForTwin(bytes);
      assert.ok(typeof source !== 'string');
      const twin = await makeTwin(source);
      assertClean(twin.bytes, 'the twin');
      const opened = await openForTwin(twin.bytes);
      assert.ok(typeof opened !== 'string');
      assert.equal(opened.transcript.requests.length, session.transcript.requests.length);
    });
  }
});
