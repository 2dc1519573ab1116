import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packedFiles, skipUnpacked as skip } from '../fixtures/packedFiles';
import { programFolder } from '../fixtures/program';

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

test('the package holds what the extension needs to run, and nothing else', { skip }, () => {
  const files = packedFiles();
  assert.deepEqual(files.toSorted(), [
    'LICENSE.txt',
    'changelog.md',
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
    'readme.md',
  ]);
});

test('the package holds every bundle that another one loads', { skip }, () => {
  const files = packedFiles();
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

/**
 * The names of the packages whose code the source maps of a development build name. Those maps follow the packages'
 * own. The tests have maps in the same folder, of modules with another ending.
 */
function mappedPackages(folder: string): ReadonlySet<string> {
  const maps = readdirSync(folder).filter(name => name.endsWith('.map') && !name.endsWith('.mjs.map'));
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
  const packages = mappedPackages(programFolder);
  for (const one of ['react-dom', '@tanstack/virtual-core', 'node-forge', 'lodash.uniq', 'sql.js']) {
    assert.ok(packages.has(one), `the source maps name ${one}`);
  }
  const notices = readFileSync(join(programFolder, 'ThirdPartyNotices.txt'), 'utf8');
  const bill = readFileSync(join(programFolder, 'bom.cdx.json'), 'utf8');
  for (const name of [...packages, 'SQLite', 'Emscripten', 'musl', 'tiktoken', 'assemblyscript']) {
    assert.ok(new RegExp(`^-{80}\\n${name.replaceAll('.', '\\.')}(?: [\\d.]+)?\\n`, 'm').test(notices), name);
    assert.ok(bill.includes(`"name": "${name}"`), name);
  }
});
