/// <reference types="node" />
import type { AxeResults } from 'axe-core';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

declare global {
  interface Window {
    axe: { readonly run: () => Promise<AxeResults> };
  }
}

/**
 * Where colours are forced, Chromium paints text in `color`, but still reports the page's own colour as the fill of the
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

/** Waits until what appears has appeared: text that is still half transparent has another contrast. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
      ),
  );
}

/** Checks the current page, once it is still, against axe's rules. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await untilStill(page);
  await page.evaluate(source);
  await page.evaluate(readPaintedColours);
  const violations = await page.evaluate(async () =>
    (await window.axe.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
    ),
  );
  assert.deepEqual(violations, [], where);
}
