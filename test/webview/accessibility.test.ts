/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';

describe('accessibility', () => {
  it('has no violations in any panel, in any theme', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await expectNoViolationsInThemes(page, 'waiting');
    await inspector.send({ type: 'progress', progress: { phase: 'reading', done: 5, total: 10 } });
    await page.getByText('Reading the transcript · 50 %').waitFor();
    await expectNoViolationsInThemes(page, 'reading');
    await inspector.show(sampleSession(), 'measuring');
    await expectNoViolationsInThemes(page, 'session');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('End');
    await page.getByTestId('block-text').waitFor();
    await expectNoViolationsInThemes(page, 'block');
    await page.getByRole('tab', { name: 'Prune' }).click();
    await expectNoViolationsInThemes(page, 'prune');
    await page.getByRole('tab', { name: 'Request' }).click();
    await page.getByText('Stable system text').first().waitFor();
    await expectNoViolationsInThemes(page, 'rendered');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('grid').waitFor();
    await expectNoViolationsInThemes(page, 'table');
    await page.getByRole('button', { name: /problems/u }).click();
    await page.getByText('Incomplete last line').waitFor();
    await expectNoViolationsInThemes(page, 'details of the session');
    await inspector.send({ type: 'failed', sentence: 'It is not a transcript.', canOpenAsText: true });
    await page.getByText('It is not a transcript.').waitFor();
    await expectNoViolationsInThemes(page, 'failed');
    assert.deepEqual(await inspector.violations(), [], 'content security policy');
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });

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
