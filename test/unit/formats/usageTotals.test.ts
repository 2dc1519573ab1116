import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type AsyncFlateStreamHandler, strFromU8, Unzip, UnzipInflate } from 'fflate';
import { arrayAt, countAt, member, objectAt, stringAt, toJson } from '../../../src/core/base/json';
import type { RecordedUsage, Transcript } from '../../../src/core/model/transcript';
import { decoderTools } from '../../../src/node/databases/database';
import { filesBelow, readUnpacked, shared, skipWithout, testOf } from '../../fixtures/sharedFiles';
import { readAnyTranscript, requestSums, sumOf, type Sums } from '../../fixtures/usageSums';
import { someOf } from '../../fixtures/variants';

// Compares the usage of whole runs with the answers of a server next to the agents, and with the totals that agents
// keep.

const runsFolder = join(shared, 'agent-runs');

function linesOf(path: string): readonly unknown[] {
  const lines = readUnpacked(path).toString().split('\n');
  return lines.filter(line => line !== '').map((line): unknown => JSON.parse(line));
}

const plus = (first: Sums, second: Sums): Sums => sumOf([first, second]);
const minus = (whole: number, part: number): number => Math.max(0, whole - part);
const withoutReasoning = (sums: Sums): Omit<Sums, 'reasoning'> => ({
  input: sums.input,
  cacheRead: sums.cacheRead,
  cacheWrite: sums.cacheWrite,
  output: sums.output,
});

/** The usage of each call, sorted, so that the order of the calls does not matter. */
function callByCall(all: readonly RecordedUsage[]): readonly string[] {
  return all.map(usage => toJson(withoutReasoning(sumOf([usage])))).sort();
}

// What the server answered

interface SentCall {
  readonly id: string;
  readonly usage: RecordedUsage;
  readonly class: string;
  readonly lastMessage: () => string;
}

/** The usage of one answer, from any of the APIs. */
function answeredUsage(usage: unknown): RecordedUsage {
  if (member(usage, 'promptTokenCount') !== undefined) {
    const cacheRead = countAt(usage, 'cachedContentTokenCount');
    const reasoning = countAt(usage, 'thoughtsTokenCount');
    return {
      input: countAt(usage, 'promptTokenCount') - cacheRead,
      cacheRead,
      cacheWrite: 0,
      output: countAt(usage, 'candidatesTokenCount') + reasoning,
      reasoning,
    };
  }
  if (member(usage, 'cache_creation_input_tokens') !== undefined) {
    return {
      input: countAt(usage, 'input_tokens'),
      cacheRead: countAt(usage, 'cache_read_input_tokens'),
      cacheWrite: countAt(usage, 'cache_creation_input_tokens'),
      output: countAt(usage, 'output_tokens'),
    };
  }
  const [input, output] =
    member(usage, 'prompt_tokens') === undefined ? ['input', 'output'] : ['prompt', 'completion'];
  const cacheRead = countAt(objectAt(usage, `${input}_tokens_details`), 'cached_tokens');
  return {
    input: countAt(usage, `${input}_tokens`) - cacheRead,
    cacheRead,
    cacheWrite: 0,
    output: countAt(usage, `${output}_tokens`),
    reasoning: countAt(objectAt(usage, `${output}_tokens_details`), 'reasoning_tokens'),
  };
}

/** All answered calls. Refused ones and token counts have no usage. */
function sentCalls(run: string): readonly SentCall[] {
  return filesBelow(run, 'raw-requests.jsonl', 'raw-requests.jsonl.gz')
    .flatMap(linesOf)
    .flatMap(call => {
      const usage = objectAt(call, 'usage');
      return usage === undefined
        ? []
        : [
            {
              id: stringAt(call, 'response_id') ?? '',
              usage: answeredUsage(usage),
              class: stringAt(call, 'class') ?? '',
              lastMessage: () => toJson(arrayAt(objectAt(call, 'body'), 'messages').at(-1)),
            },
          ];
    });
}

// Runs of the agents

