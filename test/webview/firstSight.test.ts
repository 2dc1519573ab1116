/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { exampleFile, type OpenDoor, openThroughDoor } from './door';
import type { PageOptions } from './pages';
import { untilStill } from './still';

const openExample = (size: PageOptions = {}): Promise<OpenDoor> =>
  openThroughDoor({ file: exampleFile, ...size });
/** The hidden prompt of 18,000 tokens, and a token for each four of 280,000 characters in a large and a small result. */
const twoResults = 88_000;
const openResultsOf = (model: string): Promise<OpenDoor> =>
  openThroughDoor({
    text: new ClaudeCodeSession()
      .prompt('Why is the price wrong?')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/price.ts' } })
      .result('toolu_1', sourceText(1, 200_000))
      .reply({ tool: 'Bash', id: 'toolu_2', input: { command: 'npm test' } })
      .result('toolu_2', sourceText(2, 80_000))
      .reply({ text: 'It is rounded twice.' })
      .toString()
      .replaceAll('claude-sonnet-4-5-20250929', model),
  });

describe('first sight', () => {
  it('names the sources that fill the window in place, and lights the blocks of one', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const bar = page.locator('.window__bar');
    assert.match(
      (await bar.getAttribute('aria-label')) ?? '',
      /^128,789 tokens, exact, .*Not recorded [\d,]+, .*Files [\d,]+/u,
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
    const inspector = await openExample({ width: 1280, height: 800 });
    const { page } = inspector;
    // Request 47, which fills half of the window of 200,000 tokens: 4 + 104,978 + 777.
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('[');
    }
    // Claude Code recorded that it compacted at 157,485 tokens.
    const bar = page.locator('.window__bar');
    await bar.getByText('51,726 left until compaction').waitFor();
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
    const inspector = await openResultsOf('claude-opus-4-8');
    const { page } = inspector;
    const filled = (): Promise<{ readonly share: number; readonly keys: readonly string[] }> =>
      page.locator('.window__bar').evaluate(element => ({
        share:
          (element.querySelector('.window__parts')?.getBoundingClientRect().width ?? 0) /
          element.getBoundingClientRect().width,
        keys: [...element.querySelectorAll('.window__key')].map(key => key.textContent),
      }));
    const narrow = await filled();
    // A window of a million tokens.
    assert.ok(Math.abs(narrow.share - twoResults / 1_000_000) < 0.01, `${narrow.share}`);
    assert.ok(
      narrow.keys.some(key => /^Shell \d+ %$/u.test(key)),
      narrow.keys.join(),
    );
    await page.locator('.window__key', { hasText: 'Shell' }).click();
    await page.getByRole('button', { name: 'Remove filter: Shell' }).waitFor();
    await inspector.close();
    // Nobody knows the window: the largest request does not fill the bar.
    const other = await openResultsOf('a-model-of-ours');
    await page.getByText('window unknown').waitFor();
    assert.ok((await filled()).share < 0.81);
    await other.close();
  });

  it('says what came and what went since the request before, on wide pages only', async () => {
    const inspector = await openExample({ width: 750, height: 776 });
    const { page } = inspector;
    const since = page.getByTestId('since');
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.press('ArrowLeft');
    assert.match(await since.innerText(), /^\+\d+ \w+.* since request 57$/);
    const { top: before } = await slider.evaluate(element => element.getBoundingClientRect());
    await slider.press('Home');
    assert.equal(await since.innerText(), 'first request of the conversation');
    // 6 requests a page: 1, 7, 13, 19, 25.
    for (const key of ['PageUp', 'PageUp', 'PageUp', 'PageUp', 'ArrowRight']) {
      await slider.press(key);
    }
    assert.match(
      await since.innerText(),
      /^−\d+k shell, −\d+k files, .* since request 25$/,
      'the compaction',
    );
    const { top } = await slider.evaluate(element => element.getBoundingClientRect());
    assert.equal(top, before, 'the timeline stays where it is');
    await page.setViewportSize({ width: 559, height: 596 });
    await since.waitFor({ state: 'hidden' });
    await inspector.close();
  });

  it('folds the key figures and the timeline, and keeps them reachable', async () => {
    const inspector = await openExample({ width: 1400, height: 900 });
    const { page } = inspector;
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
    assert.equal(await slider.getAttribute('aria-valuenow'), '58');
    await page.setViewportSize({ width: 630, height: 596 });
    await figures.click();
    await cost.waitFor();
    await inspector.close();
  });

  it('goes from question to question by keys and by their names, and to what is secret', async () => {
    const inspector = await openExample({ width: 1400, height: 900 });
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    const now = async () => Number(await slider.getAttribute('aria-valuenow'));
    const questions = page.getByRole('toolbar', { name: 'Your questions' }).getByRole('button');
    // The prompts of lines 3, 49, 83, 105, 285, 328 and 343. The first two came before requests 1 and 10.
    assert.equal(await questions.count(), 7);
    await questions.first().click();
    assert.equal(await now(), 1);
    await slider.press('.');
    assert.equal(await now(), 10);
    await slider.press(',');
    assert.equal(await now(), 1);
    await page.getByRole('button', { name: 'Next request' }).click();
    assert.equal(await now(), 2);
    const secrets = page.getByRole('button', { name: /^\d+ blocks? with secrets$/ });
    await secrets.click();
    const details = page.getByTestId('block-details');
    await details.getByRole('heading', { name: 'Read .env' }).waitFor();
    assert.match(await details.innerText(), /secret/);
    // The environment file was read in line 29, and first sent with request 6.
    await page.getByText('Request 6 of 59').waitFor();
    await inspector.close();
  });
});
