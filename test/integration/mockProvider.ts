import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { ui } from './driver';
import { closeEverything } from './inspector';

export const key = 'sk-ant-invented-key-0123456789';

export const events = (...all: readonly unknown[]): string =>
  all.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
export const start = {
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
export const text = (words: string): readonly unknown[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
];
export const stop = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
];

export interface Provider {
  /** The key is the value of either of the two headers that providers use. */
  readonly requests: readonly { readonly key: unknown; readonly body: string }[];
  connections: number;
  answer: (response: ServerResponse) => void;
  close(): void;
}

/** A provider on this machine, added to the settings. */
export async function startProvider(id = 'anthropic'): Promise<Provider> {
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
    .getConfiguration('contextInspector.asking')
    .update(
      'providers',
      { [id]: { baseUrl: `http://127.0.0.1:${address.port}` } },
      vscode.ConfigurationTarget.Global,
    );
  return provider;
}

/** Closes providers, removes them from the settings, and closes everything opened with them. */
export async function endAsking(...providers: readonly (Provider | undefined)[]): Promise<void> {
  providers.forEach(provider => provider?.close());
  await vscode.workspace
    .getConfiguration('contextInspector.asking')
    .update('providers', undefined, vscode.ConfigurationTarget.Global);
  await closeEverything();
}

export const stream = { 'content-type': 'text/event-stream' };

export async function prepareReplay(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('tab', { name: 'Model' }).click();
    await webview.getByRole('button', { name: 'Preview' }).click();
    await webview.getByTestId('ask-plan').waitFor();
  });
}

/** Enters the key when the plan asks for one, and returns the prompt's text. */
export async function enterKey(): Promise<string> {
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

export async function pressSend(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByTestId('ask-plan').getByRole('button', { name: 'Send', exact: true }).click();
  });
}

export const outcome = (): Promise<unknown> =>
  ui(({ webview }) => webview.getByTestId('ask-outcome').textContent());
