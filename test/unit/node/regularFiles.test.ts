import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readJsonFile, readTextFile } from '../../../src/cli/options/values';
import { localFiles } from '../../../src/node/sessions/sessionFiles';
import { diskFiles } from '../../../src/view/files';
import { replaceFile, textOf } from '../../../src/view/jsonFile';

/** The functions that read or write a file by its path. */
const direct =
  /\b(?:open|openSync|readFile|readFileSync|createReadStream|createWriteStream|appendFile|writeFile|writeFileSync)\b/;

/**
 * The files that may call them. All others read by `openFile` or `readRegular`, and write by `writeNewFile`, which refuse
 * pipes and devices.
 */
const allowed: Readonly<Record<string, string>> = {
  'src/app/asking/askService.ts': 'adds to its own log in the folder of the program',
  'src/cli/guardHook.ts': 'reads its input, and writes a file that was not there',
  'src/cli/statusline.ts': 'reads its input, and its own file in the cache',
  'src/node/files/fileByteSource.ts': 'refuses pipes and devices',
  'src/node/files/newFile.ts': 'refuses pipes and devices',
  'src/node/index/indexStore.ts': 'makes its own file in the cache',
  'src/node/mcp/callersSession.ts': 'reads the end of listed sessions, which are regular files',
  'src/node/mcp/server.ts': 'reads a bundle of the program',
  'src/node/sessions/sessionFiles.ts': 'opens without waiting for a writer',
  'src/node/sessions/siblingFiles.ts': 'refuses pipes and devices',
  'src/node/threads/measureCache.ts': 'reads and writes its own files in the cache',
  'src/view/browser.ts': 'writes into a folder that it has just made',
  'src/view/downloads.ts': 'sends a file that it has just written',
  'src/view/peers.ts': 'reads tables of the system',
  'src/view/server.ts': 'sends a bundle of the program',
};

describe('files from outside', { skip: process.platform === 'win32' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'regular-files-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const link = join(folder, 'link.json');
  symlinkSync(pipe, link);

  it('hold nobody up where they are pipes, and no pipe is replaced', async () => {
    const refused = /Only regular files/;
    for (const path of [pipe, link]) {
      await assert.rejects(readTextFile(path), refused);
      await assert.rejects(
        readJsonFile(path, value => ({ ok: true, value })),
        refused,
      );
      await assert.rejects(diskFiles.read(pathToFileURL(path).href), refused);
      assert.equal((await localFiles().read(path, 0, 10)).length, 0);
      assert.equal(textOf(path), undefined);
      await assert.rejects(replaceFile(path, '{}'), refused);
    }
    assert.ok(statSync(pipe).isFIFO());
  });

  it('are read and written by the functions that look what they are', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.startsWith('core'))
      .map(name => join('src', name).replaceAll('\\', '/'));
    const calling = files.filter(file =>
      [
        ...readFileSync(file, 'utf8').matchAll(/^import \{(?<names>[^}]+)\} from 'node:fs(?:\/promises)?'/gm),
      ].some(({ groups }) => direct.test(groups?.['names'] ?? '')),
    );
    assert.deepEqual(calling.sort(), Object.keys(allowed).sort());
  });
});
