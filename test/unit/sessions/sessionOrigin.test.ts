import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addedFoldersFrom } from '../../../src/core/finder/addedFolders';
import type { Machine } from '../../../src/core/finder/agentLocations';
import { isInFolder, mappedPath, movedPath, otherSpelling } from '../../../src/core/finder/pathMapping';
import { listSessions, type SessionFacts, type SessionFile } from '../../../src/core/finder/sessionList';
import { originWords } from '../../../src/core/finder/sessionOrigin';

const linux: Machine = { platform: 'linux', home: '/home/ada', environment: {} };

describe('paths of other machines', () => {
  it('are the same in every spelling of Windows and WSL', () => {
    const same = [
      'C:\\Users\\x\\proj',
      'c:/users/X/proj/',
      '/mnt/c/Users/x/proj',
      '\\\\wsl.localhost\\Ubuntu\\mnt\\c\\Users\\x\\proj',
    ];
    for (const path of same) {
      same.forEach(folder => assert.ok(isInFolder(path, folder), `${path} in ${folder}`));
    }
    assert.ok(isInFolder('/mnt/c/Users/x/proj/src', 'C:\\Users\\x\\proj'));
    assert.ok(!isInFolder('/mnt/c/Users/x/projects', 'C:\\Users\\x\\proj'));
    assert.ok(isInFolder('/home/x/proj/src', '\\\\wsl.localhost\\Ubuntu\\home\\x\\proj'));
    assert.ok(isInFolder('\\\\wsl$\\Debian\\home\\x\\proj', '/home/x/proj'));
    assert.ok(!isInFolder('/home/X/proj', '/home/x/proj'));
    assert.ok(!isInFolder('/mnt/data/proj', 'D:\\ata\\proj'));
  });

  it('have another name on the other side', () => {
    assert.equal(otherSpelling('C:\\Users\\x'), '/mnt/c/Users/x');
    assert.equal(otherSpelling('/mnt/c/Users/x'), 'C:\\Users\\x');
    assert.equal(otherSpelling('\\\\wsl.localhost\\Ubuntu\\home\\x'), '/home/x');
    assert.equal(otherSpelling('/home/x'), undefined);
    assert.equal(otherSpelling('/mnt/data/x'), undefined);
  });

  it('are mapped by the rule for the deepest folder, whatever their separators and case', () => {
    const rules = [
      { from: '/home/other', to: '/backup' },
      { from: '/home/other/proj/', to: '/work/proj/' },
      { from: 'C:\\Users\\x\\proj', to: '/work/proj' },
      { from: '/srv', to: 'D:\\srv' },
    ];
    const cases: readonly [path: string, here: string | undefined][] = [
      ['/home/other/proj', '/work/proj'],
      ['/home/other/proj/src/a.ts', '/work/proj/src/a.ts'],
      ['/home/other/project', '/backup/project'],
      ['C:\\users\\X\\proj\\Src\\a.ts', '/work/proj/Src/a.ts'],
      ['/mnt/c/Users/x/proj/src', '/work/proj/src'],
      ['/srv/a/b', 'D:\\srv\\a\\b'],
      ['/home/ada', undefined],
      ['/home/other/../ada/x', undefined],
    ];
    for (const [path, here] of cases) {
      assert.equal(mappedPath(path, rules), here, path);
    }
    assert.equal(movedPath('/a/b', { from: '/', to: '/x' }), '/x/a/b');
  });

  it('are read from the setting, without what depends on the current directory', () => {
    const { folders, isValid } = addedFoldersFrom(
      ['~/one', { folder: '/two', paths: { 'C:\\x': '~/x', '/y': 'relative' } }, { folder: 'three' }],
      linux,
    );
    assert.ok(isValid);
    assert.deepEqual(folders, [
      { folder: '/home/ada/one', rules: [] },
      { folder: '/two', rules: [{ from: 'C:\\x', to: '/home/ada/x' }] },
    ]);
    assert.deepEqual(addedFoldersFrom(undefined, linux), { folders: [], isValid: true });
    for (const wrong of [
      '/a',
      null,
      [7],
      [{ folder: '/a', paths: 7 }],
      [{ folder: '/a', paths: { b: 7 } }],
    ]) {
      assert.deepEqual(addedFoldersFrom(wrong, linux), { folders: [], isValid: false });
    }
  });
});

describe('sessions of other machines', () => {
  const file = (path: string): SessionFile => ({
    agent: 'Other',
    path,
    size: 1,
    modified: 1,
    projectKey: path,
    isKnown: false,
  });
  const listed = (
    recorded: Readonly<Record<string, SessionFacts>>,
    folder: string,
    paths: Readonly<Record<string, string>> = {},
  ) => {
    const { folders } = addedFoldersFrom([{ folder: '/copied', paths }], linux);
    const files = Object.keys(recorded).map(file);
    const { sessions, projects } = listSessions(files, [folder], ({ path }) => recorded[path] ?? {}, folders);
    return sessions.map(({ file: { path }, isHere, project, origin }) => ({
      path,
      isHere,
      by: origin?.by,
      project: projects[project]?.name,
    }));
  };

  it('belong to the workspace where the setting says so, and only those of its folder', () => {
    const rows = listed(
      {
        '/copied/a.jsonl': { workingDirectory: '/home/other/proj' },
        '/copied/b.jsonl': { workingDirectory: 'C:\\Users\\x\\proj\\sub' },
        '/copied/c.jsonl': { workingDirectory: '/home/other/else' },
        '/own/d.jsonl': { workingDirectory: '/home/other/proj' },
      },
      '/work/proj',
      { '/home/other/proj': '/work/proj', 'C:\\Users\\x\\proj': '/work/proj' },
    );
    assert.deepEqual(rows, [
      { path: '/copied/a.jsonl', isHere: true, by: 'setting', project: 'work / proj' },
      { path: '/copied/b.jsonl', isHere: true, by: 'setting', project: 'sub' },
      { path: '/copied/c.jsonl', isHere: false, by: undefined, project: 'else' },
      { path: '/own/d.jsonl', isHere: false, by: undefined, project: 'other / proj' },
    ]);
  });

  it('belong to the workspace where Windows and WSL name one folder', () => {
    assert.deepEqual(
      listed({ '/copied/a.jsonl': { workingDirectory: 'C:\\Users\\x\\proj' } }, '/mnt/c/Users/x/proj'),
      [{ path: '/copied/a.jsonl', isHere: true, by: 'spelling', project: 'proj' }],
    );
    assert.deepEqual(
      listed({ '/copied/a.jsonl': { workingDirectory: '/mnt/c/Users/x/proj' } }, 'c:\\users\\x\\proj'),
      [{ path: '/copied/a.jsonl', isHere: true, by: 'spelling', project: 'proj' }],
    );
  });

  it('belong to the workspace that is a copy of their folder', () => {
    assert.deepEqual(
      listed({ '/copied/a.jsonl': { workingDirectory: '/x/proj', copy: '/work/proj' } }, '/work/proj'),
      [{ path: '/copied/a.jsonl', isHere: true, by: 'files', project: 'proj' }],
    );
  });

  it('say which folder is taken for which, and why', () => {
    const said = (['setting', 'spelling', 'files'] as const).map(by =>
      originWords({ recorded: '/x/proj', here: '/work/proj', by }),
    );
    assert.equal(new Set(said).size, 3);
    said.forEach(text => assert.match(text, /\/x\/proj.*\/work\/proj/));
  });
});
