import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as backend from '../../../src/backend/main';
import { providerPreset } from '../../../src/backend/providers';
import { arrayAt, stringAt } from '../../../src/core/base/json';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { lookUpWith } from '../../../src/core/tokens/userModels';
import { buildRequestView } from '../../../src/core/view/requestView';
import { highestCost, repeatedRead } from '../../../src/app/asking/askPlan';
import { AskSession } from '../../../src/app/asking/askSession';
import { askSettings } from '../../../src/app/settings/askSettings';
import { providerAsker } from '../../../src/app/asking/asker';
import { boundKey, keyFor } from '../../../src/host/asking/boundKey';
import { providerEntry } from '../../../src/app/settings/providerSettings';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import type { AskNews, AskOrder, AskPlan } from '../../../src/protocol/askMessages';
import { answerTo, postAnswer, Questions } from '../../../src/protocol/rpc';
import { type AskWorker, workerQuestions } from '../../../src/protocol/workerQuestions';
import { answers } from '../../../src/worker/answers';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { type Answer, eventText, type FaultServer, startFaultServer } from '../../fixtures/faultServer';
import { eventStream, replyEnd, replyStart, textStart, thinkingStart } from '../../fixtures/streamedReply';
import { until } from '../../fixtures/until';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';
import { readSetting, settingsOf } from '../../fixtures/settings';

allowLoopbackOnly();

const key = 'sk-ant-invented-key-0123456789';
const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** A reply without its end. */
const events = (text: string, start?: Parameters<typeof replyStart>[0]): readonly object[] => [
  replyStart(start),
  ...thinkingStart('Well.'),
  ...textStart(text, 1),
];

/** Two results of about 45,000 tokens before the newest prompts. The older one can be pruned. */
function transcriptText(): string {
  return new ClaudeCodeSession()
    .prompt(`Use ${secret}`)
    .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
    .result('toolu_a', sourceText(1, 200_000))
    .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
    .result('toolu_b', sourceText(2, 200_000))
    .prompt('Fix it')
    .reply({ text: 'Fixed.' })
    .prompt('Thanks')
    .reply({ text: 'Welcome.' })
    .toString();
}

const ownOrigin = 'https://api.anthropic.com:443';

const lookUp = lookUpWith({ 'small-model': { contextWindow: 100 } });

