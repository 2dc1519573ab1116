/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { openThroughDoor } from './door';

/** US dollars per million tokens. */
const model = { contextWindow: 2_000_000, prices: { input: 1, cacheRead: 1, output: 50 } };

/**
 * Three requests with the same usage. The last two replies are of a version that records the output at their beginning:
 * the first of them is not longer than that, the second has 2,000 words.
 */
function sessionText(): string {
  const usage = { input: 10_000, cacheRead: 980_000, cacheWrite: 0, output: 400 };
  const { lines } = new ClaudeCodeSession()
    .prompt('Go')
    .recordedReply(usage, { text: 'Gone.' })
    .prompt('On')
    .recordedReply(usage, { text: 'Done.' })
    .prompt('And on')
    .recordedReply(usage, { text: 'one two three four five '.repeat(400) });
  return lines
    .map((line, place) => `${place < 2 ? line : line.replace('"version":"2.1.62"', '"version":"2.1.40"')}\n`)
    .join('');
}

it('an output that is recorded too low is told beside the request and the cost, with an estimate', async () => {
  const { page, close } = await openThroughDoor({
    text: sessionText(),
    settings: { 'contextInspector.models': { 'claude-sonnet-4-5': model } },
  });
  const doubt = page.getByTestId('doubtful-output');
  const told = (await doubt.textContent()) ?? '';
  const [, digits = ''] = /^⚠ output: 400 recorded, about ([\d,]+) \(estimated ±\d+ %\)$/u.exec(told) ?? [];
  const estimate = Number(digits.replace(',', ''));
  // These words have a token each. This model may count some more.
  assert.ok(estimate >= 2000 && estimate < 2800, told);
  const slider = page.getByRole('slider', { name: 'Request', exact: true });
  assert.ok((await slider.getAttribute('aria-valuetext'))?.includes(`about ${digits} (estimated`));
  // 3 * 990,000 tokens at $1 and 3 * 400 at $50 are $3.03.
  const whole = (await page.getByTestId('cost').textContent()) ?? '';
  const likely = 3.03 + ((estimate - 400) * 50) / 1e6;
  assert.ok(whole.startsWith('≥ $3.03') && whole.includes(`about $${likely.toFixed(2)}`), whole);
  const ofRequest = page.getByTestId('request-cost');
  assert.equal(await ofRequest.textContent(), '≥ $1.01');
  // The steps from request to request are in view beside the chat of a laptop.
  await page.setViewportSize({ width: 600, height: 620 });
  const caption = page.locator('.timeline__caption');
  const outer = await caption.boundingBox();
  const steps = await caption.locator('.timeline__steps').boundingBox();
  assert.ok(outer !== null && steps !== null);
  assert.ok(steps.x + steps.width <= outer.x + outer.width, JSON.stringify({ outer, steps }));
  // The reply confirms the record.
  await slider.press('ArrowLeft');
  await page.getByText('Request 2 of 3').waitFor();
  assert.equal(await doubt.count(), 0);
  // The version records what is right.
  await slider.press('ArrowLeft');
  await page.getByText('Request 1 of 3').waitFor();
  assert.equal(await doubt.count(), 0);
  assert.equal(await ofRequest.textContent(), '$1.01');
  await close();
});
