/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSessions } from '../../src/core/compare/compareSessions';
import { expectNoViolationsInThemes } from './axe';
import { openPage } from './pages';
import { openProof } from './proofSession';

/** The Compare page with two requests of one session. */
async function openCompare() {
  const session = await openProof();
  const comparison = await compareSessions({ session, request: 0 }, { session, request: 1 });
  const { page } = await openPage('compare', { width: 1280, height: 720 });
  const isAsked = await page.waitForFunction(() =>
    window.fakeHost.sentByCompare.find(message => message.type === 'question'),
  );
  const question = await isAsked.jsonValue();
  assert.ok(question?.type === 'question');
  await page.evaluate(data => window.postMessage(data, '*'), {
    type: 'answer',
    id: question.id,
    ok: true,
    value: comparison,
  });
  await page.locator('.compare__columns').waitFor();
  return page;
}

describe('the page with two sessions side by side', () => {
  it('cuts no figure at any width, and has no violations in any theme', async () => {
    const page = await openCompare();
    for (const width of [480, 628, 750, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      const cut = await page
        .locator('.compare :is(td, th, .numeric)')
        .evaluateAll(cells =>
          cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent),
        );
      assert.deepEqual(cut, [], `${width}`);
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth),
        false,
        `${width}`,
      );
    }
    await expectNoViolationsInThemes(page, 'comparison');
  });
});
