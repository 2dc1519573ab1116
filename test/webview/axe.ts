/// <reference types="node" />
import type { AxeResults, RunOptions } from 'axe-core';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { untilStill } from './still';
import { type ThemeName, themeNames } from '../../webview/door/themes';

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

declare global {
  interface Window {
    axe: { readonly run: (options: RunOptions) => Promise<AxeResults> };
  }
}

/**
 * With forced colours, Chromium paints text in `color`, but still reports the page's own colour as the fill of the
 * text, which axe reads first.
 */
function readPaintedColours(): void {
  if (matchMedia('(forced-colors: active)').matches) {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its object below
    const read = CSSStyleDeclaration.prototype.getPropertyValue;
    CSSStyleDeclaration.prototype.getPropertyValue = function (name) {
      return read.call(this, name === '-webkit-text-fill-color' ? 'color' : name);
    };
  }
}

/** Rules about colours. Themes change nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];

async function expectNone(page: Page, options: RunOptions, where: string): Promise<void> {
  const violations = await page.evaluate(
    async given =>
      (await window.axe.run({ ...given, resultTypes: ['violations'] })).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
      ),
    options,
  );
  assert.deepEqual(violations, [], where);
}

/** Checks the current page against axe's rules once it is still, because half-transparent text has another contrast. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await untilStill(page);
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source);
  }
  await page.evaluate(readPaintedColours);
  await expectNone(page, {}, where);
}

/** Shows a theme, by the fake host or as the menu of the local server's frame does. */
export async function showTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(name => {
    if ('fakeHost' in window) {
      window.fakeHost.applyTheme(name);
    } else {
      document.cookie = `context-inspector-theme=${name}; Path=/; SameSite=Strict`;
      new BroadcastChannel('context-inspector-theme').postMessage(name);
    }
  }, theme);
}

/** Checks the current page in every theme. It is in the last one afterwards. */
export async function expectNoViolationsInThemes(page: Page, where: string): Promise<void> {
  const [first, ...others] = themeNames;
  await showTheme(page, first);
  await expectNoViolations(page, `${where}, ${first}`);
  for (const theme of others) {
    await showTheme(page, theme);
    await untilStill(page);
    await expectNone(page, { runOnly: colourRules }, `${where}, ${theme}`);
  }
}
