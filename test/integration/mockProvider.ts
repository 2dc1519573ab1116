import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { ui } from './driver';
import { closeEverything } from './inspector';

export const key = 'sk-ant-invented-key-0123456789';

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
