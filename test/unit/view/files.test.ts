import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { providerPreset } from '../../../src/backend/providers';
import type { Machine } from '../../../src/core/finder/agentLocations';
import { Configuration } from '../../../src/app/settings/configuration';
import { hasScreen, openBrowser } from '../../../src/view/browser';
import { configFolder } from '../../../src/node/files/userFolders';
import { editorNames, editorOf, editorProblem } from '../../../src/view/editor';
import { keysIn } from '../../../src/view/keys';
import { KnownFiles } from '../../../src/view/knownFiles';
import { memoryIn } from '../../../src/view/memory';
import { SettingsFile } from '../../../src/view/settings';
import { until } from '../../fixtures/until';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'context-inspector-files-')));
const log = {
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  dispose: () => undefined,
};
after(() => rmSync(folder, { recursive: true }));

describe('the settings of the pages in a browser', () => {
  const path = join(folder, 'config', 'settings.json');
  const warnings: string[] = [];

  it('are read, checked and followed in a file with the names of VS Code', async () => {
    const store = new SettingsFile(path, sentence => warnings.push(sentence));
    const told: string[] = [];
    const configuration = new Configuration(store, log, sentence => told.push(sentence));
    try {
      assert.equal(configuration.get('index.enabled'), true);
      assert.equal(configuration.get('asking.maximumCalls'), 20);
      assert.equal(store.setValue('contextInspector.index.enabled', 'user'), undefined);
      let changes = 0;
      configuration.onDidChange('asking', () => {
        changes += 1;
      });
      configuration.onDidChange('index.enabled', () => assert.fail('nobody changed it'));
      writeFileSync(path, '{\n  // Few calls.\n  "contextInspector.asking.maximumCalls": 3,\n}\n');
      await until('the change is seen', () => changes > 0);
      assert.equal(configuration.get('asking.maximumCalls'), 3);
      await store.update('contextInspector.asking.maximumCalls', 'many');
      assert.equal(configuration.get('asking.maximumCalls'), 20, 'an invalid value is not used');
      assert.equal(told.length, 1);
    } finally {
      store.dispose();
    }
  });

  it('are saved beside what else is in the file, with its comments', async () => {
    writeFileSync(path, '{\n  // Mine.\n  "other": [1],\n}\n');
    const store = new SettingsFile(path, sentence => warnings.push(sentence));
    const configuration = new Configuration(store, log, () => undefined);
    try {
      await Promise.all([
        configuration.saveHiddenWaste(['noisyOutput']),
        configuration.savePruneOptions({ ...configuration.pruneOptions(), enabled: true, protectTokens: 7 }),
      ]);
      const saved = readFileSync(path, 'utf8');
      assert.match(saved, /\/\/ Mine\./);
      assert.match(saved, /"contextInspector.hiddenWaste": \[\s*"noisyOutput"\s*\]/);
      assert.match(saved, /"contextInspector.prune.protectTokens": 7/);
      assert.equal(configuration.pruneOptions().protectTokens, 7);
      await configuration.saveHiddenWaste([]);
      assert.doesNotMatch(readFileSync(path, 'utf8'), /hiddenWaste/);
      if (process.platform !== 'win32') {
        assert.equal(statSync(path).mode & 0o777, 0o600);
      }
      assert.deepEqual(readdirSync(join(folder, 'config')), ['settings.json']);
    } finally {
      store.dispose();
    }
  });

  it('never destroy a file that is not valid', async () => {
    for (const written of ['{ "a": ', '[1]', 'nonsense']) {
      warnings.length = 0;
      writeFileSync(path, written);
      const store = new SettingsFile(path, sentence => warnings.push(sentence));
      await assert.rejects(store.update('contextInspector.index.enabled', false), /is not valid/);
      store.dispose();
      assert.equal(readFileSync(path, 'utf8'), written);
      assert.match(warnings[0] ?? '', /settings\.json are not valid/);
    }
  });

  it('are in the usual folder of the system', () => {
    const on = (platform: Machine['platform'], environment: Machine['environment']): string =>
      configFolder({ platform, home: '/home/ada', environment }).replaceAll('\\', '/');
    assert.equal(on('linux', {}), '/home/ada/.config/context-inspector');
    assert.equal(on('linux', { XDG_CONFIG_HOME: '/etc/ada' }), '/etc/ada/context-inspector');
    assert.equal(on('linux', { XDG_CONFIG_HOME: 'relative' }), '/home/ada/.config/context-inspector');
    assert.equal(on('macos', {}), '/home/ada/Library/Application Support/context-inspector');
    assert.equal(on('windows', { APPDATA: 'C:/Data' }), 'C:/Data/context-inspector');
  });
});

describe('the memory', () => {
  it('keeps values in a file, and starts again with a damaged one', async () => {
    const path = join(folder, 'memory', 'memory.json');
    const memory = memoryIn(path);
    assert.equal(memory.get('looked'), undefined);
    await Promise.all([memory.update('looked', true), memory.update('colours', 'role')]);
    const later = memoryIn(path);
    assert.deepEqual(
      [later.get('looked'), later.get('colours'), later.get('toString')],
      [true, 'role', undefined],
    );
    writeFileSync(path, '{');
    assert.equal(later.get('looked'), undefined);
    await later.update('looked', true);
    assert.equal(memory.get('looked'), true);
  });
});

