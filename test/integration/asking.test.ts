import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { askingSection, commandIds } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile } from './inspector';

const key = 'sk-ant-invented-key-0123456789';

const session = new ClaudeCodeSession()
  .prompt('Why?')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
  .result('toolu_a', 'The file is empty.')
  .reply({ text: 'The file has nothing in it.' })
  .toString();

const events = (...all: readonly unknown[]): string =>
  all.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    },
  },
};
const text = (words: string): readonly unknown[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
];
const stop = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
];

interface Provider {
  /** The key is what stands in either of the two headers that providers use. */
  readonly requests: readonly { readonly key: unknown; readonly body: string }[];
  connections: number;
  answer: (response: ServerResponse) => void;
  close(): void;
}

/** A provider on this machine, added to the settings. */
async function startProvider(id = 'anthropic'): Promise<Provider> {
  const requests: { key: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        key: request.headers['x-api-key'] ?? request.headers.authorization,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      provider.answer(response);
    });
  });
  const provider: Provider = {
    requests,
    connections: 0,
    answer: response => response.end(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  server.on('connection', () => (provider.connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  await vscode.workspace
    .getConfiguration(askingSection)
    .update(
      'providers',
      { [id]: { baseUrl: `http://127.0.0.1:${address.port}` } },
      vscode.ConfigurationTarget.Global,
    );
  return provider;
}

const stream = { 'content-type': 'text/event-stream' };

async function prepareReplay(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('tab', { name: 'Model' }).click();
    await webview.getByRole('button', { name: 'Show what would be sent' }).click();
    await webview.getByTestId('ask-plan').waitFor();
  });
}

/** Enters the key where the plan asks for one, and returns what the prompt said. */
async function enterKey(): Promise<string> {
  const prompt = await ui(async ({ page, webview }, given) => {
    await webview.getByRole('button', { name: 'Set API key…' }).click();
    const widget = page.locator('.quick-input-widget');
    const input = widget.locator('input[type=password]');
    await input.fill(given);
    const text = await widget.textContent();
    await input.press('Enter');
    await webview
      .getByTestId('ask-plan')
      .locator('vscode-button:not([disabled])', { hasText: /\bSend\b/ })
      .waitFor();
    return text;
  }, key);
  return String(prompt).replaceAll('\u2060', '');
}

async function pressSend(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByTestId('ask-plan').getByRole('button', { name: 'Send', exact: true }).click();
  });
}

const outcome = (): Promise<unknown> =>
  ui(({ webview }) => webview.getByTestId('ask-outcome').textContent({ timeout: 15_000 }));

/** All files below a folder in which no secret may be. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile() && /\.(json|jsonl|log|txt)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name));
}

test(
  'sends nothing without an act, then replays, tells faults, cancels, and keeps the key to itself',
  async () => {
    const provider = await startProvider();
    try {
      const uri = temporaryFile('ask-me.jsonl', session);
      await openAlone(uri);
      await finalEditor(uri);
      await prepareReplay();
      assert.equal(provider.connections, 0, 'something was sent without an act');

      await enterKey();
      assert.equal(provider.connections, 0, 'setting a key sent something');

      let rest: (() => void) | undefined;
      provider.answer = response => {
        response.writeHead(200, stream).write(events(start, ...text('The file has ')));
        rest = () => {
          const more = {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'no text.' },
          };
          response.end(events(more, ...stop));
        };
      };
      await pressSend();
      // The answer is streamed: its beginning is shown before the rest was sent.
      await ui(({ webview }) => webview.getByTestId('ask-content').getByText('The file has').waitFor());
      rest?.();
      await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
      assert.match(String(await outcome()), /Same next action as recorded.*Saved in .+\.jsonl/);
      assert.equal(provider.requests.length, 1);
      assert.equal(provider.requests[0]?.key, key);
      assert.equal(readFileSync(uri.fsPath, 'utf8'), session);

      provider.answer = response => response.writeHead(401).end('{"error":{"message":"invalid x-api-key"}}');
      await prepareReplay();
      await pressSend();
      await waitUntil('the refusal is told', async () =>
        String(await outcome()).includes('did not accept the key'),
      );

      provider.answer = response => response.writeHead(200, stream).write(events(start, ...text('Half')));
      await prepareReplay();
      await pressSend();
      await ui(async ({ webview }) => {
        await webview.getByTestId('ask-content').getByText('Half').waitFor();
        await webview.getByTestId('ask-outcome').getByRole('button', { name: 'Cancel' }).click();
        await webview.getByText('Cancelled. Partial output is below.').waitFor();
      });
      assert.match(String(await outcome()), /Half/);

      provider.close();
      await prepareReplay();
      await pressSend();
      await waitUntil('the refused connection is told', async () =>
        String(await outcome()).includes('the connection was refused'),
      );

      assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('contextInspector')).includes(key));
      const page = String(await ui(({ webview }) => webview.locator('body').innerHTML()));
      assert.ok(!page.includes(key));
      const folders = vscode.workspace.workspaceFolders?.map(folder => join(folder.uri.fsPath, '..')) ?? [];
      assert.notEqual(folders.length, 0);
      for (const file of folders.flatMap(filesBelow)) {
        assert.ok(!readFileSync(file, 'utf8').includes(key), file);
      }
    } finally {
      provider.close();
      await vscode.workspace
        .getConfiguration(askingSection)
        .update('providers', undefined, vscode.ConfigurationTarget.Global);
      await closeEverything();
    }
  },
  { skip: windowMissing },
);

/** A session in which the provider says why its cache was lost: the third request read less than was there. */
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

