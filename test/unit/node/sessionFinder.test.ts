import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Machine, sessionPlaces } from '../../../src/core/finder/agentLocations';
import { listSessions } from '../../../src/core/finder/sessionList';
import { type OutlineResult, sliceLength } from '../../../src/core/finder/sessionOutline';
import {
  localFiles,
  localFilesAtOnce,
  localFilesNow,
  type SessionFileSystem,
} from '../../../src/node/sessions/sessionFiles';
import { outlineFile } from '../../../src/node/sessions/outlineFile';
import { SessionFinder } from '../../../src/node/sessions/sessionFinder';
import { copyOf } from '../../../src/node/sessions/workspaceCopy';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';

const home = mkdtempSync(join(tmpdir(), 'context-inspector-home-'));
after(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string, minutes = 0): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  const time = Date.UTC(2026, 0, 5, 9, minutes) / 1000;
  utimesSync(full, time, time);
  return full;
}

/** Counts the files opened and the bytes read. */
function counting(): SessionFileSystem & { readonly reads: { path: string; bytes: number }[] } {
  const files = localFiles();
  const reads: { path: string; bytes: number }[] = [];
  return {
    reads,
    list: folder => files.list(folder),
    states: paths => files.states(paths),
    read: async (path, offset, length) => {
      const bytes = await files.read(path, offset, length);
      reads.push({ path, bytes: bytes.length });
      return bytes;
    },
  };
}

const bytesRead = (reads: readonly { readonly bytes: number }[]): number =>
  reads.reduce((sum, { bytes }) => sum + bytes, 0);

const machineAt = (folder: string, environment: Machine['environment'] = {}): Machine => ({
  platform: 'linux',
  home: join(home, folder),
  environment,
});

const session = (directory: string, prompt: string): ClaudeCodeSession =>
  new ClaudeCodeSession(undefined, directory).prompt(prompt).reply({ text: 'Done.' });

function outlineIn(result: OutlineResult | undefined) {
  assert.ok(result?.kind === 'session', result?.kind);
  return result.outline;
}

