/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { openThroughDoor } from './door';

it('shows the layout of a request without a second total, and no part that is empty', async () => {
  const text = new ClaudeCodeSession()
    .prompt('Why?')
    .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
    .result('toolu_a', 'The file is empty. '.repeat(40))
    .recordedReply({ input: 7, cacheRead: 18_000, cacheWrite: 143, output: 5 }, { text: 'It is empty.' })
    .toString();
  const { page, close } = await openThroughDoor({ text });
  const label = (await page.locator('.window__bar').getAttribute('aria-label')) ?? '';
  const lane = (name: string): number => {
    const [, digits = ''] = new RegExp(`, ${name} ([\\d,]+)`, 'u').exec(label) ?? [];
    return Number(digits.replaceAll(',', ''));
  };
  // The lanes add up to the record.
  const lanes = ['Identity', 'Knowledge', 'State', 'History'].map(lane);
  assert.equal(
    lanes.reduce((sum, tokens) => sum + tokens, 0),
    7 + 18_000 + 143,
    label,
  );
  await page.getByRole('tab', { name: 'Request' }).click();
  const panel = page.getByTestId('rendered-panel');
  await panel.getByText('History', { exact: true }).waitFor();
  const facts = panel.locator('dl').first();
  // The transcript has no stable system text, and the total is in the bar.
  assert.deepEqual(await facts.locator('dt').allTextContents(), [
    ...['Knowledge', 'History', 'Turns', 'Pinned start', 'Extends the previous request', 'Blocks'],
  ]);
  for (const name of ['Knowledge', 'History']) {
    await facts.getByText(`${lane(name).toLocaleString('en')} tokens`).waitFor();
  }
  await close();
});
