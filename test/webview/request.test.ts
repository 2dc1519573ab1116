/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatNumber } from '../../src/core/base/format';
import { buildRequestView } from '../../src/core/view/requestView';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';

it('shows the layout of a request without a second total, and no part that is empty', async () => {
  const inspector = await openInspector();
  const { page } = inspector;
  const { summary, columns } = sampleSession();
  await inspector.show({ summary, columns });
  await page.getByRole('tab', { name: 'Request' }).click();
  const panel = page.getByTestId('rendered-panel');
  await panel.getByText('History', { exact: true }).waitFor();
  const facts = panel.locator('dl').first();
  const view = buildRequestView(columns, 59);
  const own = view.partitions.system - view.notRecorded.value;
  const names = await facts.locator('dt').allTextContents();
  assert.equal(names.includes('Stable system text'), own > 0);
  assert.ok(!names.includes('Total'), names.join());
  // The figures of the lanes.
  const { knowledge, history } = view.partitions;
  for (const tokens of [knowledge, history]) {
    await facts.getByText(`${formatNumber(tokens)} tokens`).waitFor();
  }
  await inspector.close();
});
