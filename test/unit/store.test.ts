import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { packedFiles, skipUnpacked as skip } from '../fixtures/packedFiles';
import { ask } from '../fixtures/httpClient';

const run = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), 'store-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const manifestText = readFileSync('package.json', 'utf8');
const manifest = v.parse(
  v.object({
    version: v.string(),
    contributes: v.object({
      walkthroughs: v.array(
        v.object({
          icon: v.string(),
          steps: v.array(
            v.object({ description: v.string(), media: v.object({ svg: v.string(), altText: v.string() }) }),
          ),
        }),
      ),
      commands: v.array(v.object({ command: v.string() })),
      views: v.record(v.string(), v.array(v.object({ id: v.string() }))),
    }),
  }),
  JSON.parse(manifestText),
);
const words = v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync('package.nls.json', 'utf8')));

/** The targets of links and pictures in Markdown. */
const targetsIn = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** The anchors of a text's headings, as GitHub and VS Code make them. */
const anchorsIn = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) =>
        `#${heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-')}`,
    ),
  );

/**
 * The problems of a Markdown file's links and pictures: each target must be in this repository, in the page or on the
 * web.
 */
const deadTargetsIn = (path: string): readonly string[] =>
  targetsIn(readFileSync(path, 'utf8')).filter(target => {
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? path : join(dirname(path), file);
    return (
      !target.startsWith('https://') &&
      (!existsSync(found) ||
        (anchor !== undefined && !anchorsIn(readFileSync(found, 'utf8')).has(`#${anchor}`)))
    );
  });

describe('links and pictures', () => {
  it('of the pages for people lead somewhere', () => {
    const docs = readdirSync('docs').map(name => join('docs', name));
    for (const path of ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', ...docs]) {
      assert.deepEqual(deadTargetsIn(path), [], path);
    }
    // The package contains this page, but no other one that it could link to.
    assert.deepEqual(
      targetsIn(readFileSync('CHANGELOG.md', 'utf8')).filter(target => !/^(?:https:\/\/|#)/.test(target)),
      [],
    );
  });

  it('of the walkthrough and the manifest are in the package', { skip }, () => {
    const files = new Set(packedFiles());
    const paths = [...manifestText.matchAll(/"((?:media|dist)\/[\w./-]+)"/g)].map(([, path = '']) => path);
    assert.ok(paths.length >= 8);
    for (const path of paths.filter(path => path !== 'dist/cli.js')) {
      assert.ok(files.has(path), path);
    }
    for (const [, address = ''] of manifestText.matchAll(/"(\w+:\/\/[^"]*)"/g)) {
      assert.match(address, /^https:/);
    }
  });

  it('of the walkthrough run commands that there are', () => {
    const known = new Set([
      ...manifest.contributes.commands.map(({ command }) => command),
      ...Object.values(manifest.contributes.views).flatMap(views => views.map(({ id }) => `${id}.focus`)),
    ]);
    const [walkthrough] = manifest.contributes.walkthroughs;
    assert.equal(walkthrough?.steps.length, 5);
    for (const { description, media } of walkthrough.steps) {
      const text = words[description.replaceAll('%', '')] ?? '';
      const targets = targetsIn(text);
      assert.ok(targets.length > 0, text);
      for (const target of targets) {
        const [, command = '', given = '[]'] = /^command:([\w.]+)(?:\?(.*))?$/.exec(target) ?? [];
        assert.ok(known.has(command), target);
        assert.ok(Array.isArray(JSON.parse(decodeURIComponent(given))));
      }
      assert.ok((words[media.altText.replaceAll('%', '')] ?? '').length > 20);
      const picture = readFileSync(media.svg, 'utf8');
      // Pictures contain no words, which could not be translated, and take their colours from the theme.
      assert.ok(!/<text|"#[0-9a-f]{3,8}\b|<script|href/i.test(picture), media.svg);
      assert.ok(picture.includes('var(--vscode-editor-background)'), media.svg);
    }
  });
});

/** The README inside a VSIX. */
function readmeIn(path: string): string {
  const bytes = unzipSync(readFileSync(path))['extension/readme.md'];
  assert.ok(bytes !== undefined);
  return new TextDecoder().decode(bytes);
}

const picturesIn = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) => target);

