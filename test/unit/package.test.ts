import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listFiles, PackageManager } from '@vscode/vsce';
import { lazy } from '../../src/core/base/lazy';

/** vsce looks at every file of the folder for that. */
const packagedFiles = lazy(() => listFiles({ packageManager: PackageManager.None }));

const bundles = [
  'dist/ThirdPartyNotices.txt',
  'dist/backend.js',
  'dist/bom.cdx.json',
  'dist/cl100k_base.tokens',
  'dist/compare.css',
  'dist/compare.js',
  'dist/extension.js',
  'dist/helper.js',
  'dist/highlighting.js',
  'dist/indexing.js',
  'dist/o200k_base.tokens',
  'dist/picture.js',
  'dist/protocol.js',
  'dist/secrets.js',
  'dist/sessionIndex.js',
  'dist/sessions.css',
  'dist/sessions.js',
  'dist/sqlite.js',
  'dist/usage.css',
  'dist/usage.js',
  'dist/webview.css',
  'dist/webview.js',
  'dist/worker.js',
];
/** The files of the English texts and of each language, in order. */
const texts = (base: string): readonly string[] =>
  ['.de', '.ja', '', '.zh-cn'].map(language => `${base}${language}.json`);
const skip = bundles.every(path => existsSync(path)) ? false : 'nothing is built: npm run build';

test('the package holds what the extension needs to run, and nothing else', { skip }, async () => {
  const files = await packagedFiles();
  assert.deepEqual(files.toSorted(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    ...bundles,
    ...texts('l10n/bundle.l10n'),
    'media/example/session.jsonl',
    'media/example/session/subagents/agent-af101cb7c89a9226e.jsonl',
    'media/icon.png',
    'media/sessions.svg',
    'media/tab-dark.svg',
    'media/tab-light.svg',
    ...['findSessions', 'moveSlider', 'openExample', 'seeBreak', 'selectBlock'].map(
      step => `media/walkthrough/${step}.svg`,
    ),
    'package.json',
    ...texts('package.nls'),
  ]);
});

test('the package holds every bundle that another one loads', { skip }, async () => {
  const files = await packagedFiles();
  const scripts = files.filter(path => path.startsWith('dist/') && path.endsWith('.js'));
  const loaded = scripts.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/require\("\.\/([\w-]+\.js)"\)/g)].map(
      ([, name]) => `dist/${name ?? ''}`,
    ),
  );
  assert.ok(loaded.includes('dist/secrets.js'));
  assert.deepEqual(
    loaded.filter(path => !files.includes(path)),
    [],
  );
});

test('the package of the command line holds every bundle that it loads or starts', { skip }, () => {
  const kept = [
    ...readFileSync('.npmignore', 'utf8').matchAll(/^!(dist\/[\w-]+\.(?:js|wasm|tokens))$/gm),
  ].map(match => match[1] ?? '');
  const scripts = kept.filter(path => path.endsWith('.js'));
  const named = scripts.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/"(?:\.\/)?([\w-]+\.(?:js|wasm|tokens))"/g)].flatMap(
      ([, name = '']) => (existsSync(`dist/${name}`) ? [`dist/${name}`] : []),
    ),
  );
  assert.deepEqual([...new Set(['dist/cli.js', ...named])].sort(), kept.sort());
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
    for (const user of ['dist/worker.js', 'dist/commands.js']) {
      const text = readFileSync(user, 'utf8');
      assert.doesNotMatch(text, mark, user);
      assert.ok(text.includes(`require("./${bundle}.js")`), user);
    }
  }
});

/** The names of the packages whose code the source maps of a development build name. Those maps follow the packages' own. */
function mappedPackages(folder: string): ReadonlySet<string> {
  const maps = readdirSync(folder).filter(name => name.endsWith('.map'));
  const sources = maps.flatMap(
    name => readFileSync(join(folder, name), 'utf8').match(/"[^"]*node_modules[^"]*"/g) ?? [],
  );
  return new Set(
    sources.flatMap(
      source => source.match(/(?<=node_modules\/)(?!node_modules\/)(?:@[^/"]+\/)?[^./@"][^/"]*/g) ?? [],
    ),
  );
}

test('the notices and the bill of materials name every library that a bundle holds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, ['esbuild.mjs', '--outdir', folder], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const packages = mappedPackages(folder);
    for (const one of ['react-dom', '@tanstack/virtual-core', 'node-forge', 'lodash.uniq', 'sql.js']) {
      assert.ok(packages.has(one), `the source maps name ${one}`);
    }
    const notices = readFileSync(join(folder, 'ThirdPartyNotices.txt'), 'utf8');
    const bill = readFileSync(join(folder, 'bom.cdx.json'), 'utf8');
    for (const name of [...packages, 'SQLite', 'Emscripten', 'musl', 'tiktoken', 'assemblyscript']) {
      assert.ok(
        new RegExp(`^-{80}\\n${name.replaceAll('.', '\\.')}(?: [\\d.]+)?\\n`, 'm').test(notices),
        name,
      );
      assert.ok(bill.includes(`"name": "${name}"`), name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
