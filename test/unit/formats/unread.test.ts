import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedFormats } from '../../../src/core/formats/checkedVersions';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { formatIds } from '../../../src/core/formats/registry';
import { compareVersions } from '../../../src/core/base/compareVersions';
import { driftSentence } from '../../../src/core/model/driftWords';
import { codex, kimiWire } from '../../fixtures/agents';
import { fixturesOf } from '../../fixtures/formats';
import { jsonLines, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';

const later = (type: string): object => ({
  timestamp: '2026-03-01T10:00:00Z',
  type,
  payload: { text: 'What a later version says.' },
});

const written = (version: string, ...records: readonly object[]): string =>
  jsonLines([...codex, ...records]).replace(/"cli_version":"[^"]*"/, `"cli_version":"${version}"`);

describe('a kind of record that a reader does not know', () => {
  it('is a problem, and named with the versions where the writer is newer', async () => {
    const { transcript } = await openTranscriptBytes(
      written('0.180.0', later('memo'), later('memo'), later('thought_map')),
    );
    assert.deepEqual(transcript.drift, {
      version: '0.180.0',
      checked: '0.171.0',
      kinds: [
        { name: 'memo', count: 2 },
        { name: 'thought_map', count: 1 },
      ],
    });
    assert.deepEqual(problemsOf(transcript), { unknownRecord: 3 });
    assert.equal(
      driftSentence(transcript.agent.name, transcript.drift),
      'Written by Codex 0.180.0; tested up to 0.171.0. 2 unknown kinds of records, not shown: memo (2), thought_map (1)',
    );
  });

  it('is named without versions where the writer is not newer', async () => {
    const { transcript } = await openTranscriptBytes(written('0.171.0', later('memo')));
    assert.deepEqual(transcript.drift, { kinds: [{ name: 'memo', count: 1 }] });
    assert.equal(driftSentence('Codex', transcript.drift), '1 unknown kind of records, not shown: memo (1)');
  });

  it('is no news from a newer writer that writes only known kinds', async () => {
    const { transcript } = await openTranscriptBytes(written('0.180.0'));
    assert.equal(transcript.drift, undefined);
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('is found among the records of another protocol, too', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([kimiWire[0], { type: 'page.turned', time: 1, text: 'A later protocol.' }]),
    );
    assert.deepEqual(transcript.drift?.kinds, [{ name: 'page.turned', count: 1 }]);
  });
});

it('each format has an entry that says how its reader was checked', () => {
  assert.deepEqual(
    Object.keys(checkedFormats).sort(),
    [...formatIds].sort(),
    'each format has a row in src/core/formats/checkedVersions.ts',
  );
});

it('versions are compared by their numbers', () => {
  assert.ok(compareVersions('0.180.0', '0.171.0') > 0);
  assert.ok(compareVersions('2.1.9', '2.1.10') < 0);
  assert.equal(compareVersions('session format 3', '3'), 0);
  assert.ok(compareVersions('wire protocol 1.5', '1.4') > 0);
});

describe('a file without a request', () => {
  const lone = jsonLines([
    { type: 'message', id: 'a', timestamp: '2026-03-01T10:00:00Z' },
    { role: 'user', content: 'Hello.' },
  ]);
  const prompt = jsonLines([{ type: 'session_start', id: 's1', cwd: '/shop' }]);

  it('says so, and offers the other formats, those that fit first', async () => {
    const { transcript } = await openTranscriptBytes(prompt);
    assert.equal(transcript.format, 'droid');
    assert.deepEqual(problemsOf(transcript), { noRequests: 1 });
    assert.equal(transcript.otherFormats?.length, formatIds.length - 1);
    const both = jsonLines([
      { type: 'session_start', id: 's1', cwd: '/shop' },
      { type: 'thread.started', thread_id: 't1' },
    ]);
    const ambiguous = await openTranscriptBytes(both);
    assert.deepEqual(
      ambiguous.transcript.otherFormats?.filter(({ fits }) => fits).map(({ id }) => id),
      ['droid'],
    );
    assert.equal(ambiguous.transcript.otherFormats[0]?.id, 'droid');
  });

  it('is not taken for Factory Droid where the members of a message are in its record', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        { type: 'session_start', sessionId: 's1', cwd: '/shop' },
        { type: 'message', role: 'user', content: 'Hello.' },
        { type: 'message', role: 'assistant', content: 'Hello.' },
      ]),
    ).catch(() => ({ transcript: undefined }));
    assert.notEqual(transcript?.format, 'droid');
  });

  it('is read in the format that the user chooses', async () => {
    const bytes = Buffer.from(lone);
    const source = {
      size: bytes.length,
      read: (offset: number, length: number) =>
        Promise.resolve(new Uint8Array(bytes.subarray(offset, offset + length))),
    };
    const read = await readTranscript(source);
    assert.ok(!read.ok);
    assert.ok((read.formats ?? []).some(({ id }) => id === 'openai-chat-messages'));
    const { transcript } = await openTranscriptBytes(lone, { format: 'openai-chat-messages' });
    assert.equal(transcript.format, 'openai-chat-messages');
    assert.equal(transcript.blocks.length, 1);
  });

  it('needs no reason where there are requests', async () => {
    for (const { bytes } of fixturesOf('droid')) {
      const { transcript } = await openTranscriptBytes(bytes);
      assert.equal(transcript.otherFormats, undefined);
      assert.deepEqual(problemsOf(transcript), {});
    }
  });
});