interface AgentRuns {
  readonly name: string;
  readonly folder: string;
  readonly transcripts: RegExp;
  /** The purpose of a call without a line in any transcript; undefined for calls with a line. */
  readonly unrecorded: (call: SentCall, recorded: ReadonlySet<string>) => string | undefined;
}

const byClass =
  (names: Readonly<Record<string, string>>) =>
  (call: SentCall): string | undefined =>
    names[call.class];

const agents: readonly AgentRuns[] = [
  {
    name: 'Claude Code',
    folder: 'claude-code',
    transcripts: /\/native\/.*\.jsonl(\.gz)?$/,
    unrecorded: (call, recorded) =>
      recorded.has(call.id) ? undefined : call.lastMessage().includes('summar') ? 'compaction' : 'unknown',
  },
  {
    name: 'Codex',
    folder: 'codex',
    transcripts: /\/rollout-.*\.jsonl(\.gz)?$/,
    unrecorded: byClass({}),
  },
  {
    name: 'opencode',
    folder: 'opencode',
    transcripts: /\/opencode\.db(\.gz)?$/,
    unrecorded: byClass({ title: 'title' }),
  },
  {
    name: 'Gemini CLI',
    folder: 'gemini-cli',
    transcripts: /\/chats\/.*\.jsonl(\.gz)?$/,
    unrecorded: byClass({ json: 'router' }),
  },
  {
    name: 'Qwen Code',
    folder: 'qwen-code',
    transcripts: /\/(chats|subagents)\/.*\.jsonl(\.gz)?$/,
    unrecorded: byClass({ memory: 'memory' }),
  },
  {
    name: 'Copilot CLI',
    folder: 'copilot-cli',
    transcripts: /\/events\.jsonl(\.gz)?$/,
    unrecorded: byClass({}),
  },
  {
    name: 'pi',
    folder: 'pi-coding-agent',
    transcripts: /\/sessions\/.*\.jsonl(\.gz)?$/,
    unrecorded: byClass({}),
  },
  {
    name: 'Cline CLI',
    folder: 'cline-cli',
    transcripts: /\.messages\.json(\.gz)?$/,
    unrecorded: byClass({}),
  },
];

/** Number of calls of each run without a line in a transcript; zero for runs that are not listed. */
const unrecordedCalls: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'claude-code/2.1.330/compact-manual': { compaction: 1 },
  // The first reply had no summary, so it was requested again.
  'claude-code/2.1.330/errors': { compaction: 2 },
  'opencode/1.18.34/cli-run-partial': { title: 1 },
  'gemini-cli/0.61.0/rich': { router: 7 },
  'qwen-code/0.24.4/rich': { memory: 1 },
};

function runFolders(agent: string): readonly string[] {
  return filesBelow(join(runsFolder, agent), 'raw-requests.jsonl', 'raw-requests.jsonl.gz').map(path =>
    path.slice(0, path.lastIndexOf('/')),
  );
}

/** The transcripts below a run's folder, by their relative paths. */
async function transcriptsOf(run: string, pattern: RegExp): Promise<ReadonlyMap<string, Transcript>> {
  const found = new Map<string, Transcript>();
  for (const path of filesBelow(run, '').filter(path => pattern.test(path))) {
    found.set(relative(run, path), await readAnyTranscript(readUnpacked(path)));
  }
  return found;
}

async function runOf({ folder, transcripts, unrecorded }: AgentRuns, run: string) {
  const found = await transcriptsOf(run, transcripts);
  const requests = [...found.values()].flatMap(transcript => transcript.requests);
  const recorded = new Set(requests.flatMap(({ id }) => id ?? []));
  const calls = sentCalls(run).map(call => ({ ...call, unrecorded: unrecorded(call, recorded) }));
  assert.ok(found.size > 0 && calls.length > 0, `${folder}: nothing to compare`);
  return { transcripts: found, requests, calls };
}

