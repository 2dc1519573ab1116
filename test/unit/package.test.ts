import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listFiles, PackageManager } from '@vscode/vsce';

const bundles = [
  'dist/backend.js',
  'dist/cl100k_base.tokens',
  'dist/extension.js',
  'dist/helper.js',
  'dist/o200k_base.tokens',
  'dist/secrets.js',
  'dist/sqlite.js',
  'dist/webview.css',
  'dist/webview.js',
  'dist/worker.js',
];
const skip = bundles.every(path => existsSync(path)) ? false : 'nothing is built: npm run build';

test('the package holds what the extension needs to run, and nothing else', { skip }, async () => {
  const files = await listFiles({ packageManager: PackageManager.None });
  assert.deepEqual(files.sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    ...bundles,
    'l10n/bundle.l10n.json',
    'media/icon.png',
    'media/sessions.svg',
    'package.json',
    'package.nls.json',
  ]);
});

test('what talks to models is loaded when it is asked for, and not with the extension', { skip }, () => {
  const headers = /anthropic-version|x-goog-api-key/;
  assert.match(readFileSync('dist/backend.js', 'utf8'), headers);
  for (const bundle of ['dist/extension.js', 'dist/worker.js', 'dist/webview.js']) {
    assert.doesNotMatch(readFileSync(bundle, 'utf8'), headers, bundle);
  }
  assert.match(readFileSync('dist/extension.js', 'utf8'), /require\("\.\/backend\.js"\)/);
});

test('SQLite and the rules for credentials are loaded when they are needed', { skip }, () => {
  for (const [bundle, mark] of [
    ['sqlite', /sqlite3_prepare_v2/],
    ['secrets', /secretlint-rule-slack/],
  ] as const) {
    assert.match(readFileSync(`dist/${bundle}.js`, 'utf8'), mark);
    for (const user of ['dist/worker.js', 'dist/cli.js']) {
      const text = readFileSync(user, 'utf8');
      assert.doesNotMatch(text, mark, user);
      assert.ok(text.includes(`require("./${bundle}.js")`), user);
    }
  }
});
