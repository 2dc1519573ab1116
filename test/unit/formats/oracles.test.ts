import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isObject, type JsonObject } from '../../../src/core/base/json';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { filesBelow, readUnpacked, shared } from '../../fixtures/sharedFiles';
import {
  ccusageReport,
  installUsagePrograms,
  type Report,
  tokscaleReport,
} from '../../fixtures/usagePrograms';
import { countedElsewhere, readAnyTranscript, sumOf, type Sums } from '../../fixtures/usageSums';
import { someOf } from '../../fixtures/variants';

// Compares the usage of whole sessions with two programs that only count usage. Each gets the files in a home
// directory, at the paths that it searches. It must report our sum, converted to that program's conventions.

interface PlacedFile {
  /** Relative to the home directory. */
  readonly at: string;
  readonly bytes: Uint8Array;
}

interface Session {
  readonly name: string;
  readonly files: readonly PlacedFile[];
}

interface Reader {
  readonly client: string;
  /** True if the program counts the content of a file. If absent, it counts all of them. */
  readonly counts?: (file: PlacedFile) => boolean;
  readonly says: (sums: Sums) => Report;
}

interface Agent {
  readonly name: string;
  readonly ccusage?: Reader;
  readonly tokscale?: Reader;
  readonly sessions: readonly Session[];
}

const asWeDo = ({ input, cacheRead, cacheWrite, output }: Sums): Report => ({
  input,
  cacheRead,
  cacheWrite,
  output,
  beside: 0,
});

/** Thinking is subtracted from the output and listed separately. */
const thinkingApart = (sums: Sums): Report => ({
  ...asWeDo(sums),
  output: sums.output - sums.reasoning,
  beside: sums.reasoning,
});

/** Qwen Code's prompt includes the cached tokens. Both programs count them as uncached and again as cached. */
const cachedTwice = (sums: Sums): Report => ({ ...thinkingApart(sums), input: sums.input + sums.cacheRead });

/** Through an OpenAI-compatible API, Qwen Code's output includes the thinking too, which both programs add again. */
const cachedAndThoughtTwice = (sums: Sums): Report => ({ ...cachedTwice(sums), output: sums.output });

function samples(folder: string, ending: string, at: (name: string) => string): readonly Session[] {
  return filesBelow(join(shared, 'samples', folder), ending).map(path => ({
    name: relative(join(shared, 'samples'), path),
    files: [{ at: at(basename(path)), bytes: readUnpacked(path) }],
  }));
}

/** The transcripts of each run of an agent, where the agent put them. */
function runs(agent: string, transcripts: RegExp): readonly Session[] {
  const folder = join(shared, 'agent-runs', agent);
  const sessions = new Map<string, PlacedFile[]>();
  for (const path of filesBelow(folder, '').filter(path => transcripts.test(path))) {
    const [run = '', at = ''] = relative(folder, path).replace(/\.gz$/, '').split('/native/');
    const files = sessions.get(run) ?? [];
    files.push({ at, bytes: readUnpacked(path) });
    sessions.set(run, files);
  }
  return [...sessions].map(([name, files]) => ({ name, files }));
}

function invented(name: string, at: string, bytes: Uint8Array | string): Session {
  return { name, files: [{ at, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }] };
}

function parsedFixture(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(resolve('test/fixtures', path), 'utf8'));
  return isObject(value) ? value : {};
}

const kimiRecord = (second: number, type: string, payload: object): object => ({
  timestamp: 1_790_000_000 + second,
  message: { type, payload },
});
const kimiTokens = { input_other: 400, input_cache_read: 500, input_cache_creation: 30, output: 40 };
const kimiWire = [
  { type: 'metadata', protocol_version: '1.1' },
  kimiRecord(0, 'TurnBegin', { user_input: 'Where is the bug?' }),
  kimiRecord(1, 'StepBegin', { n: 1 }),
  kimiRecord(1, 'ContentPart', { type: 'text', text: 'In the sum.' }),
  kimiRecord(2, 'StatusUpdate', { token_usage: kimiTokens, message_id: 'm1' }),
  kimiRecord(3, 'TurnEnd', {}),
];

