/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import { openaiPrior } from '../../src/core/tokens/tokenizerPrior';
import { diffColumns } from '../../src/protocol/columnUpdate';
import type { ToInspector } from '../../src/protocol/inspectorPage';
import { chooseColours, openInspector } from './harness';
import { sampleSession } from './sampleSession';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';

/** A session of some requests, each one prompt longer than the previous one. */
function growing(requests: number): Session {
  const blocks = Array.from({ length: requests }, (_, index): MadeBlock => ({
    kind: 'prompt',
    label: `prompt ${index + 1}`,
    tokens: 100,
  }));
  return {
    summary: makeSummary(),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      blocks.map((_, index) => ({ length: index + 1 })),
    ),
  };
}

describe('state', () => {
  it('is there again after a reload', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const session = sampleSession();
    await inspector.show(session);
    await page.getByRole('slider', { name: 'Request' }).focus();
    await page.keyboard.press('PageDown');
    await chooseColours(page, 'Provenance');
    await page.getByRole('tab', { name: 'Prune' }).click();
    await page.getByRole('spinbutton', { name: 'Protect newest, value' }).fill('31000');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('columnheader', { name: 'Tokens' }).getByRole('button').click();
    await page.getByRole('grid').evaluate(element => element.scrollTo(0, 700));
    await page.waitForFunction(() => sessionStorage.getItem('fakeHost.state')?.includes('700'));
    await page.reload();
    await inspector.show(session);
    assert.equal(await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow'), '54');
    assert.equal(await page.getByRole('spinbutton', { name: 'Protect newest, value' }).inputValue(), '31000');
    assert.equal(
      await page.getByRole('columnheader', { name: 'Tokens' }).getAttribute('aria-sort'),
      'descending',
    );
    await page.waitForFunction(() => document.querySelector('[role=grid]')?.scrollTop === 700);
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByRole('button', { name: 'Colour: Provenance' }).waitFor();
    await inspector.close();
  });

  it('starts from the beginning if it does not understand the state', async () => {
    const inspector = await openInspector();
    await inspector.page.evaluate(() =>
      sessionStorage.setItem('fakeHost.state', '{"block":"x","sort":7,"colourMode":"role"}'),
    );
    await inspector.page.reload();
    await inspector.show(growing(3));
    await inspector.page.getByRole('button', { name: 'Colour: Role' }).waitFor();
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });

  it('follows the newest request while the file grows, and stays where the user went', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request' });
    const value = () => slider.getAttribute('aria-valuenow');
    await inspector.show(growing(5));
    assert.equal(await value(), '5');
    await inspector.show(growing(8));
    assert.equal(await value(), '8');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Home');
    await inspector.show(growing(12));
    assert.equal(await value(), '7');
    await page.getByText('Block 1 ·').waitFor();
    await inspector.close();
  });

  it('goes through waiting, progress, failure, cancel and retry', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await page.getByText('Opening the transcript').waitFor();
    await inspector.send({ type: 'progress', progress: { phase: 'reading', done: 30, total: 120 } });
    await page.getByText('Reading the transcript · 25 %').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await inspector.send({ type: 'cancelled' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await inspector.send({ type: 'failed', sentence: 'No record of it is a message.', canOpenAsText: true });
    await page.getByRole('button', { name: 'Open as text' }).click();
    await inspector.show(growing(2), 'measuring');
    await inspector.send({ type: 'progress', progress: { phase: 'measuring', done: 1, total: 2 } });
    await page.getByText('Counting tokens and scanning for sensitive data · 50 %').waitFor();
    await inspector.show(growing(2));
    await page
      .getByText('Counting tokens and scanning for sensitive data · 50 %')
      .waitFor({ state: 'detached' });
    // The host may call a page that was hidden for a moment.
    await inspector.send({ type: 'called' });
    await page.waitForFunction(() => window.fakeHost.sent.some(({ type }) => type === 'here'));
    const sent = (await inspector.sent()).flatMap(message =>
      message.type === 'act' ? [message.act.kind] : message.type === 'question' ? [] : [message.type],
    );
    assert.deepEqual(sent, ['ready', 'cancel', 'retry', 'openAsText', 'here']);
    await inspector.close();
  });

  it('takes in what has changed, and leaves out what belongs to another revision', async () => {
    const inspector = await openInspector();
    const { page, send } = inspector;
    const [before, after] = [growing(2), growing(3)];
    const lastRequest = (): Promise<string | null> =>
      page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuemax');
    const update = (revision: number): ToInspector => {
      const columns = diffColumns(before.columns, after.columns);
      assert.ok(columns !== undefined);
      return { type: 'update', revision, summary: { title: 'Title with more' }, columns };
    };
    await inspector.show(before, 'measuring');
    const first = await lastRequest();
    await send(update(3));
    await send({ type: 'progress', progress: { phase: 'measuring', done: 1, total: 2 } });
    await page.getByText('Counting tokens and scanning for sensitive data · 50 %').waitFor();
    assert.equal(await lastRequest(), first);
    await send(update(2));
    await page
      .getByText('Counting tokens and scanning for sensitive data · 50 %')
      .waitFor({ state: 'detached' });
    await page.getByText('Title with more').waitFor();
    assert.equal(Number(await lastRequest()), Number(first) + 1);
    await send({ type: 'fileName', fileName: 'session.jsonl (deleted)' });
    await page.getByTitle('session.jsonl (deleted)').waitFor();
    await inspector.close();
  });

  it('shows what the session and the selected request cost, and what is not known', async () => {
    const row = {
      match: 'acme-1',
      family: 'other',
      tokenizerPrior: openaiPrior,
      contextWindow: undefined,
      cache: {
        minimumTokens: undefined,
        lifetimeSeconds: undefined,
        lookbackBlocks: undefined,
        maximumBreakpoints: undefined,
        explicit: false,
      },
      prices: { input: 10, cacheRead: 1, cacheWrite: 10, output: 0 },
      source: '',
      asOf: '',
    } as const;
    const usage = { input: 100_000, cacheRead: 300_000, cacheWrite: 0 };
    const blocks = [{ kind: 'prompt', label: 'go', tokens: 10 }] as const;
    const session = (...models: readonly string[]): Session => ({
      summary: makeSummary({ models: [{ id: 'acme-1', row }] }),
      columns: makeColumns(
        blocks,
        [[0]],
        models.map(model => ({ length: 1, usage, model })),
      ),
    });
    const inspector = await openInspector();
    const cost = inspector.page.getByTestId('cost');
    // 100,000 × 10 + 300,000 × 1 millionths are 1.30 dollars.
    await inspector.show(session('acme-1', 'acme-1'));
    await cost.getByText('$2.60', { exact: true }).waitFor();
    const ofRequest = inspector.page.getByTestId('request-cost');
    assert.equal(await ofRequest.textContent(), '$1.30');
    assert.match(await inspector.page.locator('.key-figures').innerText(), /75 %\s+read from the cache/);
    await inspector.show(session('acme-1', 'acme-2'));
    await cost.getByText('≥ $1.30').waitFor();
    assert.equal(await ofRequest.count(), 0);
    await inspector.show(session('acme-2'));
    await cost.getByText('no price known for acme-2').waitFor();
    await inspector.show({
      summary: makeSummary({ model: 'acme-2', models: [] }),
      columns: makeColumns(blocks, [[0]], [{ length: 1, model: 'acme-2', usage, cost: 0.98 }]),
    });
    await cost.getByText('$0.98 recorded', { exact: true }).waitFor();
    assert.equal(
      await cost.getAttribute('title'),
      'Prices are unknown for the models of 1 request. Recorded by Claude Code: $0.98.',
    );
    await inspector.close();
  });

  it('says that there is nothing to see', async () => {
    const inspector = await openInspector();
    await inspector.show({ summary: makeSummary({ title: '' }), columns: makeColumns([], [], []) });
    await inspector.page.getByText('No requests in this transcript').waitFor();
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });
});
