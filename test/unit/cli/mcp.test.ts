import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { contextTools } from '../../../src/core/contextTools/contextTools';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';
import { type ContextClient, keepSession, startServer } from '../../fixtures/contextServer';
import { PlantedSecrets, plantedSession } from '../../fixtures/plantedSecrets';

const cli = new CommandLine();
const encoding = getEncoding('o200k_base');
const tokensOf = (text: string): number => encoding.encode(text, 'all').length;

/** More than the tools of a server may take of every request. */
const mostSchemaTokens = 900;
const mostAnswerTokens = 500;

const shop = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';
const mill = '6a1d2e2f-9b55-4d2c-8b6f-1e5a8d3c2b01';

/** A long time ago, before the server was started. */
const earlier = new Date('2026-01-05T10:00:00Z');

describe('the server of questions about the context', () => {
  const home = join(cli.folder, 'home');
  const folder = join(cli.folder, 'shop');
  const example = readFileSync('media/example/session.jsonl', 'utf8');
  const withSession = async <Result>(
    work: (client: ContextClient) => Promise<Result>,
    name = 'claude-code',
  ): Promise<Result> => {
    const client = await startServer(home, folder, name);
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

  it('answers about the newest session of the folder, in pages of at most 500 tokens', async () => {
    await withSession(async ({ call }) => {
      const status = await call('context_status');
      assert.match(status.text, new RegExp(`^Session ${shop} · Claude Code`));
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
      assert.match((await call('context_status')).text, new RegExp(`^Session ${mill}`));
      appendFileSync(path, '\n');
      keepSession(home, folder, shop, example);
      const asked = await call('context_status');
      assert.ok(asked.isError);
      assert.match(asked.text, /^2 sessions are being written in this folder\. Which one is yours\?/);
      assert.ok(asked.text.includes(shop) && asked.text.includes(mill));
      const named = await call('context_status', { session: mill.slice(0, 8) });
      assert.match(named.text, new RegExp(`^Session ${mill}`));
      // Claude Code sends the id of the call, which the session has already.
      const id = /"id":"(toolu_\w+)"/.exec(example.slice(example.length / 2))?.[1] ?? assert.fail();
      const found = await call('context_status', {}, { 'claudecode/toolUseId': id });
      assert.match(found.text, new RegExp(`^Session ${shop}`));
    });
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

  it('refuses hostile questions with one sentence', async () => {
    const outside = cli.write('7b2e3f30-0c66-4e3d-9c70-2f6b9e4d3c12.jsonl', example);
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
      const page = await call('worth_a_look', { session: shop, page: 999 });
      assert.match(page.text, /^There is no page 999/);
      assert.match((await call('context_status', { session: shop })).text, /^Session/);
    });
  });

  it('names no planted secret', async () => {
    const secrets = new PlantedSecrets();
    const id = '8c3f4041-1d77-4f4e-8d81-307caf5e4d23';
    keepSession(home, folder, id, plantedSession(secrets));
    await withSession(async ({ call }) => {
      const answers = [(await call('what_fills_context', { session: id, depth: 9 })).text];
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
    });
  });
});
