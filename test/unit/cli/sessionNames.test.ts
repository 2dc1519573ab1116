import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { arrayAt, numberAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { CommandLine, type Outcome } from '../../fixtures/commandLine';

const cli = new CommandLine();
const older = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';
const newer = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a91';
const elsewhere = '77aa1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';

describe('a session by name', () => {
  const home = join(cli.folder, 'home');
  const work = join(cli.folder, 'bookshop');
  const inWork = (...words: readonly string[]): Promise<Outcome> =>
    cli.runWith({ HOME: home, USERPROFILE: home, CLAUDE_CONFIG_DIR: '', PWD: work }, ...words);

  /** A session of Claude Code with this many turns, last written this many minutes ago. */
  function write(id: string, folder: string, turns: number, minutes: number): string {
    const projects = join(home, '.claude', 'projects', folder.replace(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(projects, { recursive: true });
    const path = join(projects, `${id}.jsonl`);
    writeFileSync(path, addToolTurns(new ClaudeCodeSession(id, folder), 'Why?', turns, 500).toString());
    const time = Date.now() / 1000 - 60 * minutes;
    utimesSync(path, time, time);
    return path;
  }
  let newest = '';

  before(() => {
    mkdirSync(work, { recursive: true });
    cli.workIn(work);
    write(older, work, 1, 60);
    newest = write(newer, work, 3, 10);
    write(elsewhere, join(cli.folder, 'other'), 2, 1);
  });
  after(() => cli.remove());

  it('is the newest of the current folder for the word latest', async () => {
    const { stdout } = await inWork('status', 'latest', '--json');
    const report = parseJson(stdout);
    assert.equal(stringAt(report, 'file'), newest);
    assert.equal(stringAt(report, 'id'), newer);
  });

  it('is the one used last, even if the file of an older one was copied since', async () => {
    const copied = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a92';
    const path = write(copied, work, 1, 0);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/"timestamp":"\d{4}/g, '"timestamp":"2019'));
    try {
      const { stdout } = await inWork('status', 'latest', '--json');
      assert.equal(stringAt(parseJson(stdout), 'id'), newer);
    } finally {
      rmSync(path);
    }
  });

  it('is that whose id begins with a word, of any folder', async () => {
    const { stdout } = await inWork('status', '77AA1', '--json');
    assert.equal(stringAt(parseJson(stdout), 'id'), elsewhere);
  });

  it('is that whose records have the id, where the name of its file has only the beginning', async () => {
    const chats = join(home, '.gemini', 'tmp', 'shop', 'chats');
    mkdirSync(chats, { recursive: true });
    const id = 'b2f0c1d1-8a44-4c1b-9a5e-0d4f7c2b1a90';
    const path = join(chats, 'session-2026-01-05T10-00-b2f0c1d1.json');
    writeFileSync(
      path,
      JSON.stringify({
        sessionId: id,
        projectHash: 'shop',
        messages: [
          { id: '1', timestamp: '2026-01-05T10:00:00Z', type: 'user', content: 'Why?' },
          {
            id: '2',
            timestamp: '2026-01-05T10:00:09Z',
            type: 'gemini',
            content: 'So.',
            model: 'gemini-2.5-pro',
          },
        ],
      }),
    );
    for (const word of [id, 'B2F0C1D1-8A4', 'b2f0c1d1']) {
      const { stdout, stderr } = await inWork('status', word, '--json');
      assert.equal(stringAt(parseJson(stdout), 'file'), path, stderr);
    }
  });

  it('is one of a store that holds several, of which a command takes the conversation', async () => {
    const store = join(home, '.local', 'share', 'opencode');
    cpSync(join('test', 'fixtures', 'sqlite'), store, { recursive: true });
    const path = join(store, 'opencode.db');
    const { stdout, stderr } = await inWork('inspect', 'ses_1', '--json');
    const named = await inWork('inspect', path, '--conversation', '1', '--json');
    assert.deepEqual([stdout, stderr, numberAt(parseJson(stdout), 'conversation')], [named.stdout, '', 1]);
    const other = await inWork('inspect', 'ses_1', '--conversation', '0', '--json');
    assert.deepEqual([numberAt(parseJson(other.stdout), 'conversation'), other.stderr], [0, '']);
    const several = await inWork('inspect', 'ses_');
    assert.match(several.stderr, /opencode\.db: ses_2\n.*opencode\.db: ses_1/);
    for (const words of [
      ['waste', 'ses_1'],
      ['compare', path, 'ses_1'],
    ]) {
      const { code, stdout: printed, stderr: said } = await inWork(...words);
      assert.deepEqual([code, printed], [2, '']);
      assert.match(
        said,
        /opencode\.db contains several sessions, and this command cannot choose one of them\./,
      );
    }
  });

  it('is asked for again where several ids begin with a word', async () => {
    const { code, stderr } = await inWork('inspect', '5f0c1d1e');
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`${newer}[^]*${older}`));
  });

  it('is not made up where no id begins with a word', async () => {
    const { code, stderr } = await inWork('inspect', 'abcdef01');
    assert.equal(code, 2);
    assert.match(stderr, /no such file, and no session/);
  });

  it('is one of another machine where the user says whose folder it is', async () => {
    const copied = join(cli.folder, 'laptop', 'runs');
    mkdirSync(copied, { recursive: true });
    const path = join(copied, 'one.jsonl');
    writeFileSync(
      path,
      addToolTurns(new ClaudeCodeSession(elsewhere, 'C:\\Users\\x\\shop'), 'Why?', 4, 500).toString(),
    );
    const added = (...folders: readonly unknown[]) => ({
      HOME: home,
      USERPROFILE: home,
      CLAUDE_CONFIG_DIR: '',
      CONTEXT_INSPECTOR_FOLDERS: JSON.stringify(folders),
    });
    const status = (environment: Readonly<Record<string, string>>): Promise<Outcome> =>
      cli.runWith(environment, 'status', '--json', 'latest');
    assert.equal(stringAt(parseJson((await status(added(copied))).stdout), 'file'), newest);
    const mapped = await status(added({ folder: copied, paths: { 'C:\\Users\\x\\shop': work } }));
    assert.equal(stringAt(parseJson(mapped.stdout), 'file'), path);
    assert.match(mapped.stderr, /Recorded in C:\\Users\\x\\shop\. .*this is .*bookshop/);
    const wrong = await status({ ...added(), CONTEXT_INSPECTOR_FOLDERS: 'runs' });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /CONTEXT_INSPECTOR_FOLDERS must be a JSON list/);
  });

  it('is a file where one has that name', async () => {
    writeFileSync(
      join(work, 'latest'),
      new ClaudeCodeSession().prompt('Hello').reply({ text: 'Hi.' }).toString(),
    );
    const { stdout } = await inWork('status', 'latest', '--json');
    assert.equal(stringAt(parseJson(stdout), 'file'), 'latest');
  });

  it('says what the newest one is doing where no command is given', async () => {
    const byName = parseJson((await inWork('status', newer, '--json')).stdout);
    const text = (await inWork()).stdout;
    const context = numberAt(objectAt(objectAt(byName, 'newest'), 'tokens'), 'value') ?? 0;
    const sources = arrayAt(objectAt(byName, 'newest'), 'sources').map(
      source => numberAt(source, 'tokens') ?? 0,
    );
    assert.equal(
      sources.reduce((sum, tokens) => sum + tokens, 0),
      context,
    );
    assert.ok(text.includes(context.toLocaleString('en-US')), text);
    assert.ok(text.includes(`context-inspector inspect ${newer}`), text);
    assert.ok(text.split('\n').length <= 12, text);
  });

  it('names the file in the command for more, where no agent keeps it', async () => {
    const path = join(cli.folder, "copies of Ada's", 'session.jsonl');
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, new ClaudeCodeSession().prompt('Hello').reply({ text: 'Hi.' }).toString());
    const { stdout } = await inWork('status', path);
    assert.ok(stdout.includes(`context-inspector inspect '${path.replaceAll("'", "'\\''")}'`), stdout);
    mkdirSync(join(cli.folder, 'copies'), { recursive: true });
    cpSync(path, join(cli.folder, 'copies', 'plain.jsonl'));
    const { stdout: more } = await inWork('status', join('..', 'copies', 'plain.jsonl'));
    assert.ok(more.includes(`context-inspector inspect ${join('..', 'copies', 'plain.jsonl')}\n`), more);
  });
});
