/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { recordedCalls, textOf } from '../fixtures/recordedCalls';
import { exampleFile, type OpenDoor, openThroughDoor, openTranscript, release } from './door';

const rules = (end: string): string => `${textOf('You plan the ferries.', 15_000)} ${end}`;
const prompt = textOf('Read the tides', 5_000);
const reply = textOf('The tides are', 9_000);
const question = textOf('Compare them', 1_000);

/**
 * Four requests. The second lost the cache, because the end of the system text had changed: of what it sent again, only
 * the prompt of 5,000 tokens is not the changed text itself. The fourth came after 400 seconds, so it lost all 31,000
 * tokens that the third had left in the cache.
 */
const text = recordedCalls([
  { at: 0, system: [rules('Be brief.')], messages: [prompt], read: 0, written: 20_000 },
  {
    at: 60,
    system: [rules('Be exact.')],
    messages: [prompt, reply, question],
    read: 0,
    written: 30_000,
    verdict: { type: 'system_changed', tokens: 11_689 },
  },
  {
    at: 120,
    system: [rules('Be exact.')],
    messages: [prompt, reply, question, 'They differ.', textOf('Why', 900)],
    read: 30_000,
    written: 1_000,
  },
  {
    at: 520,
    system: [rules('Be exact.')],
    messages: [
      prompt,
      reply,
      question,
      'They differ.',
      textOf('Why', 900),
      'The moon.',
      textOf('Go on', 4_900),
    ],
    read: 0,
    written: 36_000,
  },
]);

async function openCache(
  size: { readonly width?: number; readonly height?: number } = {},
): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text, ...size });
  await inspector.page.getByRole('tab', { name: 'Cache' }).click();
  await inspector.page.getByTestId('cache-break').waitFor();
  return inspector;
}

