/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { closeBrowser, openInspector } from './harness';
import { sampleSession } from './sampleSession';

after(closeBrowser);

it('shows the layout of a request without a second total, and no part that is empty', async () => {
  const inspector = await openInspector();
  const { page } = inspector;
  await inspector.show(sampleSession());
  await page.getByRole('tab', { name: 'Request' }).click();
  const panel = page.getByTestId('rendered-panel');
  await panel.getByText('118,240 tokens').waitFor();
  const facts = await panel.locator('dl').first().locator('dt').allTextContents();
  assert.deepEqual(facts, ['Knowledge', 'History']);
  await inspector.close();
});
