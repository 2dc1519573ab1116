import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noisyLines, noisyPrograms } from '../../../src/core/waste/noisyPrograms';

const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** For each row a command, lines that its flag leaves out, and lines that stay. */
const outputs: Readonly<Record<string, readonly [command: string, noise: string, kept: string]>> = {
  vitest: [
    'npm test',
    times(20, n => ` ✓ test/a${n}.test.ts (3 tests) ${n}ms`),
    ' RUN  v3.2.4 /shop\n ❯ test/b.test.ts\n Test Files  20 passed',
  ],
  jest: [
    'npx jest',
    times(20, n => `    ✓ adds ${n} books (2 ms)`),
    'PASS test/a.test.ts\nTests:       20 passed, 20 total',
  ],
  'node --test': [
    'node --test test',
    times(20, n => `✔ adds ${n} books (1.2ms)`),
    '✖ fails\nℹ pass 20\nℹ fail 1',
  ],
  mocha: ['npm test', times(20, n => `    ✔ adds ${n} books`), '  20 passing (12ms)'],
  'playwright test': [
    'npx playwright test',
    times(20, n => `  ✓  ${n} [chromium] › a.spec.ts:3:1 › adds (1.2s)`),
    '  20 passed (3.1s)',
  ],
  pytest: [
    'pytest -v',
    times(20, n => `tests/test_shop.py::test_${n} PASSED [ ${n}%]`),
    '=== 20 passed in 0.1s ===',
  ],
  unittest: [
    'python3 -m unittest -v',
    times(20, n => `test_${n} (shop.tests.Shop.test_${n}) ... ok`),
    'Ran 20 tests in 0.1s',
  ],
  'go test -v': [
    'go test -v ./...',
    times(12, n => `=== RUN   TestShop${n}\n--- PASS: TestShop${n} (0.00s)`),
    'ok  shop 0.1s',
  ],
  cargo: [
    'cargo test',
    times(15, n => `   Compiling shop${n} v0.1.${n}\ntest shop::adds${n} ... ok`),
    'test result: ok. 15 passed',
  ],
  'npm install': [
    'npm ci',
    times(15, n => `npm warn deprecated shop${n}@1.0.${n}: no longer kept`),
    'added 15 packages in 2s',
  ],
  'pnpm install': [
    'pnpm install',
    times(15, n => `Progress: resolved ${n}, reused ${n}, downloaded 0, added 0`),
    'Done in 2s',
  ],
  'yarn install': [
    'yarn install',
    times(15, n => `info shop${n} is not compatible with this one`),
    'success Saved lockfile.',
  ],
  'pip install': [
    'pip install -e .',
    times(12, n => `Collecting shop${n}\n  Downloading shop${n}-1.0-py3.whl`),
    'Successfully installed shop0',
  ],
  'apt-get install': [
    'sudo apt-get install -y jq',
    times(12, n => `Get:${n} http://example.com jq\nUnpacking jq${n} ...`),
    'E: nothing',
  ],
  'docker build': [
    'docker build .',
    times(15, n => `#${n} sha256:abcdef${n} 1.2MB / 3.4MB\n#${n} CACHED`),
    'ERROR: failed to build',
  ],
  'docker pull': [
    'docker pull shop',
    times(15, n => `0123456789a${n % 10}: Pull complete`),
    'Status: Downloaded newer image',
  ],
  curl: [
    'curl https://example.com',
    times(8, n => ` ${n}  1256    ${n}   100    0     0    10      0  0:00:01  0:00:01 --:--:--   100`),
    '<html>',
  ],
  wget: [
    'wget https://example.com',
    times(8, n => `    ${n}K .......... .......... .......... .......... ..........  5% 1.2M 3s`),
    'saved',
  ],
  'git clone': [
    'git clone https://example.com/a.git',
    times(20, n => `Receiving objects:  ${n}% (${n}/100)`),
    'Cloning into a',
  ],
  'git log': [
    'git log --oneline',
    times(20, n => `a${n} The change number ${n}`),
    times(50, n => `b${n} The change number ${n}`),
  ],
  'git diff': [
    'git diff',
    `diff --git a/package-lock.json b/package-lock.json\n${times(20, n => `+  "shop${n}": "1.0.${n}"`)}`,
    'diff --git a/a.ts b/a.ts\n+const a = 1;',
  ],
  'ls -R': ['ls -R', `./node_modules/a:\n${times(40, n => `file${n}.js`)}\n`, './src:\na.ts'],
  find: ['find . -name "*.ts"', times(20, n => `./node_modules/a/file${n}.ts`), './src/a.ts'],
  'tsc --watch': [
    'npx tsc --watch',
    times(12, n => `[12:00:0${n % 10}] File change detected. Starting incremental compilation...`),
    'src/a.ts(1,1): error TS1005',
  ],
  maven: [
    'mvn test',
    times(15, n => `[INFO] Downloading from central: https://example.com/${n}`),
    '[ERROR] It fails',
  ],
  gradle: ['./gradlew build', times(15, n => `> Task :shop${n}:compileJava UP-TO-DATE`), 'BUILD SUCCESSFUL'],
  prettier: ['npx prettier --write .', times(20, n => `src/shelf${n}.ts 12ms (unchanged)`), 'src/a.ts 10ms'],
};

describe('output that a flag leaves out', () => {
  for (const { id } of noisyPrograms) {
    it(`is known of ${id}`, () => {
      const [command = '', noise = '', kept = ''] = outputs[id] ?? [];
      const output = id === 'ls -R' || id === 'git diff' ? `${noise}\n${kept}\n` : `${kept}\n${noise}\n`;
      const found = noisyLines(command, output);
      assert.equal(found?.id, id);
      assert.equal(found.text.trimEnd(), noise.trimEnd());
    });
  }

  it('is not looked for in short output, in that of other programs, or where the flag is given', () => {
    assert.equal(noisyLines('npm test', ' ✓ adds\n RUN  v3\n'), undefined);
    assert.equal(
      noisyLines(
        'cat notes.txt',
        times(30, n => ` ✓ done ${n} with all of it`),
      ),
      undefined,
    );
    assert.equal(
      noisyLines(
        'git log --oneline -n 100',
        times(90, n => `a${n} The change number ${n}`),
      ),
      undefined,
    );
    const found = times(30, n => `node_modules/shop/file${n}.d.ts`);
    assert.equal(noisyLines('find node_modules/shop -name "*.d.ts"', found), undefined);
  });
});
