import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';
import { IndexedHome } from '../../fixtures/indexedHome';

describe('where no file can be written', () => {
  const home = new IndexedHome();
  const program = new CommandLine();
  const file = (): string => join(home.folder, 'file');
  before(() => {
    const session = new ClaudeCodeSession().prompt('Where is the walrus?').reply({ text: 'It swims.' });
    home.write('.claude/projects/zoo/00000001-1111-4111-8111-111111111111.jsonl', session.toString());
    writeFileSync(file(), '');
    mkdirSync(join(home.folder, 'taken', 'sessions.db'), { recursive: true });
    program.workIn(home.folder);
  });
  after(() => {
    home.remove();
    program.remove();
  });

  /** Folders for the index in which nothing can be created, also not by an administrator. */
  const folders: Readonly<Record<string, () => string>> = {
    'below a file': () => join(file(), 'index'),
    'with a folder in place of its file': () => join(home.folder, 'taken'),
    ...(existsSync('/proc/self') ? { 'on a disk of the system': () => '/proc/nothing/index' } : {}),
  };
  for (const [name, folder] of Object.entries(folders)) {
    it(`usage and search answer with one note, with an index ${name}`, async () => {
      const variables = { HOME: home.folder, CONTEXT_INSPECTOR_INDEX: folder() };
      const note = /^[^\n]*: The session index cannot be written\. [^\n]*\n$/;
      const usage = await program.runWith(variables, 'usage', '--json');
      assert.equal(usage.code, 0, usage.stderr);
      assert.match(usage.stdout, /"requests": 1\b/);
      assert.match(usage.stderr, note);
      const search = await program.runWith(variables, 'search', 'walrus');
      assert.equal(search.code, 0, search.stderr);
      assert.match(search.stdout, /walrus/);
      assert.match(search.stderr, note);
    });
  }

  it(
    'the built program answers without a cache folder and on a full disk',
    { skip: process.platform !== 'linux' },
    () => {
      const index = join(home.folder, 'full');
      for (const environment of [
        { XDG_CACHE_HOME: '/proc/nothing' },
        { XDG_CACHE_HOME: file() },
        // No file may become longer than four kilobytes.
        { CONTEXT_INSPECTOR_INDEX: index, LIMIT: '4' },
      ]) {
        const { status, stdout, stderr } = spawnSync(
          'bash',
          [
            '-c',
            'ulimit -f "${LIMIT:-unlimited}"; exec "$0" "$@"',
            process.execPath,
            cliPath,
            'usage',
            '--json',
          ],
          { encoding: 'utf8', cwd: home.folder, env: { ...process.env, HOME: home.folder, ...environment } },
        );
        assert.equal(status, 0, stderr);
        assert.match(stdout, /"requests": 1\b/);
        assert.match(stderr, /^[^\n]*The session index cannot be written\.[^\n]*\n$/);
      }
    },
  );
});