describe('asking a model from the editor', () => {
  let server: FaultServer;
  let session: TranscriptSession;
  let answer: Answer;
  let news: AskNews[];
  let kept: string[];
  /** The content of the secret storage. */
  let keys: Map<string, string>;
  let baseUrl: string;
  let isTrusted: boolean;
  let asks: AskSession;
  let given: Readonly<Record<string, unknown>>;

  before(async () => {
    server = await startFaultServer(response => answer(response));
    const bytes = new TextEncoder().encode(transcriptText());
    const opened = await openTranscript(
      {
        size: bytes.length,
        read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
      },
      { fileName: 'session.jsonl', scanner: secretScanner },
    );
    assert.ok(opened.ok);
    ({ session } = opened);
    await session.countTokens();
  });
  after(() => server.close());

  const questions = new Questions(workerQuestions, ({ id, question }) =>
    postAnswer(
      id,
      () => answerTo(answers, { session, scanner: secretScanner, show: () => undefined }, question),
      given => questions.receive(structuredClone(given)),
      String,
    ),
  );
  const askWorker: AskWorker = questions.ask;

  beforeEach(() => {
    news = [];
    kept = [];
    keys = new Map([['anthropic', boundKey(key, server.baseUrl)]]);
    baseUrl = server.baseUrl;
    isTrusted = true;
    given = {};
    answer = response => {
      response.writeHead(200, eventStream).end(eventText(...events('Welcome again.'), ...replyEnd()));
    };
    asks = new AskSession({
      post: told => news.push(told),
      ask: askWorker,
      settings: () => askSettings(settingsOf(given).get),
      modelFacts: model => lookUpWith({})(model) ?? {},
      offer: () => Promise.resolve({ ...(isTrusted ? {} : { refusal: 'untrusted' }), providers: [] }),
      asker: ({ provider, model }, maximumOutput) => {
        const preset = providerPreset(provider);
        assert.ok(preset !== undefined);
        return Promise.resolve(
          providerAsker(backend.createTarget({ preset, model, baseUrl, maximumOutput, lookUp })),
        );
      },
      loadBackend: () => Promise.resolve(backend),
      key: (provider, origin) => Promise.resolve(keyFor(origin, keys.get(provider), ownOrigin)),
      setKey: (provider, origin) => {
        assert.ok(origin !== undefined);
        return Promise.resolve(void keys.set(provider, boundKey(key, origin)));
      },
      keep: (name, line) => Promise.resolve(void kept.push(line)).then(() => `/kept/${name}`),
      openReplays: () => Promise.resolve(),
    });
  });

  const newest = 3;
  const order = (change: Partial<AskOrder> = {}): AskOrder => ({
    form: 'replay',
    request: newest,
    provider: '',
    model: 'claude-sonnet-4-5-20250929',
    keepSecrets: false,
    times: 1,
    question: '',
    ...change,
  });
  const planned = async (change: Partial<AskOrder> = {}): Promise<AskPlan> => {
    await asks.handle({ kind: 'prepare', order: order(change) });
    const plan = news.findLast(told => told.kind === 'plan');
    assert.ok(plan?.kind === 'plan', JSON.stringify(news.at(-1)));
    return plan.plan;
  };
  const sent = async (change: Partial<AskOrder> = {}): Promise<AskPlan> => {
    const plan = await planned(change);
    await asks.handle({ kind: 'send', plan: plan.plan });
    return plan;
  };
  const bodies = (from: number): readonly string[] => server.requests.slice(from).map(({ body }) => body);
  const ended = () => {
    const last = news.at(-1);
    assert.ok(last?.kind === 'ended', JSON.stringify(last));
    return last;
  };
  const results = () => news.flatMap(told => (told.kind === 'replied' ? [told.result] : []));

  it('says what would be sent, where, how much and what it costs at most, and sends nothing', async () => {
    const before = server.requests.length;
    const plan = await planned();
    assert.equal(plan.provider, 'Anthropic');
    assert.equal(plan.destination, server.baseUrl);
    assert.equal(plan.isLocal, true);
    assert.equal(plan.calls, 1);
    // Two sources of 200,000 characters are almost all of it.
    assert.ok(plan.bytes > 400_000 && plan.bytes < 500_000, String(plan.bytes));
    const view = buildRequestView(session.toSession().columns, newest);
    assert.equal(plan.tokens.value, view.total.value - view.notRecorded.value);
    assert.equal(plan.outputTokens, 4096);
    assert.ok(plan.notes.some(note => note.startsWith('Credentials replaced')));
    assert.equal(plan.lacksKey, false);
    assert.equal(server.requests.length, before);
  });

  it('says in the plan if the request fills the window of the model', async () => {
    const { notes } = await planned({ provider: 'anthropic', model: 'small-model' });
    assert.ok(notes.some(note => note.includes('fills the window of small-model (100 tokens)')));
    assert.ok(!(await planned()).notes.some(note => note.includes('window')));
  });

  it('works the highest cost out of tokens, answer and calls', () => {
    const prices = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };
    // 100,000 tokens at $3 per million and 4,000 at $15 per million, twice: 2 × (0.30 + 0.06).
    assert.equal(highestCost({ prices }, 2, 100_000, 4_000)?.toFixed(9), '0.720000000');
    assert.equal(highestCost({ prices }, 1, 100_000, 0), undefined);
    assert.equal(highestCost({ prices: undefined }, 1, 100, 100), undefined);
  });

  it('predicts a second read by the rules of the cache', () => {
    const rules = { minimumTokens: 1024, lifetimeSeconds: 300, lookbackBlocks: 20, maximumBreakpoints: 4 };
    const usage = { input: 150, cacheRead: 1000, cacheWrite: 900, output: 1 };
    assert.equal(repeatedRead({ cache: { ...rules, explicit: true } }, usage), 1900);
    // 2,050 tokens in steps of 128: 16 steps.
    assert.equal(repeatedRead({ cache: { ...rules, explicit: false, granularityTokens: 128 } }, usage), 2048);
    assert.equal(repeatedRead({ cache: { ...rules, explicit: false, minimumTokens: 4096 } }, usage), 0);
    assert.equal(repeatedRead({ cache: undefined }, usage), undefined);
  });

  it('streams a replay, tells thinking from content, compares and keeps it', async () => {
    const before = server.requests.length;
    await sent();
    assert.deepEqual(
      news.flatMap(told => (told.kind === 'piece' ? [[told.piece.kind, told.piece.text]] : [])),
      [
        ['thinking', 'Well.'],
        ['content', 'Welcome again.'],
      ],
    );
    const [result] = results();
    assert.deepEqual(result?.usage, { input: 10, cacheRead: 90, cacheWrite: 0, output: 4 });
    assert.deepEqual(result.comparison?.texts, ['Welcome.', 'Welcome again.']);
    // No call in both: the same action.
    assert.equal(result.comparison.isSameAction, true);
    assert.match(ended().file ?? '', /^\/kept\/.+claude-sonnet-4-5-20250929\.jsonl$/);
    assert.equal(kept.length, 1);
    assert.ok(!JSON.stringify([news, kept]).includes(key));
    assert.equal(server.requests.length, before + 1);
    assert.equal(server.requests.at(-1)?.headers['x-api-key'], key);
  });

  it('takes credentials out, and leaves them in on the word of the user for one send alone', async () => {
    const before = server.requests.length;
    await sent();
    await sent({ keepSecrets: true });
    await sent();
    assert.deepEqual(
      bodies(before).map(body => body.includes(secret)),
      [false, true, false],
    );
    const shown = JSON.stringify(news.filter(told => told.kind === 'replied'));
    assert.ok(!shown.includes(secret));
  });

  it('sends a plan once, and only the one that was shown last', async () => {
    const before = server.requests.length;
    const first = await planned();
    const second = await planned();
    await asks.handle({ kind: 'send', plan: first.plan });
    assert.equal(server.requests.length, before);
    await asks.handle({ kind: 'send', plan: second.plan });
    await asks.handle({ kind: 'send', plan: second.plan });
    assert.equal(server.requests.length, before + 1);
  });

  it('compares whole and pruned, as often as asked, and tells how often they agree', async () => {
    const before = server.requests.length;
    const prune = defaultPruneOptions();
    await sent({ form: 'compare', prune, times: 2 });
    const sizes = bodies(before).map(({ length }) => length);
    assert.equal(sizes.length, 4);
    // One of two results of 200,000 characters is gone from the pruned side.
    assert.ok((sizes[0] ?? 0) - (sizes[1] ?? 0) > 190_000, sizes.join(' '));
    assert.deepEqual([sizes[2], sizes[3]], [sizes[0], sizes[1]]);
    assert.deepEqual(
      results().map(({ isSameAsOther }) => isSameAsOther),
      [undefined, true, undefined, true],
    );
    assert.equal(kept.length, 4);
  });

  it('probes the cache with the same request twice, and tells what was predicted', async () => {
    let call = 0;
    answer = response => {
      call += 1;
      const usage = call === 1 ? { read: 0, written: 90_000 } : { read: 90_000, written: 0 };
      const diagnostics =
        call === 1 ? null : { cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: 12 } };
      response
        .writeHead(200, eventStream)
        .end(eventText(...events('.', { ...usage, diagnostics }), ...replyEnd()));
    };
    const before = server.requests.length;
    await sent({ form: 'probe' });
    const [first, second] = bodies(before);
    const compared = (body: string | undefined, id: string): string =>
      (body ?? '').replace(`"diagnostics":{"previous_message_id":${id}}`, '"compared"');
    assert.equal(compared(first, 'null'), compared(second, '"msg_1"'));
    assert.match(compared(first, 'null'), /"cache_control".*"compared"|"compared".*"cache_control"/);
    assert.deepEqual(
      results().map(({ diagnosis }) => diagnosis),
      [undefined, { type: 'system_changed', tokens: 12 }],
    );
    assert.deepEqual(
      results().map(({ usage, predictedRead }) => [usage?.cacheRead, predictedRead]),
      [
        [0, undefined],
        [90_000, 90_000],
      ],
    );
    assert.equal(kept.length, 0);
  });

  it('asks one question behind the context, and keeps nothing', async () => {
    const before = server.requests.length;
    await sent({ form: 'question', question: 'Which file was first?' });
    const body: unknown = JSON.parse(bodies(before)[0] ?? '');
    const last = arrayAt(body, 'messages').at(-1);
    assert.equal(stringAt(last, 'role'), 'user');
    assert.match(JSON.stringify(last), /Which file was first\?/);
    assert.deepEqual([kept.length, ended().file], [0, undefined]);
  });

  it('counts at the provider with as many calls as allowed', async () => {
    let call = 0;
    answer = response => {
      call += 1;
      response.end(`{"input_tokens":${call === 1 ? 90_000 : 45_000}}`);
    };
    await sent({ form: 'count', times: 2 });
    const count = news.findLast(told => told.kind === 'counted');
    assert.ok(count?.kind === 'counted');
    assert.deepEqual(
      [
        count.count.tokens,
        count.count.calls,
        count.count.parts.map(({ tokens }) => tokens),
        count.count.isTaken,
      ],
      // Usage is recorded, so the request's own figure stays.
      [90_000, 2, [45_000], false],
    );
    assert.equal(server.requests.at(-1)?.path, '/v1/messages/count_tokens');
  });

  it('cancels at once, keeps what had arrived, and leaves nothing running', async () => {
    answer = response => {
      response.writeHead(200, eventStream).write(eventText(...events('Half', { read: 0, written: 0 })));
    };
    const plan = await planned();
    const sending = asks.handle({ kind: 'send', plan: plan.plan });
    await until('a piece of the answer has arrived', () =>
      news.some(told => told.kind === 'piece' && told.piece.kind === 'content'),
    );
    await asks.handle({ kind: 'cancel' });
    assert.equal(ended().isCancelled, true);
    await sending;
    assert.equal(ended().isCancelled, true);
    await server.ended();
    // A page that is created again gets everything again.
    const told = [...news];
    news = [];
    asks.postAgain();
    assert.deepEqual(
      news.map(({ kind }) => kind),
      told.slice(told.findLastIndex(({ kind }) => kind === 'preparing')).map(({ kind }) => kind),
    );
  });

  it('tells a refusal in one sentence without the key', async () => {
    answer = response => {
      response.writeHead(401).end(`{"error":{"message":"invalid x-api-key ${key}"}}`);
    };
    await sent();
    const [result] = results();
    assert.match(result?.sentence ?? '', /did not accept the key/);
    assert.ok(!JSON.stringify(news).includes(key));
    assert.equal(result?.comparison, undefined);
  });

  it('sends nothing without a key, and is ready once one is set', async () => {
    keys.clear();
    const before = server.requests.length;
    const plan = await sent();
    assert.equal(plan.lacksKey, true);
    assert.match(
      ended().sentence ?? '',
      /^No API key is stored for Anthropic at http:\/\/127\.0\.0\.1:\d+\.$/,
    );
    assert.equal((await planned()).lacksKey, true);
    await asks.handle({ kind: 'setKey', provider: 'anthropic' });
    const last = news.at(-1);
    assert.ok(last?.kind === 'plan' && !last.plan.lacksKey);
    assert.equal(server.requests.length, before);
  });

  it('asks for the key again where the address has another scheme, host or port', async () => {
    const before = server.requests.length;
    const kept = boundKey(key, server.baseUrl);
    for (const [stored, address] of [
      [kept, server.baseUrl.replace('127.0.0.1', 'localhost')],
      [kept, server.baseUrl.replace('http:', 'https:')],
      [kept, server.baseUrl.replace(/\d+$/, '9')],
      // Stored by an earlier version, without its address.
      [key, server.baseUrl],
    ] as const) {
      keys.set('anthropic', stored);
      baseUrl = address;
      const plan = await sent();
      assert.equal(plan.lacksKey, true, address);
      assert.match(ended().sentence ?? '', /^No API key is stored for Anthropic at /);
    }
    assert.equal(server.requests.length, before);
  });

  it('sets the key for the address that the plan shows, even if the settings have changed since', async () => {
    keys.clear();
    await planned();
    baseUrl = 'https://elsewhere.example';
    await asks.handle({ kind: 'setKey', provider: 'anthropic' });
    assert.equal(keys.get('anthropic'), boundKey(key, server.baseUrl));
  });

  it('keeps a key of an earlier version for the provider itself', () => {
    assert.equal(keyFor(ownOrigin, key, ownOrigin), key);
    assert.equal(keyFor('http://127.0.0.1:9', key, ownOrigin), undefined);
    assert.equal(keyFor(ownOrigin, boundKey(key, 'https://box:443'), ownOrigin), undefined);
    // A bare key that happens to be JSON is still a bare key.
    assert.equal(keyFor(ownOrigin, '123', ownOrigin), '123');
    assert.equal(keyFor(ownOrigin, undefined, ownOrigin), undefined);
  });

  it('sends nothing where the workspace is not trusted, not even what was planned before', async () => {
    const before = server.requests.length;
    const plan = await planned();
    isTrusted = false;
    await asks.handle({ kind: 'send', plan: plan.plan });
    assert.match(ended().sentence ?? '', /is turned off here/);
    await asks.handle({ kind: 'prepare', order: order() });
    assert.match(ended().sentence ?? '', /is turned off here/);
    assert.equal(server.requests.length, before);
  });

  it('keeps to the limits of the settings', async () => {
    given = { 'contextInspector.asking.maximumTokens': 1000 };
    await asks.handle({ kind: 'prepare', order: order() });
    assert.match(ended().sentence ?? '', /tokens, but the setting allows only 1,000\.$/);
    given = { 'contextInspector.asking.maximumCalls': 3 };
    await asks.handle({
      kind: 'prepare',
      order: order({ form: 'compare', prune: defaultPruneOptions(), times: 2 }),
    });
    assert.match(ended().sentence ?? '', /^4 requests are needed, but the setting allows only 3\.$/);
  });

  it('reads the address of a provider, and refuses one that is none', () => {
    const providersOf = (value: unknown) =>
      settingsOf({ 'contextInspector.asking.providers': value }).get('asking.providers');
    const providers = providersOf({
      ollama: { baseUrl: 'http://localhost:1/v1/' },
      openai: { baseUrl: 1 },
      zai: 'box',
    });
    assert.equal(providerEntry(providers, 'ollama').baseUrl, 'http://localhost:1/v1/');
    assert.deepEqual(providerEntry(providers, 'anthropic'), {});
    for (const id of ['openai', 'zai']) {
      assert.throws(() => providerEntry(providers, id), /no valid entry for/);
    }
    for (const value of [[], 'https://box', null, 1]) {
      assert.throws(() => providerEntry(providersOf(value), 'anthropic'), /no valid entry/);
    }
  });

  it('takes an unclear setting for the safe one, and reports each without repeating what it holds', () => {
    const link = '[x](command:workbench.action.quit)';
    const { get, problems } = settingsOf({
      'contextInspector.asking.enabled': 'false',
      'contextInspector.asking.providers': {
        [link]: 1,
        anthropic: { [link]: link },
        ['__proto__']: { baseUrl: 'https://box' },
      },
      'contextInspector.asking.maximumTokens': link,
      'contextInspector.asking.maximumOutput': Number.NaN,
      'contextInspector.asking.maximumCalls': -1,
    });
    const { enabled, maximumTokens, maximumOutput, maximumCalls } = askSettings(get);
    assert.deepEqual(
      { enabled, maximumTokens, maximumOutput, maximumCalls },
      { enabled: false, maximumTokens: 200_000, maximumOutput: 4096, maximumCalls: 20 },
    );
    assert.equal(problems.length, 5, problems.join('\n'));
    assert.ok(!problems.join(' ').includes('command:'));
    const unset = settingsOf({});
    assert.equal(askSettings(unset.get).enabled, true);
    assert.deepEqual(unset.problems, []);
    assert.deepEqual(readSetting('asking.providers', [link]).problems, [
      'The setting contextInspector.asking.providers is invalid.',
    ]);
  });
});
