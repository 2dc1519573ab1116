import assert from 'node:assert/strict';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';
import {
  endAsking,
  enterKey,
  events,
  key,
  outcome,
  pressSend,
  type Provider,
  start,
  startProvider,
  stop,
  stream,
  text,
} from './mockProvider';

/** A session in which the provider reports the reason of a cache loss: the third request read less than was cached. */
const withVerdict = [0, 30_000, 18_000]
  .flatMap((read, index) => {
    const common = {
      parentUuid: null,
      isSidechain: false,
      sessionId: 's',
      version: '2.1.150',
      timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, 30 * index)).toISOString(),
    };
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: 30_000 + 100 * index - read,
      output_tokens: 10,
    };
    const reason = { type: 'system_changed', cache_missed_input_tokens: 11_689 };
    const diagnostics = index < 2 ? null : { cache_miss_reason: reason };
    const model = 'claude-sonnet-4-5-20250929';
    const content = [{ type: 'text', text: `Answer ${index}` }];
    const message = {
      id: `msg_${index}`,
      type: 'message',
      role: 'assistant',
      model,
      content,
      usage,
      diagnostics,
    };
    return [
      { ...common, type: 'user', uuid: `u${index}`, message: { role: 'user', content: `Question ${index}` } },
      {
        ...common,
        type: 'assistant',
        uuid: `a${index}`,
        message,
        effort: 'high',
        attributionSkill: 'review',
      },
    ];
  })
  .map(record => `${JSON.stringify(record)}\n`)
  .join('');

/** Probes the cache like a user, and waits for the verdict. Nothing may be sent before. */
async function probe(provider: Provider, verdict: RegExp): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('tab', { name: 'Model' }).click();
    const model = webview.getByTestId('model-panel');
    await model.getByRole('combobox', { name: 'Action' }).selectOption('Probe the cache');
    await model.getByRole('button', { name: 'Preview' }).click();
    await webview.getByTestId('ask-plan').waitFor();
  });
  const plan = await ui(({ webview }) => webview.getByTestId('ask-plan').textContent());
  assert.match(String(plan), /The provider is asked to report on the cache\./);
  await enterKey();
  assert.equal(provider.connections, 0, 'something was sent without an act');
  await pressSend();
  await waitUntil('the verdict is shown beside the prediction', async () =>
    verdict.test(String(await outcome())),
  );
}

test(
  'shows the provider’s verdict on the cache, and asks for it in a probe',
  async () => {
    const provider = await startProvider();
    try {
      const uri = temporaryFile('ask-verdict.jsonl', withVerdict);
      await openAlone(uri);
      await finalEditor(uri);
      const panel = await ui(async ({ webview }) => {
        await webview.getByRole('tab', { name: 'Cache' }).click();
        await webview.getByTestId('cache-break').waitFor();
        return webview.getByTestId('cache-panel').innerText();
      });
      assert.match(String(panel), /Provider’s verdict\s+the system prompt changed, 11,689 tokens/);
      assert.match(String(panel), /Cache lost: system text changed/);
      assert.match(String(panel), /recorded by the provider/);

      provider.answer = response => {
        const first = provider.requests.length === 1;
        const reason = { type: 'tools_changed', cache_missed_input_tokens: 12 };
        const message = { ...start.message, diagnostics: first ? null : { cache_miss_reason: reason } };
        response.writeHead(200, stream).end(events({ ...start, message }, ...text('Hi'), ...stop));
      };
      await probe(provider, /expected.*Provider’s verdict\s*the tools changed, 12 tokens/s);
      assert.deepEqual(
        provider.requests.map(({ body }) => /"previous_message_id":("msg_1"|null)/.exec(body)?.[1]),
        ['null', '"msg_1"'],
      );
    } finally {
      await endAsking(provider);
    }
  },
  { skip: windowMissing },
);

/** A session of an OpenAI model that reports the differences from an earlier reply. */
const ofOpenai = [
  { type: 'session_meta', payload: { id: 's', cli_version: '0.169.0' } },
  { type: 'turn_context', payload: { model: 'gpt-5.6-sol' } },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Why is it empty? '.repeat(400) }],
    },
  },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Nobody wrote to it.' }],
    },
  },
  {
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: { last_token_usage: { input_tokens: 2400, cached_input_tokens: 0, output_tokens: 6 } },
    },
  },
]
  .map((record, index) => {
    const timestamp = new Date(Date.UTC(2026, 8, 5, 9, 0, index)).toISOString();
    return `${JSON.stringify({ timestamp, ...record })}\n`;
  })
  .join('');

test(
  'asks OpenAI in a probe what differs from its first reply, and shows what it says',
  async () => {
    const provider = await startProvider('openai');
    try {
      const uri = temporaryFile('ask-openai.jsonl', ofOpenai);
      await openAlone(uri);
      await finalEditor(uri);
      provider.answer = response => {
        const id = `resp_${provider.requests.length}`;
        const content = [{ type: 'output_text', text: 'Hi', annotations: [] }];
        const whole = {
          id,
          object: 'response',
          status: 'completed',
          model: 'gpt-5.6-sol',
          output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
          usage: { input_tokens: 2400, input_tokens_details: { cached_tokens: 1024 }, output_tokens: 2 },
          ...(id === 'resp_1'
            ? {}
            : {
                prompt_cache_diagnostics: {
                  type: 'cache_miss',
                  reason: 'input_changed',
                  cache_missed_tokens: 1376,
                },
              }),
        };
        response
          .writeHead(200, stream)
          .end(
            events(
              { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
              { type: 'response.output_text.delta', delta: 'Hi' },
              { type: 'response.completed', response: whole },
            ),
          );
      };
      await probe(provider, /expected.*Provider’s verdict\s*the input changed, 1,376 tokens/s);
      assert.deepEqual(
        provider.requests.map(({ body }) => /"comparison_response_id":"(\w+)"/.exec(body)?.[1]),
        [undefined, 'resp_1'],
      );
      assert.deepEqual(new Set(provider.requests.map(request => request.key)), new Set([`Bearer ${key}`]));
    } finally {
      await endAsking(provider);
    }
  },
  { skip: windowMissing },
);
