/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { type Answer, eventText, type FaultServer, startFaultServer } from '../fixtures/faultServer';
import {
  blockStart,
  eventStream,
  replyEnd,
  replyStart,
  textPiece,
  textStart,
  thinkingStart,
} from '../fixtures/streamedReply';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { type AddressOptions, openThroughDoor, type OpenDoor } from './door';
import { holdMessage } from './heldMessage';

const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
/** A session of one request, or of two with a result. */
function sessionText(hasResult: boolean): string {
  const session = new ClaudeCodeSession().prompt(`Look with ${token}.`);
  if (hasResult) {
    session
      .reply({ tool: 'Read', id: 'toolu_r', input: { file_path: 'a' } })
      .result('toolu_r', 'The file is empty. '.repeat(40));
  }
  return session
    .reply({ text: 'All is well' }, { tool: 'Bash', id: 'toolu_a', input: { command: 'ls a' } })
    .toString();
}
/** US dollars per million tokens. Input costs nothing, so that the most is known: 4,096 tokens of output. */
const models = { 'claude-sonnet-4-5': { prices: { input: 0, output: 100 } } };

async function openPanel(
  { settings = {}, keys = {} }: AddressOptions = {},
  hasResult = false,
): Promise<OpenDoor> {
  const opened = await openThroughDoor({
    text: sessionText(hasResult),
    keys,
    height: 1600,
    settings: { 'contextInspector.models': models, ...settings },
  });
  await opened.page.getByRole('tab', { name: 'Model' }).click();
  return opened;
}

/** Opens the panel with a provider on this machine, which gives these answers. */
async function openWith(answers: readonly Answer[], hasResult = false) {
  const left = [...answers];
  const provider = await startFaultServer(response => left.shift()?.(response));
  providers.push(provider);
  const opened = await openPanel(
    {
      keys: { ANTHROPIC_API_KEY: 'sk-ant-invented-key-0123456789' },
      settings: { 'contextInspector.asking.providers': { anthropic: { baseUrl: provider.baseUrl } } },
    },
    hasResult,
  );
  return { ...opened, provider };
}

/** The providers of this file. A failed test leaves none behind. */
const providers: FaultServer[] = [];
const preview = (page: Page): Promise<void> => page.getByRole('button', { name: 'Preview' }).click();
const send = (page: Page): Promise<void> =>
  page.getByTestId('ask-plan').getByRole('button', { name: 'Send', exact: true }).click();

const ends = (index: number): object => ({ type: 'content_block_stop', index });

