/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSessions } from '../../src/core/compare/compareSessions';
import { expectNoViolations } from './axe';
import { openPage } from './pages';
import { openProof } from './proofSession';
import { type ThemeName, themeNames } from '../../webview/door/themes';

/** The Compare page with two requests of one session. */
async function openCompare(theme: ThemeName) {
  const session = await openProof();
  const comparison = await compareSessions({ session, request: 0 }, { session, request: 1 });
  const { page } = await openPage('compare', { theme, width: 1280, height: 720 });
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
  for (const theme of themeNames) {
    it(`cuts no figure and has no violations, ${theme}`, async () => {
      const page = await openCompare(theme);
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
      await expectNoViolations(page, theme);
    });
  }
});
