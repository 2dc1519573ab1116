import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { member, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { pictureMember, readPicture } from '../../../src/core/contextTools/contextPicture';
import { ToolError } from '../../../src/core/contextTools/contextTool';
import { contextTools } from '../../../src/core/contextTools/contextTools';
import { codex } from '../../fixtures/agents';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';
import { type ClientKind, type ContextClient, keepSession, startServer } from '../../fixtures/contextServer';
import { DatabaseSync } from '../../../src/node/databases/nodeSqlite';
import { answerOf } from '../../../src/node/mcp/toolAnswers';
import { databaseOf, type Row } from '../../fixtures/databaseOf';
import { PlantedSecrets, plantedSession } from '../../fixtures/plantedSecrets';

const cli = new CommandLine();
const encoding = getEncoding('o200k_base');
const tokensOf = (text: string): number => encoding.encode(text, 'all').length;

/** More than the tools of a server may take of every request. */
const mostSchemaTokens = 900;
const mostAnswerTokens = 500;

const shop = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';
const kiln = '7d2e4f30-1c66-4e3d-9c70-2f6b9e4d3c12';
const mill = '6a1d2e2f-9b55-4d2c-8b6f-1e5a8d3c2b01';

/** A long time ago, before the server was started. */
const earlier = new Date('2026-01-05T10:00:00Z');

/** A database of opencode with one session of each folder: `ses_1aaaaaaaaa`, `ses_2aaaaaaaaa`. */
function opencodeDatabase(...directories: readonly string[]): Promise<Uint8Array> {
  const idOf = (number: number): string => `ses_${number + 1}aaaaaaaaa`;
  const time = Date.now();
  const tokens = { input: 900, output: 40, reasoning: 0, cache: { read: 500, write: 0 } };
  const message = (number: number, name: string, data: object): Row => [
    `msg_${number}${name}`,
    idOf(number),
    time,
    JSON.stringify({ ...data, time: { created: time } }),
  ];
  return databaseOf({
    session: {
      columns:
        'id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER',
      rows: directories.map((directory, number) => [
        idOf(number),
        null,
        directory,
        'Opening hours',
        '1.18.34',
        time,
        time,
      ]),
    },
    message: {
      columns: 'id TEXT, session_id TEXT, time_created INTEGER, data TEXT',
      rows: directories.flatMap((_, number) => [
        message(number, '1', { role: 'user' }),
        message(number, '2', { role: 'assistant', modelID: 'claude-sonnet-4-5', tokens }),
      ]),
    },
    part: {
      columns: 'id TEXT, message_id TEXT, session_id TEXT, data TEXT',
      rows: directories.map((_, number) => [
        `prt_${number}`,
        `msg_${number}1`,
        idOf(number),
        JSON.stringify({ type: 'text', text: `When does number ${number} open?` }),
      ]),
    },
  });
}

describe('the server of questions about the context', () => {
  const home = join(cli.folder, 'home');
  const folder = join(cli.folder, 'shop');
  const example = readFileSync('media/example/session.jsonl', 'utf8');
  const withSession = async <Result>(
    work: (client: ContextClient) => Promise<Result>,
    kind: ClientKind = { name: 'claude-code' },
  ): Promise<Result> => {
    const client = await startServer(home, folder, kind);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };

  before(() => {
    mkdirSync(folder, { recursive: true });
    utimesSync(keepSession(home, folder, shop, example), earlier, earlier);
  });
  after(() => cli.remove());

  it('lists its tools in at most 900 tokens', async () => {
    const { tools } = await withSession(client => client.tools());
    assert.deepEqual(
      tools.map(({ name }) => name),
      contextTools.map(({ name }) => name),
    );
    // The members that agents send to the model.
    const sent = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    const tokens = tokensOf(JSON.stringify(sent));
    assert.ok(tokens <= mostSchemaTokens, `${tokens} tokens`);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  });

  it('has pictures for clients that show them, and none for others', async () => {
    for (const isModern of [false, true]) {
      const plain = await withSession(
        async client => {
          const { tools } = await client.tools();
          assert.deepEqual(
            tools.flatMap(({ _meta }) => _meta ?? []),
            [],
          );
          assert.deepEqual(await client.resources(), []);
          const answer = await client.call('what_fills_context');
          assert.equal(member(answer.meta, pictureMember), undefined);
          return answer.text;
        },
        { name: 'claude-code', isModern },
      );
      await withSession(
        async client => {
          const [uri = ''] = await client.resources();
          const { tools } = await client.tools();
          assert.deepEqual(
            tools.flatMap(({ name, _meta }) =>
              stringAt(objectAt(_meta, 'ui'), 'resourceUri') === uri ? name : [],
            ),
            contextTools.flatMap(({ name, picture }) => (picture === undefined ? [] : name)),
          );
          const page = await client.page(uri);
          assert.match(page, /default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+';/);
          assert.equal(page.split('</script').length, 2, 'nothing ends the script early');
          const fills = await client.call('what_fills_context');
          assert.equal(fills.text, plain);
          const status = await client.call('context_status');
          for (const { meta } of [fills, status]) {
            assert.equal(readPicture(member(meta, pictureMember))?.parts[0]?.value, 128_789);
          }
          const failed = await client.call('what_fills_context', { request: 1e9 });
          assert.deepEqual([failed.isError, member(failed.meta, pictureMember)], [true, undefined]);
        },
        { name: 'claude-code', isModern, showsPages: true },
      );
    }
  });

  it('answers about the newest session of the folder, in pages of at most 500 tokens', async () => {
    await withSession(async ({ call }) => {
      const status = await call('context_status');
      assert.match(status.text, new RegExp(`\nSession «${shop}» · «Claude Code»`));
      assert.match(status.text, /Context: 64 % of 200,000, 128,789 tokens \(exact\)/);
      for (const { name } of contextTools) {
        const needed: Readonly<Record<string, Record<string, unknown>>> = {
          was_seen: { file: 'src/period/period.repository.ts' },
          find_in_sessions: { words: 'parser' },
        };
        for (let page = 1; ; page += 1) {
          const paged = page === 1 ? {} : { page };
          const { text, isError } = await call(name, { ...needed[name], ...paged });
          assert.equal(isError, false, `${name}: ${text}`);
          assert.ok(tokensOf(text) <= mostAnswerTokens, `${name}, page ${page}: ${tokensOf(text)} tokens`);
          if (!text.includes(`page: ${page + 1}`)) {
            break;
          }
        }
      }
    });
  });

  it('finds the session of its caller, and asks if several may be it', async () => {
    await withSession(async ({ call }) => {
      const own = new ClaudeCodeSession(mill, folder).prompt('Grind the corn').reply({ text: 'Done.' });
      const path = keepSession(home, folder, mill, own.toString());
      assert.match((await call('context_status')).text, new RegExp(`\nSession «${mill}»`));
      appendFileSync(path, '\n');
      keepSession(home, folder, shop, example);
      const asked = await call('context_status');
      assert.ok(asked.isError);
      assert.match(asked.text, /\n2 sessions are being written in this folder\. Which one is yours\?/);
      assert.ok(asked.text.includes(shop) && asked.text.includes(mill));
      const named = await call('context_status', { session: mill.slice(0, 8) });
      assert.match(named.text, new RegExp(`\nSession «${mill}»`));
      // Claude Code sends the id of the call, which the session has already.
      const id = /"id":"(toolu_\w+)"/.exec(example.slice(example.length / 2))?.[1] ?? assert.fail();
      const found = await call('context_status', {}, { 'claudecode/toolUseId': id });
      assert.match(found.text, new RegExp(`\nSession «${shop}»`));
    });
  });

  /** Two sessions that have just been written, so that only an id tells whose the call is. */
  const writeTwo = (): readonly string[] =>
    [mill, kiln].map(id => {
      const session = new ClaudeCodeSession(id, folder)
        .prompt('Grind danger-full-access')
        .reply({ text: 'Done.' });
      return keepSession(home, folder, id, session.toString());
    });

  it('finds a session by the id that Codex sends', async () => {
    await withSession(
      async ({ call }) => {
        const threads = [mill, kiln].map(id => {
          const path = join(
            home,
            '.codex',
            'sessions',
            '2026',
            '03',
            '01',
            `rollout-2026-03-01T10-00-00-${id}.jsonl`,
          );
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, codex.map(record => `${JSON.stringify(record)}\n`).join(''));
          return id;
        });
        for (const threadId of threads) {
          // As Codex 0.171 sends it: words such as the sandbox are in every session.
          const turn = { session_id: shop, thread_id: threadId, sandbox_mode: 'danger-full-access' };
          const meta = { callId: 'call_1234567', 'x-codex-turn-metadata': turn, threadId, sessionId: shop };
          assert.match(
            (await call('context_status', {}, meta)).text,
            new RegExp(`\nSession «${threadId}» · «Codex»`),
          );
        }
        rmSync(join(home, '.codex'), { recursive: true });
      },
      { name: 'codex-mcp-client' },
    );
  });

  it('knows the session in which Claude Code started it, unless the call is from another', async () => {
    for (const isModern of [false, true]) {
      const kind = { name: 'claude-code', variables: { CLAUDE_CODE_SESSION_ID: kiln }, isModern };
      await withSession(async ({ call }) => {
        const [path = ''] = writeTwo();
        // The call is not yet in the session when the server looks.
        const meta = { 'claudecode/toolUseId': 'toolu_01notwritten' };
        assert.match((await call('context_status', {}, meta)).text, new RegExp(`\nSession «${kiln}»`));
        // The same process began another session, as after /clear.
        appendFileSync(path, `${JSON.stringify({ type: 'system', content: 'toolu_01notwritten' })}\n`);
        assert.match((await call('context_status', {}, meta)).text, new RegExp(`\nSession «${mill}»`));
      }, kind);
    }
  });

  it('asks an agent that Claude Code started as a command', async () => {
    await withSession(
      async ({ call }) => {
        writeTwo();
        assert.match((await call('context_status')).text, /Which one is yours\?/);
      },
      { name: 'another-agent', variables: { CLAUDE_CODE_SESSION_ID: kiln } },
    );
  });

  it('takes the only session of a database if it is of the folder', async () => {
    const stored = async (directory: string): Promise<void> => {
      const path = join(home, '.local', 'share', 'opencode', 'opencode.db');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await opencodeDatabase(directory));
    };
    await withSession(
      async ({ call }) => {
        await stored(folder);
        assert.match((await call('context_status')).text, /\nSession «ses_1aaaaaaaaa» · «opencode»/);
        await stored(join(cli.folder, 'garden'));
        const { text, isError } = await call('context_status');
        assert.ok(isError);
        assert.match(text, /^No agent has a session in this folder/);
      },
      { name: 'opencode' },
    );
    rmSync(join(home, '.local'), { recursive: true });
  });

  it('reads what a database has in its log alone', async () => {
    const path = join(home, '.local', 'share', 'opencode', 'opencode.db');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await opencodeDatabase(folder));
    const database = new DatabaseSync(path);
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
      await withSession(
        async ({ call }) => {
          assert.match((await call('context_status')).text, / · 1 request · /);
          database.exec(`INSERT INTO message SELECT 'msg_03', session_id, time_created + 1, data FROM message
            WHERE id = 'msg_01'; INSERT INTO message SELECT 'msg_04', session_id, time_created + 2, data
            FROM message WHERE id = 'msg_02';`);
          assert.match((await call('context_status')).text, / · 2 requests · /);
        },
        { name: 'opencode' },
      );
    } finally {
      database.close();
      rmSync(join(home, '.local'), { recursive: true });
    }
  });

  it('reads on when the session has grown', async () => {
    await withSession(async ({ call }) => {
      const session = new ClaudeCodeSession(mill, folder).prompt('Grind the corn').reply({ text: 'Done.' });
      const path = keepSession(home, folder, mill, session.toString());
      const params = { session: mill };
      assert.match((await call('context_status', params)).text, / · 1 request · /);
      const { length } = session.toString();
      session.prompt('And the rye').reply({ text: 'Done too.' });
      appendFileSync(path, session.toString().slice(length));
      assert.match((await call('context_status', params)).text, / · 2 requests · /);
    });
  });

  it('answers about the sessions of its folder and its worktrees, and about others if the user allowed it', async () => {
    const sessionIn = (place: string, id: string): void => {
      const session = new ClaudeCodeSession(id, place).prompt(`Weigh ${id}`).reply({ text: 'Done.' });
      utimesSync(keepSession(home, place, id, session.toString()), earlier, earlier);
    };
    const own = '1a000000-9b55-4d2c-8b6f-1e5a8d3c2b01';
    const inWorktree = '1b000000-9b55-4d2c-8b6f-1e5a8d3c2b01';
    const inClone = '1c000000-9b55-4d2c-8b6f-1e5a8d3c2b01';
    const other = '2a000000-9b55-4d2c-8b6f-1e5a8d3c2b01';
    // Claude Code keeps both in a folder of one name.
    const alike = '2b000000-9b55-4d2c-8b6f-1e5a8d3c2b01';
    const clone = join(cli.folder, 'elsewhere', 'fix-scale');
    mkdirSync(join(folder, '.git', 'worktrees', 'fix-scale'), { recursive: true });
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main');
    mkdirSync(clone, { recursive: true });
    writeFileSync(join(clone, '.git'), `gitdir: ${join(folder, '.git', 'worktrees', 'fix-scale')}\n`);
    sessionIn(join(folder, 'packages', 'scale'), own);
    sessionIn(join(folder, '.claude', 'worktrees', 'scale'), inWorktree);
    sessionIn(clone, inClone);
    sessionIn(join(cli.folder, 'private-client'), other);
    sessionIn(join(cli.folder, 'shop').replace(/\/shop$/, '-shop'), alike);
    const database = join(home, '.local', 'share', 'opencode', 'opencode.db');
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, await opencodeDatabase(folder, join(cli.folder, 'garden')));

    /** The sessions about which it answers, and whose words it finds, of those that are asked for. */
    const told = async ({ call }: ContextClient): Promise<readonly string[]> => {
      const answered: string[] = [];
      for (const id of [own, inWorktree, inClone, other, alike, 'ses_1aaaaaaaaa', 'ses_2aaaaaaaaa']) {
        const { text, isError } = await call('context_status', { session: id });
        if (isError) {
          assert.match(text, /^This session is of another folder, and is not read\. .*--all-folders/);
        } else {
          assert.match(text, new RegExp(`\nSession «${id}»`));
          answered.push(id);
        }
        const stored = /ses_(\d)/.exec(id)?.[1];
        const words = stored === undefined ? `"Weigh ${id}"` : `"number ${Number(stored) - 1} open"`;
        const found = (await call('find_in_sessions', { words })).text;
        assert.equal(found.startsWith('Nothing found.'), isError, found);
        assert.equal(found.includes('--all-folders'), isError, found);
      }
      return answered;
    };
    assert.deepEqual(await withSession(told), [own, inWorktree, inClone, 'ses_1aaaaaaaaa']);
    const all = await withSession(told, { name: 'claude-code', options: ['--all-folders'] });
    assert.equal(all.length, 7);
    // A worktree belongs to its repository.
    const client = await startServer(home, clone, { name: 'claude-code' });
    assert.deepEqual(await told(client), [own, inWorktree, inClone, 'ses_1aaaaaaaaa']);
    await client.close();
    rmSync(join(home, '.local'), { recursive: true });
  });

  it('refuses hostile questions with one sentence', async () => {
    const others = new ClaudeCodeSession().prompt('Oil the lathe').reply({ text: 'Done.' }).toString();
    const outside = cli.write('7b2e3f30-0c66-4e3d-9c70-2f6b9e4d3c12.jsonl', others);
    const linked = keepSession(home, folder, '7b2e3f30-0c66-4e3d-9c70-2f6b9e4d3c12', '');
    renameSync(linked, `${linked}.gone`);
    symlinkSync(outside, linked);
    await withSession(async ({ call }) => {
      const refused: readonly (readonly [string, Record<string, unknown>])[] = [
        ['context_status', { session: outside }],
        ['context_status', { session: '../../../etc/passwd' }],
        ['context_status', { session: '7b2e3f30' }],
        ['context_status', { session: 'x'.repeat(5000) }],
        ['context_status', { page: 2 }],
        ['what_fills_context', { session: shop, request: 1e9 }],
        ['what_fills_context', { session: shop, depth: -1 }],
        ['was_seen', { session: shop, file: 'a'.repeat(100_000) }],
        ['was_seen', { session: shop, file: 'a.ts', lines: '9-3' }],
        ['was_seen', { session: shop, file: 'a.ts', lines: '1-9999999' }],
        ['what_was_dropped', { session: shop, block: 4e9 }],
        ['forecast', { session: shop, change: 'model' }],
        ['find_in_sessions', { words: '***' }],
      ];
      for (const [name, params] of refused) {
        const { text, isError } = await call(name, params);
        assert.ok(isError && text.length < 400, `${name} ${JSON.stringify(params).slice(0, 80)}: ${text}`);
        assert.ok(!text.includes('\n') && !text.includes('    at '), text);
      }
      assert.match((await call('find_in_sessions', { words: 'lathe' })).text, /^Nothing found\.\n/);
      const page = await call('worth_a_look', { session: shop, page: 999 });
      assert.match(page.text, /^There is no page 999/);
      assert.match((await call('context_status', { session: `«${shop}»` })).text, /\nSession «/);
    });
  });

  it('names no planted secret', async () => {
    const secrets = new PlantedSecrets();
    const id = '8c3f4041-1d77-4f4e-8d81-307caf5e4d23';
    keepSession(home, folder, id, plantedSession(secrets));
    const kind = { name: 'claude-code', showsPages: true };
    await withSession(async ({ call }) => {
      const whole = await call('what_fills_context', { session: id, depth: 9 });
      const answers = [whole.text, JSON.stringify(whole.meta)];
      assert.match(JSON.stringify(whole.meta), /context-inspector\/picture/);
      for (const { name } of contextTools) {
        const params = name === 'find_in_sessions' ? { words: 'password' } : { session: id };
        const more = name === 'was_seen' ? { file: 'a.ts' } : {};
        answers.push((await call(name, { ...params, ...more })).text);
      }
      answers.push((await call('find_in_sessions', { words: 'Found' })).text);
      for (let block = 0; block < 60; block += 1) {
        answers.push((await call('what_was_dropped', { session: id, block })).text);
      }
      assert.deepEqual(secrets.leftIn(answers.join('\n')), []);
    }, kind);
  });

  it('answers what is no message with an error, and ends with its client whatever waits', async () => {
    const server = spawn(process.execPath, [cliPath, 'mcp'], {
      cwd: folder,
      env: { ...process.env, HOME: home, USERPROFILE: home, XDG_CACHE_HOME: join(home, 'caches') },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: server.stdout });
    let count = 0;
    answers.on('line', () => (count += 1));
    const write = (message: object): unknown =>
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const next = async (): Promise<unknown> => {
      const lines: readonly unknown[] = await once(answers, 'line');
      return parseJson(String(lines[0]));
    };
    const refused = async (): Promise<readonly unknown[]> => {
      const answer = await next();
      return [member(answer, 'id'), member(objectAt(answer, 'error'), 'code')];
    };
    write({ id: 7, method: 5 });
    assert.deepEqual(await refused(), [7, -32_600]);
    write({ id: 'eight', method: 'tools/call', params: [1] });
    assert.deepEqual(await refused(), ['eight', -32_600]);
    server.stdin.write('{"jsonrpc":\n');
    assert.deepEqual(await refused(), [null, -32_700]);
    write({ id: 9, method: 'ping', params: { text: 'x'.repeat(11_000_000) } });
    assert.deepEqual(await refused(), [null, -32_600]);
    const clientInfo = { name: 'claude-code', version: '1' };
    write({
      id: 10,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    assert.equal(
      stringAt(objectAt(objectAt(await next(), 'result'), 'serverInfo'), 'name'),
      'context-inspector',
    );
    for (let id = 100; id < 300; id += 1) {
      write({ id, method: 'tools/call', params: { name: 'context_status', arguments: {} } });
    }
    server.stdin.end();
    await once(server, 'close');
    assert.equal(server.exitCode, 0);
    assert.ok(count < 100, `${count} answers, most to a client that had left`);
  });

  it('says in a sentence that a file has gone, without its path', async () => {
    const [tool = assert.fail()] = contextTools;
    const read = (): Promise<never> => readFile(join(folder, 'gone.jsonl')).then(() => assert.fail());
    const { lines, isError } = await answerOf(tool, {}, { open: read, find: read, now: Date.now });
    assert.deepEqual([lines, isError], [['The file does not exist.'], true]);
  });

  it('names no secret in an error', async () => {
    const [tool = assert.fail()] = contextTools;
    const refuse = (): Promise<never> =>
      Promise.reject(new ToolError('No session: DB_PASSWORD=Xk7302915vTq \u001b'));
    const { lines, isError } = await answerOf(tool, {}, { open: refuse, find: refuse, now: Date.now });
    assert.deepEqual(lines, ['No session: DB_PASSWORD=[redacted: credentialAssignment] \\u{1b}']);
    assert.equal(isError, true);
  });
});
