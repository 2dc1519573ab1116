/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser, openInspector } from './harness';
import { manyBlocks } from './manyBlocks';

after(closeBrowser);

describe('scale', () => {
  it('draws what is seen of 5,000 requests and 200,000 blocks', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(manyBlocks(200_000, 5000));
    const slider = page.getByRole('slider', { name: 'Request' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await slider.getAttribute('aria-valuenow'), '4999');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('End');
    await page.getByTestId('slot-layout').evaluate(element => element.scrollTo(0, 4000));
    await page.keyboard.press('Control+f');
    await page.keyboard.type('block 4');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('columnheader', { name: 'Tokens' }).getByRole('button').click();
    assert.ok((await page.locator('[role=row]').count()) < 100);
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });
});
