/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareAddress } from '../../src/protocol/doorAddresses';
import { expectNoViolationsInThemes } from './axe';
import { openAddress, writeTranscript } from './door';
import { proofText } from './proofSession';

describe('the page with two sessions side by side', () => {
  it('cuts no figure at any width, and has no violations in any theme', async () => {
    const [first, second] = [
      await writeTranscript('first.jsonl', proofText()),
      await writeTranscript('second.jsonl', proofText()),
    ];
    const { page, close } = await openAddress(compareAddress(first, second));
    await page.locator('.compare__columns').waitFor();
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
    await close();
  });
});