describe('usage of the agents’ runs', { skip: skipWithout('agent-runs') }, () => {
  for (const agent of agents) {
    for (const run of someOf(runFolders(agent.folder), 2)) {
      const name = relative(runsFolder, run);
      it(`of ${name} is what the model’s side reported`, context =>
        testOf(context, run, async () => {
          if (sentCalls(run).length === 0) {
            context.skip('the usage of its requests is not recorded');
            return;
          }
          const { requests, calls } = await runOf(agent, run);
          const answered = calls.filter(call => call.unrecorded === undefined).map(({ usage }) => usage);
          const used = requests.flatMap(({ usage }) => usage ?? []);
          const sums = sumOf(used);
          const without: Record<string, number> = {};
          for (const { unrecorded } of calls) {
            if (unrecorded !== undefined) {
              without[unrecorded] = (without[unrecorded] ?? 0) + 1;
            }
          }
          context.diagnostic(
            `${agent.name}, ${name}: ${used.length} calls, input ${sums.input}, cacheRead ${sums.cacheRead}, ` +
              `cacheWrite ${sums.cacheWrite}, output ${sums.output}, without a line: ` +
              (Object.entries(without)
                .map(([kind, count]) => `${count} ${kind}`)
                .join() || 'none'),
          );
          assert.deepEqual(without, unrecordedCalls[name] ?? {});
          assert.deepEqual(callByCall(used), callByCall(answered));
          assert.deepEqual(withoutReasoning(sums), withoutReasoning(sumOf(answered)));
          // Anthropic's answers do not count thinking separately, and Cline does not record it.
          const toldApart = answered.every(({ reasoning }) => reasoning !== undefined);
          if (toldApart && agent.name !== 'Cline CLI') {
            assert.equal(sums.reasoning, sumOf(answered).reasoning);
          }
        }));
    }
  }
});

// Totals that the agents keep

/** Sums of a thread's requests. */
function threadSums({ requests }: Transcript, thread: number): Sums {
  return sumOf(requests.filter(request => request.thread === thread).map(({ usage }) => usage));
}

const agentNamed = (name: string): AgentRuns => {
  const agent = agents.find(one => one.name === name);
  assert.ok(agent);
  return agent;
};

