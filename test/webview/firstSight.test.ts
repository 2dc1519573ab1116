import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';
import { untilStill } from './still';

describe('first sight', () => {
  it('names the sources that fill the window in place, and lights the blocks of one', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const bar = page.locator('.window__bar');
    assert.match(
      (await bar.getAttribute('aria-label')) ?? '',
      /^[\d,]+ tokens, exact, .*Not recorded [\d,]+, .*Files [\d,]+/u,
    );
    const files = bar.getByRole('button', { name: /^Files \d+ %, / });
    assert.match(await files.innerText(), /^Files\s*\d+ %$/u);
    await files.click();
    assert.equal(await files.getAttribute('aria-pressed'), 'true');
    const matches = page.locator('.toolbar__matches');
    const [, lit = 0, all = 0] = /^(\d+) of (\d+)/.exec(await matches.innerText())?.map(Number) ?? [];
    assert.ok(lit > 0 && lit < all, `${lit} of ${all} blocks are lit`);
    // One stop of Tab. Arrow keys move between the parts.
    await files.press('Home');
    const focused = page.locator(':focus');
    assert.match((await focused.getAttribute('aria-label')) ?? '', /^Not recorded \d/);
    await files.click();
    assert.equal(await files.getAttribute('aria-pressed'), 'false');
    assert.equal(await matches.count(), 0);
    // The toolbar names the highlighted part, and can clear it.
    await files.click();
    await page.getByRole('button', { name: 'Remove filter: Files' }).press('Enter');
    assert.equal(await files.getAttribute('aria-pressed'), 'false');
    assert.equal(await matches.count(), 0);
    assert.equal(await focused.getAttribute('role'), 'listbox', 'the focus goes to the drawing');
    assert.doesNotMatch(
      await page.locator('.header__facts').innerText(),
      /\b0 /u,
      'what is not there is not counted',
    );
    await inspector.close();
  });

  it('says what is left before the line of the compaction, at every width', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const { summary, columns } = sampleSession();
    const compactions = summary.compactions.map(known => ({ ...known, tokensBefore: 130_000 }));
    await inspector.show({ summary: { ...summary, compactions }, columns });
    // A request that fills half of the window.
    for (let step = 0; step < 19; step += 1) {
      await page.keyboard.press('[');
    }
    const bar = page.locator('.window__bar');
    let said = 0;
    for (let width = 320; width <= 1280; width += 80) {
      await page.setViewportSize({ width, height: 800 });
      await untilStill(page);
      const { end, line, shown, expected } = await bar.evaluate(element => {
        const words = [...element.querySelectorAll('.window__left, .window__key')].map(text => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return range.getBoundingClientRect().right;
        });
        const parts = element.querySelector('.window__parts')?.getBoundingClientRect();
        const edges = [...element.querySelectorAll('.window__part')].map(
          part => part.getBoundingClientRect().right,
        );
        return {
          end: Math.max(0, ...words),
          line: element.querySelector('.window__reserve')?.getBoundingClientRect().left ?? 0,
          shown: Math.max(...edges),
          expected: parts?.right ?? 0,
        };
      });
      said += end > 0 ? 1 : 0;
      assert.ok(end <= line + 0.5, `${width}: the words end at ${end}, the line is at ${line}`);
      assert.ok(shown <= expected + 0.5, `${width}: the smallest parts push what is free to ${shown}`);
    }
    assert.ok(said > 3, `${said} widths with words`);
    await inspector.close();
  });

  it('draws the window to scale, and names beside the bar what is too narrow for a name', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const { summary, columns } = sampleSession();
    const sized = (window: number) => ({
      summary: { ...summary, compactions: [] },
      columns: {
        ...columns,
        requests: { ...columns.requests, window: columns.requests.window.map(() => window) },
      },
    });
    const filled = (): Promise<{ readonly share: number; readonly keys: readonly string[] }> =>
      page.locator('.window__bar').evaluate(element => ({
        share:
          (element.querySelector('.window__parts')?.getBoundingClientRect().width ?? 0) /
          element.getBoundingClientRect().width,
        keys: [...element.querySelectorAll('.window__key')].map(key => key.textContent),
      }));
    await inspector.show(sized(1_000_000));
    const [, total = ''] =
      /^([\d,]+) tokens/.exec((await page.locator('.window__bar').getAttribute('aria-label')) ?? '') ?? [];
    const tokens = Number(total.replaceAll(',', ''));
    const narrow = await filled();
    assert.ok(Math.abs(narrow.share - tokens / 1_000_000) < 0.01, `${narrow.share} for ${tokens}`);
    assert.ok(
      narrow.keys.some(key => /^Shell \d+ %$/u.test(key)),
      narrow.keys.join(),
    );
    await page.locator('.window__key', { hasText: 'Shell' }).click();
    await page.getByRole('button', { name: 'Remove filter: Shell' }).waitFor();
    // Nobody knows the window: the largest request does not fill the bar.
    await inspector.show(sized(0));
    await page.getByText('window unknown').waitFor();
    assert.ok((await filled()).share < 0.81);
    await inspector.close();
  });

  it('counts what is secret and private, and leads there', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const secrets = page.getByRole('button', { name: /^\d+ blocks? with secrets$/ });
    await secrets.click();
    const details = page.getByTestId('block-details');
    assert.match(await details.innerText(), /secret/);
    assert.match(await page.locator('.timeline').innerText(), /Request \d+ of 60/);
    assert.notEqual(
      await page.getByRole('slider', { name: 'Request', exact: true }).getAttribute('aria-valuenow'),
      '60',
    );
    await inspector.close();
  });

  it('says what came and what went since the request before, on wide pages only', async () => {
    const inspector = await openInspector({ width: 750, height: 776 });
    const { page } = inspector;
    await inspector.show(sampleSession());
    const since = page.getByTestId('since');
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.press('ArrowLeft');
    assert.match(await since.innerText(), /^\+[\d.]+k? \w+.* since request 58$/);
    const { top: before } = await slider.evaluate(element => element.getBoundingClientRect());
    for (let request = 59; request > 23; request -= 1) {
      await slider.press('ArrowLeft');
    }
    assert.match(
      await since.innerText(),
      /^−\d+k files, −\d+k shell, .* since request 22$/,
      'the compaction',
    );
    await slider.press('Home');
    assert.equal(await since.innerText(), 'first request of the conversation');
    const { top } = await slider.evaluate(element => element.getBoundingClientRect());
    assert.equal(top, before, 'the timeline stays where it is');
    await page.setViewportSize({ width: 559, height: 596 });
    await since.waitFor({ state: 'hidden' });
    await inspector.close();
  });

  it('folds the key figures and the timeline, and keeps them reachable', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await page.setViewportSize({ width: 1400, height: 900 });
    await inspector.show(sampleSession());
    const figures = page.getByRole('button', { name: 'Key figures' });
    const cost = page.getByText('cost at list prices');
    assert.equal(await figures.getAttribute('aria-expanded'), 'true');
    await cost.waitFor();
    await figures.click();
    await cost.waitFor({ state: 'detached' });
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await page.getByRole('button', { name: 'Requests over time' }).click();
    assert.equal((await slider.boundingBox())?.height, 24);
    await slider.press('ArrowLeft');
    assert.equal(await slider.getAttribute('aria-valuenow'), '59');
    await page.setViewportSize({ width: 630, height: 596 });
    await figures.click();
    await cost.waitFor();
    await inspector.close();
  });

  it('goes from question to question by keys and by their names', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await page.setViewportSize({ width: 1400, height: 900 });
    await inspector.show(sampleSession());
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    const now = async () => Number(await slider.getAttribute('aria-valuenow'));
    const questions = page.getByRole('toolbar', { name: 'Your questions' }).getByRole('button');
    assert.ok((await questions.count()) > 1);
    await questions.first().click();
    const first = await now();
    await slider.press('.');
    const second = await now();
    assert.ok(second > first, `${second} is after ${first}`);
    await slider.press(',');
    assert.equal(await now(), first);
    await page.getByRole('button', { name: 'Next request' }).click();
    assert.equal(await now(), first + 1);
    await inspector.close();
  });
});
