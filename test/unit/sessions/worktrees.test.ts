import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sessionPlaces } from '../../../src/core/finder/agentLocations';
import { listSessions } from '../../../src/core/finder/sessionList';
import { repositoryByName, worktreeName } from '../../../src/core/finder/worktrees';
import { localFiles } from '../../../src/node/sessions/sessionFiles';
import { SessionFinder } from '../../../src/node/sessions/sessionFinder';
import { repositoryFolder } from '../../../src/node/sessions/worktrees';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'context-inspector-worktrees-')));
const home = new IndexedHome();
after(() => {
  rmSync(folder, { recursive: true, force: true });
  home.remove();
});

const shop = join(folder, 'shop');
const beside = join(folder, 'elsewhere', 'blue');
const inside = join(shop, '.claude', 'worktrees', 'red');

function git(...words: readonly string[]): void {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', [...person, '-C', shop, ...words], { stdio: 'ignore' });
}

mkdirSync(shop);
git('init');
git('commit', '--allow-empty', '-m', 'Begin');
git('worktree', 'add', '-b', 'blue', beside);
git('worktree', 'add', '-b', 'red', inside);

const repositoryOf = (path: string): Promise<string | undefined> => repositoryFolder(path, localFiles());

describe('the repository of a worktree', () => {
  it('is what git has recorded, wherever the worktree is', async () => {
    assert.equal(await repositoryOf(beside), shop);
    assert.equal(await repositoryOf(join(beside, 'packages', 'api')), join(shop, 'packages', 'api'));
    assert.equal(await repositoryOf(inside), shop);
    assert.equal(await repositoryOf(shop), undefined);
    assert.equal(await repositoryOf(join(shop, 'packages')), undefined);
  });

  it('is found by a record that is relative, and not where the record is of a submodule or of nothing', async () => {
    const note = (name: string, text: string): string => {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, '.git'), text);
      return path;
    };
    assert.equal(await repositoryOf(note('relative', 'gitdir: ../shop/.git/worktrees/relative\n')), shop);
    assert.equal(await repositoryOf(note('module', 'gitdir: ../shop/.git/modules/module\n')), undefined);
    assert.equal(await repositoryOf(note('other', 'nothing\n')), undefined);
    // A repository in a worktree is one of its own.
    mkdirSync(join(beside, 'vendor', '.git'), { recursive: true });
    writeFileSync(join(beside, 'vendor', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    assert.equal(await repositoryOf(join(beside, 'vendor')), undefined);
  });

  it('asks no other machine for a path of a transcript', async () => {
    const files = {
      states: () => assert.fail('asked'),
      read: () => assert.fail('asked'),
    };
    assert.equal(await repositoryFolder('\\\\server\\share\\shop', files), undefined);
    assert.equal(await repositoryFolder('//server/share/shop', files), undefined);
  });

  const names: readonly (readonly [folder: string, repository: string | undefined, worktree?: string])[] = [
    ['/home/ada/shop/.claude/worktrees/calm-bell-001122', '/home/ada/shop', 'calm-bell-001122'],
    ['/home/ada/shop/.claude/worktrees/red/packages/api', '/home/ada/shop/packages/api', 'red'],
    ['/home/ada/shop/.worktrees/red', '/home/ada/shop', 'red'],
    ['/home/ada/shop/.conductor/lisbon', '/home/ada/shop', 'lisbon'],
    ['/home/ada/shop.worktrees/copilot-7', '/home/ada/shop', 'copilot-7'],
    ['/home/ada/.cursor/worktrees/shop/1', '/home/ada/.cursor/worktrees/shop', '1'],
    ['/home/ada/conductor/workspaces/shop/oslo', '/home/ada/conductor/workspaces/shop', 'oslo'],
    ['/home/ada/.codex/worktrees/3/shop', '/home/ada/.codex/worktrees/shop', '3'],
    ['C:\\work\\shop\\.claude\\worktrees\\red', 'C:\\work\\shop', 'red'],
    ['/home/ada/shop', undefined],
    ['/home/ada/worktrees/shop', undefined],
  ];
  for (const [path, repository, worktree] of names) {
    it(`is known by the name of ${path}`, () => {
      assert.equal(repositoryByName(path), repository);
      if (repository !== undefined) {
        assert.equal(worktreeName(path, repository), worktree);
      }
    });
  }
});

const session = (id: string, directory: string): string =>
  new ClaudeCodeSession(id, directory).prompt('Go').reply({ text: 'Gone.' }).toString();

describe('sessions in worktrees', () => {
  const folders = { main: shop, besides: beside, insides: inside, others: join(folder, 'other') };
  for (const [id, directory] of Object.entries(folders)) {
    const project = directory.replace(/[^a-z\d]/gi, '-');
    home.write(`.claude/projects/${project}/${id}.jsonl`, session(id, directory));
  }

  it('count with their repository in the usage, and apart below it', async () => {
    const index = home.open();
    await home.update(index);
    const { rows } = await home.usage(index, { by: 'project' });
    const told = rows.map(({ key, sessions, worktrees = [] }) => [
      key,
      sessions,
      worktrees.map(each => [each.key, each.sessions]).sort(),
    ]);
    assert.deepEqual(told.sort(), [
      [join(folder, 'other'), 1, []],
      [
        shop,
        3,
        [
          [beside, 1],
          [inside, 1],
        ],
      ],
    ]);
  });

  it('are in the project of their repository in the list, with the name of the worktree', async () => {
    const finder = new SessionFinder();
    const places = sessionPlaces(home.machine);
    const files = await finder.list(places);
    await finder.learn(files, places);
    const { sessions, projects } = listSessions(files, [shop], file => finder.factsOf(file));
    assert.deepEqual(
      sessions
        .map(({ project, worktree, isHere }) => [projects[project]?.name, worktree ?? '', isHere])
        .sort(),
      [
        ['other', '', false],
        ['shop', '', true],
        ['shop', 'blue', true],
        ['shop', 'red', true],
      ],
    );
  });
});