describe('the editor', () => {
  /** A program that writes its words, as a call. */
  const note = join(folder, 'note.cjs');
  const written = join(folder, 'written.json');
  const call = (words: string): string => `"${process.execPath}" "${note}" ${words}`;

  it('opens a file at a line, without a shell', async () => {
    writeFileSync(
      note,
      `require('node:fs').writeFileSync(${JSON.stringify(written)}, JSON.stringify(process.argv.slice(2)))`,
    );
    for (const [words, path, line, expected] of [
      ['{file}:{line}', '/a b/$(touch x); c.ts', 7, ['/a b/$(touch x); c.ts:7']],
      ['--at={line} \'{file}\' "two words"', '/{line}/x', undefined, ['--at=1', '/{line}/x', 'two words']],
    ] as const) {
      rmSync(written, { force: true });
      await editorOf(call(words), {})?.(path, line);
      let found: unknown;
      await until('the editor was called', () => {
        try {
          found = JSON.parse(readFileSync(written, 'utf8'));
          return true;
        } catch {
          return false;
        }
      });
      assert.deepEqual(found, expected);
    }
    assert.deepEqual(readdirSync('.').includes('x'), false);
  });

  it('is the one around the terminal if the user names none', () => {
    assert.equal(editorOf(undefined, {}), undefined);
    for (const environment of [
      { NVIM: '/run/nvim' },
      { ZED_TERM: 'true' },
      { TERMINAL_EMULATOR: 'JetBrains-JediTerm' },
      { TERM_PROGRAM: 'vscode' },
    ]) {
      assert.equal(typeof editorOf(undefined, environment), 'function');
    }
  });

  it('is refused if it is no usual one and no call', async () => {
    for (const name of editorNames) {
      assert.equal(editorProblem(name), undefined);
    }
    assert.equal(editorProblem('zed {file}:{line}'), undefined);
    for (const wrong of ['', 'vim', 'zed file', '{file}', 'toString']) {
      assert.match(editorProblem(wrong) ?? '', /Name an editor/, wrong);
    }
    const missing = editorOf(`${join(folder, 'missing')} {file}`, {});
    await assert.rejects(async () => missing?.('/x'), /could not be started/);
  });
});

describe('the files that pages may show', () => {
  it('are those that were named, and those in folders of agents and of the work', async () => {
    const work = join(folder, 'work');
    const other = join(folder, 'other');
    mkdirSync(work);
    mkdirSync(other);
    writeFileSync(join(work, 'in.jsonl'), '');
    writeFileSync(join(other, 'out.jsonl'), '');
    writeFileSync(join(folder, 'work-2.jsonl'), '');
    symlinkSync(join(other, 'out.jsonl'), join(work, 'link.jsonl'));
    const known = new KnownFiles(() => [work, join(folder, 'missing')]);
    const has = (path: string): Promise<boolean> => known.has(path);
    assert.equal(await has(join(work, 'in.jsonl')), true);
    for (const path of [
      join(other, 'out.jsonl'),
      join(work, '..', 'other', 'out.jsonl'),
      `${work}/../other/out.jsonl`,
      join(folder, 'work-2.jsonl'),
      join(work, 'link.jsonl'),
      join(work, 'missing.jsonl'),
      'work/in.jsonl',
    ]) {
      assert.equal(await has(path), false, path);
    }
    known.add(join(other, 'out.jsonl'));
    assert.equal(await has(join(other, 'out.jsonl')), true);
  });
});

describe('the keys of providers', () => {
  it('come from the environment, for the address of the provider and of the settings alone', async () => {
    const anthropic = providerPreset('anthropic');
    const ollama = providerPreset('ollama');
    assert.ok(anthropic !== undefined && ollama !== undefined);
    const keys = keysIn({ ANTHROPIC_API_KEY: 'key' }, () => 'http://localhost:8080');
    assert.equal(await keys.keyOf(anthropic, 'https://api.anthropic.com:443'), 'key');
    assert.equal(await keys.keyOf(anthropic, 'http://localhost:8080'), 'key');
    assert.equal(await keys.keyOf(anthropic, 'https://inspector.example:443'), undefined);
    assert.equal(await keys.keyOf(ollama, 'http://localhost:8080'), undefined);
    assert.equal(
      await keysIn({ ANTHROPIC_API_KEY: '' }, () => '').keyOf(anthropic, 'https://api.anthropic.com:443'),
      undefined,
    );
  });
});

describe('the browser', () => {
  it('gets the link in a file that only the user can read, and not in its call', async t => {
    if (process.platform !== 'linux') {
      t.skip('the browser is named by a variable on Linux alone');
      return;
    }
    const path = join(folder, 'browser.sock');
    let called: (words: string) => void = () => undefined;
    const words = new Promise<string>(resolve => {
      called = resolve;
    });
    const server = createServer(connection => {
      text(connection).then(called, () => undefined);
    });
    server.listen(path);
    const browser = join(folder, 'browser');
    writeFileSync(
      browser,
      `#!${process.execPath}\nrequire('node:net').connect(${JSON.stringify(path)}).end(process.argv.slice(2).join(' '))`,
      { mode: 0o755 },
    );
    const link = 'http://127.0.0.1:1/?token=secret';
    const remove = await openBrowser(link, { BROWSER: browser });
    const address = await words;
    server.close();
    assert.doesNotMatch(address, /secret/);
    const file = new URL(address);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(
      readFileSync(file, 'utf8'),
      /http-equiv="refresh" content="0;url=http:\/\/127\.0\.0\.1:1\/\?token=secret"/,
    );
    remove();
    assert.throws(() => statSync(file));
    assert.equal(hasScreen({}), false);
    assert.equal(hasScreen({ DISPLAY: ':0' }), true);
    await assert.rejects(openBrowser(link, { BROWSER: join(folder, 'missing') }), /could not be started/);
  });
});
