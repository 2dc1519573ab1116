import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FilePaths } from '../../../src/core/sight/filePaths';

describe('the files that calls name', () => {
  it('are one under their relative and absolute paths', () => {
    const files = new FilePaths('/home/ada/shop/');
    const file = files.add('src/a.ts');
    for (const path of ['./src/a.ts', '././src/a.ts', '/home/ada/shop/src/a.ts', 'src\\a.ts']) {
      assert.equal(files.find(path), file, path);
    }
    assert.equal(files.find('/home/ada/other/src/a.ts'), undefined);
    assert.deepEqual([files.add('src/a.ts'), files.add('src/b.ts'), files.add('lib/a.ts')], [0, 1, 2]);
    assert.deepEqual([files.nameOf(0), files.nameOf(9)], ['a.ts', '']);
  });

  it('are one if a relative path is the end of the other, and the folder is not known', () => {
    const files = new FilePaths('');
    const file = files.add('/shop/src/a.ts');
    assert.equal(files.find('src/a.ts'), file);
    assert.equal(files.find('rc/a.ts'), undefined);
    assert.equal(files.find('/src/a.ts'), undefined);
    const relative = new FilePaths('');
    relative.add('src/b.ts');
    assert.equal(relative.find('/shop/src/b.ts'), 0);
    assert.equal(relative.find('shop/src/b.ts'), 0);
    assert.equal(relative.find('/shop/lib/b.ts'), undefined);
  });

  it('are one under drives of any case', () => {
    const files = new FilePaths('c:\\shop');
    files.add('C:\\shop\\a.ts');
    assert.deepEqual(
      [files.find('c:/shop/a.ts'), files.find('a.ts'), files.find('D:\\shop\\a.ts')],
      [0, 0, undefined],
    );
  });

  it('are found in texts by their names', () => {
    const files = new FilePaths('');
    ['src/a.ts', 'lib/a.ts', 'b.ts'].forEach(path => files.add(path));
    assert.deepEqual(files.namedIn('cat "x/a.ts" > c.ts'), [0, 1]);
    assert.deepEqual(files.namedIn('diff b.ts a.ts b.ts'), [2, 0, 1]);
    assert.deepEqual(files.namedIn('cat aa.ts a.tsx'), []);
  });
});