const isSpawned = ({ bytes }: PlacedFile): boolean =>
  Buffer.from(bytes.subarray(0, 2000)).includes('"thread_source":"subagent"');

function clineTask(extension: string): Session {
  const task = join('.config/Code/User/globalStorage', extension, 'tasks/1');
  const names = ['api_conversation_history.json', 'ui_messages.json'];
  return {
    name: `an invented task of ${extension}`,
    files: names.map(name => ({
      at: join(task, name),
      bytes: readFileSync(resolve('test/fixtures/cline', name)),
    })),
  };
}

const agents: readonly Agent[] = [
  {
    name: 'Claude Code',
    ccusage: { client: 'claude', says: asWeDo },
    tokscale: { client: 'claude', says: asWeDo },
    sessions: [
      ...['claude-code', 'claude-code-subagents'].flatMap(folder =>
        samples(folder, '.jsonl', name => `.claude/projects/project/${name}`),
      ),
      ...runs('claude-code', /\/native\/.*\.jsonl(\.gz)?$/),
    ],
  },
  {
    name: 'Codex',
    // For a rollout that another thread started, ccusage treats the first counts as a replay of the parent's. In these
    // short rollouts, that is all of them. The recorded server answers include them.
    ccusage: { client: 'codex', counts: file => !isSpawned(file), says: asWeDo },
    tokscale: { client: 'codex', says: thinkingApart },
    sessions: [
      ...samples('codex', '.jsonl', name => `.codex/sessions/2026/06/17/rollout-2026-06-17T00-00-00-${name}`),
      ...runs('codex', /\/rollout-.*\.jsonl(\.gz)?$/),
    ],
  },
  {
    name: 'opencode',
    ccusage: { client: 'opencode', says: thinkingApart },
    tokscale: { client: 'opencode', says: thinkingApart },
    sessions: runs('opencode', /\/opencode\.db(\.gz)?$/),
  },
  {
    name: 'Gemini CLI',
    ccusage: { client: 'gemini', says: thinkingApart },
    tokscale: { client: 'gemini', says: thinkingApart },
    sessions: [
      ...samples('gemini-cli', '.json', name => `.gemini/tmp/project/chats/session-${name}`).filter(
        ({ name }) => name.includes('entire'),
      ),
      ...runs('gemini-cli', /\/chats\/.*\.jsonl(\.gz)?$/),
    ],
  },
  {
    name: 'Qwen Code',
    ccusage: { client: 'qwen', says: cachedTwice },
    tokscale: { client: 'qwen', says: cachedTwice },
    sessions: samples('qwen-code', '-1.jsonl', name => `.qwen/projects/project/chats/${name}`),
  },
  {
    name: 'Qwen Code through an API of OpenAI’s kind',
    // ccusage does not search the folder of the subagents.
    ccusage: { client: 'qwen', counts: ({ at }) => at.includes('/chats/'), says: cachedAndThoughtTwice },
    tokscale: { client: 'qwen', says: cachedAndThoughtTwice },
    sessions: runs('qwen-code', /\/(chats|subagents)\/.*\.jsonl(\.gz)?$/),
  },
  {
    name: 'Copilot CLI',
    // tokscale reads Copilot's OpenTelemetry export and not its event log. The samples' logs have no usage.
    ccusage: { client: 'copilot', says: asWeDo },
    sessions: runs('copilot-cli', /\/events\.jsonl(\.gz)?$/),
  },
  {
    name: 'pi',
    ccusage: { client: 'pi', says: asWeDo },
    tokscale: { client: 'pi', says: asWeDo },
    sessions: [
      ...samples('pi', '.jsonl', name => `.pi/agent/sessions/--home--/2026-01-01T00-00-00_${name}`),
      ...runs('pi-coding-agent', /\/sessions\/.*\.jsonl(\.gz)?$/),
    ],
  },
  {
    name: 'Cline CLI',
    tokscale: { client: 'cline', says: asWeDo },
    sessions: runs('cline-cli', /\.messages\.json(\.gz)?$/),
  },
  {
    name: 'Cline',
    tokscale: { client: 'cline', says: asWeDo },
    sessions: [clineTask('saoudrizwan.claude-dev')],
  },
  {
    name: 'Roo Code',
    tokscale: { client: 'roocode', says: asWeDo },
    sessions: [clineTask('rooveterinaryinc.roo-cline')],
  },
  {
    name: 'Kilo Code',
    tokscale: { client: 'kilocode', says: asWeDo },
    sessions: [clineTask('kilocode.kilo-code')],
  },
  {
    name: 'Kimi CLI',
    ccusage: { client: 'kimi', says: asWeDo },
    tokscale: { client: 'kimi', says: asWeDo },
    sessions: [
      invented(
        'an invented wire log',
        '.kimi/sessions/project/session/wire.jsonl',
        kimiWire.map(record => `${JSON.stringify(record)}\n`).join(''),
      ),
    ],
  },
  {
    name: 'Amp',
    ccusage: { client: 'amp', says: asWeDo },
    tokscale: { client: 'amp', says: asWeDo },
    sessions: [
      invented(
        'an invented thread',
        '.local/share/amp/threads/T-1.json',
        JSON.stringify({
          ...parsedFixture('amp/thread.json'),
          usageLedger: {
            events: [
              {
                id: 'e1',
                timestamp: '2026-03-01T10:00:00.000Z',
                model: 'large',
                credits: 1,
                tokens: { input: 10, output: 2, cacheReadInputTokens: 4, cacheCreationInputTokens: 3 },
                operationType: 'inference',
                fromMessageId: 0,
                toMessageId: 1,
              },
            ],
          },
        }),
      ),
    ],
  },
];