/** Probes the cache as a person does, and waits for the verdict. Nothing may be sent before. */
async function probe(provider: Provider, verdict: RegExp): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('tab', { name: 'Model' }).click();
    const model = webview.getByTestId('model-panel');
    await model.getByRole('combobox', { name: 'Action' }).selectOption('Probe the cache');
    await model.getByRole('button', { name: 'Show what would be sent' }).click();
    await webview.getByTestId('ask-plan').waitFor();
  });
  const plan = await ui(({ webview }) => webview.getByTestId('ask-plan').textContent());
  assert.match(String(plan), /The provider is asked for its verdict on the cache\./);
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
      await probe(provider, /predicted.*Provider’s verdict\s*the tools changed, 12 tokens/s);
      assert.deepEqual(
        provider.requests.map(({ body }) => /"previous_message_id":("msg_1"|null)/.exec(body)?.[1]),
        ['null', '"msg_1"'],
      );
    } finally {
      provider.close();
      await vscode.workspace
        .getConfiguration(askingSection)
        .update('providers', undefined, vscode.ConfigurationTarget.Global);
      await closeEverything();
    }
  },
  { skip: windowMissing },
);

/** A session of a model of OpenAI's that says what differs from an earlier reply. */
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
      await probe(provider, /predicted.*Provider’s verdict\s*the input changed, 1,376 tokens/s);
      assert.deepEqual(
        provider.requests.map(({ body }) => /"comparison_response_id":"(\w+)"/.exec(body)?.[1]),
        [undefined, 'resp_1'],
      );
      assert.deepEqual(new Set(provider.requests.map(request => request.key)), new Set([`Bearer ${key}`]));
    } finally {
      provider.close();
      await vscode.workspace
        .getConfiguration(askingSection)
        .update('providers', undefined, vscode.ConfigurationTarget.Global);
      await closeEverything();
    }
  },
  { skip: windowMissing },
);

test(
  'asks for the key again when the address changes, and sends it nowhere else',
  async () => {
    const provider = await startProvider();
    let other: Provider | undefined;
    try {
      const uri = temporaryFile('ask-elsewhere.jsonl', session);
      await openAlone(uri);
      await finalEditor(uri);
      await prepareReplay();
      const setting = vscode.workspace.getConfiguration(askingSection).get<unknown>('providers');
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(JSON.stringify(setting))?.[0] ?? 'none';
      const plan = await ui(({ webview }) => webview.getByTestId('ask-plan').textContent());
      assert.ok(String(plan).includes(`Anthropic, ${origin} on this machine`), String(plan));
      assert.ok((await enterKey()).includes(`sent only to ${origin}`));

      other = await startProvider();
      await ui(({ webview }) => webview.getByRole('button', { name: 'Do not send' }).click());
      await prepareReplay();
      await ui(({ webview }) => webview.getByRole('button', { name: 'Set API key…' }).waitFor());
      await enterKey();
      assert.deepEqual([provider.connections, other.connections], [0, 0]);

      other.answer = response => response.writeHead(200, stream).end(events(start, ...text('Hi'), ...stop));
      await pressSend();
      await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
      assert.deepEqual([provider.requests, other.requests.map(request => request.key)], [[], [key]]);
    } finally {
      provider.close();
      other?.close();
      await vscode.workspace
        .getConfiguration(askingSection)
        .update('providers', undefined, vscode.ConfigurationTarget.Global);
      await closeEverything();
    }
  },
  { skip: windowMissing },
);

test(
  'offers the models of VS Code where it has any, and hides them where it has none',
  async () => {
    const models = await vscode.lm.selectChatModels();
    const uri = temporaryFile('ask-vscode.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    const options = await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      await webview.getByTestId('model-panel').getByRole('combobox', { name: 'Provider' }).waitFor();
      return webview.getByTestId('model-panel').locator('option').allTextContents();
    });
    assert.ok(Array.isArray(options) && options.includes('Anthropic'));
    assert.equal(options.includes('VS Code models'), models.length > 0);
    await closeEverything();
  },
  { skip: windowMissing },
);

/** Resolves with the reason why this VS Code offers no model; undefined if it offers one now. */
async function registerModel(): Promise<string | undefined> {
  try {
    await vscode.commands.executeCommand('modelProvider.register');
  } catch (error) {
    return String(error);
  }
  return (await vscode.lm.selectChatModels()).length > 0 ? undefined : 'it was registered and is not offered';
}

test(
  'asks a model that another extension brings',
  async () => {
    const missing = await registerModel();
    if (missing !== undefined) {
      console.log(`  This VS Code lets no extension bring a model: ${missing}`);
      return;
    }
    const uri = temporaryFile('ask-invented.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      const panel = webview.getByTestId('model-panel');
      await panel.getByRole('combobox', { name: 'Provider' }).selectOption('VS Code models');
      await panel.getByRole('button', { name: 'Show what would be sent' }).click();
      await webview.getByTestId('ask-plan').getByText('invented').first().waitFor();
    });
    const asked = (): Thenable<unknown> => vscode.commands.executeCommand('modelProvider.asked');
    assert.deepEqual(await asked(), [], 'the model was asked without an act');
    await pressSend();
    await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
    assert.match(String(await outcome()), /Same next action as recorded/);
    assert.match(JSON.stringify(await asked()), /Why\?/);
    await closeEverything();
  },
  { skip: windowMissing },
);

test('has commands for keys and replays', async () => {
  const commands = new Set(await vscode.commands.getCommands(true));
  for (const id of [commandIds.setApiKey, commandIds.removeApiKey, commandIds.openReplays]) {
    assert.ok(commands.has(id), id);
  }
});
