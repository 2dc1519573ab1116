/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exampleFile, openThroughDoor } from './door';

it('shows the layout of a request without a second total, and no part that is empty', async () => {
  const { page, close } = await openThroughDoor({ file: exampleFile });
  const label = (await page.locator('.window__bar').getAttribute('aria-label')) ?? '';
  const lane = (name: string): number => {
    const [, digits = ''] = new RegExp(`, ${name} ([\\d,]+)`, 'u').exec(label) ?? [];
    return Number(digits.replaceAll(',', ''));
  };
  // The record of the last request has 7 tokens of input, 143 written to the cache and 128,639 read from it.
  const lanes = ['Identity', 'Knowledge', 'State', 'History'].map(lane);
  assert.equal(
    lanes.reduce((sum, tokens) => sum + tokens, 0),
    7 + 143 + 128_639,
  );
  await page.getByRole('tab', { name: 'Request' }).click();
  const panel = page.getByTestId('rendered-panel');
  await panel.getByText('History', { exact: true }).waitFor();
  const facts = panel.locator('dl').first();
  // The transcript has no system prompt, and the total is in the bar.
  assert.deepEqual(await facts.locator('dt').allTextContents(), [
    ...['Knowledge', 'History', 'Turns', 'Pinned start', 'Extends the previous request', 'Blocks'],
  ]);
  for (const name of ['Knowledge', 'History']) {
    await facts.getByText(`${lane(name).toLocaleString('en')} tokens`).waitFor();
  }
  await close();
});
