/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import {
  defaultPruneOptions,
  pruneMemberNames,
  pruneMembers,
  pruneRuleSets,
} from '../../src/core/model/pruneConfig';
import { pruneWords } from '../../webview/words/prune';
import { openInspector } from './harness';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';
import { untilStill } from './still';

const result = (number: number, tool: string, tokens: number): readonly MadeBlock[] => [
  {
    kind: 'toolCall',
    label: `${tool} ${number}`,
    tool,
    callId: `call${number}`,
    tokens: 10,
    message: number * 2,
  },
  {
    kind: 'toolResult',
    label: `${tool} ${number}`,
    tool,
    callId: `call${number}`,
    tokens,
    message: number * 2 + 1,
  },
];

/**
 * Exact figures (a complete request at scale 1): a prompt, five results of 30,000 each, one of them from the protected
 * tool, then two more turns of the user. 160,000 in total.
 */
function session(): Session {
  const blocks: readonly MadeBlock[] = [
    { kind: 'prompt', label: 'first', tokens: 9_930 },
    ...result(1, 'Read', 30_000),
    ...result(2, 'Read', 30_000),
    ...result(3, 'skill', 30_000),
    ...result(4, 'Bash', 30_000),
    ...result(5, 'Read', 30_000),
    { kind: 'prompt', label: 'second', tokens: 10 },
    { kind: 'prompt', label: 'third', tokens: 10, message: 90 },
  ];
  return {
    summary: makeSummary(),
    columns: makeColumns(
      [...blocks.slice(0, -1), { kind: 'assistant', label: 'done', tokens: 0 }, ...blocks.slice(-1)],
      [Array.from({ length: blocks.length + 1 }, (_, index) => index)],
      [{ length: blocks.length + 1, usage: { input: 160_000, cacheRead: 0, cacheWrite: 0 }, complete: true }],
    ),
  };
}

