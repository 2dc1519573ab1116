/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { exampleFile, openThroughDoor, openTranscript, release } from './door';

/** A session with a secret, a compaction, a lost cache and a last line that is cut off. */
const ofEverything = `${addToolTurns(
  addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 6, 4000)
    .prompt(['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('='))
    .reply({ text: 'I use it.' })
    .compact('They look for a price that is wrong.'),
  'And the shipping?',
  4,
  4000,
)
  .pause(3600)
  .prompt('Repair it.')
  .reply({ thinking: 'The rounding comes first.' }, { text: 'Done.' })
  .toString()}{"type":"user"`;

describe('accessibility', () => {
  it('has no violations in any panel, in any theme', async () => {
    const inspector = await openTranscript({ text: ofEverything, isHeld: true });
    const { page } = inspector;
    await page.getByText('Opening the transcript').waitFor();
    await page.evaluate(() => window.showStage('reading'));
    await page.getByText('Reading the transcript').waitFor();
    await expectNoViolationsInThemes(page, 'reading');
    await page.waitForFunction(() => window.showStage('measuring'));
    await page.locator('.progress-strip').waitFor();
    await expectNoViolationsInThemes(page, 'session');
    await release(page);
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
    await page.getByRole('button', { name: /problem/u }).click();
    await page.getByText('Incomplete last line').waitFor();
    await expectNoViolationsInThemes(page, 'details of the session');
    await inspector.close();
    const failed = await openTranscript({ name: 'package.json', text: '{"name":"bookshop"}' });
    await page.getByRole('button', { name: 'Open as text' }).waitFor();
    await expectNoViolationsInThemes(page, 'failed');
    await failed.close();
  });

  it('works in a narrow editor', async () => {
    const inspector = await openThroughDoor({ file: exampleFile, width: 600, height: 800 });
    const { page } = inspector;
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
