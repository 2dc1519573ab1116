import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import type { WorkerParams } from '../../../src/protocol/workerQuestions';
import { planHandOff, writeHandOff } from '../../../src/worker/handOffAnswers';
import { claudeCodeSession, openedSession, reply } from '../../fixtures/handOffs';

const noScanner = { scan: () => Promise.resolve([]) };

describe('the hand-off of an open transcript', () => {
  const root = mkdtempSync(join(tmpdir(), 'hand-off-answers-'));
  const origin = join(root, 'origin.jsonl');
  let session: TranscriptSession;

  before(async () => {
    const bytes = claudeCodeSession([
      { type: 'user', message: { role: 'user', content: 'Fix the shop.' } },
      reply('msg_1', [{ type: 'text', text: 'Fixed.' }]),
    ]);
    writeFileSync(origin, bytes);
    session = await openedSession(bytes);
  });
  after(() => rmSync(root, { recursive: true }));

  const plan = (change: Partial<WorkerParams<'planHandOff'>> = {}) =>
    planHandOff(
      session,
      { request: 0, isWhole: true, target: 'pi', keepSecrets: false, path: origin, ...change },
      noScanner,
    );

  /** A folder that can be looked at afterwards. */
  function folder(name: string): string {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  }

  it('shows the manifest first, and writes exactly this plan', async () => {
    const out = folder('out');
    const { plan: number, lines, total, canInstall } = await plan();
    assert.match(lines.join('\n'), /^First request of pi after the hand-off/);
    assert.ok(lines.some(line => line.includes(total)));
    assert.equal(canInstall, true);
    assert.deepEqual(readdirSync(out), []);
    const { path, resume } = await writeHandOff({ plan: number, folder: out, notOver: origin });
    assert.deepEqual(readdirSync(out), [path.slice(out.length + 1)]);
    assert.equal(resume, `pi --session '${path}'`);
    assert.match(readFileSync(path, 'utf8'), /Fixed\./);
  });

  it('replaces no file and follows no link in its place', async () => {
    const out = folder('taken');
    const { plan: number } = await plan();
    const { path } = await writeHandOff({ plan: number, folder: out, notOver: origin });
    const written = readFileSync(path);
    const again = () => writeHandOff({ plan: number, folder: out, notOver: origin });
    await assert.rejects(again, { message: 'A file with this name already exists.' });
    assert.deepEqual(readFileSync(path), written);
    rmSync(path);
    symlinkSync(join(root, 'elsewhere'), path);
    await assert.rejects(again, { message: 'A file with this name already exists.' });
    assert.deepEqual(readdirSync(out).length, 1);
    assert.ok(!readdirSync(root).includes('elsewhere'));
    rmSync(path);
    symlinkSync(origin, path);
    const before_ = readFileSync(origin);
    await assert.rejects(again, { message: /cannot be replaced/ });
    assert.deepEqual(readFileSync(origin), before_);
  });

  it('refuses with one sentence, and leaves nothing half written', async () => {
    const { plan: number } = await plan();
    const below = { plan: number, folder: join(origin, 'below'), notOver: origin };
    await assert.rejects(() => writeHandOff(below), { message: /^[^\n]+\.$/ });
    await assert.rejects(() => plan({ request: 99 }), { message: /^[^\n]+\.$/ });
    const { plan: newer, canInstall } = await plan({ target: 'opencode' });
    assert.equal(canInstall, false);
    const later = { message: 'The session was read again since. Hand it off again.' };
    await assert.rejects(() => writeHandOff({ ...below, folder: root }), later);
    await assert.rejects(() => writeHandOff({ plan: newer, notOver: origin }), {
      message: /adds sessions itself/,
    });
    assert.deepEqual(
      readdirSync(root, { recursive: true }).filter(name => String(name).includes('.part')),
      [],
    );
  });

  it('installs where the agent keeps its sessions', async () => {
    const home = folder('home');
    const before_ = process.env['CODEX_HOME'];
    process.env['CODEX_HOME'] = home;
    try {
      const { plan: number } = await plan({ target: 'codex' });
      const { path, resume } = await writeHandOff({ plan: number, notOver: origin });
      assert.ok(path.startsWith(join(home, 'sessions')), path);
      assert.match(resume ?? '', /^codex resume [\da-f-]{36}$/);
    } finally {
      process.env['CODEX_HOME'] = before_ ?? '';
    }
  });
});
