/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AskNews, AskOffer, AskPlan } from '../../src/protocol/askMessages';
import { actionTally, afterNews, type AskRun, noAsks } from '../../webview/state/asks';
import { expectNoViolationsInThemes } from './axe';
import { type OpenInspector, openInspector } from './harness';
import { sampleSession } from './sampleSession';

const provider = { id: 'anthropic', name: 'Anthropic', model: '', models: [], counts: true };
const others = { id: 'vscode', name: 'VS Code models', model: '', models: ['one', 'two'], counts: false };

const plan = (change: Partial<AskPlan> = {}): AskPlan => ({
  plan: 7,
  order: {
    form: 'replay',
    request: 0,
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    keepSecrets: false,
    times: 1,
    question: '',
  },
  provider: 'Anthropic',
  destination: 'https://api.anthropic.com:443',
  isLocal: false,
  calls: 1,
  bytes: 2048,
  tokens: { value: 1234, quality: 'calibrated', error: 0.02 },
  outputTokens: 4096,
  cost: 1.5,
  notes: ['Something is not as it was.'],
  lacksKey: false,
  ...change,
});

async function opened(offer: AskOffer = { providers: [provider, others] }): Promise<{
  readonly inspector: OpenInspector;
  readonly tell: (...news: readonly AskNews[]) => Promise<void>;
  readonly told: () => Promise<readonly unknown[]>;
}> {
  const inspector = await openInspector({ height: 1600, answers: { askOffer: () => offer } });
  await inspector.show(sampleSession());
  await inspector.page.getByRole('tab', { name: 'Model' }).click();
  return {
    inspector,
    tell: async (...news) => {
      for (const each of news) {
        await inspector.send({ type: 'ask', news: each });
      }
    },
    told: async () =>
      (await inspector.sent()).flatMap(message =>
        message.type === 'act' && message.act.kind === 'askModel' ? [message.act.ask] : [],
      ),
  };
}