describe('usage that agents total themselves', { skip: skipWithout('agent-runs') }, () => {
  it('is that of Claude Code’s cost-state, with the compactions that have no line', async () => {
    const claude = agentNamed('Claude Code');
    for (const run of runFolders(claude.folder)) {
      const { requests, calls } = await runOf(claude, run);
      const main = filesBelow(run, '.jsonl', '.jsonl.gz').filter(
        path => path.includes('/native/') && !path.includes('/subagents/'),
      );
      const state = main.flatMap(linesOf).findLast(line => stringAt(line, 'type') === 'cost-state');
      const totals = Object.values(objectAt(state, 'modelUsage') ?? {}).map(usage => ({
        input: countAt(usage, 'inputTokens'),
        cacheRead: countAt(usage, 'cacheReadInputTokens'),
        cacheWrite: countAt(usage, 'cacheCreationInputTokens'),
        output: countAt(usage, 'outputTokens'),
        reasoning: countAt(usage, 'thinkingTokens'),
      }));
      const compactions = calls.filter(({ unrecorded }) => unrecorded !== undefined);
      assert.deepEqual(
        plus(sumOf(requests.map(({ usage }) => usage)), sumOf(compactions.map(({ usage }) => usage))),
        sumOf(totals),
        run,
      );
    }
  });

  it('is that of opencode’s sessions', async () => {
    for (const run of runFolders('opencode')) {
      for (const path of filesBelow(run, 'opencode.db.gz')) {
        const bytes = readUnpacked(path);
        const transcript = await readAnyTranscript(bytes);
        const threads = new Map([
          [transcript.sessionId, 0],
          ...transcript.subagents.map(({ id, thread }) => [id, thread ?? -1] as const),
        ]);
        const database = await decoderTools.openDatabase(bytes);
        const sessions = database.rows('session');
        assert.equal(sessions.length, threads.size);
        for (const session of sessions) {
          const reasoning = countAt(session, 'tokens_reasoning');
          assert.deepEqual(
            threadSums(transcript, threads.get(stringAt(session, 'id') ?? '') ?? -1),
            {
              input: countAt(session, 'tokens_input'),
              cacheRead: countAt(session, 'tokens_cache_read'),
              cacheWrite: countAt(session, 'tokens_cache_write'),
              output: countAt(session, 'tokens_output') + reasoning,
              reasoning,
            },
            run,
          );
        }
        database.close();
      }
    }
  });

  it('is that of Copilot’s agents when its session shuts down', async () => {
    for (const run of runFolders('copilot-cli')) {
      for (const path of filesBelow(run, 'events.jsonl', 'events.jsonl.gz')) {
        const transcript = await readAnyTranscript(readUnpacked(path));
        const end = linesOf(path).findLast(event => stringAt(event, 'type') === 'session.shutdown');
        const metrics = objectAt(objectAt(end, 'data'), 'agentMetrics');
        assert.deepEqual(
          [0, 1].map(thread => withoutReasoning(threadSums(transcript, thread))),
          Object.values(metrics ?? {}).map(agent => {
            const [model] = Object.values(objectAt(agent, 'modelMetrics') ?? {});
            const usage = objectAt(model, 'usage');
            const cacheRead = countAt(usage, 'cacheReadTokens');
            const cacheWrite = countAt(usage, 'cacheWriteTokens');
            return {
              input: countAt(usage, 'inputTokens') - cacheRead - cacheWrite,
              cacheRead,
              cacheWrite,
              output: countAt(usage, 'outputTokens'),
            };
          }),
          run,
        );
      }
    }
  });

  it('is that of Qwen Code’s usage record, with the memory call that has no line', async () => {
    const qwen = agentNamed('Qwen Code');
    for (const run of runFolders(qwen.folder)) {
      const { requests, calls } = await runOf(qwen, run);
      const last = filesBelow(run, 'usage_record.jsonl').flatMap(linesOf).at(-1);
      const totals = Object.values(objectAt(last, 'models') ?? {}).map(model => ({
        input: countAt(model, 'inputTokens') - countAt(model, 'cachedTokens'),
        cacheRead: countAt(model, 'cachedTokens'),
        cacheWrite: 0,
        output: countAt(model, 'outputTokens'),
        reasoning: countAt(model, 'thoughtsTokens'),
      }));
      const memory = calls.filter(({ unrecorded }) => unrecorded !== undefined);
      assert.deepEqual(
        plus(sumOf(requests.map(({ usage }) => usage)), sumOf(memory.map(({ usage }) => usage))),
        sumOf(totals),
      );
    }
  });

  it('is that of the conversation’s model in what Gemini CLI printed', async () => {
    const gemini = agentNamed('Gemini CLI');
    for (const run of runFolders(gemini.folder)) {
      const { requests } = await runOf(gemini, run);
      const printed = filesBelow(join(run, 'streams'), '.jsonl', '.jsonl.gz')
        .flatMap(linesOf)
        .flatMap(
          event => objectAt(objectAt(objectAt(event, 'stats'), 'models'), requests[0]?.model ?? '') ?? [],
        )
        .map(model => ({
          input: countAt(model, 'input'),
          cacheRead: countAt(model, 'cached'),
          cacheWrite: 0,
          // Thinking is in the total only.
          output: minus(countAt(model, 'total_tokens'), countAt(model, 'input_tokens')),
        }));
      assert.deepEqual(
        withoutReasoning(sumOf(requests.map(({ usage }) => usage))),
        withoutReasoning(sumOf(printed)),
      );
    }
  });

  it('is that of the last total in Codex’s rollouts', async () => {
    const codex = agentNamed('Codex');
    for (const run of runFolders(codex.folder)) {
      for (const [path, transcript] of await transcriptsOf(run, codex.transcripts)) {
        const payloads = linesOf(join(run, path)).map(line => objectAt(line, 'payload'));
        const shown = payloads.flatMap(
          payload => objectAt(objectAt(payload, 'info'), 'total_token_usage') ?? [],
        );
        const kept = payloads.flatMap(payload => objectAt(payload, 'thread_token_usage') ?? []);
        for (const total of [shown.at(-1), kept.at(-1)]) {
          const cacheRead = countAt(total, 'cached_input_tokens');
          assert.deepEqual(
            requestSums(transcript),
            {
              input: countAt(total, 'input_tokens') - cacheRead,
              cacheRead,
              cacheWrite: 0,
              output: countAt(total, 'output_tokens'),
              reasoning: countAt(total, 'reasoning_output_tokens'),
            },
            path,
          );
        }
      }
    }
  });

  it('is that of the total on each of pi’s replies', async () => {
    const pi = agentNamed('pi');
    for (const run of runFolders(pi.folder)) {
      for (const [path, transcript] of await transcriptsOf(run, pi.transcripts)) {
        const totals = linesOf(join(run, path)).map(line =>
          countAt(objectAt(objectAt(line, 'message'), 'usage'), 'totalTokens'),
        );
        const { input, cacheRead, cacheWrite, output } = requestSums(transcript);
        assert.equal(
          input + cacheRead + cacheWrite + output,
          totals.reduce((sum, total) => sum + total, 0),
        );
      }
    }
  });

  it('is that of the session in Cline’s list of sessions', async () => {
    const cline = agentNamed('Cline CLI');
    let compared = 0;
    for (const run of runFolders(cline.folder)) {
      for (const [path, transcript] of await transcriptsOf(run, cline.transcripts)) {
        const session = transcript.sessionId ?? '';
        // The totals of a session exclude its subagents.
        if (path.includes(`/${session}.messages.json`)) {
          const [about] = filesBelow(run, `${session}.json`).map((file): unknown =>
            JSON.parse(readUnpacked(file).toString()),
          );
          const usage = objectAt(objectAt(about, 'metadata'), 'usage');
          const cacheRead = countAt(usage, 'cacheReadTokens');
          const cacheWrite = countAt(usage, 'cacheWriteTokens');
          assert.deepEqual(withoutReasoning(requestSums(transcript)), {
            input: countAt(usage, 'inputTokens') - cacheRead - cacheWrite,
            cacheRead,
            cacheWrite,
            output: countAt(usage, 'outputTokens'),
          });
          compared += 1;
        }
      }
    }
    assert.equal(compared, 3);
  });
});

