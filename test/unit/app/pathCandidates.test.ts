import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathCandidates } from '../../../src/app/transcript/pathCandidates';

describe('where a recorded path may be', () => {
  it('tries an absolute path itself, then the same place below each workspace folder', () => {
    assert.deepStrictEqual(
      pathCandidates({ path: '/home/ada/shop/src/cart.ts', workingDirectory: '/home/ada/shop' }, [
        '/work/shop',
        '/work/other',
      ]),
      ['/home/ada/shop/src/cart.ts', '/work/shop/src/cart.ts', '/work/other/src/cart.ts'],
    );
  });

  it('tries an absolute path outside the working directory only where it is', () => {
    assert.deepStrictEqual(
      pathCandidates({ path: '/etc/hosts', workingDirectory: '/home/ada/shop' }, ['/work/shop']),
      ['/etc/hosts'],
    );
  });

  it('resolves a relative path against the working directory, then against the workspace', () => {
    assert.deepStrictEqual(
      pathCandidates({ path: 'src/cart.ts', workingDirectory: '/home/ada/shop' }, ['/work/shop']),
      ['/home/ada/shop/src/cart.ts', '/work/shop/src/cart.ts'],
    );
    assert.deepStrictEqual(pathCandidates({ path: 'src/cart.ts' }, ['/work/shop']), [
      '/work/shop/src/cart.ts',
    ]);
  });

  it('does not climb out of a workspace folder', () => {
    assert.deepStrictEqual(pathCandidates({ path: '../../etc/passwd' }, ['/work/shop']), []);
  });

  it('understands paths of Windows', () => {
    assert.deepStrictEqual(
      pathCandidates({ path: 'C:\\shop\\src\\cart.ts', workingDirectory: 'C:\\shop' }, ['/work/shop']),
      ['C:\\shop\\src\\cart.ts', '/work/shop/src/cart.ts', '/mnt/c/shop/src/cart.ts'],
    );
  });

  it('tries first where the user says that the folders of another machine are', () => {
    const rules = [
      { from: '/home/other', to: '/home/ada' },
      { from: '/home/other/shop', to: '/work/shop' },
    ];
    assert.deepStrictEqual(
      pathCandidates(
        { path: 'src/cart.ts', workingDirectory: '/home/other/shop/web' },
        ['/work/shop'],
        rules,
      ),
      ['/work/shop/web/src/cart.ts', '/home/other/shop/web/src/cart.ts', '/work/shop/src/cart.ts'],
    );
    const windows = [{ from: 'C:\\Users\\x\\shop', to: '/work/shop' }];
    assert.equal(
      pathCandidates({ path: 'c:/users/X/shop/src/Cart.ts' }, [], windows)[0],
      '/work/shop/src/Cart.ts',
    );
    assert.deepStrictEqual(pathCandidates({ path: '/home/other/shop/../../etc/passwd' }, [], rules), [
      '/home/other/shop/../../etc/passwd',
    ]);
  });

  it('tries the name that the other of Windows and WSL has for a path', () => {
    assert.deepStrictEqual(pathCandidates({ path: 'C:\\shop\\cart.ts' }, []), [
      'C:\\shop\\cart.ts',
      '/mnt/c/shop/cart.ts',
    ]);
    assert.deepStrictEqual(pathCandidates({ path: '/mnt/d/shop/cart.ts' }, []), [
      '/mnt/d/shop/cart.ts',
      'D:\\shop\\cart.ts',
    ]);
  });
});