describe('prune panel', () => {
  it('shows its bar and the thumbs of its sliders in high contrast', async () => {
    const inspector = await openInspector({ theme: 'highContrast' });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    const bar = page.locator('.bars__rest').first();
    await bar.waitFor();
    // Black under a translucent white, not the hatching of what goes.
    assert.equal(await bar.evaluate(element => getComputedStyle(element).backgroundColor), 'rgb(0, 0, 0)');
    const slider = page.getByRole('slider', { name: 'Protect newest' });
    for (const [theme, activeBorder] of [
      ['highContrast', 'rgb(243, 133, 24)'],
      ['highContrastLight', 'rgb(0, 107, 189)'],
    ] as const) {
      await page.evaluate(name => window.fakeHost.applyTheme(name), theme);
      // The active border, and not the background of buttons, which is black in the dark theme, as the page.
      assert.equal(await slider.evaluate(element => getComputedStyle(element).accentColor), activeBorder);
    }
    await inspector.close();
  });

  it('recomputes while a slider moves', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    const freed = page.getByTestId('freed');
    const panel = page.getByTestId('prune-panel');
    // Newest first: 30,000 of Read are protected, Bash crosses 40,000 and is queued with the two old ones; skill is not
    // counted. The notice `[Old tool result content cleared]` has 7 tokens: 3 × (30,000 − 7).
    assert.equal(await freed.textContent(), '−89,979');
    await panel.getByText('3 old results').waitFor();
    await panel.getByText('Pruning at request 1 frees 89,979 tokens. It is unknown').waitFor();
    assert.match(
      await panel.locator('.bars').innerText(),
      /Now\s+160,000\s+80 % full\s+After\s+70,021\s+35 % full/u,
    );
    await panel.getByText('Costs and savings').click();
    await panel.getByText('Old results: 90,000 tokens (characters / 4). Pruning starts at 20,000.').waitFor();
    // The first pruned block is the third: the prompt and the first call come before it.
    await panel.getByText('Still cached: the first 2 blocks, 9,940 tokens').waitFor();

    await page.getByRole('spinbutton', { name: 'Protect newest, value' }).fill('60000');
    // Exactly 60,000 are now kept; two results remain.
    assert.equal(await freed.textContent(), '−59,986');
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
        'Nothing to prune at request 1: 60,000 tokens (characters / 4) in old results, the rule starts at 100,000.',
      )
      .waitFor();
    assert.equal(await freed.count(), 0);
    assert.deepEqual(await pictures(), [plain, plain], 'nothing is hatched, and the cache ends where it did');
    await slider.press('Home');
    await freed.waitFor();
    await inspector.close();
  });

  it('marks the old curve while the new one is being computed', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    const verdict = page.getByTestId('verdict');
    await verdict.filter({ hasText: 'frees 89,979 tokens' }).waitFor();
    await verdict.evaluate(element => {
      new MutationObserver(() => {
        const tokens = /[\d,]+ tokens/u.exec(element.textContent)?.[0] ?? '';
        const { dataset } = document.body;
        dataset['seen'] = `${dataset['seen'] ?? ''} ${element.ariaBusy}: ${tokens};`;
      }).observe(element, { attributes: true, characterData: true, subtree: true, childList: true });
    });
    await page.getByRole('spinbutton', { name: 'Protect newest, value' }).fill('60000');
    await verdict.filter({ hasText: 'frees 59,986 tokens' }).waitFor();
    assert.equal(
      await page.evaluate(() => document.body.dataset['seen']?.trim()),
      'true: 89,979 tokens; false: 59,986 tokens;',
    );
    await inspector.close();
  });

  it('takes tools out of the rule and under its protection', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    const freed = page.getByTestId('freed');
    await page.getByRole('textbox', { name: 'Add a tool' }).fill('Bash');
    await page.getByRole('textbox', { name: 'Add a tool' }).press('Enter');
    // Without Bash the newer old Read crosses 40,000: still two candidates.
    assert.equal(await freed.textContent(), '−59,986');
    await page.getByRole('button', { name: 'Stop protecting skill' }).click();
    // Now skill crosses it: skill and two old ones.
    assert.equal(await freed.textContent(), '−89,979');
    await page.getByRole('checkbox', { name: 'Prune old results' }).click();
    await page.getByText('Nothing to prune at request 1: pruning is off.').waitFor();
    assert.equal(await freed.count(), 0);
    await inspector.close();
  });

  it('selects candidates, saves and resets', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    await page.getByRole('button', { name: /Bash 4/u }).click();
    assert.equal(await page.getByRole('button', { name: /Bash 4/u }).getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getByRole('slider', { name: 'Keep characters' }).count(), 0);
    await page.getByRole('combobox', { name: 'Replace with' }).selectOption('truncate');
    await page.getByRole('spinbutton', { name: 'Keep characters, value' }).fill('3000');
    await page.getByRole('button', { name: 'Save to settings' }).click();
    const saved = (await inspector.sent()).flatMap(message =>
      message.type === 'act' && message.act.kind === 'savePruneOptions' ? [message.act.options] : [],
    );
    assert.equal(saved.length, 1);
    const [options] = saved;
    assert.ok(options !== undefined);
    assert.equal(options.toolOutputMaxChars, 3000);
    // The host sends the settings back, so nothing is a what-if option any more.
    await inspector.send({ type: 'pruneOptions', options });
    await page.locator('vscode-button[disabled]', { hasText: 'Reset' }).waitFor();
    const characters = page.getByRole('spinbutton', { name: 'Keep characters, value' });
    assert.equal(await characters.inputValue(), '3000');
    await characters.fill('4000');
    await page.getByRole('button', { name: 'Reset' }).click();
    assert.equal(await characters.inputValue(), '3000');
    await inspector.close();
  });

  it('shows the names of all settings beside their sliders at a laptop’s width', async () => {
    const inspector = await openInspector({ width: 628, height: 596 });
    const { page } = inspector;
    await inspector.show(session());
    await inspector.send({ type: 'pruneOptions', options: defaultPruneOptions('oh-my-pi') });
    await page.getByRole('tab', { name: 'Prune' }).click();
    const sliders = page.locator('.slider');
    await sliders.first().waitFor();
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
    await inspector.close();
  });

  it('keeps a what-if in any member of the options when the settings change', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    const settings = defaultPruneOptions('oh-my-pi');
    await inspector.send({ type: 'pruneOptions', options: settings });
    await page.getByRole('tab', { name: 'Prune' }).click();
    const field = page.getByRole('spinbutton', { name: `${pruneWords.cacheWarmSuffixTokens}, value` });
    await field.fill('12000');
    await inspector.send({ type: 'pruneOptions', options: settings });
    await untilStill(page);
    assert.equal(await field.inputValue(), '12000');
    await inspector.send({ type: 'pruneOptions', options: { ...settings, cacheWarmSuffixTokens: 12_000 } });
    await page.locator('vscode-button[disabled]', { hasText: 'Reset' }).waitFor();
    await inspector.close();
  });

  it('has a control for each of the options that its rule set has', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Prune' }).click();
    for (const ruleSet of pruneRuleSets) {
      await inspector.send({ type: 'pruneOptions', options: defaultPruneOptions(ruleSet) });
      const shown = page.getByRole('region', { name: 'Prune' });
      const sliders = pruneMemberNames.filter(name => {
        const member = pruneMembers[name];
        const isShown = name !== 'toolOutputMaxChars' || ruleSet === 'katu';
        return member.kind === 'count' && member.ruleSets.includes(ruleSet) && isShown;
      });
      await page.waitForFunction(
        count => document.querySelectorAll('.controls .slider').length === count,
        sliders.length,
      );
      for (const name of sliders) {
        assert.equal(await shown.getByRole('slider', { name: pruneWords[name], exact: true }).count(), 1);
      }
    }
    await inspector.close();
  });
});