describe('the finder of sessions', () => {
  it('lists the files of several agents by place alone, without opening one', async () => {
    const machine = machineAt('several', { CODEX_HOME: join(home, 'several/moved') });
    write('several/.claude/projects/-work-shop/a.jsonl', 'x', 1);
    write('several/.claude/projects/-work-shop/a/subagents/agent-b.jsonl', 'x', 1);
    write('several/.claude/projects/-work-shop/empty.jsonl', '', 1);
    write('several/moved/sessions/2026/01/05/rollout-2026-01-05T09-00-00-id.jsonl', 'x', 2);
    write('several/moved/sessions/2026/01/05/rollout-2026-01-05T09-00-00-id2.jsonl.zst', 'x', 2);
    write('several/moved/sessions/2026/01/05/notes.jsonl', 'x', 2);
    write('several/.local/share/opencode/opencode.db', 'x', 3);
    write('several/.gemini/tmp/shop/chats/session-1.json', 'x', 4);
    write('several/.config/Code/User/workspaceStorage/1f/chatSessions/s.json', 'x', 5);
    const chat = 'several/.config/VSCodium/User/workspaceStorage/1f/GitHub.copilot-chat/debug-logs';
    write(`${chat}/s1/main.jsonl`, 'x', 5);
    write(`${chat}/s1/title-s2.jsonl`, 'x', 5);
    write(`${chat}/s0.jsonl`, 'x', 5);
    write('several/.config/Cursor/User/globalStorage/github.copilot-chat/agent-traces.db', 'x', 5);
    write('several/.cursor/projects/work-shop/agent-transcripts/t/t.jsonl', 'x', 6);
    write('several/shop/.aider.chat.history.md', 'x', 7);
    const files = counting();
    const places = sessionPlaces(machine, [join(home, 'several/shop')]);
    const found = await new SessionFinder(files).list(places);
    assert.deepStrictEqual(
      found.map(({ agent, path }) => `${agent}: ${path.slice(join(home, 'several/').length)}`).sort(),
      [
        'Aider: shop/.aider.chat.history.md',
        'Claude Code: .claude/projects/-work-shop/a.jsonl',
        'Codex: moved/sessions/2026/01/05/rollout-2026-01-05T09-00-00-id.jsonl',
        'Codex: moved/sessions/2026/01/05/rollout-2026-01-05T09-00-00-id2.jsonl.zst',
        'Copilot Chat: .config/Code/User/workspaceStorage/1f/chatSessions/s.json',
        'Copilot Chat: .config/Cursor/User/globalStorage/github.copilot-chat/agent-traces.db',
        'Copilot Chat: .config/VSCodium/User/workspaceStorage/1f/GitHub.copilot-chat/debug-logs/s0.jsonl',
        'Copilot Chat: .config/VSCodium/User/workspaceStorage/1f/GitHub.copilot-chat/debug-logs/s1/main.jsonl',
        'Cursor: .cursor/projects/work-shop/agent-transcripts/t/t.jsonl',
        'Gemini CLI: .gemini/tmp/shop/chats/session-1.json',
        'opencode: .local/share/opencode/opencode.db',
      ],
    );
    assert.deepStrictEqual(files.reads, []);
  });

  it('lists the same in each way of asking the disk, with links and several folders of one beginning', async () => {
    write('ways/.claude/projects/-work-shop/a.jsonl', 'x', 1);
    write('ways/.claude/projects/-work-shop/b.jsonl', 'x', 2);
    write('ways/.claude/projects/-work-shop-old/c.jsonl', 'xx', 3);
    write('ways/elsewhere/d.jsonl', 'x', 4);
    mkdirSync(join(home, 'ways/.claude/projects/-work-shop/folder.jsonl'));
    symlinkSync(join(home, 'ways/elsewhere'), join(home, 'ways/.claude/projects/-linked'));
    symlinkSync(join(home, 'ways/nowhere'), join(home, 'ways/.claude/projects/-work-shop/gone.jsonl'));
    const lists = await Promise.all(
      [localFiles(), localFilesNow(), localFilesAtOnce()].map(files =>
        new SessionFinder(files).list(sessionPlaces(machineAt('ways'))),
      ),
    );
    const projects = join(home, 'ways/.claude/projects');
    for (const list of lists) {
      assert.deepEqual(
        list
          .map(({ path, size, projectKey, projectFolder }) => [
            path.slice(projects.length),
            size,
            projectKey.slice(projects.length),
            projectFolder,
          ])
          .sort(),
        [
          ['/-linked/d.jsonl', 1, '/-linked', '-linked'],
          ['/-work-shop-old/c.jsonl', 2, '/-work-shop-old', '-work-shop-old'],
          ['/-work-shop/a.jsonl', 1, '/-work-shop', '-work-shop'],
          ['/-work-shop/b.jsonl', 1, '/-work-shop', '-work-shop'],
        ],
      );
    }
  });

  it('learns where sessions belong from a look into one file of each folder, or from its note', async () => {
    const machine = machineAt('projects');
    write('projects/.claude/projects/-work-shop/a.jsonl', session('/work/shop', 'One').toString(), 1);
    write('projects/.claude/projects/-work-shop/b.jsonl', session('/work/shop', 'Two').toString(), 2);
    write('projects/.gemini/tmp/till/chats/session-1.json', '{}', 3);
    write('projects/.gemini/tmp/till/.project_root', '/work/till', 3);
    const meta = (more: object): string =>
      `${JSON.stringify({ timestamp: '2026-01-05T09:00:00Z', type: 'session_meta', payload: { cwd: '/work/codex', ...more } })}\n`;
    write('projects/.codex/sessions/2026/01/05/rollout-1.jsonl', meta({}), 4);
    write(
      'projects/.codex/sessions/2026/01/05/rollout-2.jsonl',
      meta({ source: { subagent: { thread_spawn: { parent_thread_id: 't' } } } }),
      5,
    );
    const files = counting();
    const finder = new SessionFinder(files);
    const places = sessionPlaces(machine);
    const found = await finder.list(places);
    assert.equal(await finder.learn(found, places), true);
    assert.equal(await finder.learn(found, places), false);
    assert.ok(!files.reads.some(({ path }) => path.endsWith('a.jsonl')), 'the older file was read too');
    const { sessions, projects } = listSessions(found, [], file => finder.factsOf(file));
    assert.deepStrictEqual(
      sessions.map(({ file, project }) => [file.agent, projects[project]?.key]),
      [
        ['Codex', '/work/codex'],
        ['Gemini CLI', '/work/till'],
        ['Claude Code', '/work/shop'],
        ['Claude Code', '/work/shop'],
      ],
    );
  });

  it('reads the heads and tails of what is asked for, of a home with 5,000 sessions', async () => {
    const text = session('/work/shop', 'Small').toString();
    for (let index = 0; index < 5000; index += 1) {
      write(`many/.claude/projects/-work-${index % 40}/${index}.jsonl`, text, index % 60);
    }
    const files = counting();
    const finder = new SessionFinder(files);
    const places = sessionPlaces(machineAt('many'));
    const found = await finder.list(places);
    assert.equal(found.length, 5000);
    assert.deepStrictEqual(files.reads, []);
    await finder.learn(found, places);
    const learned = files.reads.filter(({ bytes }) => bytes > 0);
    assert.equal(learned.length, 40);
    assert.ok(learned.every(({ bytes }) => bytes <= 16_384));
    files.reads.splice(0);
    await Promise.all(found.slice(0, 50).map(file => outlineFile(file, files)));
    assert.equal(files.reads.length, 50);
    assert.equal(bytesRead(files.reads), 50 * text.length);
  });

  it('tells a long session from its two ends', async () => {
    const long = new ClaudeCodeSession(undefined, '/work/shop').prompt('Count the books on every shelf');
    for (let turn = 0; turn < 400; turn += 1) {
      const id = `toolu_${turn}`;
      long.reply({ tool: 'Bash', id, input: { command: `ls shelf${turn}` } }).result(id, 'book '.repeat(300));
    }
    long.reply({ text: 'Counted.' });
    const text = long.toString();
    write('long/.claude/projects/-work-shop/long.jsonl', text);
    const files = counting();
    const finder = new SessionFinder(files);
    const [file] = await finder.list(sessionPlaces(machineAt('long')));
    assert.ok(file !== undefined);
    const outline = outlineIn(await outlineFile(file, files));
    assert.equal(bytesRead(files.reads), 2 * sliceLength);
    assert.equal(outline.title, 'Count the books on every shelf');
    assert.equal(outline.model, 'claude-sonnet-4-5-20250929');
    assert.equal(outline.isWhole, false);
    assert.ok(Math.abs(outline.requests - 401) < 40, `${outline.requests} requests`);
    const times = text
      .trimEnd()
      .split('\n')
      .filter(line => line.includes('"type":"assistant"'))
      .map(line => Date.parse(/"timestamp":"(?<time>[^"]+)"/.exec(line)?.groups?.['time'] ?? ''));
    assert.deepStrictEqual([outline.firstTime, outline.lastTime], [times[0], times.at(-1)]);
    const [fresh = '', read = '', made = ''] =
      /"input_tokens":(\d+),"cache_read_input_tokens":(\d+),"cache_creation_input_tokens":(\d+)/
        .exec(long.lines.at(-1) ?? '')
        ?.slice(1) ?? [];
    assert.equal(outline.fill?.tokens, Number(fresh) + Number(read) + Number(made));
  });

  it('takes from an added folder only what is a transcript, and follows no links in it', async () => {
    write('added/runs/deep/er/capture.jsonl', session('/w', 'Captured').toString());
    write('added/runs/package.json', '{"name":"shop"}');
    write('added/runs/node_modules/x/y.json', '{}');
    write('added/runs/broken.jsonl', '{"half":');
    symlinkSync(join(home, 'added/runs'), join(home, 'added/runs/deep/circle'));
    const finder = new SessionFinder();
    const found = await finder.list(
      sessionPlaces(machineAt('nobody'), [], [{ folder: join(home, 'added/runs'), rules: [] }]),
    );
    assert.ok(!found.some(({ path }) => path.includes('node_modules')));
    const kinds = await Promise.all(
      found.map(async file => [
        file.path.slice(join(home, 'added/runs/').length),
        (await outlineFile(file, localFiles())).kind,
      ]),
    );
    assert.deepStrictEqual(kinds.sort(), [
      ['broken.jsonl', 'foreign'],
      ['deep/er/capture.jsonl', 'session'],
      ['package.json', 'foreign'],
    ]);
  });

  it('keeps secrets out of titles', async () => {
    write(
      'secret/.claude/projects/-p/s.jsonl',
      session('/p', `Why is ghp_${'a1B2'.repeat(9)} refused?`).toString(),
    );
    const finder = new SessionFinder();
    const [file] = await finder.list(sessionPlaces(machineAt('secret')));
    assert.ok(file !== undefined);
    assert.equal(outlineIn(await outlineFile(file, localFiles())).title, 'Why is ••• refused?');
  });

  it('survives what it must not read', async () => {
    const missing = sessionPlaces({ platform: 'linux', home: '/nowhere/at/all', environment: {} });
    assert.deepStrictEqual(await new SessionFinder().list(missing), []);
    const gone = {
      agent: 'Codex',
      path: join(home, 'gone.jsonl'),
      size: 10,
      modified: 0,
      projectKey: 'gone',
      isKnown: true,
    };
    const finder = new SessionFinder();
    assert.deepStrictEqual(await outlineFile(gone, localFiles()), { kind: 'foreign' });
    await finder.learn([gone], missing);
    assert.deepStrictEqual(finder.factsOf(gone), {});
  });

  it('takes a folder of the workspace for a copy only where that is certain', async () => {
    const lines = session('/home/other/till', 'Count')
      .reply({ tool: 'Read', id: 't1', input: { file_path: '/home/other/till/src/a.ts' } })
      .reply({ tool: 'Read', id: 't2', input: { file_path: '/home/other/till/src/b.ts' } })
      .reply({ tool: 'Read', id: 't3', input: { file_path: '/home/other/till/docs/c.md' } })
      .toString();
    const path = write('copied/projects/p/one.jsonl', lines);
    const folder = join(home, 'work/till');
    const added = [{ folder: join(home, 'copied'), rules: [] }];
    const places = sessionPlaces(machineAt('nobody'), [folder], added);
    const copyIn = async (...folders: readonly string[]): Promise<string | undefined> => {
      const finder = new SessionFinder();
      const files = (await finder.list(places)).filter(file => file.path === path);
      await finder.learn(files, places, folders);
      return files.map(file => finder.factsOf(file).copy)[0];
    };
    write('work/till/src/a.ts', 'a');
    write('work/till/src/b.ts', 'b');
    write('work/till/docs/c.md', 'c');
    assert.equal(await copyIn(folder), undefined, 'no repository');
    write('work/till/.git/HEAD', 'ref: refs/heads/main');
    assert.equal(await copyIn(folder), folder);
    assert.equal(await copyIn(join(home, 'work')), undefined, 'another name');
    rmSync(join(folder, 'docs/c.md'));
    assert.equal(await copyIn(folder), undefined, 'too few files');
    write('work/till/docs/c.md', 'c');
    write('copied/projects/p/one.jsonl', lines.replaceAll('/home/other/till', join(home, 'real/till')));
    assert.equal(await copyIn(folder), folder);
    write('real/till/README.md', 'It is here after all.');
    assert.equal(await copyIn(folder), undefined, 'the folder is on this machine');
  });

  it('never looks at a share that a session names', async () => {
    for (const directory of ['//server/share/till', '\\\\server\\share\\till']) {
      const looked: string[] = [];
      const files: SessionFileSystem = {
        ...localFiles(),
        list: folder => {
          looked.push(folder);
          return Promise.resolve([]);
        },
      };
      const file = { path: '/s.jsonl', agent: '', size: 0, modified: 0, isKnown: true, projectKey: '' };
      assert.equal(await copyOf(directory, file, [join(home, 'work/till')], files), undefined);
      assert.deepEqual(looked, []);
    }
  });
});