/** Sums of the transcripts among the files, which are in a home directory. */
async function ourSums(home: string, files: readonly PlacedFile[]): Promise<Sums> {
  const sums: Sums[] = [];
  for (const { at, bytes } of files.filter(file => !file.at.endsWith('ui_messages.json'))) {
    const transcript = await readAnyTranscript(bytes, { siblings: siblingFilesOf(join(home, at)) });
    sums.push(sumOf(countedElsewhere(transcript, bytes).map(({ usage }) => usage)));
  }
  return sumOf(sums);
}

describe('usage of whole sessions', { concurrency: 4 }, () => {
  let skip: string | false = false;
  let homes = '';
  before(() => {
    skip = installUsagePrograms();
    homes = mkdtempSync(join(tmpdir(), 'oracles-'));
  });
  after(() => {
    rmSync(homes, { recursive: true, force: true });
  });

  for (const { name, sessions, ccusage, tokscale } of agents) {
    if (sessions.length === 0) {
      it(`of ${name} is what other programs report`, {
        skip: 'no sessions in ../shared beside the repository',
      });
    }
    for (const session of someOf(sessions, 2)) {
      it(`of ${name}, ${session.name}, is what other programs report`, async context => {
        if (skip !== false) {
          context.skip(skip);
          return;
        }
        const home = mkdtempSync(join(homes, 'home-'));
        for (const { at, bytes } of session.files) {
          mkdirSync(join(home, dirname(at)), { recursive: true });
          writeFileSync(join(home, at), bytes);
        }
        const sums = await ourSums(home, session.files);
        assert.ok(sums.output > 0);
        const compare = async (reader: Reader | undefined, report: typeof ccusageReport): Promise<void> => {
          if (reader !== undefined) {
            const counted =
              reader.counts === undefined ? sums : await ourSums(home, session.files.filter(reader.counts));
            assert.deepEqual(await report(home, reader.client), reader.says(counted), report.name);
          }
        };
        await Promise.all([compare(ccusage, ccusageReport), compare(tokscale, tokscaleReport)]);
        context.diagnostic(`${name}, ${session.name}: ${JSON.stringify(sums)}`);
      });
    }
  }
});