/** Inspect packs the entries of newer archives by Zstandard. */
class UnzipZstandard {
  static readonly compression = 93;
  ondata: AsyncFlateStreamHandler = () => undefined;
  private readonly parts: Uint8Array[] = [];

  push(data: Uint8Array, isLast: boolean): void {
    this.parts.push(data);
    if (isLast) {
      this.ondata(null, Uint8Array.from(zstdDecompressSync(Buffer.concat(this.parts))), true);
    }
  }
}

/** The text of an archive's `header.json`. */
function headerOf(bytes: Uint8Array): string {
  const parts: Uint8Array[] = [];
  const archive = new Unzip(file => {
    if (file.name === 'header.json') {
      file.ondata = (error, data) => {
        assert.equal(error, null);
        parts.push(data);
      };
      file.start();
    }
  });
  archive.register(UnzipInflate);
  archive.register(UnzipZstandard);
  archive.push(bytes, true);
  return strFromU8(Buffer.concat(parts));
}

describe('usage in the headers of evaluation logs', { skip: skipWithout('samples', 'inspect') }, () => {
  for (const path of filesBelow(join(shared, 'samples', 'inspect'), '.eval')) {
    it(`is that of all samples of ${relative(shared, path)}`, context =>
      testOf(context, path, async () => {
        const bytes = readUnpacked(path);
        const parsed: unknown = JSON.parse(headerOf(bytes));
        const models = Object.values(objectAt(objectAt(parsed, 'stats'), 'model_usage') ?? {});
        const stated = models.map(usage => {
          const cacheRead = countAt(usage, 'input_tokens_cache_read');
          return {
            input: countAt(usage, 'input_tokens') - cacheRead,
            cacheRead,
            cacheWrite: 0,
            output: countAt(usage, 'output_tokens'),
          };
        });
        assert.ok(models.length > 0);
        assert.deepEqual(
          withoutReasoning(requestSums(await readAnyTranscript(bytes))),
          withoutReasoning(sumOf(stated)),
        );
      }));
  }
});
