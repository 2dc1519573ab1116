/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectNoViolations } from './axe';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';
import { themeNames, themes } from '../../webview/door/themes';

describe('accessibility', () => {
  for (const theme of themeNames) {
    it(`has no violations in any panel, ${theme}`, async () => {
      assert.ok(theme in themes);
      const inspector = await openInspector({ theme });
      const { page } = inspector;
      await expectNoViolations(page, 'waiting');
      await inspector.send({ type: 'progress', progress: { phase: 'reading', done: 5, total: 10 } });
      await page.getByText('Reading the transcript · 50 %').waitFor();
      await expectNoViolations(page, 'reading');
      await inspector.show(sampleSession(), 'measuring');
      await expectNoViolations(page, 'session');
      await page.getByTestId('slot-layout').focus();
      await page.keyboard.press('End');
      await page.getByTestId('block-text').waitFor();
      await expectNoViolations(page, 'block');
      await page.getByRole('tab', { name: 'Prune' }).click();
      await expectNoViolations(page, 'prune');
      await page.getByRole('tab', { name: 'Request' }).click();
      await page.getByText('Stable system text').first().waitFor();
      await expectNoViolations(page, 'rendered');
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('grid').waitFor();
      await expectNoViolations(page, 'table');
      await page.getByRole('button', { name: /problems/u }).click();
      await page.getByText('Incomplete last line').waitFor();
      await expectNoViolations(page, 'details of the session');
      await inspector.send({ type: 'failed', sentence: 'It is not a transcript.', canOpenAsText: true });
      await page.getByText('It is not a transcript.').waitFor();
      await expectNoViolations(page, 'failed');
      assert.deepEqual(await inspector.violations(), [], 'content security policy');
      assert.deepEqual(inspector.errors, []);
      await inspector.close();
    });
  }

  it('works in a narrow editor', async () => {
    const inspector = await openInspector({ width: 600, height: 800 });
    const { page } = inspector;
    await inspector.show(sampleSession());
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 600);
    await page.getByRole('button', { name: 'Open details' }).click();
    const pane = await page.getByRole('complementary', { name: 'Details' }).boundingBox();
    const layout = await page.getByTestId('slot-layout').boundingBox();
    assert.ok(pane !== null && layout !== null && pane.y >= layout.y + layout.height);
    assert.ok(pane.height >= 140 && pane.y + pane.height <= 800, 'the details are in view');
    await expectNoViolations(page, 'narrow');
    await inspector.close();
  });
});
