import assert from 'node:assert/strict';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

const needsWindow = { skip: windowMissing };

const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 30, 12_000).toString();

test(
  'sums the blocks that are dragged over, and zooms at the pointer',
  async () => {
    const uri = temporaryFile('range.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    const texts = await ui(async ({ webview, page, until }) => {
      const lanes = webview.getByRole('listbox', { name: 'Lanes' });
      const sum = webview.getByTestId('range-sum');
      const { x, y, width, height } = (await lanes.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const tip = webview.locator('.tooltip');
      /** Moves to the first block on the way from a point. */
      const toBlock = async (right: number, by: number): Promise<void> => {
        for (let down = height - 6; down > 0; down -= 6) {
          for (let step = 0; step < 8; step += 1) {
            await page.mouse.move(x + right + step * by, y + down);
            if ((await tip.count()) > 0) {
              return;
            }
          }
        }
      };
      await toBlock(130, 12);
      await page.mouse.down();
      await page.mouse.move(x + width - 40, y + 8, { steps: 5 });
      await page.mouse.up();
      await sum.getByText(/tokens/).waitFor();
      const first = await sum.innerText();
      await page.keyboard.press('Shift+End');
      await until('the range is larger', async () => (await sum.innerText()) !== first);
      const second = await sum.innerText();
      await page.keyboard.press('Escape');
      await sum.getByText(/tokens/).waitFor({ state: 'detached' });
      const before = Number(await lanes.getAttribute('data-row-tokens'));
      await toBlock(130, 12);
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -120);
      await page.keyboard.up('Control');
      await until(
        'the drawing is larger',
        async () => Number(await lanes.getAttribute('data-row-tokens')) < before,
      );
      return [first, second];
    });
    assert.ok(Array.isArray(texts));
    for (const text of texts) {
      assert.match(String(text), /^.*\d+ blocks? · [^]*tokens[^]* % of the request/u);
    }
  },
  needsWindow,
);
