import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import { inspectReport } from '../../../src/core/export/inspectReport';
import { listedSession } from '../../../src/core/index/listedSession';
import { requestsOfThread } from '../../../src/core/model/requestBlocks';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { Gate } from '../../../src/core/sensitivity/gate';
import { sessionStatus } from '../../../src/core/session/sessionStatus';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { sessionCost, wholeCost } from '../../../src/core/view/sessionCost';
import { type FileByteSource, openFile } from '../../../src/node/files/fileByteSource';
import { readForIndex } from '../../../src/node/index/indexReading';
import { whatIfSessions } from '../../../src/node/index/whatIfSessions';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../../../src/node/sessions/openOnDisk';
import { LiveReading } from '../../../src/worker/liveReading';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';
import { jsonLines } from '../../fixtures/jsonLines';

/** List prices of claude-sonnet-4-5 in dollars per million tokens, below 200,000 tokens of input. */
const prices = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };

const projects = '.claude/projects/-home-ada-bookshop';

/** The dollars of a transcript by its own lines. The lines of one reply repeat its usage. */
function dollarsOf(text: string): number {
  const usages = new Map(
    [...text.matchAll(/"requestId":"(\w+)".*?"usage":(\{.*?\})/g)].map(([, id = '', usage = '']) => [
      id,
      usage,
    ]),
  );
  const count = (usage: string, name: string): number =>
    Number(new RegExp(`"${name}":(\\d+)`).exec(usage)?.[1]);
  return [...usages.values()].reduce(
    (sum, usage) =>
      sum +
      (count(usage, 'input_tokens') * prices.input +
        count(usage, 'cache_read_input_tokens') * prices.cacheRead +
        count(usage, 'cache_creation_input_tokens') * prices.cacheWrite +
        count(usage, 'output_tokens') * prices.output) /
        1e6,
    0,
  );
}

/** A conversation of as many requests, different for each seed. */
function conversation(id: string, seed: number, requests: number): string {
  const session = new ClaudeCodeSession(id).prompt(`Task ${seed}`);
  for (let request = 1; request < requests; request += 1) {
    const call = `toolu_${seed}_${request}`;
    session
      .reply({ tool: 'Read', id: call, input: { file_path: `/${seed}/${request}` } })
      .result(call, sourceText(seed + request, 400 * ((seed % 5) + 1)));
  }
  return session.reply({ text: `Task ${seed} is done.` }).toString();
}

const asSubagent = (text: string, id: string): string =>
  text.replaceAll('"isSidechain":false', `"isSidechain":true,"agentId":"${id}"`);

interface Written {
  readonly id: string;
  readonly path: string;
  /** Requests and dollars of the main conversation, and of everything. */
  readonly main: number;
  readonly whole: number;
  readonly requests: number;
  readonly subagents: number;
}

/** Writes a session of Claude Code with subagents in its folder, those of a workflow one level deeper. */
function writeSession(home: IndexedHome, seed: number): Written {
  const id = `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`;
  // More than 60 requests in every fifth session.
  const length = seed % 5 === 0 ? 64 : 3 + seed;
  const main = conversation(id, seed, length);
  const path = home.write(`${projects}/${id}.jsonl`, main);
  let [whole, requests] = [dollarsOf(main), length];
  const subagents = 1 + (seed % 4);
  for (let number = 0; number < subagents; number += 1) {
    const name = `a${seed}f${number}`;
    const folder = number % 2 === 0 ? 'subagents' : `subagents/workflows/wf_${seed}`;
    const text = asSubagent(conversation(id, 100 * seed + number, 2 + number), name);
    home.write(`${projects}/${id}/${folder}/agent-${name}.jsonl`, text);
    whole += dollarsOf(text);
    requests += 2 + number;
  }
  return { id, path, main: dollarsOf(main), whole, requests, subagents };
}

async function opened<Result>(
  path: string,
  work: (session: Parameters<typeof inspectReport>[0]) => Result,
): Promise<Result> {
  const source = await openFile(path);
  try {
    const found = await openOnDisk(path, source, { scanner: secretScanner, readsSubagents: true });
    assert.ok(found.ok);
    return work(found.session);
  } finally {
    await source.close();
  }
}

async function liveCost(path: string): Promise<number | undefined> {
  const sources: FileByteSource[] = [];
  const reading = new LiveReading(async name => {
    const source = await openFile(name);
    sources.push(source);
    return source;
  });
  const order = { path, models: {}, limits: defaultUnpackLimits, findsLoss: false };
  const { cost } = await reading.read(order);
  await Promise.all(sources.map(source => source.close()));
  return cost;
}

const near = (one: number | null | undefined, other: number, what: string): void =>
  assert.ok(Math.abs((one ?? Number.NaN) - other) < 1e-6, `${what}: ${one} is not ${other}`);

