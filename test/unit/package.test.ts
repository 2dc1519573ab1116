import { listFiles, PackageManager } from '@vscode/vsce';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

const bundles = [
  'dist/backend.js',
  'dist/cl100k_base.tokens',
  'dist/extension.js',
  'dist/o200k_base.tokens',
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
    'media/icon.png',
    'media/sessions.svg',
    'package.json',
    'package.nls.json',
  ]);
});
