/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { themes } from '../../webview/door/themes';
import { cached, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { textOf } from '../fixtures/recordedCalls';
import { showTheme } from './axe';
import { doorOf, isFinal, type DoorOptions, type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

/** Five calls with results of 30,000 tokens and 120,000 characters, one of them of the protected tool. */
const results = ['Read', 'Read', 'skill', 'Bash', 'Read'].reduce(
  (session, tool, index) =>
    session
      .recordedReply(index === 0 ? cached(0, 9_930) : cached(30_010 * index - 20_080, 30_010), {
        tool,
        id: `toolu_${index}`,
        input: tool === 'Read' ? { file_path: `/home/ada/tides${index}` } : { command: `list ${index}` },
      })
      .result(`toolu_${index}`, textOf('', 30_000)),
  new ClaudeCodeSession().prompt('first'),
);
/** Eight requests: the last two begin with a prompt, and the newest has 160,000 tokens. */
const text = results
  .recordedReply(cached(129_970, 30_010), { text: 'Done.' })
  .prompt('second')
  .recordedReply(cached(159_980, 10), { text: 'Good.' })
  .prompt('third')
  .recordedReply(cached(159_990, 10), { text: 'Bye.' })
  .toString();

async function openPanel(options: DoorOptions = {}): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text, ...options });
  await inspector.page.getByRole('tab', { name: 'Prune' }).click();
  await inspector.page.getByTestId('verdict').waitFor();
  return inspector;
}

/**
 * Waits until a prune frees so many results. A notice of 7 tokens takes the place of each. The tokens of a result are
 * fitted to the recorded totals, so the sum may be off by 0.3 %.
 */
async function frees({ page }: OpenDoor, count: number): Promise<number> {
  await page.getByText(`${count} old results`, { exact: false }).waitFor();
  const shown = (await page.getByTestId('freed').textContent()) ?? '';
  const freed = Number(shown.replace('−', '').replaceAll(',', ''));
  const expected = count * (30_000 - 7);
  assert.ok(Math.abs(freed - expected) <= 0.003 * expected, `${shown} instead of ${expected}`);
  return freed;
}

