import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';

const root = mkdtempSync(join(tmpdir(), 'siblings-'));
after(() => rmSync(root, { recursive: true }));
const folder = join(root, 'a/b/c/d');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'main.json'), '{}');
writeFileSync(join(folder, 'other.json'), 'beside');
writeFileSync(join(root, 'a/above.json'), 'above');
writeFileSync(join(root, 'secret.json'), 'too far');

describe('files beside a transcript', () => {
  const siblings = siblingFilesOf(join(folder, 'main.json'));

  it('names the file and the folders above it', () => {
    assert.equal(siblings.fileName, 'main.json');
    assert.deepEqual(siblings.folders.slice(0, 4), ['d', 'c', 'b', 'a']);
  });

  it('reads and lists what is near', async () => {
    assert.equal(Buffer.from((await siblings.read('other.json')) ?? []).toString(), 'beside');
    assert.equal(Buffer.from((await siblings.read('../../../above.json')) ?? []).toString(), 'above');
    assert.deepEqual(await siblings.list('.'), ['main.json', 'other.json']);
    assert.deepEqual(await siblings.list('../../..'), ['above.json', 'b']);
  });

  it('answers nothing for what is far away, no file, or not there', async () => {
    assert.equal(await siblings.read('../../../../secret.json'), undefined);
    assert.equal(await siblings.read('/etc/hostname'), undefined);
    assert.equal(await siblings.read('..'), undefined);
    assert.equal(await siblings.read('none.json'), undefined);
    assert.deepEqual(await siblings.list('../../../..'), []);
    assert.deepEqual(await siblings.list('none'), []);
  });

  it('reaches the archive beside Codex sessions, and no other folder beside them', async () => {
    const day = join(root, 'codex/sessions/2026/03/01');
    const beside = join(root, 'codex/other');
    const archive = join(root, 'codex/archived_sessions');
    [day, beside, archive].forEach(each => mkdirSync(each, { recursive: true }));
    writeFileSync(join(archive, 'old.jsonl'), 'archived');
    writeFileSync(join(beside, 'secret.jsonl'), 'too far');
    const found = siblingFilesOf(join(day, 'main.jsonl'));
    assert.equal(
      Buffer.from((await found.read('../../../../archived_sessions/old.jsonl')) ?? []).toString(),
      'archived',
    );
    assert.deepEqual(await found.list('../../../../archived_sessions'), ['old.jsonl']);
    assert.equal(await found.read('../../../../other/secret.jsonl'), undefined);
  });

  it('unpacks what Zstandard packed, and answers nothing for a damaged file', async () => {
    const packed = zstdCompressSync('packed');
    writeFileSync(join(folder, 'packed.jsonl.zst'), packed);
    writeFileSync(join(folder, 'damaged.jsonl.zst'), packed.subarray(0, packed.length - 3));
    assert.equal(Buffer.from((await siblings.read('packed.jsonl.zst')) ?? []).toString(), 'packed');
    assert.equal(await siblings.read('damaged.jsonl.zst'), undefined);
    rmSync(join(folder, 'packed.jsonl.zst'));
    rmSync(join(folder, 'damaged.jsonl.zst'));
  });

  it('follows no link that leads out, while the transcript itself may be reached by one', async () => {
    symlinkSync(join(root, 'secret.json'), join(folder, 'link.json'));
    symlinkSync(join(root, 'a'), join(folder, 'up'));
    assert.equal(await siblings.read('link.json'), undefined);
    assert.equal(await siblings.read('up/above.json'), undefined);
    assert.deepEqual(await siblings.list('up'), []);
    symlinkSync(folder, join(root, 'entry'));
    const entered = siblingFilesOf(join(root, 'entry', 'main.json'));
    assert.equal(Buffer.from((await entered.read('other.json')) ?? []).toString(), 'beside');
    rmSync(join(folder, 'link.json'));
    rmSync(join(folder, 'up'));
  });

  it('finds what VS Code counted of a session, in whichever of its folders it is', async () => {
    const home = join(root, 'home');
    const counts = join(home, '.config/Code - Insiders/User/agentHostUsage');
    mkdirSync(counts, { recursive: true });
    writeFileSync(join(counts, 'copilot_s1.jsonl'), 'counted');
    const found = siblingFilesOf(join(folder, 'main.json'), { platform: 'linux', home, environment: {} });
    assert.equal(Buffer.from((await found.usageSidecar?.('copilot:s1')) ?? []).toString(), 'counted');
    assert.equal(await found.usageSidecar?.('s2'), undefined);
  });
});