describe('the panel that asks a model', () => {
  it('offers nothing where nothing may be asked', async () => {
    const { inspector } = await opened({ refusal: 'untrusted', providers: [] });
    const panel = inspector.page.getByTestId('model-panel');
    await panel.getByText('You cannot ask models in an untrusted workspace.').waitFor();
    assert.equal(await panel.locator('vscode-button').count(), 0);
    await inspector.close();
  });

  it('shows what would be sent, and sends only on the word of the user', async () => {
    const { inspector, tell, told } = await opened();
    const { page } = inspector;
    await page.getByRole('button', { name: 'Preview' }).click();
    const asked = await told();
    assert.deepEqual(
      asked.map(ask => (typeof ask === 'object' && ask !== null && 'kind' in ask ? ask.kind : '')),
      ['prepare'],
    );
    await tell({ kind: 'preparing', order: plan().order }, { kind: 'plan', plan: plan({ lacksKey: true }) });
    const card = page.getByTestId('ask-plan');
    for (const text of [
      'Anthropic, https://api.anthropic.com:443',
      'claude-sonnet-4-5',
      '2 KB',
      '1,234 tokens, calibrated ±2 %',
      'at most 4,096 tokens',
      'at most $1.50 at list prices',
      'Something is not as it was.',
      'No API key is stored for Anthropic at https://api.anthropic.com:443.',
    ]) {
      await card.getByText(text).waitFor();
    }
    // Nothing can be sent without a key.
    await card.locator('vscode-button[disabled]', { hasText: /\bSend\b/ }).waitFor();
    await card.getByRole('button', { name: 'Set API key…' }).click();
    await tell({ kind: 'plan', plan: plan() });
    await card.getByText('Keep credentials this time').click();
    await tell({ kind: 'plan', plan: plan({ plan: 8, order: { ...plan().order, keepSecrets: true } }) });
    await card.getByRole('button', { name: 'Send', exact: true }).click();
    assert.deepEqual((await told()).slice(1), [
      { kind: 'setKey', provider: 'anthropic' },
      { kind: 'prepare', order: { ...plan().order, keepSecrets: true } },
      { kind: 'send', plan: 8 },
    ]);
    assert.deepEqual([inspector.errors, await inspector.violations()], [[], []]);
    await inspector.close();
  });

  it('streams thinking and content, cancels, and sets the answers beside each other', async () => {
    const { inspector, tell, told } = await opened();
    const { page } = inspector;
    await tell(
      { kind: 'running', plan: plan() },
      { kind: 'began', run: 0, of: 1, side: 'recorded' },
      { kind: 'piece', run: 0, piece: { kind: 'thinking', text: 'Let me ' } },
      { kind: 'piece', run: 0, piece: { kind: 'thinking', text: 'see.' } },
      { kind: 'piece', run: 0, piece: { kind: 'content', text: 'All <b>is</b> well' } },
    );
    await page.getByTestId('ask-thinking').getByText('Let me see.').waitFor();
    assert.equal(await page.getByTestId('ask-content').textContent(), 'All <b>is</b> well');
    await page.getByTestId('ask-outcome').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual((await told()).at(-1), { kind: 'cancel' });
    await tell({ kind: 'ended', isCancelled: true });
    await page.getByText('Cancelled. Partial output is below.').waitFor();
    assert.equal(await page.getByTestId('ask-content').textContent(), 'All <b>is</b> well');

    await tell(
      { kind: 'running', plan: plan() },
      { kind: 'began', run: 0, of: 1, side: 'recorded' },
      { kind: 'piece', run: 0, piece: { kind: 'content', text: 'All is very well' } },
      {
        kind: 'replied',
        run: 0,
        result: {
          usage: { input: 10, cacheRead: 90, cacheWrite: 0, output: 4 },
          cost: 0.02,
          predictedRead: 80,
          firstPieceAfter: 1200,
          duration: 3400,
          comparison: {
            hasRecorded: true,
            isSameAction: false,
            isSameTools: true,
            calls: [
              {
                first: { name: 'Bash', input: '{"command":"ls a"}' },
                second: { name: 'Bash', input: '{"command":"ls b"}' },
                difference: 'arguments',
              },
            ],
            texts: ['All is well', 'All is very well'],
          },
        },
      },
      { kind: 'ended', file: '/kept/replay.jsonl' },
    );
    const comparison = page.getByTestId('ask-comparison');
    await comparison.getByText('Same tools, different arguments').waitFor();
    assert.deepEqual(
      [
        await comparison.locator('del').allTextContents(),
        (await comparison.locator('ins').allTextContents()).map(text => text.trim()),
      ],
      [['a'], ['b', 'very']],
    );
    const outcome = page.getByTestId('ask-outcome');
    await outcome.getByText('100 tokens, exact').waitFor();
    await outcome.getByText('90 tokens, expected 80').waitFor();
    await outcome.getByText('3.4 s in total, first output after 1.2 s').waitFor();
    await outcome.getByText('Saved in /kept/replay.jsonl').waitFor();
    await inspector.close();
  });

  it('shows a fault with a way to try again, and a count with its blocks', async () => {
    const { inspector, tell, told } = await opened();
    const { page } = inspector;
    const counting = plan({ order: { ...plan().order, form: 'count' } });
    await tell(
      { kind: 'running', plan: counting },
      {
        kind: 'counted',
        count: { tokens: 4321, calls: 2, isTaken: true, parts: [{ block: 0, tokens: 99 }] },
      },
      { kind: 'ended', sentence: '127.0.0.1:9 refused the connection.' },
    );
    await page.getByRole('alert').getByText('refused the connection').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    assert.match(JSON.stringify((await told()).at(-1)), /^{"kind":"prepare"/);
    await page.getByTestId('ask-count').getByText('4,321 tokens, exact, counted by the provider').waitFor();
    await page.getByRole('region', { name: 'Counted blocks' }).getByText('99').waitFor();
    await inspector.close();
  });

  it('shows that it prepares, with a way out', async () => {
    const { inspector, tell, told } = await opened();
    await tell({ kind: 'preparing', order: plan().order });
    await inspector.page.getByText('Preparing…').waitFor();
    await inspector.page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual((await told()).at(-1), { kind: 'cancel' });
    await inspector.close();
  });

  it('keeps to the models that a provider lists', async () => {
    const { inspector, told } = await opened();
    const { page } = inspector;
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('VS Code models');
    await page.getByRole('combobox', { name: 'Model', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    const last = (await told()).at(-1);
    assert.ok(JSON.stringify(last).includes('"provider":"vscode","model":"one"'), JSON.stringify(last));
    await inspector.close();
  });
});

describe('the panel that asks a model, for everybody', () => {
  it('has no violations in any theme', async () => {
    const { inspector, tell } = await opened();
    const { page } = inspector;
    await tell({ kind: 'plan', plan: plan({ lacksKey: true }) });
    await page.getByTestId('ask-plan').waitFor();
    await expectNoViolationsInThemes(page, 'plan');
    await tell(
      { kind: 'running', plan: plan() },
      { kind: 'began', run: 0, of: 1, side: 'recorded' },
      { kind: 'piece', run: 0, piece: { kind: 'thinking', text: 'Let me see.' } },
      { kind: 'piece', run: 0, piece: { kind: 'content', text: 'All is well' } },
    );
    await page.getByTestId('ask-content').waitFor();
    await expectNoViolationsInThemes(page, 'running');
    await tell(
      {
        kind: 'replied',
        run: 0,
        result: {
          duration: 10,
          comparison: {
            hasRecorded: true,
            isSameAction: false,
            isSameTools: false,
            calls: [
              {
                first: { name: 'Bash', input: '{"command":"ls a"}' },
                second: undefined,
                difference: 'missing',
              },
            ],
            texts: ['All is well', 'All is very well'],
          },
        },
      },
      { kind: 'ended' },
    );
    await page.getByTestId('ask-comparison').waitFor();
    await expectNoViolationsInThemes(page, 'comparison');
    assert.deepEqual(await inspector.violations(), []);
    await inspector.close();
  });
});

describe('the state of asking', () => {
  it('forgets a plan that is discarded, and keeps what had arrived when a run is cancelled', () => {
    const planned = [
      { kind: 'plan', plan: plan() },
      { kind: 'ended', isCancelled: false },
    ] as const;
    const discarded = planned.reduce<typeof noAsks>(afterNews, noAsks);
    assert.deepEqual([discarded.phase, discarded.plan], ['idle', undefined]);
  });

  it('tells how often the next action was the same', () => {
    const run = (side: 'recorded' | 'pruned', isSameAction: boolean, isSameAsOther?: boolean): AskRun => ({
      side,
      of: 4,
      thinking: '',
      content: '',
      result: {
        duration: 1,
        isSameAsOther,
        comparison: { hasRecorded: true, isSameAction, isSameTools: true, calls: [], texts: ['', ''] },
      },
    });
    assert.deepEqual(
      actionTally([
        run('recorded', true),
        run('pruned', false, false),
        run('recorded', true),
        run('pruned', true, true),
      ]),
      { recorded: { count: 2, of: 2 }, pruned: { count: 1, of: 2 }, alike: { count: 1, of: 2 } },
    );
  });
});