describe('the page in a store', () => {
  const count = picturesIn(readFileSync('README.md', 'utf8')).length;

  it('has its pictures in the text while there is no repository', { skip }, async () => {
    const { writeStoreReadme } = v.parse(
      v.looseObject({ writeStoreReadme: v.function() }),
      await import(join(process.cwd(), 'scripts', 'lib', 'storeReadme.mjs')),
    );
    const readme = join(scratch, 'README.md');
    writeStoreReadme(process.cwd(), readme);
    const text = readFileSync(readme, 'utf8');
    const pictures = picturesIn(text);
    assert.equal(pictures.length, count);
    // The package contains no docs, so links to them would lead nowhere.
    assert.deepEqual(
      targetsIn(text).filter(target => !/^(?:data:|https:|#)/.test(target)),
      [],
    );
    for (const picture of pictures) {
      assert.ok(/^data:image\/(png|webp);base64,[\w+/]+=*$/.test(picture), picture.slice(0, 80));
    }
  });

  it('links its pictures once the repository is filled in', { skip }, async () => {
    const folder = join(scratch, 'published');
    for (const file of ['README.md', 'LICENSE', 'package.nls.json', 'media/icon.png', 'dist/extension.js']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(file, join(folder, file));
    }
    const { scripts: _, ...rest } = v.parse(
      v.looseObject({ scripts: v.unknown() }),
      JSON.parse(manifestText),
    );
    const repository = { type: 'git', url: 'https://github.com/someone/context-inspector.git' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...rest, repository }));
    const packagePath = join(scratch, 'published.vsix');
    await createVSIX({ cwd: folder, packagePath, dependencies: false });
    const pictures = picturesIn(readmeIn(packagePath));
    assert.equal(pictures.length, count);
    for (const picture of pictures) {
      assert.match(picture, /^https:\/\/github\.com\/someone\/context-inspector\/raw\/HEAD\/media\//);
    }
  });
});

describe('the package for npm', () => {
  it('runs by npx, without dependencies, and inspects the example', { skip }, async () => {
    const shell = process.platform === 'win32';
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch];
    const { stdout } = await run('npm', pack, { shell });
    const [packed] = v.parse(
      v.array(v.object({ filename: v.string(), files: v.array(v.object({ path: v.string() })) })),
      JSON.parse(stdout),
    );
    assert.ok(packed !== undefined);
    const paths = packed.files.map(({ path }) => path);
    assert.ok(
      paths.includes('README.md') &&
        paths.includes('LICENSE') &&
        paths.includes('dist/ThirdPartyNotices.txt'),
    );
    assert.deepEqual(
      paths.filter(path =>
        /extension\.js|\.map$|^(src|test|media(?!\/example\/session)|scripts)\//.test(path),
      ),
      [],
    );
    assert.deepEqual(
      targetsIn(readFileSync('README.md', 'utf8')).filter(
        target => target.endsWith('.md') && !paths.includes(target),
      ),
      [],
      'the README links to files that are not packed',
    );
    const home = join(scratch, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{}');
    const install = ['install', '--offline', '--no-audit', '--no-fund', join(scratch, packed.filename)];
    const installed = spawnSync('npm', install, { cwd: home, shell, encoding: 'utf8' });
    assert.equal(installed.status, 0, installed.stderr);
    const names = readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.'));
    assert.deepEqual(names, ['context-inspector']);
    const example = join(process.cwd(), 'media', 'example', 'session.jsonl');
    const inspect = ['--no-install', 'context-inspector', 'inspect', example, '--request', '53', '--json'];
    const { stdout: report } = await run('npx', inspect, { cwd: home, shell, maxBuffer: 1 << 24 });
    const read = v.parse(
      v.object({ format: v.string(), requests: v.number(), request: v.object({ index: v.number() }) }),
      JSON.parse(report),
    );
    assert.deepEqual(read, { format: 'claude-code', requests: 59, request: { index: 53 } });
    const { stdout: version } = await run('npx', ['--no-install', 'context-inspector', '--version'], {
      cwd: home,
      shell,
    });
    assert.equal(version.trim(), manifest.version);
    await servesPages(join(home, 'node_modules', 'context-inspector'));
  });

  /** Everything that the pages of the installed package load. */
  async function servesPages(installed: string): Promise<void> {
    const program = [join(installed, 'dist', 'cli.js'), 'view', '--no-open'];
    const view = spawn(process.execPath, program, {
      env: { ...process.env, HOME: scratch, XDG_CONFIG_HOME: scratch },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let link: URL | undefined;
      for await (const line of createInterface(view.stdout)) {
        const [address] = /http:\S+/.exec(line) ?? [];
        if (address !== undefined) {
          link = new URL(address);
          break;
        }
      }
      assert.ok(link !== undefined);
      const port = Number(link.port);
      const [cookie = ''] = (await ask(port, `/${link.search}`)).headers['set-cookie'] ?? [];
      const session = new URLSearchParams({ file: join(installed, 'media', 'example', 'session.jsonl') });
      for (const path of [
        ...['/', '/sessions', '/usage', `/session?${session.toString()}`],
        ...['door.js', 'frame.js', 'frame.css', 'webview.js', 'webview.css', 'sessions.js', 'sessions.css'],
        ...['usage.js', 'usage.css', 'compare.js', 'compare.css', 'highlighting.js'],
      ]) {
        const { status } = await ask(port, path.replace(/^(?!\/)/, '/'), {
          cookie: cookie.split(';')[0] ?? '',
        });
        assert.equal(status, 200, path);
      }
    } finally {
      view.kill();
    }
  }
});