describe('the panel that asks a model', () => {
  after(() => Promise.all(providers.map(provider => provider.close())));

  it('offers nothing where nothing may be asked', async () => {
    const { page, close } = await openPanel({ settings: { 'contextInspector.asking.enabled': false } });
    const panel = page.getByTestId('model-panel');
    await panel.getByText('Asking models is turned off in the settings.').waitFor();
    assert.equal(await panel.locator('vscode-button').count(), 0);
    // Only an editor has workspaces that are not trusted, and models of its own.
    const show = async (value: object): Promise<void> => {
      await page.getByRole('tab', { name: 'Cache' }).click();
      const offer = await holdMessage(page, '"providers"');
      await page.getByRole('tab', { name: 'Model' }).click();
      await offer.come();
      await offer.pass({ value });
    };
    await show({ refusal: 'untrusted', providers: [] });
    await panel.getByText('You cannot ask models in an untrusted workspace.').waitFor();
    const own = { id: 'vscode', name: 'VS Code models', model: '', models: ['one', 'two'], counts: false };
    await show({ providers: [own] });
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('VS Code models');
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    assert.deepEqual(await model.getByRole('option').allInnerTexts(), ['one', 'two']);
    assert.equal(await model.inputValue(), 'one');
    await close();
  });

  it('shows what would be sent, and sends nothing without a key', async () => {
    const { page, deed, close } = await openPanel();
    const plan = await holdMessage(page, '"kind":"plan"');
    await preview(page);
    const preparing = page.getByText('Preparing…');
    await preparing.waitFor();
    await plan.come();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await preparing.waitFor({ state: 'detached' });
    await preview(page);
    const card = page.getByTestId('ask-plan');
    for (const text of [
      'Anthropic, https://api.anthropic.com:443',
      'claude-sonnet-4-5-20250929',
      'at most 4,096 tokens',
      'at most $0.41 at list prices',
      'Credentials replaced by the name of the rule that found them: 1.',
      'No API key is stored for Anthropic at https://api.anthropic.com:443.',
    ]) {
      await card.getByText(text).waitFor();
    }
    await card.locator('vscode-button[disabled]', { hasText: /\bSend\b/ }).waitFor();
    await expectNoViolationsInThemes(page, 'plan');
    await card.getByRole('button', { name: 'Set API key…' }).click();
    // An editor asks for it instead.
    assert.deepEqual((await deed('say')).details, [
      'information',
      'Set the key of Anthropic in the variable ANTHROPIC_API_KEY, and start this program again.',
    ]);
    await card.getByRole('button', { name: 'Do not send' }).click();
    await card.waitFor({ state: 'detached' });
    await close();
  });

  it('streams thinking and content, and sets the answers beside each other', async () => {
    let rest = (): void => undefined;
    const answer: Answer = response => {
      response
        .writeHead(200, eventStream)
        .write(
          eventText(replyStart(), ...thinkingStart('Let me see.'), ends(0), ...textStart('All <b>is</b>', 1)),
        );
      rest = () =>
        void response.end(
          eventText(
            textPiece(' very well', 1),
            ends(1),
            ...blockStart(
              2,
              'tool_use',
              { id: 'toolu_b', name: 'Bash', input: {} },
              { type: 'input_json_delta', partial_json: '{"command":"ls b"}' },
            ),
            ends(2),
            ...replyEnd('tool_use'),
          ),
        );
    };
    const { page, provider, close } = await openWith([answer, answer]);
    await preview(page);
    const card = page.getByTestId('ask-plan');
    await send(page);
    await page.getByTestId('ask-thinking').getByText('Let me see.').waitFor();
    const content = page.getByTestId('ask-content');
    await content.getByText('All <b>is</b>').waitFor();
    await expectNoViolations(page, 'running');
    rest();
    const comparison = page.getByTestId('ask-comparison');
    await comparison.getByText('Same tools, different arguments').waitFor();
    assert.deepEqual(
      [
        await comparison.locator('del').allTextContents(),
        (await comparison.locator('ins').allTextContents()).map(text => text.trim()),
      ],
      [['a'], ['b', '<b>', '</b>', 'very']],
    );
    const outcome = page.getByTestId('ask-outcome');
    // 10 and 90 tokens of input. The first request has left nothing in the provider's cache.
    await outcome.getByText('100 tokens, exact').waitFor();
    await outcome.getByText('90 tokens, expected 0').waitFor();
    await outcome.getByText(/^[\d.]+ s in total, first output after [\d.]+ s$/u).waitFor();
    await outcome.getByText(/^Saved in .*\.jsonl$/u).waitFor();
    await expectNoViolationsInThemes(page, 'comparison');
    await preview(page);
    await card.getByText('Keep credentials this time').click();
    await card.locator('vscode-checkbox[aria-checked=true]').waitFor();
    await send(page);
    await content.waitFor();
    rest();
    await comparison.waitFor();
    assert.deepEqual(
      provider.requests.map(({ body }) => body.includes(token)),
      [false, true],
    );
    await close();
  });

  it('shows a count with its blocks, and a fault with a way to try again', async () => {
    const counted =
      (tokens: number): Answer =>
      response =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ input_tokens: tokens }));
    const { page, provider, close } = await openWith([counted(4321), counted(4222)], true);
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Count tokens exactly');
    await page.getByRole('spinbutton', { name: /Max. calls/ }).fill('2');
    await preview(page);
    await send(page);
    await page.getByTestId('ask-count').getByText('4,321 tokens, exact, counted by the provider').waitFor();
    // Without the result there are 4,222.
    await page.getByRole('region', { name: 'Counted blocks' }).getByText('99').waitFor();
    await provider.close();
    await preview(page);
    await send(page);
    await page.getByRole('alert').getByText('refused the connection').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('ask-plan').waitFor();
    await close();
  });
});
