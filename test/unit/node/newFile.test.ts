import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { textChunks, writeNewFile } from '../../../src/node/files/newFile';

const folder = mkdtempSync(join(tmpdir(), 'new-file-'));
after(() => rmSync(folder, { recursive: true }));
const transcript = join(folder, 'transcript.jsonl');
writeFileSync(transcript, 'recorded');

const write = (path: string, overwrite = false): Promise<undefined> =>
  writeNewFile(path, textChunks('new'), { overwrite, notOver: transcript });

async function* failing(): AsyncGenerator<Uint8Array, undefined> {
  yield await Promise.resolve(new Uint8Array(3));
  throw new Error('The chunks failed.');
}

describe('a new file', () => {
  it('can be read by its owner alone, also when it replaces a file that others could read', async () => {
    const path = join(folder, 'private.json');
    await write(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const open = join(folder, 'open.json');
    writeFileSync(open, 'old', { mode: 0o644 });
    await write(open, true);
    assert.equal(readFileSync(open, 'utf8'), 'new');
    assert.equal(statSync(open).mode & 0o777, 0o600);
  });

  it('never replaces the transcript, whatever link leads to it', async () => {
    const hard = join(folder, 'hard.jsonl');
    const symbolic = join(folder, 'symbolic.jsonl');
    linkSync(transcript, hard);
    symlinkSync(transcript, symbolic);
    for (const path of [transcript, hard, symbolic, join(folder, '.', 'transcript.jsonl')]) {
      await assert.rejects(write(path, true), { message: /^The transcript cannot be replaced/ });
    }
    assert.equal(readFileSync(transcript, 'utf8'), 'recorded');
  });

  it('takes the place of no folder, pipe or device', { skip: process.platform === 'win32' }, async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const toPipe = join(folder, 'to-pipe');
    symlinkSync(pipe, toPipe);
    const device = join(folder, 'device');
    symlinkSync('/dev/null', device);
    for (const path of [pipe, toPipe, device, folder]) {
      await assert.rejects(write(path, true), { message: /^Only regular files can be replaced/ });
    }
    assert.ok(statSync(pipe).isFIFO() && statSync(device).isCharacterDevice());
  });

  it('may have the longest name that there is', async () => {
    const path = join(folder, `${'ü'.repeat(125)}.html`);
    await write(path);
    assert.equal(readFileSync(path, 'utf8'), 'new');
  });

  it('replaces nothing unasked, also not a link that leads nowhere', async () => {
    const dangling = join(folder, 'dangling.json');
    symlinkSync(join(folder, 'nowhere.json'), dangling);
    await assert.rejects(write(dangling), { message: 'A file with this name already exists.' });
    assert.ok(!readdirSync(folder).includes('nowhere.json'));
  });

  it('does not replace a file that appears while it is written', async () => {
    const path = join(folder, 'race.json');
    async function* slow(): AsyncGenerator<Uint8Array, undefined> {
      writeFileSync(path, 'theirs');
      yield await Promise.resolve(new Uint8Array(3));
      return undefined;
    }
    await assert.rejects(writeNewFile(path, slow(), { overwrite: false, notOver: transcript }), {
      message: 'A file with this name already exists.',
    });
    assert.equal(readFileSync(path, 'utf8'), 'theirs');
  });

  it('says that writing failed, and leaves nothing behind', async () => {
    await assert.rejects(write(join(folder, 'none', 'a.json')), {
      message: 'The file cannot be written: its folder does not exist.',
    });
    await assert.rejects(write(join(transcript, 'a.json')), { message: /^The file cannot be written: / });
    const path = join(folder, 'failed.json');
    await assert.rejects(writeNewFile(path, failing(), { overwrite: false, notOver: transcript }), {
      message: 'The chunks failed.',
    });
    assert.deepEqual(
      readdirSync(folder).filter(name => name.includes('failed') || name.endsWith('.part')),
      [],
    );
  });

  it('removes what writers that have ended left, and nothing else', async () => {
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'exit');
    const [dead, alive, stuck, other] = [
      `.a.json.12345678.${ended.pid ?? 0}.context-inspector.part`,
      `.b.json.12345678.${process.pid}.context-inspector.part`,
      `.c.json.12345678.${process.pid}.context-inspector.part`,
      'mine.part',
    ].map(name => join(folder, name));
    assert.ok(dead !== undefined && alive !== undefined && stuck !== undefined && other !== undefined);
    [dead, alive, stuck, other].forEach(path => writeFileSync(path, 'x'));
    utimesSync(stuck, 0, 0);
    await write(join(folder, 'next.json'));
    const left = readdirSync(folder).map(name => join(folder, name));
    assert.deepEqual(
      [dead, alive, stuck, other].map(path => left.includes(path)),
      [false, true, false, true],
    );
  });
});