describe('cache panel', () => {
  it('says why the cache broke, what it cost and what helps, without scrolling on a small screen', async () => {
    const inspector = await openCache({ width: 630, height: 596 });
    const { page } = inspector;
    const found = page.getByTestId('cache-break');
    // Writing costs 3.75 dollars a million, reading 0.30: 31,000 × 3.45 = 106,950.
    assert.match(
      await found.innerText(),
      /^Cache lost: idle too long\s+31,000 tokens paid for again · \$0\.11 lost/,
    );
    const remedy = page.getByTestId('break-remedy');
    assert.match(await remedy.innerText(), /^→\s+Remedy:\s+Continue before the cache expires/);
    assert.equal(await page.getByTestId('break-certainty').count(), 0, 'it is shown by the transcript');
    const box = await remedy.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 596, JSON.stringify(box));
    // From 120 to 520 seconds.
    assert.deepEqual(await found.locator('.bullets').getByRole('listitem').allInnerTexts(), [
      'The cache was last used 6.7 min earlier; its lifetime is 5 min.',
    ]);
    await inspector.close();
  });

  it('says how sure the cause is beside it, where the record does not show it', async () => {
    // The third request read only the system prompt and the tools, which Claude Code does not write.
    const narrowed = new ClaudeCodeSession()
      .prompt('Read it.')
      .reply({ tool: 'Bash', id: 'toolu_1', input: { command: 'cat tides.txt' } })
      .result('toolu_1', textOf('High', 20_000))
      .reply({ text: 'High at nine.' })
      .dropUnrecorded(0)
      .prompt('And tomorrow?')
      .reply({ text: 'At ten.' });
    const inspector = await openThroughDoor({ text: narrowed.toString(), width: 630, height: 596 });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Cache' }).click();
    const certainty = page.getByTestId('break-certainty');
    assert.equal(
      await certainty.innerText(),
      'the likeliest cause, not shown · also possible: earlier messages changed, dropped or not found by the provider',
    );
    const box = await certainty.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 596, JSON.stringify(box));
    await inspector.close();
  });

  it('steps through the losses from the dearest on, and tells of each in the timeline', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.press('Home');
    await page.getByText('Request 1 of 4').waitFor();
    assert.equal(await page.getByRole('button', { name: /^cache lost · / }).count(), 0);
    const next = page.getByRole('button', { name: '2 cache losses' });
    await next.click();
    await page.getByText('Request 4 of 4').waitFor();
    await next.click();
    await page.getByText('Request 2 of 4').waitFor();
    await page.getByRole('button', { name: /^cache lost · .*system text changed/ }).click();
    assert.equal(await page.getByTestId('cache-break').count(), 1);
    await slider.press('ArrowRight');
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith('30,000 from the cache'));
    await slider.press('ArrowRight');
    const lost = 'cache lost: idle too long, 31,000 tokens paid for again';
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith(lost));
    // Columns are at most 28 pixels wide, after an inset of 16: the fourth is at 100 to 128.
    await slider.hover({ position: { x: 114, y: 60 } });
    const tip = await page.locator('.timeline__tip').innerText();
    assert.match(tip, /Request 4/);
    assert.match(tip, /36,000 tokens · 0 from the cache/);
    assert.ok(tip.endsWith(lost));
    await inspector.close();
  });

  it('shows the boundaries of each request with their quality, and how all input was paid for', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    const panel = page.getByTestId('cache-panel');
    const atNewest = await panel.innerText();
    assert.match(atNewest, /Cached to here\s+0\s+exact/);
    assert.match(atNewest, /Available\s+31,000 \(everything the previous request cached\) · less was used/);
    assert.match(
      atNewest,
      /Cache lost 2 times\s+4\s+idle too long\s+31,000 · \$0\.11\s+2\s+system text changed/i,
    );
    // 30,000 of 117,000 were read: 25.6 %. The other 87,000 were written.
    assert.match(atNewest, /from the cache\s+30,000 · 25\.6 %\s+written to the cache\s+87,000 · 74\.4 %/);
    // The text of 5,000 tokens is only nearly a whole number of them: 36,000 × 3.45 = 124,200.
    assert.match(atNewest, /Paid for again\s+36,0\d\d tokens · \$0\.12/);
    const causes = page.getByRole('table', { name: 'Why the cache was lost' }).getByRole('row');
    const [head, first, second = '', ...others] = await causes.allInnerTexts();
    assert.deepEqual(
      [head, first, others],
      ['Cause\tTimes\tTokens\tCost', 'idle too long\t1\t31,000\t$0.11', []],
    );
    // 5,000 × 3.45 = 17,250.
    assert.match(second, /^system text changed\t1\t5,0\d\d\t\$0\.017$/);
    await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
    assert.match(
      await panel.innerText(),
      /No cached tokens were lost in this request\.\s+Cached to here\s+0\s+exact/,
    );
    await page.getByRole('button', { name: /^2 system text changed/ }).click();
    assert.match(await panel.innerText(), /Provider’s verdict\s+the system prompt changed, 11,689 tokens/);
    await inspector.close();
  });

  it('goes to the blocks on both sides', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    await page.getByRole('button', { name: /^2 system text changed/ }).click();
    await page.getByRole('button', { name: 'Side by side' }).click();
    const sides = page.getByRole('region', { name: 'Request 1 and request 2 side by side' });
    await sides
      .getByRole('button', { name: /^Read the tides/ })
      .first()
      .click();
    assert.match(await page.getByTestId('block-details').innerText(), /^Read the tides/);
    assert.match(await page.locator('.timeline').innerText(), /Request 1 of 4/);
    await sides.getByRole('button', { name: /The tides are/ }).click();
    assert.match(await page.getByTestId('block-details').innerText(), /^The tides are/);
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 4/);
    await inspector.close();
  });

  it('asks for the report when the counts are final, and not before', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    let asked = 0;
    page.on('websocket', socket =>
      socket.on('framesent', ({ payload }) => {
        asked += String(payload).includes('"cacheReport"') ? 1 : 0;
      }),
    );
    await openTranscript({ file: exampleFile, isHeld: true });
    await page.waitForFunction(() => window.showStage('measuring'));
    assert.ok(await page.locator('.progress-strip').isVisible());
    const early = asked;
    await release(page);
    await page.evaluate(() => window.settled());
    assert.deepEqual([early, asked], [0, 1]);
    await inspector.close();
  });
});
