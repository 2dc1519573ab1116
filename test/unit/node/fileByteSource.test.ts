import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openFile } from '../../../src/node/files/fileByteSource';
import { describeFileError } from '../../../src/node/files/fileErrors';

describe('a local file as a source of bytes', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'byte-source-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function fileWith(text: string): Promise<string> {
    const path = join(folder, 'file');
    await writeFile(path, text);
    return path;
  }

  it('reads any range, and less at the end', async () => {
    const source = await openFile(await fileWith('0123456789'));
    const text = async (offset: number, length: number): Promise<string> =>
      new TextDecoder().decode(await source.read(offset, length));
    assert.deepStrictEqual(
      [
        source.size,
        await text(0, 4),
        await text(7, 2),
        await text(8, 100),
        await text(10, 1),
        await text(50, 5),
      ],
      [10, '0123', '78', '89', '', ''],
    );
    await source.close();
  });

  it('keeps its size while the file grows, and reads less when it was cut', async () => {
    const path = await fileWith('0123456789');
    const source = await openFile(path);
    await appendFile(path, 'abc');
    assert.equal((await source.read(0, 100)).length, 10);
    await truncate(path, 4);
    assert.equal((await source.read(2, 100)).length, 2);
    await source.close();
  });

  it('does not wait for a pipe that nobody writes to', { skip: process.platform === 'win32' }, async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(openFile(pipe), /not pipes or devices/);
  });

  it('says in words what cannot be opened', async () => {
    const sentence = (path: string): Promise<string> =>
      openFile(path).then(() => 'opened', describeFileError);
    assert.deepStrictEqual(
      [await sentence(join(folder, 'missing')), describeFileError(new Error('It is no transcript.'))],
      ['The file does not exist.', 'It is no transcript.'],
    );
    assert.equal(await sentence(folder), 'This is a folder, not a file.');
    assert.equal(
      describeFileError(Object.assign(new Error('x'), { code: 'EACCES' })),
      'The file cannot be read: permission denied.',
    );
  });
});