describe('a session with subagents in files of their own', () => {
  const home = new IndexedHome();
  after(() => home.remove());

  it('costs the same on every surface, and its main conversation is named apart', async () => {
    const written = Array.from({ length: 20 }, (_, seed) => writeSession(home, seed));
    const index = home.open();
    await home.update(index);
    const usage = await home.usage(index, { by: 'session' });
    const files = await home.files();
    const { rows } = await whatIfSessions(index, files, { settings: [], models: {}, searches: false });
    const gate = new Gate(secretScanner);
    for (const { id, path, main, whole, requests, subagents } of written) {
      const file = files.find(each => each.path === path) ?? assert.fail(path);
      near(usage.rows.find(({ key }) => key === id)?.money, whole, 'usage');
      near(rows.find(row => row.id === id)?.recorded.money, whole, 'what-if');
      near(await liveCost(path), whole, 'status bar');
      for await (const part of readForIndex({ file, words: false, subagents: true })) {
        assert.ok(part.kind === 'session');
        const listed = await listedSession(file, part, lookUpModel, gate, part.subagents);
        near(listed.usage.cost, whole, 'list');
      }
      await opened(path, session => {
        const { columns, summary } = session.toSession();
        const status = sessionStatus({ columns, summary });
        near(status.cost, whole, 'status');
        near(status.conversationCost?.money, main, 'main conversation of status');
        assert.equal(status.usage.requests, requests);
        near(wholeCost(sessionCost(columns, summary.models), summary).total.money, whole, 'header');
        const report = inspectReport(session, defaultPruneOptions(), {
          index: undefined,
          conversation: 0,
          requests: requestsOfThread(columns, 0),
          findings: null,
          sensitive: null,
        });
        near(report?.session.cost, whole, 'inspect');
        near(report?.cost.total, main, 'main conversation of inspect');
        assert.equal(report?.session.requests, requests);
        assert.equal(report.subagents, subagents);
      });
    }
  });

  it('counts the rollouts of the threads that a session of Codex started, and theirs', async () => {
    const day = '.codex/sessions/2026/01/05';
    const thread = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`;
    const rollout = (number: number, tokens: number, starts: readonly number[]): string =>
      home.write(
        `${day}/rollout-2026-01-05T09-00-0${number}-${thread(number)}.jsonl`,
        codexThread(thread(number), tokens, starts.map(thread)),
      );
    const path = rollout(1, 10_000, [2]);
    rollout(2, 2_000, [3]);
    rollout(3, 300, []);
    await opened(path, session => {
      const { usage } = sessionStatus(session.toSession());
      assert.deepEqual([usage.requests, usage.input], [3, 12_300]);
    });
  });

  it('reads a subagent again only when its file has grown', async () => {
    const { path, id } = writeSession(home, 21);
    const source = await openFile(path);
    const options = { scanner: secretScanner, readsSubagents: true };
    const first = await openOnDisk(path, source, options);
    assert.ok(first.ok);
    home.write(
      `${projects}/${id}/subagents/agent-a21f0.jsonl`,
      asSubagent(conversation(id, 2100, 5), 'a21f0'),
    );
    const second = await openOnDisk(path, source, { ...options, previous: first.session });
    assert.ok(second.ok);
    const requestsOf = (session: typeof first.session): readonly number[] =>
      [...session.subagents.values()].map(file => file.session?.transcript.requests.length ?? 0);
    assert.deepEqual(requestsOf(first.session).toSorted(), [2, 3]);
    assert.deepEqual(requestsOf(second.session).toSorted(), [3, 5]);
    const kept = [...first.session.subagents].flatMap(([name, file]) =>
      second.session.subagents.get(name)?.session === file.session ? [name] : [],
    );
    assert.equal(kept.length, 1);
    await source.close();
  });
});

/** A thread of Codex with one request, after which it has started other threads. */
function codexThread(id: string, input: number, starts: readonly string[]): string {
  const line = (type: string, payload: unknown): unknown => ({
    timestamp: '2026-01-05T09:00:00.000Z',
    type,
    payload,
  });
  return jsonLines([
    line('session_meta', { id, cwd: '/shop', originator: 'codex_cli_rs', cli_version: '0.171.0' }),
    line('turn_context', { model: 'gpt-5.2-codex' }),
    line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] }),
    ...starts.flatMap((other, number) => [
      line('response_item', {
        type: 'function_call',
        name: 'spawn_agent',
        arguments: '{"message":"Look."}',
        call_id: `c${number}`,
      }),
      line('response_item', {
        type: 'function_call_output',
        call_id: `c${number}`,
        output: JSON.stringify({ agent_id: other }),
      }),
    ]),
    line('response_item', {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.' }],
    }),
    line('event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: {
          input_tokens: input,
          cached_input_tokens: 0,
          output_tokens: 10,
          total_tokens: input + 10,
        },
        last_token_usage: {
          input_tokens: input,
          cached_input_tokens: 0,
          output_tokens: 10,
          total_tokens: input + 10,
        },
      },
    }),
  ]);
}