describe('prune panel', () => {
  it('recomputes while a slider moves', async () => {
    const inspector = await openPanel();
    const { page } = inspector;
    const panel = page.getByTestId('prune-panel');
    // Newest first: 30,000 of Read are protected, Bash crosses 40,000 and is queued with the two old ones; skill is not
    // counted.
    const freed = await frees(inspector, 3);
    const left = (160_000 - freed).toLocaleString('en');
    // 160,000 and 70,021 of 200,000.
    assert.match(
      await panel.locator('.bars').innerText(),
      new RegExp(String.raw`Now\s+160,000\s+80 % full\s+After\s+${left}\s+35 % full`, 'u'),
    );
    await panel.getByText('Costs and savings').click();
    await panel.getByText('Old results: 90,000 tokens (characters / 4). Pruning starts at 20,000.').waitFor();
    // The first pruned block is the third: the prompt and the first call come before it.
    await panel.getByText(/^Still cached: the first 2 blocks, 9,9\d\d tokens$/).waitFor();
    const verdict = page.getByTestId('verdict');
    await verdict.evaluate(element => {
      new MutationObserver(() => {
        const money = /\$[\d.]+/u.exec(element.textContent)?.[0] ?? '';
        const { dataset } = document.body;
        dataset['seen'] = `${dataset['seen'] ?? ''} ${element.ariaBusy}: ${money};`;
      }).observe(element, { attributes: true, characterData: true, subtree: true, childList: true });
    });
    await page.getByRole('spinbutton', { name: 'Protect newest, value' }).fill('60000');
    // Exactly 60,000 are now kept; two results remain.
    await frees(inspector, 2);
    // All behind the second block is written again, at 3.75 dollars a million, and not read at 0.30: first 60,000 tokens,
    // then 90,000. The old curve is marked while the new one is computed.
    await verdict.filter({ hasText: '$0.31' }).waitFor();
    assert.equal(
      await page.evaluate(() => document.body.dataset['seen']?.trim()),
      'true: $0.21; false: $0.31;',
    );
    /** The drawing, as it is with the prune and without it. */
    const pictures = async (): Promise<readonly string[]> => {
      const taken: string[] = [];
      for (const tab of ['Request', 'Prune']) {
        await page.getByRole('tab', { name: tab }).click();
        await untilStill(page);
        const picture = page.locator('.slot-layout__canvas');
        taken.push(
          await picture.evaluate(element =>
            element instanceof HTMLCanvasElement ? element.toDataURL() : '',
          ),
        );
      }
      return taken;
    };
    const [plain, hatched] = await pictures();
    assert.notEqual(hatched, plain, 'what goes is hatched');
    const slider = page.getByRole('slider', { name: 'Minimum tokens' });
    await slider.focus();
    await page.keyboard.press('End');
    await panel
      .getByText(
        'Nothing to prune at request 8: 60,000 tokens (characters / 4) in old results, the rule starts at 100,000.',
      )
      .waitFor();
    assert.equal(await page.getByTestId('freed').count(), 0);
    assert.deepEqual(await pictures(), [plain, plain], 'nothing is hatched, and the cache ends where it did');
    await slider.press('Home');
    await page.getByTestId('freed').waitFor();
    await inspector.close();
  });

  it('takes tools out of the rule and under its protection, and has a slider for each threshold of a rule set', async () => {
    const inspector = await openPanel();
    const { page } = inspector;
    await page.getByRole('textbox', { name: 'Add a tool' }).fill('Bash');
    await page.getByRole('textbox', { name: 'Add a tool' }).press('Enter');
    // Without Bash the newer old Read crosses 40,000: still two candidates.
    await frees(inspector, 2);
    await page.getByRole('button', { name: 'Stop protecting skill' }).click();
    // Now skill crosses it: skill and two old ones.
    await frees(inspector, 3);
    await page.getByRole('checkbox', { name: 'Prune old results' }).click();
    await page.getByText('Nothing to prune at request 8: pruning is off.').waitFor();
    assert.equal(await page.getByTestId('freed').count(), 0);
    const both = ['Protect newest', 'Minimum tokens'];
    for (const [ruleSet, names] of [
      ['katu', [...both, 'Keep characters']],
      ['oh-my-pi', [...both, 'Max. rewritten']],
      ['microcompact', both],
      ['duplicates', both],
      ['opencode', both],
    ] as const) {
      await page.getByRole('combobox', { name: 'Rule set', exact: true }).selectOption(ruleSet);
      const controls = page.getByRole('region', { name: 'Prune' });
      await page.waitForFunction(
        count => document.querySelectorAll('.controls .slider').length === count,
        names.length,
      );
      for (const name of names) {
        assert.equal(await controls.getByRole('slider', { name, exact: true }).count(), 1, ruleSet);
      }
    }
    await inspector.close();
  });

  it('is legible in high contrast, selects candidates, saves and resets', async () => {
    const inspector = await openPanel({ theme: 'highContrast' });
    const { page } = inspector;
    const bar = page.locator('.bars__rest').first();
    // Black under a translucent white, not the hatching of what goes.
    assert.equal(await bar.evaluate(element => getComputedStyle(element).backgroundColor), 'rgb(0, 0, 0)');
    const slider = page.getByRole('slider', { name: 'Protect newest' });
    for (const [theme, activeBorder] of [
      ['highContrast', 'rgb(243, 133, 24)'],
      ['highContrastLight', 'rgb(0, 107, 189)'],
    ] as const) {
      await showTheme(page, theme);
      await page.waitForFunction(name => document.body.className === name, themes[theme].bodyClass);
      // The active border, and not the background of buttons, which is black in the dark theme, as the page.
      assert.equal(await slider.evaluate(element => getComputedStyle(element).accentColor), activeBorder);
    }
    const candidate = page.getByRole('button', { name: /Bash list 3/u });
    await candidate.click();
    assert.equal(await candidate.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getByRole('slider', { name: 'Keep characters' }).count(), 0);
    await page.getByRole('combobox', { name: 'Replace with' }).selectOption('truncate');
    const characters = page.getByRole('spinbutton', { name: 'Keep characters, value' });
    await characters.fill('3000');
    await page.getByRole('button', { name: 'Save to settings' }).click();
    // The settings come back, so nothing is a what-if option any more.
    await page.locator('vscode-button[disabled]', { hasText: 'Reset' }).waitFor();
    assert.deepEqual(JSON.parse(readFileSync((await doorOf()).home.settings, 'utf8')), {
      'contextInspector.prune.ruleSet': 'opencode',
      'contextInspector.prune.replacement': 'truncate',
      'contextInspector.prune.toolOutputMaxChars': 3000,
    });
    assert.equal(await characters.inputValue(), '3000');
    await characters.fill('4000');
    await page.getByRole('button', { name: 'Reset' }).click();
    assert.equal(await characters.inputValue(), '3000');
    await inspector.close();
  });

  it('shows all names beside their sliders on a laptop, and keeps a what-if when the settings change', async () => {
    const settings = { 'contextInspector.prune.ruleSet': 'oh-my-pi' };
    const inspector = await openPanel({ width: 628, height: 596, settings });
    const { page } = inspector;
    const sliders = page.locator('.slider');
    await sliders.nth(2).waitFor();
    const covered = await sliders.evaluateAll(all =>
      all.flatMap(slider => {
        const name = document.createRange();
        name.selectNodeContents(slider.querySelector('label') ?? slider);
        const range = slider.querySelector('input[type=range]');
        const isCovered = name.getBoundingClientRect().right > (range?.getBoundingClientRect().left ?? 0);
        return isCovered ? [name.toString()] : [];
      }),
    );
    assert.deepEqual(covered, []);
    const opening = page.waitForEvent('websocket');
    await page.reload();
    await isFinal(page);
    const socket = await opening;
    /** Writes the settings as an editor would, and waits until the page knows them. */
    const change = async (name: string, value: number): Promise<void> => {
      const told = socket.waitForEvent('framereceived', {
        predicate: ({ payload }) => String(payload).includes(`"${name}":${value}`),
      });
      const { home } = await doorOf();
      writeFileSync(
        home.settings,
        JSON.stringify({ ...settings, [`contextInspector.prune.${name}`]: value }),
      );
      await told;
    };
    const field = page.getByRole('spinbutton', { name: 'Max. rewritten, value' });
    await field.fill('12000');
    await change('minimumTokens', 30_000);
    await untilStill(page);
    assert.equal(await field.inputValue(), '12000');
    await change('cacheWarmSuffixTokens', 12_000);
    await page.locator('vscode-button[disabled]', { hasText: 'Reset' }).waitFor();
    await inspector.close();
  });
});
